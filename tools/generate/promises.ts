/** The map from promise to test in docs/invariants.md, from test/promises/. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/main";

export const promisesFile = join(root, "docs/invariants.md");
const folder = join(root, "test/promises");
const [begin, end] = ["<!-- promises: made by `npm run generate` -->\n", "<!-- end of promises -->"];

/** A file's first comment is its promise. */
function rowsOf(file: string): string[] {
  const text = readFileSync(join(folder, file), "utf8");
  const [, comment = ""] = /^\/\*\*([^]*?)\*\//.exec(text) ?? [];
  const promise = comment.replace(/\s*\n \*\s*/g, " ").trim();
  const titles = [...text.matchAll(/\b(?:it|byBothFrontEnds)\(\s*"((?:[^"\\]|\\.)+)"/g)];
  return titles.map(([, title = ""]) => `| ${promise} | ${title} | \`${file}\` |`);
}

/** docs/invariants.md with the current map. */
export function promisesPage(): string {
  const rows = readdirSync(folder)
    .filter((file) => file.endsWith(".test.ts"))
    .sort()
    .flatMap(rowsOf);
  const table = ["| promise | test | file in test/promises |", "|---|---|---|", ...rows].join("\n");
  const [before = "", rest = ""] = readFileSync(promisesFile, "utf8").split(begin);
  const [, after = ""] = rest.split(end);
  return `${before}${begin}${table}\n${end}${after}`;
}
