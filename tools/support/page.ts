/** A page of which a script writes a part, between `<!-- NAME: made by … -->` and `<!-- end of NAME -->`. */
import { readFileSync } from "node:fs";

/** @throws Error if the page has no place for the part */
export function madePart(file: string, name: string): { readonly text: string; with(made: string): string } {
  const parts = new RegExp(`^([^]*<!-- ${name}: made by .* -->\n)([^]*)(<!-- end of ${name} -->[^]*)$`);
  const [, before, text, after] = parts.exec(readFileSync(file, "utf8")) ?? [];
  if (before === undefined || text === undefined || after === undefined)
    throw new Error(`${file} has no place for the part ${name}`);
  return { text, with: (made) => before + made + after };
}
