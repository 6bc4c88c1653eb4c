/**
 * The writer of master files. A record that a master file cannot declare becomes a comment with the
 * reason.
 */
import { isError, textOf } from "../../problems";
import { hasLoneSurrogate } from "../ascii";
import { textStrings } from "../data-text";
import { compareTexts, specName, zoneOrder } from "../names";
import { octetsOf } from "../quoting";
import type { DnsRecord } from "../record";
import { recordText } from "../text";
import { presentData, registeredTypes, typeOf } from "../types";
import { lineText } from "../zone-text";
import { visibleLine } from "../../support/visible";
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

/** The reason if it can only be a comment. */
export interface Row {
  readonly record: LiveRecord;
  readonly reason: string | undefined;
}

type Widths = Readonly<Record<"name" | "ttl" | "type", number>>;

const narrow: Widths = { name: 0, ttl: 0, type: 0 };

export function writeZoneFile(zone: ZoneToWrite, options: WriteOptions): string {
  const rows = rowsOf(zone, options, (record) => problemOf(record, options));
  const declared = rows.flatMap(({ record, reason }) => (reason === undefined ? [record] : []));
  const common = commonTtl(declared);
  const widths = {
    name: width(declared.map(specName)),
    ttl: 6,
    type: width(declared.map(({ type }) => type)),
  };
  const lines = headerOf(zone, rows, options).map((line) => `; ${line}`.trimEnd());
  lines.push(`$ORIGIN ${zone.domain}.`);
  if (common !== undefined) lines.push(`$TTL ${common}`);
  let previous: string | undefined;
  for (const { record, reason } of rows) {
    if (record.name !== previous) lines.push("");
    previous = record.name;
    lines.push(
      reason === undefined
        ? lineOf(record, record.ttl === common ? "" : String(record.ttl), widths)
        : commented(record, reason, lineOf(record, String(record.ttl), narrow)),
    );
  }
  return `${lines.join("\n")}\n`;
}

export function rowsOf(
  zone: ZoneToWrite,
  options: WriteOptions,
  problemOf: (record: LiveRecord) => string | undefined,
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
    const reason = reasonOf(record, text, texts, options) ?? problemOf(record);
    if (reason === undefined) texts.add(text);
    return { record, reason };
  });
}

function isPassedOn({ type }: DnsRecord): boolean {
  return typeOf(type) === undefined;
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
  return hasLoneSurrogate(text) ? "it holds half a surrogate pair, which no text file can" : undefined;
}

function problemOf(record: LiveRecord, options: WriteOptions): string | undefined {
  const { domain, ttl, type } = record;
  if (isPassedOn(record) && !registeredTypes.has(type))
    return `a master file has no type ${type}; a YAML file may hold it`;
  const text = lineOf(record, String(ttl), narrow);
  const read = readZoneFile(text, { file: "", domain, defaultLine: options.defaultLine, apexNs: true });
  const error = read.problems.find(isError);
  return error === undefined
    ? sameOr(record, read.records, "a zone file cannot say it; a YAML file may")
    : textOf({ ...error, path: "" });
}

export function sameOr(
  record: LiveRecord,
  [found, ...others]: readonly (DnsRecord & { readonly ttl: unknown })[],
  reason: string,
): string | undefined {
  const isSame =
    others.length === 0 &&
    found?.ttl === record.ttl &&
    found.domain === record.domain &&
    recordText(found) === recordText(record);
  return isSame ? undefined : reason;
}

function lineOf(record: LiveRecord, ttl: string, widths: Widths): string {
  const name = specName(record).padEnd(widths.name);
  const words = [name, ttl.padEnd(widths.ttl), "IN", record.type.padEnd(widths.type), dataText(record)];
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

export function commented(record: LiveRecord, reason: string, text: string, mark = ";"): string {
  const id = record.id === undefined ? "" : `, id ${record.id}`;
  return visibleLine(`${mark} not declared (${reason}${id}): ${text}`);
}

export function headerOf(zone: ZoneToWrite, rows: readonly Row[], options: WriteOptions): string[] {
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
