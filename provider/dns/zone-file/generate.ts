/**
 * BIND's `$GENERATE`: records by counting. A range, and what `$` and `${offset,width,base}` of a template become; read as
 * BIND 9 reads it (its Administrator Reference Manual, "$GENERATE"), but for nibbles.
 */
import { reason, type Reason } from "../../problems";
import { showPlain } from "../quoting";
import { classOf, isTime } from "./fields";
import { Scanner, type Token } from "./scan";

export interface Range {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
}

/** The range of a word such as `1-9` or `0-100/2`; or what is wrong. */
export function rangeOf(raw: string): Range | Reason {
  const [, start, stop, step = "1"] = /^(\d{1,9})-(\d{1,9})(?:\/(\d{1,9}))?$/.exec(raw) ?? [];
  const range = { start: Number(start), stop: Number(stop), step: Number(step) };
  if (start === undefined || range.stop < range.start || range.step === 0) {
    return reason("generate.range", { given: showPlain(raw) });
  }
  return range;
}

/** How many numbers a range has. */
export function countOf({ start, stop, step }: Range): number {
  return Math.floor((stop - start) / step) + 1;
}

/** What the `$GENERATE` lines of a zone make together: no more records than BIND's own limit of a line suggests. */
export const maxGenerated = 65_536;
/** The characters of their templates, as many as zone files may have. */
export const maxGeneratedCharacters = 32 * 1024 * 1024;

const modifier = /^\$\{([+-]?\d{1,9})(?:,\+?(\d{1,3})(?:,([doxX]))?)?\}$/;
const longestModifier = 24;
const radix: ReadonlyMap<string, number> = new Map([
  ["d", 10],
  ["o", 8],
  ["x", 16],
  ["X", 16],
]);

interface Fault {
  readonly problem: Reason;
}

/**
 * A template's word for one number; `\$` and `$$` are the sign itself.
 * @param most the characters that it may have.
 */
export function expandTemplate(raw: string, number: number, most = maxGeneratedCharacters): string | Fault {
  let text = "";
  let from = 0;
  for (let at = nextSign(raw, 0); at !== -1; at = nextSign(raw, from)) {
    text += raw.slice(from, at);
    const next = raw.charAt(at + 1);
    if (raw.charAt(at) === "\\" || next === "$") {
      text += next === "$" ? next : raw.slice(at, at + 2);
      from = at + 2;
    } else if (next === "{") {
      const end = raw.slice(at, at + longestModifier).indexOf("}");
      const made = modified(
        end === -1 ? raw.slice(at, at + longestModifier) : raw.slice(at, at + end + 1),
        number,
      );
      if (typeof made !== "string") return made;
      text += made;
      from = at + end + 1;
    } else {
      text += String(number);
      from = at + 1;
    }
    if (text.length > most) return { problem: reason("generate.long", { most }) };
  }
  return text + raw.slice(from);
}

/** The next `$` or escape. */
function nextSign(raw: string, from: number): number {
  for (let at = from; at < raw.length; at++) {
    const code = raw.charCodeAt(at);
    if (code === 0x24 || code === 0x5c) return at;
  }
  return -1;
}

function modified(written: string, number: number): string | Fault {
  const [, offset, width = "0", base = "d"] = modifier.exec(written) ?? [];
  if (offset === undefined) {
    return { problem: reason("generate.modifier", { given: written }) };
  }
  const value = number + Number(offset);
  if (value < 0) return { problem: reason("generate.negative", { given: written, value, number }) };
  const digits = value.toString(radix.get(base) ?? 10).padStart(Number(width), "0");
  return base === "X" ? digits.toUpperCase() : digits;
}

/** What stands in the quotes of data that is one quoted word, and whether its words count, or it is one text. */
export interface QuotedData {
  readonly token: Token;
  readonly template: string;
  readonly asWords: boolean;
  /** BIND would read the words of the text, and join them. */
  readonly ambiguous: boolean;
}

/**
 * The data of a template where it is one quoted word: BIND takes the quotes off and reads the words between them. A TXT
 * is one text all the same, as other name servers have it, unless quotes stand inside as well: `"\"a $\""`.
 * @param template from the name on.
 */
export function quotedDataOf(template: readonly Token[]): QuotedData | undefined {
  const type = template.findIndex(
    (token, index) => index > 0 && (token.quoted || (!isTime(token.raw) && classOf(token.raw) === undefined)),
  );
  const token = template[type + 1];
  if (type === -1 || token === undefined || !token.quoted || template.length !== type + 2) return undefined;
  const bare = token.raw.replace(/\\([^])/g, (found, character: string) =>
    character === '"' ? character : found,
  );
  const isText = /^TXT$/i.test(template[type]?.raw ?? "");
  const asWords = !isText || bare.startsWith('"');
  return {
    token,
    template: asWords ? bare : token.raw,
    asWords,
    ambiguous: !asWords && /[\s;()]/.test(bare),
  };
}

/** The words of quoted data, at the place of their quote; or what is wrong with them. */
export function wordsOf(text: string, { line, column }: Token): Token[] | Fault {
  let problem: Reason | undefined;
  const scanner = new Scanner(text, (_line, _column, why) => (problem ??= why));
  const { tokens } = scanner.next() ?? { tokens: [] };
  return problem === undefined ? tokens.map((token) => ({ ...token, line, column })) : { problem };
}
