/** The map from promise to test in test/promises/README.md, from test/promises/. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/main";
import { madePart } from "../support/page";

const folder = join(root, "test/promises");
export const promisesFile = join(folder, "README.md");

/** A file's first comment is its promise. */
function linesOf(file: string): string[] {
  const text = readFileSync(join(folder, file), "utf8");
  const [, comment = ""] = /^\/\*\*([^]*?)\*\//.exec(text) ?? [];
  const promise = comment.replace(/\s*\n \*\s*/g, " ").trim();
  const titles = [...text.matchAll(/\b(?:it|byBothFrontEnds)\(\s*"((?:[^"\\]|\\.)+)"/g)];
  return [`- \`${file}\`. ${promise}`, ...titles.map(([, title = ""]) => `  - ${title}`)];
}

/** test/promises/README.md with the current map. */
export function promisesPage(): string {
  const lines = readdirSync(folder)
    .filter((file) => file.endsWith(".test.ts"))
    .sort()
    .flatMap(linesOf);
  return madePart(promisesFile, "promises").with(`${lines.join("\n")}\n`);
}
