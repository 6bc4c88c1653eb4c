import { deepEqual, equal, ok } from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { lookUps } from "../../provider/functions/table";
import { manifest, pages, prose, read, root } from "../support/page";

const named =
  /(?:\b(?:it|describe|byBothFrontEnds|byDynamicProvider)\(\s*|^ +(?:\{ )?what: )(?:"((?:[^"\\\n]|\\.)+)"|`([^`]+)`)/gm;

/** Title → the texts of the files that have it. A parameter in a title is `…`. */
const titles = new Map<string, string[]>();
for (const path of testFiles(join(root, "test"))) {
  const text = readFileSync(path, "utf8");
  for (const [, plain, template = ""] of text.matchAll(named)) {
    const title = plain?.replaceAll('\\"', '"') ?? template.replace(/\$\{[^}]*\}/g, "…");
    titles.set(title, [...(titles.get(title) ?? []), text]);
  }
}

function testFiles(within: string): string[] {
  return readdirSync(within, { withFileTypes: true }).flatMap((entry) => {
    const path = join(within, entry.name);
    if (entry.isDirectory()) return entry.name.startsWith(".") ? [] : testFiles(path);
    return entry.name.endsWith(".test.ts") ? [path] : [];
  });
}

function citedIn(text: string): { readonly title: string; readonly file: string }[] {
  const cited = [...text.matchAll(/"([^"]+)"/g)].map(([, title = ""]) => title);
  ok(cited.length > 0, `${text} cites no test`);
  return cited.map((title) => {
    const files = titles.get(title) ?? [];
    equal(files.length, 1, `"${title}" is the title of ${files.length} tests`);
    return { title, file: files[0] ?? "" };
  });
}

describe("the documentation", () => {
  it("sets the address beside the token in every example and on every page", () => {
    const examples = readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" })
      .filter((path) => /\.(md|yml)$/.test(path) && !path.includes("node_modules"))
      .map((path) => `examples/${path}`);
    const files = [...pages(), ...examples].filter((path) => path !== "docs/errors.md");
    const [alone] = files.filter(
      (path) => read(path).includes("LEGACYDNS_LOGIN_TOKEN") && !read(path).includes("LEGACYDNS_BASE_URL"),
    );
    equal(alone, undefined);
  });

  it("names a test that is there for every subject of SECURITY.md", () => {
    const rows = read("SECURITY.md").match(/^\| (?!subject)\w.*/gm) ?? [];
    ok(rows.length > 5);
    ok(rows.flatMap((row) => citedIn(row.split("|").at(-2) ?? "")).length > 5);
  });

  it("states one guarantee in the same words in the README, the guarantees and the registry's page", () => {
    const words = (page: string) => read(page).replace(/[\s*]+/g, " ");
    const guarantee = /creation is sent only if a listing that began after .*? does not show it/;
    const [stated] = guarantee.exec(words("docs/guarantees.md")) ?? [];
    ok(stated);
    for (const page of ["README.md", "docs/_index.md"]) ok(words(page).includes(stated), page);
  });

  it("names tests that are there wherever a page cites one by its title", () => {
    const cited = pages().flatMap((page) =>
      [...prose(page).matchAll(/\btest: ("[^"]+")/g)].flatMap(([, title = ""]) => citedIn(title)),
    );
    ok(cited.length > 0);
  });

  it("numbers each decision once, in its title as in its file", () => {
    const files = readdirSync(join(root, "docs/decisions"));
    equal(new Set(files.map((file) => file.slice(0, 4))).size, files.length, files.join(", "));
    for (const file of files) {
      const text = read(`docs/decisions/${file}`);
      ok(text.startsWith(`# ${Number(file.slice(0, 4))}. `), file);
    }
  });

  it("has a decision for each dependency", () => {
    const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
      (name) => !name.startsWith("@types/"),
    );
    const page = read("docs/decisions/0022-libraries.md");
    deepEqual(
      names.filter((name) => !page.includes(`\`${name}\``)),
      [],
    );
  });

  it("names every script of the package for contributors", () => {
    const { scripts } = manifest;
    const named = read("CONTRIBUTING.md");
    // npm runs what begins with `pre` by itself.
    const others = Object.keys(scripts).filter(
      (name) => !name.startsWith("pre") && !["test", "emulator"].includes(name),
    );
    deepEqual(
      others.filter((name) => !new RegExp(`npm run (--silent )?${name}\\b`).test(named)),
      [],
    );
  });

  it("has a reference of every resource and every look-up that the package exports", () => {
    const exported = [...read("provider/index.ts").matchAll(/export \{ (\w+)/g)].map(([, name = ""]) => name);
    const titles = readdirSync(join(root, "docs/reference")).map(
      (file) => /^# (\w+)/.exec(read(`docs/reference/${file}`))?.[1],
    );
    deepEqual(titles.sort(), [...new Set(exported), ...lookUps.map(({ name }) => name)].sort());
  });
});
