/**
 * BIND's `$GENERATE` (BIND 9 Administrator Reference Manual), without nibbles: `$` and
 * `${offset,width,base}` become numbers.
 */
import type { Fault } from "../names";
import { reason, type Reason } from "../../problems";
import { showPlain } from "../quoting";
import { grammar } from "./fields";
import type { Scope, ZoneReader } from "./scope";
import { Scanner, type Entry, type Token } from "./tokens";

/** Per zone. BIND suggests it for one line. */
export const maxGenerated = 65_536;
/** As many as zone files may have. */
export const maxGeneratedCharacters = 32 * 1024 * 1024;

export function generate(reader: ZoneReader, entry: Entry, first: Token, scope: Scope): void {
  const [, rangeToken, ...template] = entry.tokens;
  if (rangeToken === undefined || template.length < 3)
    return reader.tell(first, scope, reason("generate.form"));
  const range = rangeOf(rangeToken.raw);
  if ("code" in range) return reader.tell(rangeToken, scope, range);
  const data = quotedDataOf(template);
  if (data?.isAmbiguous === true) reader.tell(data.token, scope, reason("generate.ambiguous"));
  if (!hasRoom(reader, range, rangeToken, template, scope)) return;
  for (let number = range.start; number <= range.stop; number += range.step) {
    const tokens = tokensFor(template, data, number);
    if ("problem" in tokens) return reader.tell(tokens.token, scope, tokens.problem);
    const [owner] = tokens;
    if (owner === undefined) return;
    const before = reader.findings.errors;
    // The next line has the owner before this line, as in BIND.
    reader.record({ ...entry, indented: false, tokens }, owner, { ...scope });
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
    ? reason("generate.range", { given: showPlain(raw) })
    : range;
}

/** Counts the records of a line. */
function hasRoom(
  reader: ZoneReader,
  { start, stop, step }: Range,
  rangeToken: Token,
  template: readonly Token[],
  scope: Scope,
): boolean {
  const { records: before, characters: charactersBefore } = reader.generated;
  const records = Math.floor((stop - start) / step) + 1;
  let characters = 0;
  const refuse = (token: Token, why: Reason): false => reader.tell(token, scope, why) ?? false;
  for (const token of template) {
    const longest = expanded(token.raw, stop);
    if (typeof longest !== "string") return refuse(token, longest.problem);
    characters += longest.length * records;
  }
  if (before + records > maxGenerated) {
    const parts = { given: rangeToken.raw, records, before, most: maxGenerated };
    return refuse(rangeToken, reason("generate.records", parts));
  }
  if (charactersBefore + characters > maxGeneratedCharacters) {
    const parts = { records, characters, before: charactersBefore, most: maxGeneratedCharacters };
    return refuse(rangeToken, reason("generate.characters", parts));
  }
  reader.generated = { records: before + records, characters: charactersBefore + characters };
  return true;
}

function tokensFor(
  template: readonly Token[],
  data: QuotedData | undefined,
  number: number,
): Token[] | { readonly problem: Reason; readonly token: Token } {
  const tokens: Token[] = [];
  for (const token of template) {
    const quoted = token === data?.token ? data : undefined;
    const raw = expanded(quoted?.template ?? token.raw, number);
    if (typeof raw !== "string") return { ...raw, token };
    const words = quoted?.isWords === true ? wordsOf(raw, token) : [{ ...token, raw }];
    if ("problem" in words) return { ...words, token };
    for (const word of words) tokens.push(word);
  }
  return tokens;
}

/** `\$` and `$$` are the sign itself. */
function expanded(raw: string, number: number): string | Fault {
  let text = "";
  let from = 0;
  for (let at = nextSign(raw, 0); at !== -1; at = nextSign(raw, from)) {
    text += raw.slice(from, at);
    const next = raw.charAt(at + 1);
    if (raw.charAt(at) === "\\" || next === "$") {
      text += next === "$" ? next : raw.slice(at, at + 2);
      from = at + 2;
    } else if (next === "{") {
      const [written = ""] = /^[^}]*\}?/.exec(raw.slice(at, at + 24)) ?? [];
      const digits = modified(written, number);
      if (typeof digits !== "string") return digits;
      text += digits;
      from = at + written.length;
    } else {
      text += String(number);
      from = at + 1;
    }
    if (text.length > maxGeneratedCharacters)
      return { problem: reason("generate.long", { most: maxGeneratedCharacters }) };
  }
  return text + raw.slice(from);
}

function nextSign(raw: string, from: number): number {
  for (let at = from; at < raw.length; at++) {
    const code = raw.charCodeAt(at);
    if (code === 0x24 || code === 0x5c) return at;
  }
  return -1;
}

const modifier = /^\$\{([+-]?\d{1,9})(?:,\+?(\d{1,3})(?:,([doxX]))?)?\}$/;

function modified(given: string, number: number): string | Fault {
  const [, offset, width = "0", base = "d"] = modifier.exec(given) ?? [];
  if (offset === undefined) return { problem: reason("generate.modifier", { given }) };
  const value = number + Number(offset);
  if (value < 0) return { problem: reason("generate.negative", { given, value, number }) };
  const digits = value.toString(base === "d" ? 10 : base === "o" ? 8 : 16).padStart(Number(width), "0");
  return base === "X" ? digits.toUpperCase() : digits;
}

interface QuotedData {
  readonly token: Token;
  readonly template: string;
  /** The text is words, and not one text. */
  readonly isWords: boolean;
  /** BIND would join its words. */
  readonly isAmbiguous: boolean;
}

/**
 * Data that is one quoted word. BIND reads its words. A TXT is one text, as in other name servers, unless
 * it has quotes as well: `"\"a $\""`.
 */
function quotedDataOf(template: readonly Token[]): QuotedData | undefined {
  const isHead = ({ quoted, raw }: Token): boolean => !quoted && (grammar.isTtl(raw) || grammar.isClass(raw));
  const type = template.findIndex((token, index) => index > 0 && !isHead(token));
  const token = template[type + 1];
  if (type === -1 || token === undefined || !token.quoted || template.length !== type + 2) return undefined;
  const bare = token.raw.replace(/\\([^])/g, (found, character: string) =>
    character === '"' ? character : found,
  );
  const isWords = !/^TXT$/i.test(template[type]?.raw ?? "") || bare.startsWith('"');
  return {
    token,
    template: isWords ? bare : token.raw,
    isWords,
    isAmbiguous: !isWords && /[\s;()]/.test(bare),
  };
}

function wordsOf(text: string, { line, column }: Token): Token[] | Fault {
  let problem: Reason | undefined;
  const scanner = new Scanner(text, (_line, _column, why) => (problem ??= why));
  const { tokens } = scanner.next() ?? { tokens: [] };
  return problem === undefined ? tokens.map((token) => ({ ...token, line, column })) : { problem };
}
