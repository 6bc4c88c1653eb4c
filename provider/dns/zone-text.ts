/** The state's text: a sorted zone file with absolute names (docs/decisions/0012 has the grammar). */
import { dataText, readData, readWord, wordText, recordKey, recordOf, recordText } from "./text";
import { compareTexts, isWithin, ownerOf, relativeTo, withoutDot, zoneOf, zoneOrder } from "./names";
import { digest, quote } from "./quoting";
import { lineOf, scanLine, type Grammar, type ScannedLine } from "./scan";
import { type DeclaredEntry, type Note, type DnsRecord, type Ttl, type UnknownRecord } from "./record";
import { invisible } from "../support/visible";

export interface ZoneContents {
  readonly records: readonly DeclaredEntry[];
  readonly unknowns: readonly UnknownRecord[];
}

/** Prevents that a record without a TTL takes the one of the record above. */
export const defaultTtlComment = "; ttl=default";

/** @param mark the mark of a secret record's data; without it, the text has the data itself */
export function zoneText(
  { records, unknowns }: ZoneContents,
  mark?: (record: DnsRecord, index: number) => string,
  data: typeof dataText = dataText,
): string {
  const isHidden = ({ secret }: DeclaredEntry): boolean => mark !== undefined && secret === true;
  const rows: Row[] = [];
  for (const entry of records)
    rows.push({ domain: entry.domain, order: zoneOrder(entry.name), rest: undefined, entry });
  for (const unknown of unknowns) rows.push(rowOf(unknown));
  const rest = (row: Row): string =>
    (row.rest ??=
      "unknown" in row
        ? ""
        : `${row.entry.type}\0${isHidden(row.entry) ? `1${digest(recordKey(row.entry))}` : `0${recordText(row.entry)}`}`);
  rows.sort(
    (a, b) =>
      compareTexts(a.domain, b.domain) || compareTexts(a.order, b.order) || compareTexts(rest(a), rest(b)),
  );
  let isTtlMissing = false;
  let hidden = 0;
  const lines = rows.map((row) => {
    if ("unknown" in row) {
      isTtlMissing ||= "ttl" in row.unknown && row.unknown.ttl === "default";
      return unknownLine(row.unknown, data);
    }
    const { entry } = row;
    isTtlMissing ||= shownTtl(entry) === "default";
    return mark !== undefined && isHidden(entry)
      ? hiddenLine(entry, mark(entry, hidden++))
      : `${head(entry, shownTtl(entry))} ${data(entry)}${tail(entry)}\n`;
  });
  return `${isTtlMissing ? `${defaultTtlComment}\n` : ""}${lines.join("")}`;
}

type Row = {
  readonly domain: string;
  readonly order: string;
  rest: string | undefined;
} & ({ readonly entry: DeclaredEntry } | { readonly unknown: UnknownRecord });

const last = "\uffff";

function rowOf(unknown: UnknownRecord): Row {
  if (!("record" in unknown)) return { domain: `${last}${unknown.what}`, order: "", rest: "", unknown };
  const { record, what } = unknown;
  const text = recordText(record);
  return what === "name"
    ? { domain: record.domain, order: last, rest: text, unknown }
    : { domain: record.domain, order: zoneOrder(record.name), rest: `${record.type}\0${2}${text}`, unknown };
}

function hiddenLine(entry: DeclaredEntry, mark: string): string {
  return `; ${head(entry, shownTtl(entry))} (${mark === "" ? "secret" : `secret ${mark}`})${tail(entry)}\n`;
}

const known = "(known after the update)";
const ttlKnown = "(TTL known after the update)";
const specKnown = "(a record known after the update)";
const specsKnown = "(records known after the update)";

function unknownLine(unknown: UnknownRecord, data: typeof dataText): string {
  if (!("record" in unknown)) return `; ${unknown.what === "spec" ? specKnown : specsKnown}\n`;
  const { record, ttl, what } = unknown;
  const isKnown = what === "ttl" || (what === "name" && record.value !== "");
  const owner = what === "name" ? `${known}.${record.domain}.` : undefined;
  const line = head(record, what === "ttl" ? ttlKnown : ttl, owner);
  return `; ${line} ${isKnown ? data(record) : known}${tail(record)}\n`;
}

function head(
  { name, domain, type }: DnsRecord,
  ttl: Ttl | typeof ttlKnown,
  owner = wordText(ownerOf(name, domain)),
): string {
  return `${owner} ${ttl === "default" ? "" : `${ttl} `}${wordText(type)}`;
}

function shownTtl({ ttl, liveTtl }: DeclaredEntry): Ttl {
  return liveTtl ?? ttl;
}

const notPlainLine = new RegExp(`^$|^\\s|\\s$|[";\\\\${invisible}]`, "u");

export function lineText(line: string): string {
  return `line=${notPlainLine.test(line) ? quote(line) : line}`;
}

function tail({ line, note, ttl }: Partial<Pick<DeclaredEntry, "line" | "note" | "ttl">>): string {
  const noteText = note === "drifted" ? `drifted, declared ${String(ttl)}` : note;
  const parts = [line === undefined ? undefined : lineText(line), noteText].filter(
    (part) => part !== undefined,
  );
  return parts.length === 0 ? "" : ` ; ${parts.join("; ")}`;
}

export interface ZoneTextOptions {
  readonly domains: readonly string[];
  readonly defaultLine?: string;
  readonly secret?: (mark: string) => string | undefined;
}

/**
 * Omits undeclared records in other zones.
 * @throws Error with the number of an unreadable line
 */
export function readZoneText(text: string, options: ZoneTextOptions): ZoneContents {
  const reader = new Reader(options);
  let number = 1;
  for (let start = 0; start < text.length; number++) {
    const feed = text.indexOf("\n", start);
    const end = feed === -1 ? text.length : feed;
    const isRead = text.startsWith("; ", start)
      ? (number === 1 && text.slice(start, end) === defaultTtlComment) ||
        reader.comment(text.slice(start + 2, end))
      : start === end || reader.record(text, start, end);
    start = end + 1;
    if (!isRead)
      throw new Error(
        `line ${number} of the records that the state holds cannot be read: they were written by a newer version of pulumi-legacydns, or edited. Deploy with the newest version that this stack was ever deployed with`,
      );
  }
  return reader;
}

const secretLine = /^; [^;\n]* \(secret (\S+)\)(?: ;.*)?$/gm;

export function secretLines(text: string): { readonly text: string; readonly mark: string }[] {
  return Array.from(text.matchAll(secretLine), ([line, mark = ""]) => ({ text: line, mark }));
}

/** The unknown records of a text that also has a program's own comments and lines. */
export function unknownsIn(text: string, domains: readonly string[]): readonly UnknownRecord[] {
  const reader = new Reader({ domains });
  for (const [, comment = ""] of text.matchAll(/^; (.*)$/gm)) if (isUnknown(comment)) reader.comment(comment);
  return reader.unknowns;
}

const isUnknown = (comment: string): boolean => /known after the update\)/.test(comment);

/**
 * The text with other marks. No line moves.
 * @throws Error for a mark without data
 */
export function secretMarks(
  text: string,
  domains: readonly string[],
  data: (mark: string) => string | undefined,
  mark: (record: DnsRecord) => string,
): string {
  return text.replace(secretLine, (line) => {
    const [entry] = readZoneText(line, { domains, secret: data }).records;
    if (entry === undefined)
      throw new Error("a secret record of the program cannot be read; nothing was planned for it");
    return hiddenLine(entry, mark(entry)).slice(0, -1);
  });
}

const omitted = "omitted";

/** A live record may have a type such as `6TO4` or `IN`, which no program can declare. */
const grammar: Grammar = { isTtl: (word) => word < ":" && /^\d+$/.test(word), isClass: () => false };

const commented = /^(\(known after the update\)\.)?(\S+) (\(TTL known after the update\) )?(.*)$/s;
const hiddenData = /^\(secret(?: (\S+))?\)$/;

class Reader implements ZoneContents {
  readonly records: DeclaredEntry[] = [];
  readonly unknowns: UnknownRecord[] = [];
  private readonly domains: ReadonlySet<string>;
  private owner = "";
  private placed: { readonly domain: string; readonly name: string } | undefined;

  constructor(private readonly options: ZoneTextOptions) {
    this.domains = new Set(options.domains);
  }

  record(text: string, start: number, end: number): boolean {
    const line = scanLine(text, grammar, start, end);
    const entry = line && this.entry(line, line.data);
    return entry !== undefined && (entry === omitted || this.records.push(entry) > 0);
  }

  comment(text: string): boolean {
    if (text === specKnown || text === specsKnown)
      return this.unknowns.push({ what: text === specKnown ? "spec" : "specs" }) > 0;
    const [, unnamed, owner = "", ttlMissing, rest = ""] = commented.exec(text) ?? [];
    const line = scanLine(`${owner} ${rest}`, grammar);
    if (line === undefined) return false;
    const [hidden, mark] = hiddenData.exec(line.data) ?? [];
    if (hidden !== undefined) return this.secretRecord(line, mark);
    const isUnknown = line.data === known;
    if (!isUnknown && unnamed === undefined && ttlMissing === undefined) return false;
    const entry = this.entry(line, isUnknown ? undefined : line.data);
    if (entry === undefined || entry === omitted) return false;
    const { ttl, ...record } = entry;
    this.unknowns.push({
      record: unnamed === undefined ? record : { ...record, name: "" },
      ttl,
      what: unnamed !== undefined ? "name" : ttlMissing !== undefined ? "ttl" : "value",
    });
    return true;
  }

  private secretRecord(line: ScannedLine, mark: string | undefined): boolean {
    if (this.options.secret === undefined || mark === undefined) return true;
    const data = this.options.secret(mark);
    const entry = data === undefined ? undefined : this.entry(line, data);
    return entry !== undefined && (entry === omitted || this.records.push({ ...entry, secret: true }) > 0);
  }

  private entry(line: ScannedLine, text: string | undefined): DeclaredEntry | typeof omitted | undefined {
    const type = readWord(line.type);
    const data = text === undefined ? { value: "" } : text === "" ? undefined : readData(type, text);
    const tail = line.comment === undefined ? {} : readTail(line.comment);
    if (data === undefined || tail === undefined) return undefined;
    const placed = this.place(line.owner);
    if (placed === undefined) return tail.note === "not declared" ? omitted : undefined;
    const named = tail.line === this.options.defaultLine ? undefined : tail.line;
    const record = recordOf(placed.domain, placed.name, type, data, named);
    const shown = line.ttl === undefined ? "default" : Number(line.ttl);
    const { note, declared } = tail;
    const entry: DeclaredEntry = Object.assign(record, { ttl: declared ?? shown });
    if (declared !== undefined && shown !== "default") Object.assign(entry, { liveTtl: shown });
    return note === undefined ? entry : Object.assign(entry, { note });
  }

  private place(owner: string): { readonly domain: string; readonly name: string } | undefined {
    if (owner === this.owner) return this.placed;
    this.owner = owner;
    const host = withoutDot(readWord(owner));
    // A batch has no zone within another one, and its text is sorted by zone.
    const last = this.placed?.domain;
    const domain = last !== undefined && isWithin(host, last) ? last : zoneOf(host, this.domains);
    this.placed = domain === undefined ? undefined : { domain, name: relativeTo(host, domain) };
    return this.placed;
  }
}

const notes = /(?:^|; )(?:(disabled|not declared)|drifted, declared (default|\d+))$/;

function readTail(
  comment: string,
): { readonly line?: string; readonly note?: Note; readonly declared?: Ttl } | undefined {
  const text = comment.startsWith(" ") ? comment.slice(1) : comment;
  const [found = "", word, declared] = notes.exec(text) ?? [];
  const rest = text.slice(0, text.length - found.length);
  const line = rest === "" ? {} : lineOf(rest);
  if (line === undefined || "problem" in line) return undefined;
  if (declared !== undefined)
    return { ...line, note: "drifted", declared: declared === "default" ? declared : Number(declared) };
  return word === undefined ? line : { ...line, note: word === "disabled" ? word : "not declared" };
}
