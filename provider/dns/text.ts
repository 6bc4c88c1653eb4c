/**
 * A record's canonical text, which is its identity, and the way back. The way back also reads what people write:
 * relative names, extra white space, text without quotes.
 */
import { canonicalData, canonicalType, presentData } from "./data";
import { ownerOf, placeName } from "./names";
import {
  escapeLine,
  isSpace,
  mark,
  quote,
  showPlain,
  skipSpace,
  skipWord,
  trimSpace,
  unescape,
  unquoteOne,
  type Show,
} from "./quoting";
import { about, reason, type Reason } from "../problems";
import type { DnsRecord } from "./record";

/**
 * The canonical text: two records of a domain are the same when their texts are equal. TTL is no part of it.
 * @example recordText(mx) // "example.com. MX 10 mx1.example.com."
 */
export function recordText(r: DnsRecord): string {
  return textWith(r, presentData(r.type, r.value, r.priority));
}

/** A record's text with something else, or nothing, in place of its data. */
export function textWith(
  { domain, name, type, line }: Omit<DnsRecord, "value" | "priority">,
  data?: string,
): string {
  const text = `${ownerOf(name, domain)} ${type}${data === undefined ? "" : ` ${data}`}`;
  return line === undefined ? text : `${text} [${escapeLine(line)}]`;
}

/** A record's identity across domains: `sub.example.com` may be a zone and a name in `example.com`. */
export function recordKey(r: DnsRecord): string {
  return `${r.domain} ${recordText(r)}`;
}

/** A name and line, within which a CNAME stands alone. */
export function placeOf({ name, line }: Pick<DnsRecord, "name" | "line">): string {
  return line === undefined ? name : `${name} ${line}`;
}

/** A name, line and type, across domains: the values that a resolver is answered together. */
export function setOf(r: DnsRecord): string {
  return `${r.domain} ${placeOf(r)} ${r.type}`;
}

/** How much of a value a message shows, in characters. */
const shownOfValue = 100;

/** Of a long value what a message shows, and how long it is; undefined where it is shown in full. @param other the value that it is shown beside: where both begin alike, what differs is shown */
export function partOf(
  value: string,
  other = "",
): { readonly part: string; readonly length: string } | undefined {
  if (value.length <= 2 * shownOfValue) return undefined;
  const alike = commonLength(value, other);
  const from = wholeAt(value, alike < shownOfValue || alike === value.length ? 0 : alike - shownOfValue / 2);
  const end = wholeAt(value, from + shownOfValue);
  return {
    part: `${from > 0 ? "…" : ""}${value.slice(from, end)}${end < value.length ? "…" : ""}`,
    length: `(${value.length.toLocaleString("en-US")} characters)`,
  };
}

/** The place itself, or the one before where a character of two code units is cut there. */
function wholeAt(text: string, at: number): number {
  return /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(0, at - 1), at + 1)) ? at - 1 : at;
}

/** The record for people: its text, a long value shortened; where it is secret the name, the type and its mark. @param other as in {@link partOf} */
export function describeRecord(
  r: DnsRecord & { readonly secret?: true },
  sensitive = false,
  other?: DnsRecord,
): string {
  if (sensitive || r.secret === true) return `${ownerOf(r.name, r.domain)} ${r.type} #${mark(recordKey(r))}`;
  const shown = partOf(r.value, other?.value);
  return shown === undefined ? recordText(r) : `${recordText({ ...r, value: shown.part })} ${shown.length}`;
}

/**
 * A canonical text for people: a long value shortened, as {@link describeRecord} does; any other text as it is.
 * @param other the text that it is shown beside
 */
export function shortText(text: string, other?: string): string {
  const found = text.length <= 2 * shownOfValue ? undefined : valueIn(text);
  const shown = found && partOf(found.value, other === undefined ? undefined : valueIn(other)?.value);
  if (found === undefined || shown === undefined) return text;
  const { parts } = found;
  const data = parts.data.startsWith('"') ? quote(shown.part) : shown.part;
  return `${parts.owner} ${parts.type} ${data}${parts.line === undefined ? "" : ` [${escapeLine(parts.line)}]`} ${shown.length}`;
}

function valueIn(text: string): { readonly parts: Parts; readonly value: string } | undefined {
  const parts = splitText(text);
  if ("problem" in parts || !parts.owner.endsWith(".")) return undefined;
  return { parts, value: unquoteOne(parts.data) ?? parts.data };
}

function commonLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** The parts of a presentation text, not yet judged. */
export interface Parts {
  readonly owner: string;
  readonly type: string;
  readonly data: string;
  readonly line?: string;
}

/** Splits `owner type data [line]`. */
export function splitText(text: string, from = 0): Parts | { readonly problem: Reason } {
  const ownerStart = skipSpace(text, from);
  const ownerEnd = skipWord(text, ownerStart);
  const typeStart = skipSpace(text, ownerEnd);
  const typeEnd = skipWord(text, typeStart);
  return splitData(text.slice(ownerStart, ownerEnd), text.slice(typeStart, typeEnd), text.slice(typeEnd));
}

/** Splits `data [line]`, and says which part is missing. */
export function splitData(owner: string, type: string, rest: string): Parts | { readonly problem: Reason } {
  const trimmed = trimSpace(rest);
  const bracket = trimmed.endsWith("]") ? lineStart(trimmed) : -1;
  const data = bracket === -1 ? trimmed : trimSpace(trimmed.slice(0, bracket));
  if (data === "") {
    return { problem: reason("line.parts") };
  }
  if (bracket === -1) return { owner, type, data };
  const line = unescape(trimmed.slice(bracket + 1, -1));
  if (line === undefined || line === "") return { problem: reason("line.brackets") };
  return { owner, type, data, line };
}

/** The position of the bracket that opens the line's name at the end: outside quotes, and after white space. */
function lineStart(text: string): number {
  let quoted = false;
  let open = -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22) quoted = !quoted;
    else if (code === 0x5b && open === -1 && !quoted && (at === 0 || isSpace(text.charCodeAt(at - 1))))
      open = at;
    else if (code === 0x5d) {
      if (at === text.length - 1) return open;
      open = -1;
    }
  }
  return -1;
}

/**
 * The record of a canonical text, or of a presentation text that a person wrote: the name relative to the only domain,
 * or absolute and then matched to the longest domain; TXT with or without quotes. The exact inverse of
 * {@link recordText} for canonical records. Never throws.
 */
export function parseRecordText(
  text: string,
  domains: readonly string[],
): { readonly record: DnsRecord } | { readonly problem: Reason } {
  const parts = splitText(text);
  if ("problem" in parts) return { problem: about(`${showPlain(text)}:`, parts.problem) };
  const kind = canonicalType(parts.type);
  if ("problem" in kind) return { problem: typeProblem(parts.type, kind.problem, showPlain) };
  const placed = placeName(parts.owner, new Set(domains), false);
  if ("problem" in placed) return { problem: about(showPlain(parts.owner), placed.problem) };
  const [only, ...others] = domains;
  const domain = placed.domain ?? (others.length === 0 ? only : undefined);
  if (domain === undefined) {
    return { problem: reason("name.relative", { given: showPlain(parts.owner), count: domains.length }) };
  }
  const data = canonicalData(kind.type, {
    value: parts.data,
    priority: undefined,
    presentation: true,
    show: showPlain,
  });
  if ("problem" in data) {
    return { problem: data.part === "priority" ? about("priority", data.problem) : data.problem };
  }
  return { record: recordOf(domain, placed.name, kind.type, data, parts.line) };
}

/** A record with only the properties that it has. */
export function recordOf(
  domain: string,
  name: string,
  type: string,
  data: { readonly value: string; readonly priority?: number },
  line: string | undefined,
): DnsRecord {
  const { value, priority } = data;
  if (priority === undefined)
    return line === undefined ? { domain, name, type, value } : { domain, name, type, value, line };
  return line === undefined
    ? { domain, name, type, value, priority }
    : { domain, name, type, value, priority, line };
}

/** A type's problem as a sentence. */
export function typeProblem(type: string, problem: Reason, show: Show): Reason {
  return problem.code === "type.soa" ? problem : about(show(type), problem);
}
