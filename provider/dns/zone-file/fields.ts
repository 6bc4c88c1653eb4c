/**
 * The words of a master file's entry that mean the same everywhere: names (RFC 1035 §5.1), times, classes, and the
 * comment that declares a record's line.
 */
import { isIP } from "node:net";
import { canonicalLabels, withoutDot } from "../names";
import { showPlain, trimSpace, unescape } from "../quoting";
import { readTtl, secondsOf } from "../ttl";
import type { Ttl } from "../record";
import type { Comment, Token } from "./scan";

export interface Fault {
  readonly problem: string;
}

/** An absolute name in canonical form, without the dot; `""` is the root. */
export interface Host {
  readonly host: string;
  /** The name ends in the domain without a dot, which is hardly what its writer meant. */
  readonly warning?: string;
}

const nameEscape = /\\(\d{3}|[^])/g;
const legalEscaped = /^[A-Za-z0-9_*-]$/;

/**
 * The name of a word: `@` is the origin, without a dot at the end it is relative to the origin.
 * @param origin canonical, without the dot; undefined after an `$ORIGIN` that could not be read.
 * @returns undefined for a name that only an unknown origin would tell.
 */
export function hostOf({ raw, quoted }: Token, origin: string | undefined, domain: string): Host | Fault | undefined {
  if (quoted) return { problem: `${showPlain(raw)} is in quotes, but a name is needed; take them away` };
  if (raw === "@") return origin === undefined ? undefined : { host: origin };
  if (raw === ".") return { host: "" };
  const plain = raw.includes("\\") ? unescapeName(raw) : raw;
  if (typeof plain !== "string") return plain;
  const labels = canonicalLabels(withoutDot(plain), true);
  if (typeof labels !== "string") return { problem: `${showPlain(raw)} ${labels.problem}` };
  if (plain.endsWith(".")) return { host: labels };
  if (origin === undefined) return undefined;
  const host = origin === "" ? labels : `${labels}.${origin}`;
  const whole = canonicalLabels(host, true);
  if (typeof whole !== "string") return { problem: `${showPlain(raw)} ${whole.problem}` };
  if (!isWithin(labels, domain) || !isWithin(origin, domain)) return { host };
  return { host, warning: `${showPlain(raw)} has no dot at the end, so it is ${host}.; write "${labels}." where that is meant` };
}

function unescapeName(raw: string): string | Fault {
  let illegal = false;
  const plain = raw.replace(nameEscape, (_, escaped: string) => {
    const character = escaped.length === 3 ? String.fromCharCode(Number(escaped)) : escaped;
    illegal ||= !legalEscaped.test(character);
    return character;
  });
  return illegal ? { problem: `${showPlain(raw)} has an escaped character that no name of the service holds` } : plain;
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
  return code >= 0x30 && code <= 0x39 && (/^\d+$/.test(raw) || secondsOf(raw) !== undefined);
}

/** The seconds of a time (RFC 2308 §4 with the units of BIND), as a TTL that the service keeps. */
export function ttlOf(raw: string): { readonly ttl: Ttl } | Fault {
  return readTtl(/^\d+$/.test(raw) ? Number(raw) : raw, showPlain);
}

const otherClass = /^(?:CH|CHAOS|HS|HESIOD|CS|ANY|NONE|CLASS\d{1,5})$/i;

/** Whether a word is a class, and whether it is the Internet's, the only one that the service has. */
export function classOf(raw: string): "internet" | "other" | undefined {
  if (raw.length < 2) return undefined;
  const upper = raw.toUpperCase();
  if (upper === "IN" || upper === "CLASS1") return "internet";
  return otherClass.test(upper) ? "other" : undefined;
}

const pragma = /(?:^|;)\s*line\s*=[^\S\n]*(?:("(?:[^"\\]|\\[^])*")\s*(?=;|$)|([^;]*))/i;

/**
 * The line that a comment declares: `; line=电信`, up to the next semicolon, or in quotes with RFC 1035's escapes.
 * @returns undefined for any other comment.
 */
export function lineOf({ text }: Comment): { readonly line: string } | Fault | undefined {
  const found = text.includes("=") ? pragma.exec(text) : null;
  if (found === null) return undefined;
  const [, quoted, bare = ""] = found;
  const line = quoted === undefined ? trimSpace(bare) : unescape(quoted.slice(1, -1));
  if (line === undefined) return { problem: "the line's name has a broken escape" };
  if (line === "") return { problem: 'the line\'s name is missing; write it after "line=", or take the comment out' };
  if (quoted === undefined && line.includes('"')) {
    return { problem: `${showPlain(line)} is no line's name; put the whole name into quotes, and write quotes inside it as \\"` };
  }
  return { line };
}
