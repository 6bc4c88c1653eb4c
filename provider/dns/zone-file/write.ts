/**
 * The writer of master files: what is live, as a file that declares it. Whatever a master file cannot say stands in it
 * as a comment with the reason, so that nothing of the zone is lost from sight; every other record reads back as itself.
 */
import { isError, textOf } from "../../problems";
import { hasLoneSurrogate } from "../ascii";
import { knownTypes, presentData, registeredTypes } from "../types";
import { specName } from "../names";
import { quote } from "../quoting";
import type { DnsRecord } from "../record";
import { recordText } from "../text";
import { invisible, visibleLine } from "../../support/visible";
import { textStrings } from "../data-text";
import { readZoneFile } from "./read";

/** A record as it is live. */
export type LiveRecord = DnsRecord & {
  /** Seconds. */
  readonly ttl: number;
  readonly enabled: boolean;
  /** The service's id, which comments name. */
  readonly id?: string;
};

export interface ZoneToWrite {
  /** In canonical form. */
  readonly domain: string;
  readonly records: readonly LiveRecord[];
}

export interface WriteOptions {
  /** The default line's name. */
  readonly defaultLine: string;
  /** Writes the NS records of the apex, which are the service's own, as records instead of comments. */
  readonly apexNs?: boolean;
  /** Lines for the comment at the top. */
  readonly header?: readonly string[];
}

/** A record with its way into the file: the columns, or why it can only be a comment. */
export interface Row {
  readonly record: LiveRecord;
  readonly reason: string | undefined;
}

/** The zone as a master file; the same zone gives the same text, whatever the order of its records. */
export function writeZoneFile(zone: ZoneToWrite, options: WriteOptions): string {
  const rows = rowsOf(zone, options, (record) => problemOf(record, options));
  const said = rows.filter((row) => row.reason === undefined);
  const common = commonTtl(said);
  const widths = {
    name: width(said, ({ name, domain }) => ownerText({ name, domain })),
    type: width(said, ({ type }) => type),
  };
  const lines = headerOf(zone, rows, options).map((line) => `; ${line}`.trimEnd());
  lines.push(`$ORIGIN ${zone.domain}.`);
  if (common !== undefined) lines.push(`$TTL ${common}`);
  let previous: string | undefined;
  for (const { record, reason } of rows) {
    if (record.name !== previous) lines.push("");
    previous = record.name;
    if (reason === undefined) lines.push(lineOf(record, record.ttl === common, widths));
    else lines.push(commented(record, reason, lineOf(record, false, { name: 0, type: 0 })));
  }
  return `${lines.join("\n")}\n`;
}

/** The records in the order of a zone: the apex first, a parent before its children, then type and data. */
export function rowsOf(
  zone: ZoneToWrite,
  options: WriteOptions,
  problemOf: (record: LiveRecord) => string | undefined,
): Row[] {
  const keyed = zone.records.map((record) => ({ record, order: orderKey(record), text: recordText(record) }));
  keyed.sort(
    (a, b) => compare(a.order, b.order) || compare(a.text, b.text) || compareTwins(a.record, b.record),
  );
  const texts = new Set<string>();
  return keyed.map(({ record, text }) => {
    const reason = reasonOf(record, text, texts, options) ?? problemOf(record);
    if (reason === undefined) texts.add(text);
    return { record, reason };
  });
}

function reasonOf(
  record: LiveRecord,
  text: string,
  texts: ReadonlySet<string>,
  options: WriteOptions,
): string | undefined {
  if (!record.enabled) return "disabled";
  if (record.type === "SOA") return "the service makes this record itself";
  if (record.type === "NS" && record.name === "@" && options.apexNs !== true)
    return "the service keeps the NS records of the apex itself";
  if (texts.has(text)) return "the same record again";
  // A file is UTF-8, which has no halves of surrogate pairs.
  return hasLoneSurrogate(text) ? "it holds half a surrogate pair, which no text file can" : undefined;
}

/** Why a record would not read back as itself. */
function problemOf(record: LiveRecord, options: WriteOptions): string | undefined {
  const { domain, ttl, type } = record;
  if (!known.has(type) && !registeredTypes.has(type))
    return `a master file has no type ${type}; a YAML file may hold it`;
  const text = lineOf(record, false, { name: 0, type: 0 });
  // Each is read back, since live data may be anything.
  const read = readZoneFile(text, { file: "", domain, defaultLine: options.defaultLine, apexNs: true });
  const [found] = read.records;
  const error = read.problems.find(isError);
  if (error !== undefined) return textOf(error);
  const same =
    read.records.length === 1 &&
    found?.ttl === ttl &&
    found.domain === domain &&
    recordText(found) === recordText(record);
  return same ? undefined : "a zone file cannot say it; a YAML file may";
}

function lineOf(
  record: LiveRecord,
  commonTtl: boolean,
  widths: { readonly name: number; readonly type: number },
): string {
  const ttl = commonTtl ? "" : String(record.ttl);
  const words = [
    ownerText(record).padEnd(widths.name),
    ttl.padEnd(widths.name === 0 ? 0 : 6),
    "IN",
    record.type.padEnd(widths.type),
    dataText(record),
  ];
  const text = words.filter((word) => word !== "").join(" ");
  return record.line === undefined ? text : `${text} ; line=${lineText(record.line)}`;
}

/** A name that ends in the domain without a dot would look like a mistake: it is written with the dot. */
function ownerText(record: { readonly name: string; readonly domain: string }): string {
  return specName(record);
}

function dataText({ type, value, priority }: DnsRecord): string {
  // The value of a type that is only passed on consists of words already. Quotes and escapes would change it.
  if (!known.has(type)) return value;
  return inAscii(type === "TXT" ? textStrings(value) : presentData(type, value, priority));
}

/** Writes other characters than those of ASCII as `\DDD`, since Knot DNS reads no UTF-8 (RFC 1035 §5.1). */
function inAscii(data: string): string {
  return data.replace(/[^\x00-\x7f]+/gu, (text) =>
    [...Buffer.from(text)].map((octet) => `\\${String(octet)}`).join(""),
  );
}

/** What keeps a line's name from standing in a comment without quotes. */
const notPlain = new RegExp(`^$|^\\s|\\s$|[";\\\\${invisible}]`, "u");

function lineText(line: string): string {
  return notPlain.test(line) ? quote(line) : line;
}

/** A record as a comment, on one line whatever it holds. */
export function commented(record: LiveRecord, reason: string, text: string, mark = ";"): string {
  const id = record.id === undefined ? "" : `, id ${record.id}`;
  return visibleLine(`${mark} not declared (${reason}${id}): ${text}`);
}

/** The comment at the top, without its marks. */
export function headerOf(zone: ZoneToWrite, rows: readonly Row[], options: WriteOptions): string[] {
  const said = rows.filter(({ reason }) => reason === undefined).length;
  const comments = rows.length - said;
  const count = `${zone.domain}: ${said} ${said === 1 ? "record" : "records"}`;
  const rest =
    comments === 0
      ? ""
      : `, and ${comments} that ${comments === 1 ? "is" : "are"} not declared, each with the reason`;
  return [`${count}${rest}`, ...(options.header ?? []).flatMap((line) => line.split(/[\r\n]+/))];
}

/** The TTL that most records have, of several the lowest. */
function commonTtl(rows: readonly Row[]): number | undefined {
  const counts = new Map<number, number>();
  for (const { record } of rows) counts.set(record.ttl, (counts.get(record.ttl) ?? 0) + 1);
  const [first] = [...counts].sort(([a, m], [b, n]) => n - m || a - b);
  return first?.[0];
}

/** A column's width; a name that is much longer than the others stands out of it. */
function width(rows: readonly Row[], textOf: (record: LiveRecord) => string): number {
  let most = 1;
  for (const { record } of rows) {
    const { length } = textOf(record);
    if (length <= 32) most = Math.max(most, length);
  }
  return most;
}

const known: ReadonlySet<string> = new Set(knownTypes);

function orderKey({ name, type }: DnsRecord): string {
  // A control character sorts below every character of a name.
  const labels = name === "@" ? "" : name.split(".").reverse().join("\u0001");
  return `${labels}\u0000${known.has(type) ? 0 : 1}${type}`;
}

/** Of records with one text the one that is declared comes first: enabled, and of several the longest TTL. */
function compareTwins(a: LiveRecord, b: LiveRecord): number {
  return Number(b.enabled) - Number(a.enabled) || b.ttl - a.ttl || compare(detail(a), detail(b));
}

function detail({ id = "", type, value, name }: LiveRecord): string {
  return JSON.stringify([id.padStart(20, "0"), type, name, value]);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
