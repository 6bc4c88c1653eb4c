/** BIND's `$GENERATE` (BIND 9 Administrator Reference Manual), without nibbles: `$` and `${offset,width,base}` become numbers. */
import { append } from "../../support/collections";
import { reason, type Fault, type Reason } from "../../problems";
import { showPlain } from "../quoting";
import { grammar } from "./fields";
import { mostCharacters, tooMuch } from "./room";
import type { Scope, ZoneReader } from "./scope";
import { Scanner, type Entry, type Token } from "./tokens";

export function generate(reader: ZoneReader, entry: Entry, first: Token, scope: Scope): void {
  const [, rangeToken, ...words] = entry.tokens;
  if (rangeToken === undefined || words.length < 3)
    return reader.report(
      first,
      scope,
      reason("directive.form", { name: "$GENERATE", example: '"$GENERATE 1-9 host$ A 192.0.2.$"' }),
    );
  const range = rangeOf(rangeToken.raw);
  if ("code" in range) return reader.report(rangeToken, scope, range);
  const { start, stop, step } = range;
  const template = templateOf(words);
  const records = Math.floor((stop - start) / step) + 1;
  let characters = 0;
  for (const part of template) {
    const longest = expanded(part.raw, stop);
    if (typeof longest !== "string") return reader.report(part, scope, longest.problem);
    characters += longest.length * records;
  }
  const full = reader.room.take(records, characters);
  if (full !== undefined) return reader.report(rangeToken, scope, full);
  for (let number = start; number <= stop; number += step) {
    const tokens: Token[] = [];
    for (const part of template) {
      const found = tokensOf(part, number);
      if ("problem" in found) return reader.report(part, scope, found.problem);
      append(tokens, found);
    }
    const [owner] = tokens;
    const before = reader.findings.errors;
    // The next line has the owner before this line, as in BIND.
    if (owner !== undefined) reader.record({ ...entry, indented: false, tokens }, owner, { ...scope });
    // The other records mostly have the same problem.
    if (reader.findings.errors > before) return;
  }
}

interface Range {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
}

function rangeOf(raw: string): Range | Reason {
  const [, start, stop, step = "1"] = /^(\d{1,9})-(\d{1,9})(?:\/(\d{1,9}))?$/.exec(raw) ?? [];
  const range = { start: Number(start), stop: Number(stop), step: Number(step) };
  return start === undefined || range.stop < range.start || range.step === 0
    ? reason("generate.unfit", { given: showPlain(raw) })
    : range;
}

interface Part extends Token {
  /** The text is words, and not one text. */
  readonly isWords: boolean;
}

/**
 * BIND reads the words of data that is one quoted word. A TXT is one text, as in other name servers, unless it has
 * quotes as well: `"\"a $\""`.
 */
function templateOf(words: readonly Token[]): Part[] {
  const isHead = ({ quoted, raw }: Token): boolean => !quoted && (grammar.isTtl(raw) || grammar.isClass(raw));
  const type = words.findIndex((token, index) => index > 0 && !isHead(token));
  return words.map((token, index) => {
    const isData = token.quoted && index === type + 1 && index === words.length - 1;
    const bare = token.raw.replace(/\\([^])/g, (found, character: string) =>
      character === '"' ? character : found,
    );
    const isWords = isData && (!/^TXT$/i.test(words[type]?.raw ?? "") || bare.startsWith('"'));
    return { ...token, raw: isWords ? bare : token.raw, isWords };
  });
}

function tokensOf(part: Part, number: number): Token[] | Fault {
  const raw = expanded(part.raw, number);
  if (typeof raw !== "string") return raw;
  if (!part.isWords) return [{ ...part, raw }];
  let problem: Reason | undefined;
  const scanner = new Scanner(raw, (_line, _column, why) => (problem ??= why));
  const { tokens } = scanner.next() ?? { tokens: [] };
  const { line, column } = part;
  return problem === undefined ? tokens.map((token) => ({ ...token, line, column })) : { problem };
}

const signs = /\\([^])|\$(\$|\{[^}]{0,22}\}?)?/g;

/** `\$` and `$$` are the sign itself. */
function expanded(raw: string, number: number): string | Fault {
  let problem: Reason | undefined;
  let length = 0;
  const text = raw.replace(signs, (found: string, escaped?: string, after?: string) => {
    if (escaped === "$" || after === "$") return "$";
    if (escaped !== undefined) return found;
    const digits = after === undefined ? String(number) : modified(found, number);
    if (typeof digits !== "string") problem ??= digits.problem;
    else if ((length += digits.length) <= mostCharacters) return digits;
    else problem ??= tooMuch(`${mostCharacters} characters`);
    return "";
  });
  return problem === undefined ? text : { problem };
}

const modifier = /^\$\{([+-]?\d{1,9})(?:,\+?(\d{1,3})(?:,([doxX]))?)?\}$/;

function modified(given: string, number: number): string | Fault {
  const [, offset, width = "0", base = "d"] = modifier.exec(given) ?? [];
  if (offset === undefined) return { problem: reason("generate.unfit", { given }) };
  const value = number + Number(offset);
  if (value < 0) return { problem: reason("generate.unfit", { given }) };
  const digits = value.toString(base === "d" ? 10 : base === "o" ? 8 : 16).padStart(Number(width), "0");
  return base === "X" ? digits.toUpperCase() : digits;
}
