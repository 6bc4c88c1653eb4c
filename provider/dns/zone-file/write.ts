/** The writers of zone files. A record that a file cannot declare becomes a comment with the reason. */
import { isError, textOf } from "../../problems";
import { invisible, visibleLine } from "../../support/visible";
import { textStrings } from "../data-text";
import { compareTexts, specName, zoneOrder } from "../names";
import { hasLoneSurrogate, octetsOf, specText } from "../quoting";
import type { DnsRecord } from "../record";
import { expandRecord } from "../specs";
import { recordText } from "../text";
import { presentData, registeredTypes, typeOf } from "../types";
import { lineText } from "../zone-text";
import { readZoneFile } from "./read";

export type LiveRecord = DnsRecord & {
  readonly ttl: number;
  readonly enabled: boolean;
  readonly id?: string;
};

export interface ZoneToWrite {
  readonly domain: string;
  readonly records: readonly LiveRecord[];
}

export interface WriteOptions {
  readonly defaultLine: string;
  /** Otherwise they are comments: the service keeps its own. */
  readonly apexNs?: boolean;
  readonly header?: readonly string[];
}

interface Row {
  readonly record: LiveRecord;
  readonly reason: string | undefined;
}

export function writeZoneFile(zone: ZoneToWrite, options: WriteOptions): string {
  const rows = rowsOf(zone, options, masterFileProblem);
  const declared = rows.flatMap(({ record, reason }) => (reason === undefined ? [record] : []));
  const common = commonTtl(declared);
  const names = width(declared.map(specName));
  const types = width(declared.map(({ type }) => type));
  const lines = headerOf(zone, rows, options).map((line) => `; ${line}`.trimEnd());
  lines.push(`$ORIGIN ${zone.domain}.`);
  if (common !== undefined) lines.push(`$TTL ${common}`);
  let previous: string | undefined;
  for (const { record, reason } of rows) {
    if (record.name !== previous) lines.push("");
    previous = record.name;
    if (reason !== undefined) lines.push(commented(record, reason, lineOf(record)));
    else lines.push(lineOf(record, record.ttl === common ? "" : String(record.ttl), names, types));
  }
  return `${lines.join("\n")}\n`;
}

/** YAML can declare more than a master file. */
export function writeYamlZone(zone: ZoneToWrite, options: WriteOptions): string {
  const rows = rowsOf(zone, options, yamlProblem);
  const lines = headerOf(zone, rows, options).map((line) => `# ${line}`.trimEnd());
  const isEmpty = rows.every(({ reason }) => reason !== undefined);
  lines.push(`domain: ${plain(zone.domain)}`, isEmpty ? "records: []" : "records:");
  for (const { record, reason } of rows) {
    const fields = Object.entries(specOf(record)).map(([name, value]) => `${name}: ${plain(value)}`);
    const text = `- { ${fields.join(", ")} }`;
    lines.push(`  ${reason === undefined ? text : commented(record, reason, text, "#")}`);
  }
  return `${lines.join("\n")}\n`;
}

function rowsOf(
  zone: ZoneToWrite,
  options: WriteOptions,
  problemOf: (record: LiveRecord, defaultLine: string) => string | undefined,
): Row[] {
  const keyed = zone.records.map((record) => ({
    record,
    order: `${zoneOrder(record.name)}\0\0${isPassedOn(record) ? 1 : 0}${record.type}`,
    text: recordText(record),
  }));
  keyed.sort(
    (a, b) =>
      compareTexts(a.order, b.order) || compareTexts(a.text, b.text) || compareTwins(a.record, b.record),
  );
  const texts = new Set<string>();
  return keyed.map(({ record, text }) => {
    const isTwin = texts.has(text) ? "the same record again" : undefined;
    const reason = reasonOf(record, options) ?? isTwin ?? problemOf(record, options.defaultLine);
    if (reason === undefined) texts.add(text);
    return { record, reason };
  });
}

function isPassedOn({ type }: DnsRecord): boolean {
  return typeOf(type) === undefined;
}

function reasonOf(record: LiveRecord, options: WriteOptions): string | undefined {
  if (!record.enabled) return "disabled";
  if (record.type === "SOA") return "the service makes this record itself";
  if (record.type === "NS" && record.name === "@" && options.apexNs !== true)
    return "the service keeps the NS records of the apex itself";
  const isBroken = hasLoneSurrogate(recordText(record));
  return isBroken ? "it holds half a surrogate pair, which no text file can" : undefined;
}

function masterFileProblem(record: LiveRecord, defaultLine: string): string | undefined {
  const { domain, type } = record;
  if (isPassedOn(record) && !registeredTypes.has(type))
    return `a master file has no type ${type}; a YAML file may hold it`;
  const read = readZoneFile(lineOf(record), { file: "", domain, defaultLine, apexNs: true });
  const error = read.problems.find(isError);
  if (error !== undefined) return textOf({ ...error, path: "" });
  const isSame = read.records.length === 1 && isEqual(record, read.records[0]);
  return isSame ? undefined : "a zone file cannot say it; a YAML file may";
}

function yamlProblem(record: LiveRecord, defaultLine: string): string | undefined {
  const read = expandRecord({ ...specOf(record), domain: record.domain }, { defaultLine });
  const error = read.problems.find(isError);
  if (error !== undefined) return textOf(error);
  return isEqual(record, read.record) ? undefined : "a YAML file cannot say it";
}

function isEqual(record: LiveRecord, found: (DnsRecord & { readonly ttl: unknown }) | undefined): boolean {
  if (found?.ttl !== record.ttl || found.domain !== record.domain) return false;
  return recordText(found) === recordText(record);
}

/** @param names width of the column; by default, words have single spaces */
function lineOf(record: LiveRecord, ttl = String(record.ttl), names = 0, types = 0): string {
  const name = specName(record).padEnd(names);
  const words = [name, ttl.padEnd(names && 6), "IN", record.type.padEnd(types), dataText(record)];
  const text = words.filter((word) => word !== "").join(" ");
  return record.line === undefined ? text : `${text} ; ${lineText(record.line)}`;
}

function dataText(record: DnsRecord): string {
  const { type, value, priority } = record;
  if (isPassedOn(record)) return value;
  const text = typeOf(type)?.fields === "strings" ? textStrings(value) : presentData(type, value, priority);
  // Knot DNS reads no UTF-8 (RFC 1035 §5.1).
  return text.replace(/[^\x00-\x7f]+/gu, octetsOf);
}

function specOf({
  type,
  priority,
  line,
  ttl,
  value,
  ...owner
}: LiveRecord): Omit<DnsRecord, "domain"> & { readonly ttl: number } {
  return {
    name: specName(owner),
    type,
    ...(priority === undefined ? {} : { priority }),
    value: type === "TXT" ? specText(value) : value,
    ttl,
    ...(line === undefined ? {} : { line }),
  };
}

function commented(record: LiveRecord, reason: string, text: string, mark = ";"): string {
  const id = record.id === undefined ? "" : `, id ${record.id}`;
  return visibleLine(`${mark} not declared (${reason}${id}): ${text}`);
}

function headerOf(zone: ZoneToWrite, rows: readonly Row[], options: WriteOptions): string[] {
  const declared = rows.filter(({ reason }) => reason === undefined).length;
  const comments = rows.length - declared;
  const count = `${zone.domain}: ${declared} ${declared === 1 ? "record" : "records"}`;
  const verb = comments === 1 ? "is" : "are";
  const rest = comments === 0 ? "" : `, and ${comments} that ${verb} not declared, each with the reason`;
  return [`${count}${rest}`, ...(options.header ?? []).flatMap((line) => line.split(/[\r\n]+/))];
}

/** The most frequent TTL; the lowest of several. */
function commonTtl(records: readonly LiveRecord[]): number | undefined {
  const counts = new Map<number, number>();
  for (const { ttl } of records) counts.set(ttl, (counts.get(ttl) ?? 0) + 1);
  const [first] = [...counts].sort(([a, m], [b, n]) => n - m || a - b);
  return first?.[0];
}

function width(words: readonly string[]): number {
  return words.reduce((most, { length }) => (length <= 32 ? Math.max(most, length) : most), 1);
}

/** The first of equal records is declared: an enabled one, then the longest TTL. */
function compareTwins(a: LiveRecord, b: LiveRecord): number {
  const detail = ({ id = "", type, value, name }: LiveRecord): string =>
    JSON.stringify([id.padStart(20, "0"), type, name, value]);
  return Number(b.enabled) - Number(a.enabled) || b.ttl - a.ttl || compareTexts(detail(a), detail(b));
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
