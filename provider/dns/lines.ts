/**
 * Presentation lines as people write them: `NAME [TTL] [IN] TYPE DATA [[line]]` and `;` comments, of which `; line=…`
 * names a line as in a zone file. A line is split here and judged by the codecs, like a spec. A comment begins a line or
 * follows white space, so that the semicolons of an unquoted DKIM text do not cut it short.
 */
import { isSpace, skipSpace, skipWord, trimSpace, type Show } from "./quoting";
import { reason, type Reason } from "../problems";
import { splitData, type Parts } from "./text";
import { upperAscii } from "./ascii";
import { readTtl, secondsOf } from "./ttl";
import type { Ttl } from "./record";
import { lineOf } from "./zone-file/fields";

export type Line = (Parts & { readonly ttl: Ttl }) | { readonly problem: Reason };

/**
 * The parts of a line.
 * @returns undefined for a line that is blank or a comment.
 */
export function splitLine(written: string, show: Show): Line | undefined {
  const text = withoutComment(written);
  const named = text.length === written.length ? undefined : lineOf({ text: written.slice(text.length + 1) });
  if (named !== undefined && "problem" in named && skipSpace(text, 0) < text.length) return named;
  const ownerStart = skipSpace(text, 0);
  if (ownerStart === text.length) return undefined;
  if (text.charAt(ownerStart) === '"' && /^"[^"]*"$/.test(trimSpace(text)))
    return { problem: reason("line.quoted") };
  const ownerEnd = skipWord(text, ownerStart);
  let ttl: Ttl | undefined;
  let start = skipSpace(text, ownerEnd);
  let end = skipWord(text, start);
  for (let classes = 0; start < end;) {
    const word = text.slice(start, end);
    if (ttl === undefined && word === "default") ttl = word;
    else if (ttl === undefined && isTime(word)) {
      const read = readTtl(isNumber(word) ? Number(word) : word, show);
      if ("problem" in read) return read;
      ttl = read.ttl;
    } else if (classes === 0 && isInternet(word)) classes = 1;
    else break;
    start = skipSpace(text, end);
    end = skipWord(text, start);
  }
  const type = text.slice(start, end);
  const parts = splitData(text.slice(ownerStart, ownerEnd), type, text.slice(end));
  if ("problem" in parts) return parts;
  // No type begins with a digit.
  if (isDigit(type.charCodeAt(0))) return { problem: reason("line.ttl-or-type", { given: show(type) }) };
  const line = named !== undefined && "line" in named ? named.line : parts.line;
  if (parts.line !== undefined && line !== parts.line) return { problem: reason("line.two") };
  return { ...parts, ...(line === undefined ? {} : { line }), ttl: ttl ?? "default" };
}

/** Seconds, or a time with units such as `1h`. */
function isTime(word: string): boolean {
  return isDigit(word.charCodeAt(0)) && (isNumber(word) || secondsOf(word) !== undefined);
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isNumber(word: string): boolean {
  return /^\d{1,15}$/.test(word);
}

function isInternet(word: string): boolean {
  return word.length === 2 && upperAscii(word) === "IN";
}

function withoutComment(text: string): string {
  if (!text.includes(";")) return text;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22) quoted = !quoted;
    else if (code === 0x3b && !quoted && (at === 0 || isSpace(text.charCodeAt(at - 1))))
      return text.slice(0, at);
  }
  return text;
}
