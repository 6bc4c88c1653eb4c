/** The writer of zone files. A record that a file cannot declare becomes a comment with the reason. */
import { isError, textOf } from "../../problems";
import { count } from "../../support/text";
import { visibleLine } from "../../support/visible";
import { dataText, recordText } from "../text";
import { compareTexts, specName, zoneOrder } from "../names";
import { hasLoneSurrogate, octetsOf } from "../quoting";
import type { DnsRecord } from "../record";
import { registeredTypes, typeOf } from "../types";
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
  const rows = rowsOf(zone, options);
  const lines = rows.map(({ record, reason }) => {
    const id = record.id === undefined ? "" : `, id ${record.id}`;
    const text = lineOf(record);
    return reason === undefined ? text : visibleLine(`; not declared (${reason}${id}): ${text.trim()}`);
  });
  return `${[...headerOf(zone, rows, options), `$ORIGIN ${zone.domain}.`, ...lines].join("\n")}\n`;
}

function rowsOf(zone: ZoneToWrite, options: WriteOptions): Row[] {
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
    const reason = reasonOf(record, options) ?? isTwin ?? fileProblem(record, options.defaultLine);
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

function fileProblem(record: LiveRecord, defaultLine: string): string | undefined {
  const { domain, type } = record;
  if (isPassedOn(record) && !registeredTypes.has(type))
    return `a zone file has no type ${type}; a Record may declare it`;
  const read = readZoneFile(lineOf(record), { file: "", domain, defaultLine, apexNs: true });
  const error = read.problems.find(isError);
  if (error !== undefined) return textOf({ ...error, path: "" });
  const isSame = read.records.length === 1 && isEqual(record, read.records[0]);
  return isSame ? undefined : "a zone file cannot hold it; a Record may declare it";
}

function isEqual(record: LiveRecord, found: (DnsRecord & { readonly ttl: unknown }) | undefined): boolean {
  if (found?.ttl !== record.ttl || found.domain !== record.domain) return false;
  return recordText(found) === recordText(record);
}

function lineOf(record: LiveRecord): string {
  const text = [specName(record), record.ttl, "IN", record.type, asciiData(record)].join(" ");
  return record.line === undefined ? text : `${text} ; ${lineText(record.line)}`;
}

/** Knot DNS reads no UTF-8 (RFC 1035 §5.1). */
function asciiData(record: DnsRecord): string {
  return isPassedOn(record) ? record.value : dataText(record).replace(/[^\x00-\x7f]+/gu, octetsOf);
}

function headerOf(zone: ZoneToWrite, rows: readonly Row[], { header = [] }: WriteOptions): string[] {
  const comments = rows.filter(({ reason }) => reason !== undefined).length;
  const rest = comments === 0 ? "" : `; not declared, each with the reason: ${comments}`;
  const first = `${zone.domain}: ${count(rows.length - comments, "record")}${rest}`;
  const lines = [first, ...header].flatMap((line) => line.split(/[\r\n]+/));
  return lines.map((line) => `; ${line}`.trimEnd());
}

/** The first of equal records is declared: an enabled one, then the longest TTL. */
function compareTwins(a: LiveRecord, b: LiveRecord): number {
  return Number(b.enabled) - Number(a.enabled) || b.ttl - a.ttl || compareTexts(a.id ?? "", b.id ?? "");
}
