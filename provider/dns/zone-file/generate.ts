/** BIND's `$GENERATE` (BIND 9 Administrator Reference Manual), without nibbles: `$` and `${offset,width,base}` become numbers. */
import { reason, type Reason } from "../../problems";
import { showPlain } from "../quoting";
import { grammar } from "./fields";
import { mostCharacters, tooMuch, type Findings } from "./findings";
import { Scanner, type Entry, type Token } from "./tokens";

function unfit(given: string, what: string, example: string): Reason {
  return reason("value.unfit", { given, what, example });
}

/** @param entry at least a range, an owner and two words */
export function* generated(
  entry: Entry,
  findings: Pick<Findings, "take">,
  report: (token: Token, why: Reason) => undefined,
): Generator<Entry> {
  const [first, second, ...words] = entry.tokens;
  const rangeToken = second ?? first;
  if (rangeToken === undefined) return;
  const [, start, stop, step = "1"] = /^(\d{1,9})-(\d{1,9})(?:\/(\d{1,9}))?$/.exec(rangeToken.raw) ?? [];
  const [from, to, by] = [Number(start), Number(stop), Number(step)];
  if (start === undefined || to < from || by === 0)
    return report(rangeToken, unfit(showPlain(rangeToken.raw), "a range", "0-100/2"));
  const template = templateOf(words, report);
  if (template === undefined) return;
  const count = Math.floor((to - from) / by) + 1;
  let characters = 0;
  for (const token of template) {
    // The last number has the most characters, and the first one may be below zero.
    const [least, most] = [expanded(token.raw, from), expanded(token.raw, to)];
    if (typeof most !== "string") return report(token, most);
    if (typeof least !== "string") return report(token, least);
    characters += most.length * count;
  }
  const full = findings.take(count, characters);
  if (full !== undefined) return report(rangeToken, full);
  for (let number = from; number <= to; number += by) {
    const tokens = template.map((token) => ({ ...token, raw: String(expanded(token.raw, number)) }));
    yield { ...entry, indented: false, tokens };
  }
}

/**
 * BIND reads the words of data that is one quoted word. A TXT is one text, as in other name servers, unless it has
 * quotes as well: `"\"a $\""`.
 */
function templateOf(
  words: readonly Token[],
  report: (token: Token, why: Reason) => undefined,
): readonly Token[] | undefined {
  const isHead = ({ quoted, raw }: Token): boolean => !quoted && (grammar.isTtl(raw) || grammar.isClass(raw));
  const type = words.findIndex((token, index) => index > 0 && !isHead(token));
  const data = words[type + 1];
  if (data?.quoted !== true || words.length > type + 2) return words;
  const bare = data.raw.replace(/\\([^])/g, (found, character: string) =>
    character === '"' ? character : found,
  );
  if (/^TXT$/i.test(words[type]?.raw ?? "") && !bare.startsWith('"')) return words;
  let problem: Reason | undefined;
  const entry = new Scanner(bare, (_line, _column, why) => (problem ??= why)).next();
  if (problem !== undefined) return report(data, problem);
  const { line, column } = data;
  return [...words.slice(0, type + 1), ...(entry?.tokens ?? []).map((token) => ({ ...token, line, column }))];
}

const signs = /\\([^])|\$(\$|\{[^}]{0,22}\}?)?/g;

/** `\$` and `$$` are the sign itself. */
function expanded(raw: string, number: number): string | Reason {
  let problem: Reason | undefined;
  let length = 0;
  const text = raw.replace(signs, (found: string, escaped?: string, after?: string) => {
    if (escaped === "$" || after === "$") return "$";
    if (escaped !== undefined) return found;
    const digits = after === undefined ? String(number) : modified(found, number);
    length += digits?.length ?? 0;
    if (digits === undefined)
      problem ??= unfit(found, "a modifier of this number", "${0,3,d}, with a result from 0");
    else if (length > mostCharacters) problem ??= tooMuch(`${mostCharacters} characters`);
    return problem === undefined ? (digits ?? "") : "";
  });
  return problem ?? text;
}

const modifier = /^\$\{([+-]?\d{1,9})(?:,\+?(\d{1,3})(?:,([doxX]))?)?\}$/;

function modified(given: string, number: number): string | undefined {
  const [, offset, width = "0", base = "d"] = modifier.exec(given) ?? [];
  const value = number + Number(offset);
  if (offset === undefined || value < 0) return undefined;
  const digits = value.toString(base === "d" ? 10 : base === "o" ? 8 : 16).padStart(Number(width), "0");
  return base === "X" ? digits.toUpperCase() : digits;
}
