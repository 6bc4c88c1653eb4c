/**
 * The words of a master file's entry that mean the same everywhere: names (RFC 1035 §5.1), times, classes, and the
 * comment that declares a record's line.
 */
import { isIP } from "node:net";
import { canonicalLabels, withoutDot } from "../names";
import { lowerAscii, upperAscii } from "../ascii";
import { about, reason, type Reason } from "../../problems";
import { closingQuote, showPlain, trimSpace, unescape } from "../quoting";
import { readTtl, secondsOf } from "../ttl";
import type { Ttl } from "../record";
import type { Comment, Token } from "./scan";

export interface Fault {
  readonly problem: Reason;
}

/** An absolute name in canonical form, without the dot; `""` is the root. */
export interface Host {
  readonly host: string;
  /** The name ends in the domain without a dot, which is hardly what its writer meant. */
  readonly warning?: Reason;
}

/** Shows a word of a file, cut short: the file may hold anything, and its words may be secrets. */
export const showToken = (raw: string): string => showPlain(raw, 24);

const nameEscape = /\\(\d{3}|[^])/g;
const legalEscaped = /^[A-Za-z0-9_*-]$/;

/**
 * The name of a word: `@` is the origin, without a dot at the end it is relative to the origin.
 * @param origin canonical, without the dot; undefined after an `$ORIGIN` that could not be read.
 * @returns undefined for a name that only an unknown origin would tell.
 */
export function hostOf(
  { raw, quoted }: Token,
  origin: string | undefined,
  domain: string,
): Host | Fault | undefined {
  if (quoted) return { problem: reason("name.quoted", { given: showToken(raw) }) };
  if (raw === "@") return origin === undefined ? undefined : { host: origin };
  if (raw === ".") return { host: "" };
  const plain = raw.includes("\\") ? unescapeName(raw) : raw;
  if (typeof plain !== "string") return plain;
  const labels = canonicalLabels(withoutDot(plain), true);
  if (typeof labels !== "string") return { problem: about(showToken(raw), labels.problem) };
  if (plain.endsWith(".")) return { host: labels };
  if (origin === undefined) return undefined;
  const host = origin === "" ? labels : `${labels}.${origin}`;
  const whole = canonicalLabels(host, true);
  if (typeof whole !== "string") return { problem: about(showToken(raw), whole.problem) };
  if (!isWithin(labels, domain) || !isWithin(origin, domain)) return { host };
  return { host, warning: reason("name.no-dot", { given: showToken(raw), host, written: labels }) };
}

function unescapeName(raw: string): string | Fault {
  let illegal = false;
  const plain = raw.replace(nameEscape, (_, escaped: string) => {
    const character = escaped.length === 3 ? String.fromCharCode(Number(escaped)) : escaped;
    illegal ||= !legalEscaped.test(character);
    return character;
  });
  return illegal ? { problem: reason("name.escape", { given: showToken(raw) }) } : plain;
}

/** True for the domain itself and every name below it. */
export function isWithin(host: string, domain: string): boolean {
  return host.endsWith(domain) && (host.length === domain.length || host.at(-domain.length - 1) === ".");
}

/** True for an address where a name is needed: never relative to the origin, though RFC 1035 would have it so. */
export function isAddress(token: Token): boolean {
  const code = token.raw.charCodeAt(token.raw.length - 1);
  const maybe = (code >= 0x30 && code <= 0x39) || code === 0x2e || token.raw.includes(":");
  return maybe && isIP(withoutDot(token.raw)) !== 0;
}

/** True for a number of seconds, or a time with units such as `1h30m`. */
export function isTime(raw: string): boolean {
  const code = raw.charCodeAt(0);
  return code >= 0x30 && code <= 0x39 && secondsOf(raw) !== undefined;
}

/** The seconds of a time, as a TTL that the service keeps. */
export function ttlOf(raw: string): { readonly ttl: Ttl } | Fault {
  return readTtl(secondsOf(raw), showPlain);
}

const otherClass = /^(?:CH|CHAOS|HS|HESIOD|CS|ANY|NONE|CLASS\d{1,5})$/i;

/** Whether a word is a class, and whether it is the Internet's, the only one that the service has. */
export function classOf(raw: string): "internet" | "other" | undefined {
  if (raw.length < 2) return undefined;
  const upper = upperAscii(raw);
  if (upper === "IN" || upper === "CLASS1") return "internet";
  return otherClass.test(upper) ? "other" : undefined;
}

/**
 * The line that a comment declares: `; line=电信`, up to the next semicolon, or in quotes with RFC 1035's escapes.
 * @returns undefined for any other comment.
 */
export function lineOf({ text }: Pick<Comment, "text">): { readonly line: string } | Fault | undefined {
  const start = lineStart(text);
  if (start === undefined) return undefined;
  const end = text.charAt(start) === '"' ? closingQuote(text, start) : -1;
  const after = end === -1 ? -1 : skipBlank(text, end + 1);
  // Quotes hold the whole name, or they are part of it.
  const quoted = after !== -1 && (after === text.length || text.charAt(after) === ";");
  const semicolon = text.indexOf(";", start);
  const line = quoted
    ? unescape(text.slice(start + 1, end))
    : trimSpace(text.slice(start, semicolon === -1 ? text.length : semicolon));
  if (line === undefined) return { problem: reason("line.escape") };
  if (line === "") return { problem: reason("line.missing") };
  if (!quoted && line.includes('"')) {
    return { problem: reason("line.quotes", { given: showPlain(line) }) };
  }
  return { line };
}

/** White space of every script: it comes with pasted text, and a line that it hides would be another. */
function skipBlank(text: string, at: number): number {
  while (at < text.length && /\s/.test(text.charAt(at))) at++;
  return at;
}

/** Where the name begins in the first part of a comment that says `line=`; parts are divided by semicolons. */
function lineStart(text: string): number | undefined {
  if (!text.includes("=")) return undefined;
  for (let part = 0; ;) {
    const word = skipBlank(text, part);
    if (lowerAscii(text.slice(word, word + 4)) === "line") {
      const equals = skipBlank(text, word + 4);
      if (text.charAt(equals) === "=") return skipBlank(text, equals + 1);
    }
    const semicolon = text.indexOf(";", part);
    if (semicolon === -1) return undefined;
    part = semicolon + 1;
  }
}
