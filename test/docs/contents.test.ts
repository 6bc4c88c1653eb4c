/** The pages as a whole: the table of contents, all links, the reference against the schema, and the site. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix, relative, resolve } from "node:path";
import { contents } from "../../scripts/docs/contents";
import { referencePages } from "../../scripts/docs/reference";
import { registryPages } from "../../scripts/docs/registry";
import { buildSite } from "../../scripts/docs/site";
import { anchorsOf, pages, prose, read, root } from "../support/page";

describe("the pages", () => {
  it("stand in the table of contents, each once", () => {
    const listed = contents(root).flatMap((section) => section.pages.map(({ path }) => path));
    assert.deepEqual(
      [...listed].sort(),
      pages()
        .filter((page) => !/^(README\.md|docs\/README\.md|native\/.*)$/.test(page))
        .filter((page) => !registryPages().has(page.replace("docs/", "")))
        .sort(),
    );
  });

  it("link to pages and headings that are there", () => {
    const dead: string[] = [];
    for (const page of pages()) {
      for (const [, target = "", anchor] of prose(page).matchAll(
        /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g,
      )) {
        const path = target === "" ? page : posix.join(posix.dirname(page), target);
        if (!existsSync(join(root, path))) dead.push(`${page}: ${target}`);
        else if (anchor !== undefined && !(path.endsWith(".md") && anchorsOf(path).has(anchor)))
          dead.push(`${page}: ${target}#${anchor}`);
      }
    }
    assert.deepEqual(dead, []);
  });

  it("of the reference are what the schema says: `npm run docs:reference` writes them anew", () => {
    const made = referencePages();
    assert.deepEqual(readdirSync(join(root, "docs/reference")).sort(), [...made.keys()].sort());
    for (const [file, text] of made) assert.equal(read(`docs/reference/${file}`), text, file);
  });
});

describe("the pages of the Pulumi registry", () => {
  it("are as `npm run docs:reference` writes them", () => {
    for (const [file, text] of registryPages()) assert.equal(read(`docs/${file}`), text, file);
  });

  it("have the registry's front matter", () => {
    for (const [file, text] of registryPages())
      assert.match(text, /^---\ntitle: .+\nmeta_desc: .{20,160}\nlayout: package\n---\n/, file);
  });

  it("have an example of every resource", () => {
    const exported = read("provider/index.ts").matchAll(/^export \{ ([A-Z]\w+)/gm);
    const examples = [...registryPages().values()].flatMap((text) =>
      [...text.matchAll(/<!-- example: (\w+) -->\n\n\{\{< chooser/g)].map(([, name = ""]) => name),
    );
    assert.deepEqual(
      examples.sort(),
      [...new Set([...exported].map(([, name = ""]) => name)), "template"].sort(),
    );
  });
});

describe("the site", () => {
  const out = mkdtempSync(join(tmpdir(), "legacydns-site-"));
  after(() => rmSync(out, { recursive: true, force: true }));

  it("opens with the README, has four groups, every page and a search, and no dead link", async () => {
    await buildSite(out);
    const files = readdirSync(out, { recursive: true, encoding: "utf8" }).filter((path) =>
      path.endsWith(".html"),
    );
    const html = new Map(files.map((path) => [path, readFileSync(join(out, path), "utf8")]));
    for (const path of [
      "index.html",
      "reference/record.html",
      "incident.html",
      "decisions/0001-the-state.html",
      "typescript/classes/RecordBatch.html",
    ]) {
      assert.ok(html.has(path), `${path} is not among ${files.join(" ")}`);
    }
    assert.ok(existsSync(join(out, "assets/search.js")));
    const home = html.get("index.html") ?? "";
    assert.match(home, /Documented mode/);
    assert.match(home, /<img [^>]*demo\.svg/);
    assert.deepEqual(
      contents(root).map(({ title }) => title),
      ["Get started", "Guides", "Reference", "Background"],
    );
    const ids = new Map(
      [...html].map(([path, text]) => [
        path,
        new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id)),
      ]),
    );
    const dead: string[] = [];
    for (const [path, text] of html) {
      for (const [, link = ""] of text.matchAll(/ (?:href|src)="([^"]+)"/g)) {
        if (/^(https?|mailto|data):/.test(link)) continue;
        const [file = "", anchor = ""] = decodeURIComponent(link.replaceAll("&amp;", "&")).split("#");
        const target =
          file === "" ? path : relative(out, resolve(out, dirname(path), file.replace(/\?.*$/, "")));
        if (!existsSync(join(out, target))) dead.push(`${path}: ${link}`);
        else if (anchor !== "" && target.endsWith(".html") && ids.get(target)?.has(anchor) !== true)
          dead.push(`${path}: ${link}`);
      }
    }
    assert.deepEqual(dead, []);
  });
});
