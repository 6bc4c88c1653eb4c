/**
 * Quoted strings and escapes (RFC 1035 §5.1). Canonical text escapes quotes, backslashes and invisible
 * characters only.
 */
import { hash } from "node:crypto";
import { hiddenText } from "../support/secret";
import { invisible } from "../support/visible";

const needsEscape = new RegExp(`["\\\\${invisible}]`, "u");
const escapes = new RegExp(needsEscape, "gu");
// A semicolon after white space would begin a comment.
const lineEscapes = new RegExp(`[\\]\\\\${invisible}]|(?<=[ \\t]);`, "gu");

/** A short hash for ids and ledgers (72 bits). Guesses of a secret text can be compared with it. */
export function digest(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 12);
}

export function quote(text: string): string {
  return needsEscape.test(text) ? `"${text.replace(escapes, escaped)}"` : `"${text}"`;
}

/** In a spec, a text between quotes is read as strings, and an empty one as a missing value. */
export function specText(text: string): string {
  return text === "" || text.startsWith('"') ? quote(text) : text;
}

export function escapeLine(name: string): string {
  return name.replace(lineEscapes, escaped);
}

function escaped(character: string): string {
  return /["\\\];]/.test(character) ? `\\${character}` : octetsOf(character);
}

export function octetsOf(text: string): string {
  return [...Buffer.from(text)].map((octet) => `\\${String(octet).padStart(3, "0")}`).join("");
}

/**
 * Joins quoted strings without a space (RFC 7208 §3.3).
 * @returns undefined for text outside quotes, an open quote or a broken escape
 */
export function unquote(text: string): string | undefined {
  let joined = "";
  for (let at = 0; at < text.length;) {
    if (text.charCodeAt(at) !== 0x22) return undefined;
    const end = closingQuote(text, at);
    if (end === -1) return undefined;
    const part = unescape(text.slice(at + 1, end));
    if (part === undefined) return undefined;
    joined += part;
    at = skipSpace(text, end + 1);
  }
  return text.length > 0 ? joined : undefined;
}

export function unquoteOne(text: string): string | undefined {
  const inner = unquote(text);
  return inner !== undefined && quote(inner) === text ? inner : undefined;
}

export function closingQuote(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at;
    if (code === 0x5c) at++;
  }
  return -1;
}

export function unescape(text: string): string | undefined {
  if (!text.includes("\\")) return text;
  let isBroken = false;
  const plain = text.replace(escapeWords, (_, octets?: string, digits?: string, character?: string) => {
    const found =
      octets !== undefined
        ? utf8(octets.slice(1).split("\\").map(Number))
        : digits !== undefined
          ? String.fromCharCode(Number(digits))
          : character;
    isBroken ||= found === undefined;
    return found ?? "";
  });
  return isBroken ? undefined : plain;
}

const escapeWords = /((?:\\(?:12[89]|1[3-9]\d|2[0-4]\d|25[0-5]))+)|\\(?:([01]\d\d)|(\D))?/g;

function utf8(octets: readonly number[]): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(octets));
  } catch {
    return undefined;
  }
}

export function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

export function skipSpace(text: string, at: number, end = text.length): number {
  while (at < end && isSpace(text.charCodeAt(at))) at++;
  return at;
}

export function skipWord(text: string, at: number, end = text.length): number {
  while (at < end && !isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Unlike `trim`, it keeps Unicode's own spaces. */
export function trimSpace(text: string, from = 0, to = text.length): string {
  const start = skipSpace(text, from, to);
  let end = to;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

export type Show = (text: string) => string;

export const showPlain = (text: string, most = 60): string =>
  JSON.stringify(text.length > most ? `${text.slice(0, most - 3)}...` : text);

export const showSecret: Show = () => hiddenText;

export function upperAscii(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** UTF-8 has no half of a surrogate pair, and so no file, state or call has one. */
export function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}
