import { deepEqual, equal, match, ok } from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { lookUps } from "../../provider/functions/table";
import { manifest, pages, prose, read, root } from "../support/page";

const named =
  /(?:\b(?:it|describe|byBothFrontEnds|byDynamicProvider)\(\s*|^ +(?:\{ )?what: )(?:"((?:[^"\\\n]|\\.)+)"|`([^`]+)`)/gm;

/** All titles of tests. A parameter in a title is `…`. */
const titles = testFiles("test")
  .flatMap((path) => [...read(path).matchAll(named)])
  .map(([, plain, template = ""]) => plain?.replaceAll('\\"', '"') ?? template.replace(/\$\{[^}]*\}/g, "…"));

/** Without hidden folders, where other tests work. */
function testFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name.startsWith(".") ? [] : testFiles(path);
    return path.endsWith(".test.ts") ? [path] : [];
  });
}

/** Each text in quotes is the title of one test. */
function assertCites(text: string): void {
  const cited = [...text.matchAll(/"([^"]+)"/g)].map(([, title = ""]) => title);
  ok(cited.length > 0, `${text} cites no test`);
  for (const title of cited)
    equal(titles.filter((each) => each === title).length, 1, `tests with the title ${title}`);
}

describe("the documentation", () => {
  it("sets the address beside the token in every example and on every page", () => {
    const examples = readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" })
      .filter((path) => /\.(md|yml)$/.test(path) && !path.includes("node_modules"))
      .map((path) => `examples/${path}`);
    const files = [...pages(), ...examples].filter((path) => path !== "docs/errors.md");
    for (const file of files.filter((path) => read(path).includes("LEGACYDNS_LOGIN_TOKEN")))
      ok(read(file).includes("LEGACYDNS_BASE_URL"), file);
  });

  it("names a test that is there for every subject of SECURITY.md", () => {
    const rows = read("SECURITY.md").match(/^\| (?!subject)\w.*/gm) ?? [];
    ok(rows.length > 5);
    for (const row of rows) assertCites(row.split("|").at(-2) ?? "");
  });

  it("states one guarantee in the same words in the README, the guarantees and the registry's page", () => {
    const words = (page: string) => read(page).replace(/[\s*]+/g, " ");
    const guarantee = /creation is sent only if a listing that began after .*? does not show it/;
    const [stated] = guarantee.exec(words("docs/guarantees.md")) ?? [];
    ok(stated);
    for (const page of ["README.md", "docs/_index.md"]) ok(words(page).includes(stated), page);
  });

  it("names tests that are there wherever a page cites one by its title", () => {
    const cited = pages().flatMap((page) => prose(page).match(/\btest: "[^"]+"/g) ?? []);
    ok(cited.length > 0);
    cited.forEach(assertCites);
  });

  it("numbers each decision once, in its title as in its file", () => {
    const files = readdirSync(join(root, "docs/decisions"));
    equal(new Set(files.map((file) => file.slice(0, 4))).size, files.length, files.join(", "));
    for (const file of files)
      ok(read(`docs/decisions/${file}`).startsWith(`# ${Number(file.slice(0, 4))}. `), file);
  });

  it("has a decision for each dependency", () => {
    const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
      (name) => !name.startsWith("@types/"),
    );
    const page = read("docs/decisions/0022-libraries.md");
    for (const name of names) ok(page.includes(`\`${name}\``), name);
  });

  it("names every script of the package for contributors", () => {
    const page = read("CONTRIBUTING.md");
    // npm runs what begins with `pre` by itself.
    const names = Object.keys(manifest.scripts).filter((name) => !/^pre|^(test|emulator)$/.test(name));
    for (const name of names) match(page, new RegExp(`npm run (--silent )?${name}\\b`));
  });

  it("has a reference of every resource and every look-up that the package exports", () => {
    const exported = [...read("provider/index.ts").matchAll(/export \{ (\w+)/g)].map(([, name = ""]) => name);
    const titles = readdirSync(join(root, "docs/reference")).map(
      (file) => /^# (\w+)/.exec(read(`docs/reference/${file}`))?.[1],
    );
    deepEqual(titles.sort(), [...new Set(exported), ...lookUps.map(({ name }) => name)].sort());
  });
});
