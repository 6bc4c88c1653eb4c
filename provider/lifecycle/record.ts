import { digest, expandRecord, recordKey, stateTtl, type Note } from "../dns";
import type { Settings } from "../settings";
import type { Form } from "./form";
import { defined } from "../support/defined";
import { unknownValue } from "./lifecycle";
import { recordInputs, withRecord, type RecordFields, type RecordInputs } from "./state";

const identity = ["domain", "name", "type", "value", "priority", "line"] as const;

export const recordForm: Form<RecordInputs> = {
  single: true,
  inputs: recordInputs,

  check: (given, { settings }) => {
    const { record, unknown, problems } = expand(given, settings);
    const inputs = record === undefined ? unresolved(given, settings) : withRecord(given, record);
    const unknowns = record === undefined && unknown !== undefined ? [unknown] : [];
    return { inputs, records: () => (record === undefined ? [] : [record]), problems, unknowns };
  },

  records: (inputs, settings) => {
    const { record } = expand(inputs, settings);
    return record === undefined ? [] : [record];
  },

  replaces: ({ fields: olds }, { fields: news }, inPlace) =>
    (inPlace ? (["domain"] as const) : identity).filter((field) => olds[field] !== news[field]),

  live: (inputs, { findings, strays }) => {
    const [finding] = findings;
    const [stray] = strays;
    if (finding === undefined || finding.state === "missing") {
      if (stray === undefined) return undefined;
      const isDefault = inputs.fields.ttl === "default";
      const note: Note = stray.enabled ? "drifted" : "disabled";
      return withRecord(inputs, {
        ...stray.record,
        ttl: isDefault ? "default" : stray.ttl,
        ...(isDefault && stray.enabled ? {} : { note }),
      });
    }
    const { state, record } = finding;
    if (state === "unread" || (state === "as declared" && stray === undefined)) return inputs;
    const note = state === "as declared" ? "another is live" : state === "disabled" ? "disabled" : "drifted";
    const ttl = state === "other ttl" ? finding.live.ttl : record.ttl;
    return recordInputs({ ...inputs.props, ttl: stateTtl({ ttl, note }) });
  },

  id: ([record], sensitive) => {
    if (record === undefined) return "unknown";
    const place = `${record.domain}/${record.name}/${record.type}`;
    return sensitive ? place : `${place}/${digest(recordKey(record))}`;
  },
};

function expand({ fields, isSecret }: RecordInputs, { defaultLine }: Settings) {
  return expandRecord(fields, { defaultLine, unknown: unknownValue, sensitive: isSecret });
}

const someDomain = "domain.invalid";

/** The known values are canonical, so that the engine's diff shows only changes. */
function unresolved(given: RecordInputs, settings: Settings): RecordInputs {
  const { fields } = given;
  const isLater = (field: keyof RecordFields): boolean => fields[field] === unknownValue;
  const { name, ttl } = fields;
  const isUnplaced = isLater("domain") && typeof name === "string" && name.endsWith(".");
  const standIns = {
    ...(isLater("domain") ? { domain: someDomain } : {}),
    ...(isLater("name") || isUnplaced ? { name: "@" } : {}),
    ...(isLater("type") ? { type: "TXT", value: unknownValue, priority: undefined } : {}),
    ...(isLater("ttl") ? { ttl: undefined } : {}),
    ...(isLater("line") ? { line: undefined } : {}),
  };
  const { record, unknown } = expand({ ...given, fields: { ...fields, ...standIns } }, settings);
  const found =
    record ??
    (unknown !== undefined && "record" in unknown ? { ...unknown.record, ttl: unknown.ttl } : undefined);
  if (found === undefined) return recordInputs({ ...given.props, ttl: ttl ?? "default", name: name ?? "@" });
  const isOpen = (field: keyof RecordFields): boolean =>
    isLater(field) ||
    (field === "name" ? isUnplaced : found.value === "" && (field === "value" || field === "priority"));
  const open = ([...identity, "ttl"] as const).filter(isOpen);
  const written = defined(Object.fromEntries(open.map((field) => [field, fields[field]])));
  return recordInputs({ ...withRecord(given, found).props, ...written });
}
