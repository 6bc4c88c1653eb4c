/** The scanner of `owner [ttl] [class] type data` lines. Zone files have parentheses: zone-file/tokens.ts. */
import { closingQuote, isSpace, skipSpace, skipWord, trimSpace, unescape, lowerAscii } from "./quoting";
import { reason, type Fault } from "../problems";

export interface Grammar {
  readonly isTtl: (word: string) => boolean;
  readonly isClass: (word: string) => boolean;
}

/** In either order, each at most once (RFC 1035 §5.1). */
export interface Head {
  ttl: string | undefined;
  class: string | undefined;
}

export function takesWord(head: Head, word: string, { isTtl, isClass }: Grammar): boolean {
  if (head.ttl === undefined && isTtl(word)) head.ttl = word;
  else if (head.class === undefined && isClass(word)) head.class = word;
  else return false;
  return true;
}

export interface ScannedLine extends Readonly<Head> {
  readonly owner: string;
  readonly type: string;
  readonly data: string;
  readonly comment: string | undefined;
}

export function scanLine(
  text: string,
  grammar: Grammar,
  from = 0,
  to = text.length,
): ScannedLine | undefined {
  const semicolon = commentAt(text, from, to);
  const end = semicolon === -1 ? to : semicolon;
  let start = skipSpace(text, from, end);
  if (start === end) return undefined;
  let stop = skipWord(text, start, end);
  const line = {
    owner: text.slice(start, stop),
    ttl: undefined,
    class: undefined,
    type: "",
    data: "",
    comment: semicolon === -1 ? undefined : text.slice(semicolon + 1, to),
  };
  do {
    start = skipSpace(text, stop, end);
    stop = skipWord(text, start, end);
    line.type = text.slice(start, stop);
  } while (takesWord(line, line.type, grammar));
  line.data = trimSpace(text, stop, end);
  return line;
}

/** After white space and outside quotes, so that `v=DKIM1;k=rsa` stays whole. */
function commentAt(text: string, from: number, end: number): number {
  if (!text.slice(from, end).includes(";")) return -1;
  let isQuoted = false;
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22) isQuoted = !isQuoted;
    else if (code === 0x3b && !isQuoted && (at === from || isSpace(text.charCodeAt(at - 1)))) return at;
  }
  return -1;
}

export function splitData(rest: string): { readonly data: string; readonly line?: string } | Fault {
  const bracket = rest.endsWith("]") ? bracketAt(rest) : -1;
  const data = bracket === -1 ? rest : trimSpace(rest.slice(0, bracket));
  if (data === "") return { problem: reason("line.parts") };
  if (bracket === -1) return { data };
  const line = unescape(rest.slice(bracket + 1, -1));
  return line === undefined || line === "" ? { problem: reason("line.name") } : { data, line };
}

/** The bracket that the last character closes, outside quotes and after white space; or -1. */
function bracketAt(text: string): number {
  let isQuoted = false;
  let open = -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22) isQuoted = !isQuoted;
    else if (code === 0x5b && open === -1 && !isQuoted && (at === 0 || isSpace(text.charCodeAt(at - 1))))
      open = at;
    else if (code === 0x5d) {
      if (at === text.length - 1) return open;
      open = -1;
    }
  }
  return -1;
}

/** The line in a comment: `; line=境外`, or `; line="a;b"`. Semicolons divide the parts of a comment. */
export function lineOf(comment: string): { readonly line: string } | Fault | undefined {
  const start = nameStart(comment);
  if (start === undefined) return undefined;
  const end = comment.charAt(start) === '"' ? closingQuote(comment, start) : -1;
  const after = end === -1 ? -1 : skipBlank(comment, end + 1);
  const isQuoted = after !== -1 && (after === comment.length || comment.charAt(after) === ";");
  const semicolon = comment.indexOf(";", start);
  const line = isQuoted
    ? unescape(comment.slice(start + 1, end))
    : trimSpace(comment.slice(start, semicolon === -1 ? comment.length : semicolon));
  return line === undefined || line === "" || (!isQuoted && line.includes('"'))
    ? { problem: reason("line.name") }
    : { line };
}

/** Pasted text may have white space of any script, and a hidden `line=` would be another line. */
function skipBlank(text: string, at: number): number {
  while (at < text.length && /\s/.test(text.charAt(at))) at++;
  return at;
}

function nameStart(comment: string): number | undefined {
  if (!comment.includes("=")) return undefined;
  for (let part = 0; ;) {
    const word = skipBlank(comment, part);
    if (lowerAscii(comment.slice(word, word + 4)) === "line") {
      const equals = skipBlank(comment, word + 4);
      if (comment.charAt(equals) === "=") return skipBlank(comment, equals + 1);
    }
    const semicolon = comment.indexOf(";", part);
    if (semicolon === -1) return undefined;
    part = semicolon + 1;
  }
}
