import {
  digest,
  expandRecord,
  quote,
  recordKey,
  specName,
  stateTtl,
  type DeclaredEntry,
  type DeclaredRecord,
  type Note,
  type UnknownRecord,
} from "../dns";
import type { Observed } from "../reconcile/reconciler";
import type { Settings } from "../settings";
import { planSummary, type Form } from "./form";
import { unknownValue, type Props } from "./lifecycle";

const fields = ["domain", "name", "type", "value", "priority", "line"] as const;

export const recordForm: Form = {
  type: "Record",
  single: true,

  check: (news, { settings }) => {
    const { record, unknown, problems } = expand(news, settings);
    if (record === undefined)
      return {
        inputs: unresolved(news, settings),
        records: () => [],
        problems,
        unknowns: unknown === undefined ? [] : [unknown],
      };
    return {
      inputs: { ...optionsIn(news), ...inputsFor(record, news) },
      records: () => [record],
      problems,
      unknowns: [],
    };
  },

  stored: (props, settings) => {
    const { record } = expand(props, settings);
    return record === undefined ? [] : [record];
  },

  replaces: (olds, news, inPlace) =>
    (inPlace ? (["domain"] as const) : fields).filter((field) => olds[field] !== news[field]),

  live: (props, { findings, strays }: Observed) => {
    const [finding] = findings;
    const [stray] = strays;
    if (finding === undefined || finding.state === "missing") {
      if (stray === undefined) return undefined;
      const isDefault = props["ttl"] === "default";
      const note: Note = stray.enabled ? "drifted" : "disabled";
      const found = {
        ttl: isDefault ? "default" : stray.ttl,
        ...(isDefault && stray.enabled ? {} : { note }),
      } as const;
      const record: DeclaredEntry = { ...stray.record, ...found };
      return { ...optionsIn(props), ...inputsFor(record, props) };
    }
    if (finding.state === "unread" || (finding.state === "as declared" && stray === undefined)) return props;
    const note =
      finding.state === "as declared"
        ? "another is live"
        : finding.state === "disabled"
          ? "disabled"
          : "drifted";
    const ttl = finding.state === "other ttl" ? finding.live.ttl : finding.record.ttl;
    return { ...props, ttl: stateTtl({ ttl, note }) };
  },

  id: ([record], sensitive) => {
    if (record === undefined) return "unknown";
    const place = `${record.domain}/${record.name}/${record.type}`;
    return sensitive ? place : `${place}/${digest(recordKey(record))}`;
  },

  outputs: (ledger, [record]) => {
    const owned = record && ledger.owned.get(digest(recordKey(record)));
    return owned ? { recordId: owned.id } : {};
  },

  summary: (plan, of) => {
    const [change] = plan.changes;
    return of.isNew && change !== undefined ? planSummary(plan, change.record.domain, of) : undefined;
  },

  additions: () => [],
};

function expand(
  props: Props,
  settings: Settings,
): {
  record?: DeclaredEntry;
  unknown?: UnknownRecord;
  problems: ReturnType<typeof expandRecord>["problems"];
} {
  const { domain, name, type, value, priority, ttl, line } = props;
  return expandRecord(
    { domain, name, type, value, priority, ttl, line },
    {
      defaultLine: settings.defaultLine,
      unknown: unknownValue,
      sensitive: props["sensitive"] === true && props["secrets"] === undefined,
    },
  );
}

function inputsFor(record: DeclaredRecord & { note?: DeclaredEntry["note"] }, given: Props): Props {
  const { domain, type, priority, line } = record;
  const name = specName(record);
  // A TXT value in quotes is read as quoted strings.
  const value = type === "TXT" && /^".*"$/s.test(record.value) ? quote(record.value) : record.value;
  return {
    domain,
    name,
    type,
    value,
    ...(priority === undefined ? {} : { priority }),
    ...(line === undefined ? {} : { line }),
    ttl: stateTtl(record),
    ...("__provider" in given ? { __provider: given["__provider"] } : {}),
  };
}

const someDomain = "domain.invalid";

/** The known values are canonical, so that the engine's diff shows only changes. */
function unresolved(news: Props, settings: Settings): Props {
  const isLater = (field: string): boolean => news[field] === unknownValue;
  const { name } = news;
  const isUnplaced = isLater("domain") && typeof name === "string" && name.endsWith(".");
  const standIns = {
    ...(isLater("domain") ? { domain: someDomain } : {}),
    ...(isLater("name") || isUnplaced ? { name: "@" } : {}),
    ...(isLater("type") ? { type: "TXT", value: unknownValue, priority: undefined } : {}),
    ...(isLater("ttl") ? { ttl: undefined } : {}),
    ...(isLater("line") ? { line: undefined } : {}),
  };
  const { record, unknown } = expand({ ...news, ...standIns }, settings);
  const found =
    record ??
    (unknown !== undefined && "record" in unknown ? { ...unknown.record, ttl: unknown.ttl } : undefined);
  if (found === undefined) return { ...news, ttl: news["ttl"] ?? "default", name: name ?? "@" };
  const isOpen = (field: string): boolean =>
    isLater(field) ||
    (field === "name" ? isUnplaced : found.value === "" && (field === "value" || field === "priority"));
  const written = Object.entries(news).filter(([field, value]) => value !== undefined && isOpen(field));
  return { ...optionsIn(news), ...inputsFor(found, news), ...Object.fromEntries(written) };
}

function optionsIn({ removal, adopt, sensitive }: Props): Props {
  return {
    ...(removal === undefined ? {} : { removal }),
    ...(adopt === undefined ? {} : { adopt }),
    ...(sensitive === true ? { sensitive } : {}),
  };
}
