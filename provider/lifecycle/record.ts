/** The form of `Record`: one record, its fields as properties. */
import { digest, expandRecord, quote, recordKey, specName, stateTtl, type DeclaredRecord, type UnknownRecord } from "../dns";
import type { Observed } from "../reconcile/reconciler";
import type { Settings } from "../settings";
import { unknownValue } from "./unknown";
import type { Form, Props, StoredRecord } from "./records";

const fields = ["domain", "name", "type", "value", "priority", "line"] as const;

export const recordForm: Form = {
  type: "Record",
  single: true,

  check: (news, { settings }) => {
    const { record, unknown, problems } = expand(news, settings);
    if (record === undefined) return { inputs: unresolved(news), records: () => [], problems, unknowns: unknown === undefined ? [] : [unknown] };
    return { inputs: { ...optionsIn(news), ...inputsFor(record, news) }, records: () => [record], problems, unknowns: [] };
  },

  stored: (props, settings) => {
    const { record } = expand(props, settings);
    return record === undefined ? [] : [record];
  },

  replaces: (olds, news, inPlace) => (inPlace ? (["domain"] as const) : fields).filter((field) => olds[field] !== news[field]),

  live: (props, { findings, strays }: Observed) => {
    const [finding] = findings;
    const [stray] = strays;
    if (finding === undefined || finding.state === "missing") {
      if (stray === undefined) return undefined;
      const record: StoredRecord = { ...stray.record, ttl: stray.ttl, note: "drifted" };
      return { ...optionsIn(props), ...inputsFor(record, props) };
    }
    if (finding.state === "as declared") return props;
    const note = finding.state === "disabled" ? "disabled" : "drifted";
    const ttl = finding.state === "disabled" ? finding.record.ttl : finding.live.ttl;
    return { ...props, ttl: stateTtl({ ttl, note }) };
  },

  id: ([record], sensitive) => {
    if (record === undefined) return "unknown";
    const place = `${record.domain}/${record.name}/${record.type}`;
    // Everybody may see an id, and could compare a digest with guesses.
    return sensitive ? place : `${place}/${digest(recordKey(record))}`;
  },

  outputs: (ledger, [record]) => {
    const owned = record && ledger.owned.get(digest(recordKey(record)));
    return owned ? { recordId: owned.id } : {};
  },

  summary: () => undefined,
};

function expand(
  props: Props,
  settings: Settings,
): { record?: StoredRecord; unknown?: UnknownRecord; problems: ReturnType<typeof expandRecord>["problems"] } {
  const { domain, name, type, value, priority, ttl, line } = props;
  return expandRecord(
    { domain, name, type, value, priority, ttl, line },
    { defaultLine: settings.defaultLine, unknown: unknownValue, sensitive: props["sensitive"] === true },
  );
}

/** The canonical inputs of a record; the properties that were not given and do not differ stay away. */
function inputsFor(record: DeclaredRecord & { note?: StoredRecord["note"] }, given: Props): Props {
  const { domain, type, priority, line } = record;
  const name = specName(record);
  // A TXT value in quotes is read as quoted strings: one that begins and ends with a quote of its own is quoted again.
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

/** A record that is not known yet: what is known stays as the program wrote it. */
function unresolved(news: Props): Props {
  return { ...news, ttl: news["ttl"] ?? "default", name: news["name"] ?? "@" };
}

function optionsIn({ removal, adopt, sensitive }: Props): Props {
  return {
    ...(removal === undefined ? {} : { removal }),
    ...(adopt === undefined ? {} : { adopt }),
    ...(sensitive === true ? { sensitive } : {}),
  };
}
