import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { operations } from "../provider/api";

const root = resolve(__dirname, "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

describe("the documentation", () => {
  it("lists every operation of the interface, each with tests that are there and name it or what wraps it", () => {
    const rows = read("docs/operations.md").split("\n").filter((line) => /^\| [A-Z]/.test(line) && line.includes("`test/"));
    assert.deepEqual(
      rows.map((row) => row.split("|")[1]?.trim()).sort(),
      Object.keys(operations).sort(),
    );
    for (const row of rows) {
      const [, operation = "", , program = "", commandLine = "", proof = ""] = row.split("|").map((cell) => cell.trim());
      const words = [operation, ...[...`${program} ${commandLine}`.matchAll(/`(\w+)`/g)].map(([, word = ""]) => word)];
      for (const [, file = ""] of proof.matchAll(/`([^`]+)`/g)) {
        assert.ok(existsSync(join(root, file)), `${file} is there`);
        const text = read(file);
        assert.ok(words.some((word) => text.includes(word)), `${file} has one of ${words.join(", ")}`);
      }
    }
  });

  it("names a test that is there for every fault", () => {
    const rows = read("docs/faults.md").split("\n").filter((line) => /^\| (?!fault)/.test(line));
    assert.ok(rows.length > 25);
    for (const row of rows) {
      const proof = row.split("|").at(-2) ?? "";
      const files = [...proof.matchAll(/`(test\/[^`]+)`: ((?:"[^"]+"(?:, )?)+)/g)];
      assert.ok(files.length > 0, `${row} names a test`);
      for (const [, file = "", titles = ""] of files) {
        const text = read(file);
        for (const [, title = ""] of titles.matchAll(/"([^"]+)"/g)) {
          // A title is the text of an `it`, or of the table that it is made from.
          assert.ok(text.includes(title), `${file} has "${title}"`);
        }
      }
    }
  });

  it("numbers each decision once, in its title as in its file", () => {
    const files = readdirSync(join(root, "docs/decisions"));
    assert.equal(new Set(files.map((file) => file.slice(0, 4))).size, files.length, files.join(", "));
    for (const file of files) assert.ok(read(`docs/decisions/${file}`).startsWith(`# ${Number(file.slice(0, 4))}. `), file);
  });

  it("has a decision for each dependency", () => {
    const { dependencies, devDependencies } = JSON.parse(read("package.json")) as Record<"dependencies" | "devDependencies", Record<string, string>>;
    const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !name.startsWith("@types/"));
    const page = read("docs/decisions/0022-libraries.md");
    assert.deepEqual(names.filter((name) => !page.includes(`\`${name}\``)), []);
  });

  it("names every script of the package for contributors", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = read("CONTRIBUTING.md");
    // npm runs what begins with `pre` by itself.
    const others = Object.keys(scripts).filter((name) => !name.startsWith("pre") && !["test", "emulator"].includes(name));
    assert.deepEqual(others.filter((name) => !new RegExp(`npm run (--silent )?${name}\\b`).test(named)), []);
  });

  it("has a reference of every resource and every look-up that the package exports", () => {
    const exported = [...read("provider/index.ts").matchAll(/export \{ (\w+)/g)].map(([, name = ""]) => name);
    for (const name of exported) assert.match(read("docs/resources.md"), new RegExp(`^## ${name}$`, "m"));
    const lookUps = ["getDomain", "getDomains", "getPurview", "getRecord", "getRecords", "getMonitorHistory", "getCustomLines", "getBatchJob"];
    for (const name of lookUps) assert.match(read("docs/functions.md"), new RegExp(`^#+ .*\\b${name}\\b`, "m"));
    // Inputs and results have one table each, made from the schema: these pages link to it.
    for (const page of ["docs/resources.md", "docs/functions.md"]) {
      assert.doesNotMatch(read(page), /^\| (input|argument|output|field) \| type \|/m);
      for (const [, name = ""] of read(page).matchAll(/^## (\w+)$/gm)) {
        const file = `reference/${name.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase()}.md`;
        if (existsSync(join(root, "docs", file))) assert.ok(read(page).includes(`](${file})`), `${page}: ${name}`);
      }
    }
  });
});
