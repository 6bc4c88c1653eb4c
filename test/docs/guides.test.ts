import { deepEqual, match, ok } from "node:assert/strict";
import { readdirSync } from "node:fs";
import { posix } from "node:path";
import { read } from "../support/page";

const [, guides = ""] = /\n## How-to guides\n([^]*?)\n## /.exec(read("docs/README.md")) ?? [];
const pages = [...guides.matchAll(/^- \[[^\]]+\]\(([\w-]+\.md)\)$/gm)].map(([, page = ""]) => page);
const wordsOf = (text: string): number => text.split(/\s+/).filter((word) => word !== "").length;

describe("each how-to guide", () => {
  ok(pages.length >= 10, String(pages));
  for (const page of pages) {
    const text = read(posix.join("docs", page));
    it(`begins with its result, shows an example and ends with faults: ${page}`, () => {
      match(text, /^# [^\n]+\nAfter this page, /);
      match(text, /^```(ts|sh|console)\n/m);
      deepEqual(text.match(/^## .*/gm)?.at(-1), "## What can go wrong");
    });

    it(`has at most 900 words: ${page}`, () => ok(wordsOf(text) <= 900, String(wordsOf(text))));
  }
});

describe("the guide to many zones", () => {
  it("shows the program of the example, which a test deploys", () => {
    const program = read("examples/shards/index.ts").replace(/^\/\*\*.*\n/, "");
    ok(read("docs/many-zones.md").includes(`\`\`\`ts\n${program}\`\`\`\n`));
  });
});

describe("the pages in English", () => {
  it("have at most 30,000 words without the diagnostics and the generated reference", () => {
    const all = readdirSync(new URL("../../docs", `file://${__dirname}/`))
      .filter((name) => name.endsWith(".md") && name !== "errors.md" && !name.includes("zh-CN"))
      .map((name) => wordsOf(read(`docs/${name}`)));
    const sum = all.reduce((total, words) => total + words, 0);
    ok(sum <= 30_000, String(sum));
  });
});
