/** The check of the prose: sentences of pages and comments, marks, figures and limits. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { excess, measure } from "../scripts/prose";
import { marksIn } from "../scripts/prose/marks";
import { sentencesOfCode, sentencesOfPage } from "../scripts/prose/sentences";

describe("the sentences of a page", () => {
  it("exclude headings, tables and code blocks", () => {
    const page =
      "# One two three\n\n| a b | c d |\n|---|---|\n\nThe zone is empty.\n\n```sh\nls a b c\n```\n";
    assert.deepEqual(sentencesOfPage(page), ["The zone is empty."]);
  });

  it("end at list items and paragraphs without a full stop", () => {
    const page = "- the first short item\n- the second short item\n\nA last paragraph";
    assert.deepEqual(sentencesOfPage(page), [
      "the first short item",
      "the second short item",
      "A last paragraph",
    ]);
  });

  it("contain a link's text, and a code span as one word", () => {
    assert.deepEqual(sentencesOfPage("Run `npm run lint -- --fix` by [the guide](docs/a.md)."), [
      "Run code by the guide.",
    ]);
  });
});

describe("the sentences of a code file", () => {
  it("come from comments only", () => {
    const code = 'const a = "No comment at all.";\n/** Reads a whole zone. It caches nothing. */\n';
    assert.deepEqual(sentencesOfCode(code), ["Reads a whole zone.", "It caches nothing."]);
  });

  it("join consecutive line comments", () => {
    assert.deepEqual(sentencesOfCode("  // A sentence on\n  // two lines.\n"), ["A sentence on two lines."]);
  });

  it("end at tags, and exclude examples", () => {
    const code =
      "/**\n * Reads a zone.\n * @param name the zone's name\n * @example\n * read what is live now\n */";
    assert.deepEqual(sentencesOfCode(code), ["Reads a zone.", "the zone's name"]);
  });

  it("exclude directives of tools", () => {
    assert.deepEqual(sentencesOfCode("// eslint-disable-next-line no-console -- for what is shown\n"), []);
  });
});

describe("the marks of a sentence", () => {
  const cases: readonly (readonly [sentence: string, count: number])[] = [
    ["Deletions are ordered by a set lookup.", 0],
    ["What goes first is found by sets.", 1],
    ["Undefined where nobody has read it.", 2],
    ["The folder where files are stored is private.", 0],
    ["Domain.List tells that a domain is shared.", 1],
    ["The zone in which the record was.", 1],
    ["Of a batch: its domains.", 1],
    ["A batch without a domain is an error.", 0],
  ];
  for (const [sentence, count] of cases)
    it(`"${sentence}" has ${count}`, () => assert.equal(marksIn(sentence).length, count));
});

describe("the figures of files", () => {
  const folder = mkdtempSync(join(tmpdir(), "prose-"));
  after(() => rmSync(folder, { recursive: true }));

  it("count marks and long sentences, with the place of each", () => {
    const file = join(folder, "page.md");
    writeFileSync(
      file,
      `A short sentence. A second short one. What is live stays live. ${"Words ".repeat(25)}end.\n`,
    );
    const { figures, findings } = measure([folder]);
    assert.deepEqual(figures, { marks: 25, mean: 9.5, long: 25 });
    assert.equal(findings.length, 2);
    assert.ok(findings.every((finding) => finding.startsWith(`${file}: `)));
  });

  it("exceed a limit only if they are above it", () => {
    assert.deepEqual(excess({ marks: 5, mean: 13, long: 4 }), []);
    assert.deepEqual(excess({ marks: 5.1, mean: 13, long: 4.5 }), [
      "5.1 marks per 100 sentences, at most 5",
      "4.5 % long sentences, at most 4",
    ]);
  });
});
