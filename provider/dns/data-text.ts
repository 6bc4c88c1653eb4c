/**
 * A record's data in the state's text, and its inverse. Live data may be anything, so each has a form
 * with quotes.
 */
import { quote, octetsOf, unescape, unquote, unquoteOne } from "./quoting";
import type { DnsRecord } from "./record";
import { partOf } from "./text";
import { typeOf } from "./types";
import { invisible } from "../support/visible";

type TypedData = Pick<DnsRecord, "type" | "value" | "priority">;

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

export function readData(
  type: string,
  text: string,
): { readonly value: string; readonly priority?: number } | undefined {
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

export function wordText(text: string): string {
  if (!notPlainWord.test(text)) return text;
  return Array.from(text, (character) =>
    character > "~" || notPlainWord.test(character) ? octetsOf(character) : character,
  ).join("");
}

export function readWord(text: string): string {
  return unescape(text) ?? text;
}
