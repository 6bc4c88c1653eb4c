/** A record's canonical text, which is its identity. */
import { perObject } from "../support/per-object";
import { quote, octetsOf, unescape, unquote, unquoteOne, escapeLine } from "./quoting";
import type { DnsRecord, RecordData } from "./record";
import { typeOf, presentData } from "./types";
import { hiddenText } from "../support/secret";
import { number } from "../support/text";
import { invisible } from "../support/visible";
import { ownerOf } from "./names";

export function recordText(r: DnsRecord): string {
  return textWith(r, presentData(r.type, r.value, r.priority));
}

export function textWith(
  { domain, name, type, line }: Omit<DnsRecord, "value" | "priority">,
  data?: string,
): string {
  const text = `${ownerOf(name, domain)} ${type}${data === undefined ? "" : ` ${data}`}`;
  return line === undefined ? text : `${text} [${escapeLine(line)}]`;
}

/** Identity across domains: `sub.example.com` may be a zone and a name in `example.com`. */
export function freshKey(r: DnsRecord): string {
  return `${r.domain} ${recordText(r)}`;
}

/** The same, kept with the record. */
export const recordKey = perObject(freshKey);

export function placeOf({ name, line }: Pick<DnsRecord, "name" | "line">): string {
  return line === undefined ? name : `${name} ${line}`;
}

export function setOf(r: DnsRecord): string {
  return `${r.domain} ${placeOf(r)} ${r.type}`;
}

const shownOfValue = 100;

export function partOf(
  value: string,
  other = "",
): { readonly part: string; readonly length: string } | undefined {
  if (value.length <= 2 * shownOfValue) return undefined;
  let alike = 0;
  while (alike < value.length && value[alike] === other[alike]) alike += 1;
  const from = wholeAt(value, alike < shownOfValue || alike === value.length ? 0 : alike - shownOfValue / 2);
  const end = wholeAt(value, from + shownOfValue);
  return {
    part: `${from > 0 ? "…" : ""}${value.slice(from, end)}${end < value.length ? "…" : ""}`,
    length: `(${number(value.length)} characters)`,
  };
}

function wholeAt(text: string, at: number): number {
  return /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(0, at - 1), at + 1)) ? at - 1 : at;
}

/** A name, type or line. The service may send one of any length. */
function brief(text: string): string {
  return partOf(text)?.part ?? text;
}

function briefly<T extends DnsRecord>(record: T): T {
  const { name, type, line } = record;
  const parts = {
    name: brief(name),
    type: brief(type),
    ...(line === undefined ? {} : { line: brief(line) }),
  };
  return { ...record, ...parts };
}

/** For people: long parts are shortened. A secret value is hidden. */
export function describeRecord(
  r: DnsRecord & { readonly secret?: true },
  sensitive = false,
  other?: DnsRecord,
): string {
  const named = briefly(r);
  if (sensitive || r.secret === true) return textWith(named, hiddenText);
  const shown = partOf(r.value, other?.value);
  if (shown === undefined) return recordText(named);
  return `${recordText({ ...named, value: shown.part })} ${shown.length}`;
}

const textParts = /^(?:(\S+\.) (\S+) )?("?)(.*?)\3(?: \[([^[\]]*)\])?$/s;

/** A record's text, or its data alone. `other` is shown beside it. */
export function shortText(text: string, other = ""): string {
  if (text.length <= 2 * shownOfValue) return text;
  const [, owner, type = "", mark = "", data = "", line] = textParts.exec(text) ?? [];
  const shown = partOf(data, textParts.exec(other)?.[4]);
  const named = owner === undefined ? "" : `${brief(owner)} ${brief(type)} `;
  const place = line === undefined ? "" : ` [${brief(line)}]`;
  const length = shown === undefined ? "" : ` ${shown.length}`;
  return `${named}${mark}${shown?.part ?? data}${mark}${place}${length}`;
}

export function recordOf(
  domain: string,
  name: string,
  type: string,
  { value, priority }: RecordData,
  line: string | undefined,
): DnsRecord {
  if (priority === undefined)
    return line === undefined ? { domain, name, type, value } : { domain, name, type, value, line };
  return line === undefined
    ? { domain, name, type, value, priority }
    : { domain, name, type, value, priority, line };
}

export function isDefaultLine(name: string, setting: string): boolean {
  return name === setting || name === "默认" || name.toLowerCase() === "default";
}

type TypedData = RecordData & Pick<DnsRecord, "type">;

const notPlainWord = new RegExp(`^$|[\\s";()\\\\${invisible}]`, "u");
const notPlainData = new RegExp(`^$|^[ "]| $| {2}|[^\\S ]|[\\\\;()[\\]${invisible}]`, "u");
const inQuotes = new RegExp(`"[^"\\\\${invisible}]*"`, "gu");

function isPlain(value: string): boolean {
  if (!value.includes('"')) return !notPlainData.test(value);
  if (value.startsWith('"')) return false;
  const words = value.includes("\\") ? value.replace(/\\[^\p{Cc}]/gu, "x") : value;
  const outside = words.replace(inQuotes, "x");
  return !outside.includes('"') && !notPlainData.test(outside);
}

export function dataText({ type, value, priority }: TypedData): string {
  const known = typeOf(type);
  if (known?.fields === "strings") return textStrings(value);
  const isMistakable = known?.priority === "own" && priority === undefined && /^\d/.test(value);
  const words = isPlain(value) && !isMistakable ? value : quote(value);
  return priority === undefined ? words : `${priority} ${words}`;
}

export function shortDataText(record: TypedData): string {
  const shown = partOf(record.value);
  if (shown === undefined) return dataText(record);
  const { priority, type } = record;
  const part = typeOf(type)?.fields === "strings" ? dataText({ type, value: shown.part }) : shown.part;
  return `${priority === undefined ? "" : `${priority} `}${part} ${shown.length}`;
}

export function readData(type: string, text: string): RecordData | undefined {
  const known = typeOf(type);
  if (known?.fields === "strings") {
    const value = unquote(text);
    return value === undefined ? undefined : { value };
  }
  const [, priority, words = text] = known?.priority === "own" ? (/^(\d{1,5}) (.+)$/s.exec(text) ?? []) : [];
  const value = words.startsWith('"') ? (unquoteOne(words) ?? words) : words;
  return priority === undefined ? { value } : { value, priority: Number(priority) };
}

const maxString = 255;

/** Strings of at most 255 octets of UTF-8 (RFC 1035 §3.3). No character is divided. */
function textStrings(value: string): string {
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

export function wordText(text: string): string {
  if (!notPlainWord.test(text)) return text;
  return Array.from(text, (character) =>
    character > "~" || notPlainWord.test(character) ? octetsOf(character) : character,
  ).join("");
}

export function readWord(text: string): string {
  return unescape(text) ?? text;
}
