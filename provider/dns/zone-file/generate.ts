/** BIND's `$GENERATE`: records by counting. The range, and what a template's `$` and `${offset,width,base}` become. */
import { showPlain } from "../quoting";

export interface Range {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
}

/** The range of a word such as `1-9` or `0-100/2`; a text tells what is wrong. */
export function rangeOf(raw: string): Range | string {
  const [, start, stop, step = "1"] = /^(\d{1,9})-(\d{1,9})(?:\/(\d{1,9}))?$/.exec(raw) ?? [];
  const range = { start: Number(start), stop: Number(stop), step: Number(step) };
  if (start === undefined || range.stop < range.start || range.step === 0) {
    return `${showPlain(raw)} is no range; write two numbers, the smaller first, and perhaps a step: "1-9" or "0-100/2"`;
  }
  return range;
}

const parts = /\\\$|\\[^]|\$\$|\$\{([^}]*)\}|\$/g;
const modifier = /^(-?\d{1,9})(?:,(\d{1,3})(?:,([doxX]))?)?$/;
const radix: ReadonlyMap<string, number> = new Map([
  ["d", 10],
  ["o", 8],
  ["x", 16],
  ["X", 16],
]);

/** A template's word for one number; `\$` and `$$` are the sign itself. */
export function expandTemplate(raw: string, number: number): string | { readonly problem: string } {
  if (!raw.includes("$")) return raw;
  let problem: string | undefined;
  const text = raw.replace(parts, (found: string, inner: string | undefined) => {
    if (found === "\\$" || found === "$$") return "$";
    if (found.startsWith("\\")) return found;
    const [, offset = "0", width = "0", base = "d"] = inner === undefined ? [] : (modifier.exec(inner) ?? [undefined, "none"]);
    const value = number + Number(offset);
    if (Number.isNaN(value)) {
      problem = `\${${inner}} is not \${offset,width,base} with a base of d, o, x or X; write such as \${0,3,d}`;
    } else if (value < 0) problem = `\${${inner}} makes ${value} of ${number}; a name holds no number below zero`;
    const digits = value.toString(radix.get(base) ?? 10).padStart(Number(width), "0");
    return base === "X" ? digits.toUpperCase() : digits;
  });
  return problem === undefined ? text : { problem };
}
