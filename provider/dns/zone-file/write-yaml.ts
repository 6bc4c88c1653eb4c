/** The writer of YAML zones: one spec a line, for records that a master file cannot say as well. */
import { isError, shown } from "../../problems";
import { quote } from "../quoting";
import { specName } from "../names";
import { expandRecord } from "../specs";
import { invisible } from "../../support/visible";
import { recordText } from "../text";
import { commented, headerOf, rowsOf, type LiveRecord, type WriteOptions, type ZoneToWrite } from "./write";

/** The zone as a YAML file; the same zone gives the same text, whatever the order of its records. */
export function writeYamlZone(zone: ZoneToWrite, options: WriteOptions): string {
  const rows = rowsOf(zone, options, (record) => problemOf(record, options));
  const lines = headerOf(zone, rows, options).map((line) => `# ${line}`.trimEnd());
  const none = rows.every(({ reason }) => reason !== undefined);
  lines.push(`domain: ${plain(zone.domain)}`, none ? "records: []" : "records:");
  for (const { record, reason } of rows) {
    const text = `- { ${fieldsOf(record)
      .map(([name, value]) => `${name}: ${plain(value)}`)
      .join(", ")} }`;
    lines.push(reason === undefined ? `  ${text}` : `  ${commented(record, reason, text, "#")}`);
  }
  return `${lines.join("\n")}\n`;
}

type Fields = readonly (readonly [string, string | number])[];

function fieldsOf(record: LiveRecord): Fields {
  const { type, priority, line, ttl } = record;
  const fields: (readonly [string, string | number])[] = [
    ["name", specName(record)],
    ["type", type],
  ];
  if (priority !== undefined) fields.push(["priority", priority]);
  fields.push(["value", specValue(record)], ["ttl", ttl]);
  if (line !== undefined) fields.push(["line", line]);
  return fields;
}

/** In a spec, a text between quotes is read as quoted strings, and an empty one as a forgotten value. */
function specValue({ type, value }: LiveRecord): string {
  return type === "TXT" && (value === "" || value.startsWith('"')) ? quote(value) : value;
}

function problemOf(record: LiveRecord, options: WriteOptions): string | undefined {
  const spec: { type?: unknown; value?: unknown } = Object.fromEntries(fieldsOf(record));
  const { record: found, problems } = expandRecord(
    { ...spec, domain: record.domain, type: spec.type, value: spec.value },
    options,
  );
  const error = problems.find(isError);
  if (error !== undefined) return shown(error);
  const same =
    found?.ttl === record.ttl && found.domain === record.domain && recordText(found) === recordText(record);
  return same ? undefined : "a YAML file cannot say it";
}

/** Words that YAML reads as texts, wherever they stand: no number, no null, nothing that begins a structure. */
const plainWord =
  /^(?!(?:null|true|false|y|n|yes|no|on|off)$)(?:[A-Za-z][A-Za-z0-9._/-]*|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})$/i;

const unprintable = new RegExp(`[${invisible}\ufffe\uffff]`, "gu");

/** JSON is YAML; invisible characters are escaped as well, those included that YAML calls unprintable. */
function plain(value: string | number): string {
  if (typeof value === "number" || plainWord.test(value)) return String(value);
  return JSON.stringify(value).replace(
    unprintable,
    (found) => `\\U${(found.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`,
  );
}
