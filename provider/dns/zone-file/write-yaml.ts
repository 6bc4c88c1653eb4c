/** The writer of YAML zones, which can declare more than a master file. */
import { isError, textOf } from "../../problems";
import { quote } from "../quoting";
import { specName } from "../names";
import { expandRecord } from "../specs";
import { invisible } from "../../support/visible";
import {
  commented,
  headerOf,
  rowsOf,
  sameOr,
  type LiveRecord,
  type WriteOptions,
  type ZoneToWrite,
} from "./write";

export function writeYamlZone(zone: ZoneToWrite, options: WriteOptions): string {
  const rows = rowsOf(zone, options, (record) => problemOf(record, options));
  const lines = headerOf(zone, rows, options).map((line) => `# ${line}`.trimEnd());
  const isEmpty = rows.every(({ reason }) => reason !== undefined);
  lines.push(`domain: ${plain(zone.domain)}`, isEmpty ? "records: []" : "records:");
  for (const { record, reason } of rows) {
    const fields = Object.entries(fieldsOf(record)).map(([name, value]) => `${name}: ${plain(value)}`);
    const text = `- { ${fields.join(", ")} }`;
    lines.push(`  ${reason === undefined ? text : commented(record, reason, text, "#")}`);
  }
  return `${lines.join("\n")}\n`;
}

function fieldsOf(record: LiveRecord): {
  readonly name: string;
  readonly type: string;
  readonly priority?: number;
  readonly value: string;
  readonly ttl: number;
  readonly line?: string;
} {
  const { type, priority, line, ttl, value } = record;
  // In a spec, a text between quotes is read as strings, and an empty one as a missing value.
  const isQuoted = type === "TXT" && (value === "" || value.startsWith('"'));
  return {
    name: specName(record),
    type,
    ...(priority === undefined ? {} : { priority }),
    value: isQuoted ? quote(value) : value,
    ttl,
    ...(line === undefined ? {} : { line }),
  };
}

function problemOf(record: LiveRecord, options: WriteOptions): string | undefined {
  const { defaultLine } = options;
  const spec = { ...fieldsOf(record), domain: record.domain };
  const { record: found, problems } = expandRecord(spec, { defaultLine });
  const error = problems.find(isError);
  if (error !== undefined) return textOf(error);
  return sameOr(record, found === undefined ? [] : [found], "a YAML file cannot say it");
}

/** Words that are texts in every YAML. */
const plainWord =
  /^(?!(?:null|true|false|y|n|yes|no|on|off)$)(?:[A-Za-z][A-Za-z0-9._/-]*|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})$/i;

const unprintable = new RegExp(`[${invisible}\ufffe\uffff]`, "gu");

function plain(value: string | number): string {
  if (typeof value === "number" || plainWord.test(value)) return String(value);
  const escaped = (found: string): string =>
    `\\U${(found.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`;
  return JSON.stringify(value).replace(unprintable, escaped);
}
