/** The tests by their titles: what pages cite, since a user has the package and no file of a test. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const folder = resolve(__dirname, "..");
/** A title as its source has it: of a test, of a group, or of the simulation's table. */
const named =
  /(?:\b(?:it|describe|byBothFrontEnds|byDynamicProvider)\(\s*|^ +(?:\{ )?what: )(?:"((?:[^"\\\n]|\\.)+)"|`([^`]+)`)/gm;

/** Each literal title of a test or of a group of tests, with the texts of the files that have it. A parameter in it is `…`. */
const titles = new Map<string, string[]>();
for (const path of testFiles(folder)) {
  const text = readFileSync(path, "utf8");
  for (const [, plain, template = ""] of text.matchAll(named)) {
    const title = plain?.replaceAll('\\"', '"') ?? template.replace(/\$\{[^}]*\}/g, "…");
    titles.set(title, [...(titles.get(title) ?? []), text]);
  }
}

/** The test files below a folder, without the working folders, whose names begin with a dot. */
function testFiles(within: string): string[] {
  return readdirSync(within, { withFileTypes: true }).flatMap((entry) => {
    const path = join(within, entry.name);
    if (entry.isDirectory()) return entry.name.startsWith(".") ? [] : testFiles(path);
    return entry.name.endsWith(".test.ts") ? [path] : [];
  });
}

/**
 * The titles that a text cites, in quotes. @throws if there is none, or if a title does not belong to exactly
 * one test
 */
export function citedIn(text: string): { readonly title: string; readonly file: string }[] {
  const cited = [...text.matchAll(/"([^"]+)"/g)].map(([, title = ""]) => title);
  assert.ok(cited.length > 0, `${text} cites no test`);
  return cited.map((title) => {
    const files = titles.get(title) ?? [];
    assert.equal(files.length, 1, `"${title}" is the title of ${files.length} tests`);
    return { title, file: files[0] ?? "" };
  });
}
