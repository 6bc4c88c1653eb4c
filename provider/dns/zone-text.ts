/**
 * Records as the state holds them: one text, a line a record, in the order of a zone. It is a zone file with absolute
 * names, so that it can be put into one; what a zone file cannot say stands in comments: a record's line, what a refresh
 * found, records whose value is secret or not known yet. docs/decisions/0012 has the grammar.
 */
import { ownerOf, relativeTo, zoneOf } from "./names";
import { digest, octetsOf, quote, unescape, unquote, unquoteOne } from "./quoting";
import type { DnsRecord, Ttl } from "./record";
import { partOf, recordKey, recordOf, recordText } from "./text";
import { noted, type DeclaredEntry, type Note } from "./ttl";
import type { UnknownRecord } from "./unknowns";
import { invisible } from "../support/visible";
import { lineOf } from "./zone-file/fields";

export interface ZoneContents {
  /** Those whose value is secret have `secret`, and a mark in place of their data. */
  readonly records: readonly DeclaredEntry[];
  readonly unknowns: readonly UnknownRecord[];
}

/** Begins a text in which a record leaves its TTL out: a zone file would take the TTL of the record above. */
export const defaultTtlComment = "; ttl=default";

/**
 * The text, with a line feed at the end of each line; the same records give the same text, whatever their order.
 * @param mark what stands for the data of a record whose value is secret; without it the data itself stands there.
 */
export function zoneText(
  { records, unknowns }: ZoneContents,
  mark?: (record: DnsRecord, index: number) => string,
  data: typeof dataText = dataText,
): string {
  const rows: Row[] = [];
  for (const entry of records)
    rows.push({
      domain: entry.domain,
      labels: labelsOf(entry.name),
      rest: undefined,
      entry,
      unknown: undefined,
    });
  for (const unknown of unknowns) rows.push(rowOf(unknown));
  const isHidden = ({ secret }: DeclaredEntry): boolean => mark !== undefined && secret === true;
  // A zone of 100,000 records is sorted in every run of its program: what two names tell apart is not written out.
  const rest = (row: Row): string =>
    (row.rest ??=
      row.entry === undefined
        ? ""
        : `${row.entry.type}${separator}${isHidden(row.entry) ? `1${digest(recordKey(row.entry))}` : `0${recordText(row.entry)}`}`);
  rows.sort(
    (a, b) => inOrder(a.domain, b.domain) || inOrder(a.labels, b.labels) || inOrder(rest(a), rest(b)),
  );
  const lines: string[] = [];
  let hidden = 0;
  for (const { entry, unknown } of rows) {
    if (unknown !== undefined) lines.push(unknownLine(unknown, data));
    else if (entry !== undefined && mark !== undefined && isHidden(entry))
      lines.push(secretLine(entry, mark(entry, hidden++)));
    else if (entry !== undefined)
      lines.push(`${head(entry, shownTtl(entry))} ${data(entry)}${tail(entry)}\n`);
  }
  const text = lines.join("");
  const leavesOut =
    records.some((entry) => shownTtl(entry) === "default") ||
    unknowns.some((unknown) => "ttl" in unknown && unknown.ttl === "default");
  return leavesOut ? `${defaultTtlComment}\n${text}` : text;
}

/** The line of a secret record, a comment: `; www.example.com. 600 TXT (secret x7Qd2aVb)`; without a mark nothing holds its data. */
export function secretLine(entry: Omit<DeclaredEntry, "value">, mark: string): string {
  return `; ${head(entry, shownTtl(entry))} (${mark === "" ? "secret" : `secret ${mark}`})${tail(entry)}\n`;
}

const ofSpec = "(a record known after the update)";
const ofSpecs = "(records known after the update)";
/** Stands for the first labels of a name that is not known yet. */
const unnamed = "(known after the update)";

/** The line of a record that is not known yet, a comment. */
export function unknownLine(unknown: UnknownRecord, data: typeof dataText = dataText): string {
  if (!("record" in unknown)) return `; ${unknown.what === "spec" ? ofSpec : ofSpecs}\n`;
  const { record, ttl, what } = unknown;
  if (what === "name") {
    const words = `${unnamed}.${record.domain}.${ttl === "default" ? "" : ` ${ttl}`} ${word(record.type)}`;
    return `; ${words} ${record.value === "" ? "(known after the update)" : data(record)}${tail(record)}\n`;
  }
  if (what === "ttl")
    return `; ${word(ownerOf(record.name, record.domain))} (TTL known after the update) ${word(record.type)} ${data(record)}${tail(record)}\n`;
  return `; ${head(record, ttl)} (known after the update)${tail(record)}\n`;
}

function head(record: Omit<DnsRecord, "value">, ttl: Ttl): string {
  const owner = word(ownerOf(record.name, record.domain));
  return ttl === "default" ? `${owner} ${word(record.type)}` : `${owner} ${ttl} ${word(record.type)}`;
}

/** The TTL that a line begins with: what is live where that differs. */
function shownTtl({ ttl, liveTtl }: Pick<DeclaredEntry, "ttl" | "liveTtl">): Ttl {
  return liveTtl ?? ttl;
}

function tail({
  line,
  note,
  ttl,
}: {
  readonly line?: string;
  readonly note?: Note;
  readonly ttl?: Ttl;
}): string {
  if (line === undefined && note === undefined) return "";
  const said = [
    ...(line === undefined ? [] : [`line=${notPlainLine.test(line) ? quote(line) : line}`]),
    ...(note === undefined ? [] : [note === "drifted" ? `drifted, declared ${String(ttl)}` : note]),
  ];
  return ` ; ${said.join("; ")}`;
}

// Each names what is not plain: a long text is then gone through once.
const notPlainLine = new RegExp(`^$|^\\s|\\s$|[";\\\\${invisible}]`, "u");
const notPlainWord = new RegExp(`^$|[\\s";()\\\\${invisible}]`, "u");
const notPlainData = new RegExp(`^$|^[ "]| $| {2}|[^\\S ]|[\\\\;()[\\]${invisible}]`, "u");
const inQuotes = new RegExp(`"[^"\\\\${invisible}]*"`, "gu");

/** Whether data is words that mean themselves in a zone file, with text in quotes among them. */
function isPlainData(value: string): boolean {
  if (!value.includes('"')) return !notPlainData.test(value);
  if (value.includes("\\") && value !== withoutEscapes(value))
    return !value.startsWith('"') && isPlainData(withoutEscapes(value));
  const outside = value.replace(inQuotes, "x");
  return !value.startsWith('"') && !outside.includes('"') && !notPlainData.test(outside);
}

function withoutEscapes(value: string): string {
  return value.replace(/\\[^\p{Cc}]/gu, "x");
}

/** A name or a type as one word: what is live may be anything. */
function word(text: string): string {
  if (!notPlainWord.test(text)) return text;
  return Array.from(text, (character) =>
    character > "~" || notPlainWord.test(character) ? octetsOf(character) : character,
  ).join("");
}

/** The same for people: of long data its part and its length. */
export function shortDataText(record: Pick<DnsRecord, "type" | "value" | "priority">): string {
  const shown = partOf(record.value);
  if (shown === undefined) return dataText(record);
  const { priority, type } = record;
  // A part of data need not be data.
  const part = type === "TXT" ? dataText({ type, value: shown.part }) : shown.part;
  return `${priority === undefined ? "" : `${priority} `}${part} ${shown.length}`;
}

/** A record's data as one line. @returns text that {@link readData} reads back */
export function dataText({ type, value, priority }: Pick<DnsRecord, "type" | "value" | "priority">): string {
  if (type === "TXT") return textStrings(value);
  const words =
    isPlainData(value) && !(type === "MX" && priority === undefined && /^\d/.test(value))
      ? value
      : quote(value);
  return priority === undefined ? words : `${priority} ${words}`;
}

function readData(
  type: string,
  text: string,
): { readonly value: string; readonly priority?: number } | undefined {
  if (type === "TXT") {
    const value = unquote(text);
    return value === undefined ? undefined : { value };
  }
  const [, priority, rest = ""] = type === "MX" ? (/^(\d{1,5}) (.+)$/s.exec(text) ?? []) : [];
  const words = priority === undefined ? text : rest;
  const value = words.startsWith('"') ? (unquoteOne(words) ?? words) : words;
  return priority === undefined ? { value } : { value, priority: Number(priority) };
}

const maxString = 255;

/** A text as strings of at most 255 octets of UTF-8 (RFC 1035 §3.3), no character divided. */
export function textStrings(value: string): string {
  if (value.length * 3 <= maxString || Buffer.byteLength(value) <= maxString) return quote(value);
  const parts: string[] = [];
  let part = "";
  let octets = 0;
  for (const character of value) {
    const size = Buffer.byteLength(character);
    if (octets + size > maxString) {
      parts.push(quote(part));
      part = "";
      octets = 0;
    }
    part += character;
    octets += size;
  }
  return [...parts, quote(part)].join(" ");
}

export interface ZoneTextOptions {
  /** The zones of the text, in canonical form. */
  readonly domains: readonly string[];
  /** The default line's name: it is left out of records. */
  readonly defaultLine?: string;
  /** The data that a mark stands for; without it secret records are left out. */
  readonly secret?: (mark: string) => string | undefined;
}

/**
 * What {@link zoneText} wrote. A record that nobody declares, in a zone that is none of these, is left out.
 * @throws Error, naming the line, for any other text
 */
export function readZoneText(text: string, options: ZoneTextOptions): ZoneContents {
  const reader = new Reader(options);
  let number = 1;
  for (let start = 0; start < text.length; number++) {
    const feed = text.indexOf("\n", start);
    const end = feed === -1 ? text.length : feed;
    const line = text.slice(start, end);
    start = end + 1;
    if (line === "" || (number === 1 && line === defaultTtlComment)) continue;
    if (!(line.startsWith("; ") ? reader.comment(line.slice(2)) : reader.record(line))) {
      throw new Error(
        `line ${number} of the records that the state holds cannot be read: they were written by a newer version of pulumi-legacydns, or edited. Deploy with the newest version that this stack was ever deployed with`,
      );
    }
  }
  return reader;
}

/**
 * A text with other marks: no line moves, and nothing but the secret ones is read.
 * @param data what the marks of the text stand for
 * @throws Error for a mark without data
 */
export function secretMarks(
  text: string,
  domains: readonly string[],
  data: (mark: string) => string | undefined,
  mark: (record: DnsRecord) => string,
): string {
  return text.replace(/^; [^;\n]* \(secret \S+\)(?: ;.*)?$/gm, (line) => {
    const { records } = readZoneText(line, { domains, secret: data });
    const [entry] = records;
    if (entry === undefined)
      throw new Error("a secret record of the program cannot be read; nothing was planned for it");
    return secretLine(entry, mark(entry)).slice(0, -1);
  });
}

const commented = /^(\S+) (?:(\d+) )?(\S+) \((?:(known) after the update|secret(?: (\S+))?)\)(?: ; (.*))?$/s;
const nameUnknown = /^\(known after the update\)\.(\S+) (.*)$/s;
const ttlUnknown = /^(\S+) \(TTL known after the update\) (.*)$/s;

class Reader implements ZoneContents {
  readonly records: DeclaredEntry[] = [];
  readonly unknowns: UnknownRecord[] = [];
  private readonly domains: ReadonlySet<string>;
  private owner = "";
  private placed: { readonly domain: string; readonly name: string } | undefined;

  constructor(private readonly options: ZoneTextOptions) {
    this.domains = new Set(options.domains);
  }

  /** Each returns false for a line that it cannot read. */
  record(line: string): boolean {
    const ownerEnd = line.indexOf(" ");
    let typeStart = ownerEnd + 1;
    let typeEnd = line.indexOf(" ", typeStart);
    let ttl: Ttl = "default";
    // A live record may have a type such as 6TO4, though none can be declared.
    if (/^\d+ /.test(line.slice(typeStart, typeEnd + 1))) {
      ttl = Number(line.slice(typeStart, typeEnd));
      typeStart = typeEnd + 1;
      typeEnd = line.indexOf(" ", typeStart);
    }
    if (ownerEnd < 1 || typeEnd < typeStart || Number.isNaN(ttl)) return false;
    const type = unword(line.slice(typeStart, typeEnd));
    const semicolon = commentStart(line, typeEnd);
    const data = readData(type, line.slice(typeEnd + 1, semicolon === -1 ? undefined : semicolon));
    if (data === undefined) return false;
    return this.add(
      line.slice(0, ownerEnd),
      ttl,
      type,
      data,
      semicolon === -1 ? "" : line.slice(semicolon + 3),
      false,
    );
  }

  comment(line: string): boolean {
    if (line === ofSpec || line === ofSpecs)
      return this.unknowns.push({ what: line === ofSpec ? "spec" : "specs" }) > 0;
    const [, zone, unnamedRest] = nameUnknown.exec(line) ?? [];
    if (zone !== undefined && unnamedRest !== undefined) return this.unknownName(zone, unnamedRest);
    const [, owner, ttl, type, unknown, mark, rest = ""] = commented.exec(line) ?? [];
    if (owner === undefined || type === undefined) return this.unknownTtl(line);
    const given = ttl === undefined ? "default" : Number(ttl);
    if (unknown !== undefined) {
      const placed = this.place(owner);
      const said = readTail(rest);
      if (placed === undefined || said === undefined) return false;
      this.unknowns.push({
        record: recordOf(placed.domain, placed.name, unword(type), { value: "" }, said.line),
        ttl: given,
        what: "value",
      });
      return true;
    }
    if (this.options.secret === undefined || mark === undefined) return true;
    const text = this.options.secret(mark);
    const data = text === undefined ? undefined : readData(unword(type), text);
    return data !== undefined && this.add(owner, given, unword(type), data, rest, true);
  }

  private unknownName(zone: string, rest: string): boolean {
    const inner = new Reader(this.options);
    if (!inner.comment(`${zone} ${rest}`) && !inner.record(`${zone} ${rest}`)) return false;
    for (const each of [
      ...inner.unknowns.flatMap((unknown) => ("record" in unknown ? [unknown] : [])),
      ...inner.records.map(({ ttl, ...record }) => ({ record, ttl })),
    ]) {
      this.unknowns.push({ record: { ...each.record, name: "" }, ttl: each.ttl, what: "name" });
    }
    return true;
  }

  private unknownTtl(line: string): boolean {
    const [, owner, rest] = ttlUnknown.exec(line) ?? [];
    if (owner === undefined || rest === undefined) return false;
    const inner = new Reader(this.options);
    if (!inner.record(`${owner} ${rest}`)) return false;
    const [record] = inner.records;
    if (record !== undefined) {
      const { ttl, ...own } = record;
      this.unknowns.push({ record: own, ttl, what: "ttl" });
    }
    return true;
  }

  private add(
    owner: string,
    shown: Ttl,
    type: string,
    data: { value: string; priority?: number },
    rest: string,
    secret: boolean,
  ): boolean {
    const said = rest === "" ? {} : readTail(rest);
    const placed = this.place(owner);
    if (said === undefined || placed === undefined) return said?.note === "not declared";
    const { line: written, note, declared } = said;
    const line = written === this.options.defaultLine ? undefined : written;
    const record = recordOf(placed.domain, placed.name, type, data, line);
    const ttl = declared ?? shown;
    const live = declared === undefined || shown === "default" ? {} : { liveTtl: shown };
    this.records.push(Object.assign(record, { ttl }, live, noted(note), secret ? { secret } : {}));
    return true;
  }

  private place(owner: string): { readonly domain: string; readonly name: string } | undefined {
    if (owner === this.owner) return this.placed;
    this.owner = owner;
    const host = unword(owner).replace(/\.$/, "");
    const domain = zoneOf(host, this.domains);
    this.placed = domain === undefined ? undefined : { domain, name: relativeTo(host, domain) };
    return this.placed;
  }
}

function unword(text: string): string {
  return text.includes("\\") ? (unescape(text) ?? text) : text;
}

/** Where the comment behind a record's data begins, with the space before it: outside quotes; -1 without one. */
function commentStart(line: string, from: number): number {
  const maybe = line.indexOf(" ; ", from);
  if (maybe === -1 || !line.includes('"')) return maybe;
  let quoted = false;
  for (let at = from; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22) quoted = !quoted;
    else if (!quoted && code === 0x20 && line.startsWith(" ; ", at)) return at;
  }
  return -1;
}

const notes = /(?:^|; )(?:(disabled|not declared)|drifted, declared (default|\d+))$/;

/** `line=…` and what a refresh found, either of them left out; undefined for anything else. */
function readTail(text: string): { line?: string; note?: Note; declared?: Ttl } | undefined {
  const [found, word, declared] = notes.exec(text) ?? [];
  const rest = found === undefined ? text : text.slice(0, -found.length);
  const read = rest === "" ? undefined : lineOf({ text: rest });
  if (rest !== "" && (read === undefined || "problem" in read)) return undefined;
  const line = read === undefined || "problem" in read ? {} : { line: read.line };
  if (declared !== undefined)
    return { ...line, note: "drifted", declared: declared === "default" ? declared : Number(declared) };
  return word === undefined ? line : { ...line, note: word === "disabled" ? word : "not declared" };
}

/** A line to be, by what it is sorted by: domain, name, and of the same name the rest. */
interface Row {
  readonly domain: string;
  readonly labels: string;
  /** Of a record that is known: made where two rows have a name in common. */
  rest: string | undefined;
  readonly entry: DeclaredEntry | undefined;
  readonly unknown: UnknownRecord | undefined;
}

/** Sorts below every character of a name, so that a parent comes before its children. */
const separator = "\u0000";
/** Sorts above every name. */
const last = "\uffff";

/** What has no place yet stands below what has one. */
function rowOf(unknown: UnknownRecord): Row {
  const row = { labels: "", rest: "", entry: undefined, unknown };
  if (!("record" in unknown)) return { ...row, domain: `${last}${unknown.what}` };
  const { record, what } = unknown;
  if (what === "name") return { ...row, domain: record.domain, labels: last, rest: recordText(record) };
  return {
    ...row,
    domain: record.domain,
    labels: labelsOf(record.name),
    rest: `${record.type}${separator}2${recordText(record)}`,
  };
}

/** A name by its labels from the right; the apex is the first. */
function labelsOf(name: string): string {
  if (name === "@") return "";
  return name.includes(".") ? name.split(".").reverse().join(separator) : name;
}

function inOrder(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
