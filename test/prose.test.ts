/** The check of the prose: sentences of pages and comments, marks, figures and limits. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { marksIn, measure, sentencesOfCode, sentencesOfPage } from "../scripts/prose";

describe("the check of the prose", () => {
  for (const [title, page, sentences] of [
    [
      "excludes headings, tables and code blocks of a page",
      "# One two three\n\n| a b | c d |\n|---|---|\n\nThe zone is empty.\n\n```sh\nls a b c\n```\n",
      ["The zone is empty."],
    ],
    [
      "ends a sentence at list items and paragraphs without a full stop",
      "- the first short item\n- the second short item\n\nA last paragraph",
      ["the first short item", "the second short item", "A last paragraph"],
    ],
    [
      "reads a link's text, and a code span as one word",
      "Run `npm run lint -- --fix` by [the guide](docs/a.md).",
      ["Run code by the guide."],
    ],
  ] as const)
    it(title, () => assert.deepEqual(sentencesOfPage(page), sentences));

  for (const [title, code, sentences] of [
    [
      "reads only the comments of code",
      'const a = "No comment at all.";\n/** Reads a whole zone. It caches nothing. */\n',
      ["Reads a whole zone.", "It caches nothing."],
    ],
    [
      "joins consecutive line comments",
      "  // A sentence on\n  // two lines.\n",
      ["A sentence on two lines."],
    ],
    [
      "ends a sentence at a tag, and excludes examples",
      "/**\n * Reads a zone.\n * @param name the zone's name\n * @example\n * read what is live now\n */",
      ["Reads a zone.", "the zone's name"],
    ],
    ["excludes directives of tools", "// eslint-disable-next-line no-console -- for what is shown\n", []],
  ] as const)
    it(title, () => assert.deepEqual(sentencesOfCode(code), sentences));

  for (const [sentence, count] of [
    ["Deletions are ordered by a set lookup.", 0],
    ["What goes first is found by sets.", 1],
    ["Undefined where nobody has read it.", 2],
    ["The folder where files are stored is private.", 0],
    ["Domain.List tells that a domain is shared.", 1],
    ["The zone in which the record was.", 1],
    ["Of a batch: its domains.", 1],
    ["A batch without a domain is an error.", 0],
  ] as const)
    it(`"${sentence}" has ${count} marks`, () => assert.equal(marksIn(sentence).length, count));

  it("lists marks and long sentences with their file, and the limits that the files exceed", () => {
    const folder = mkdtempSync(join(tmpdir(), "prose-"));
    try {
      const file = join(folder, "page.md");
      const text = `A short sentence. A second short one. What is live stays live. ${"Words ".repeat(25)}end.\n`;
      writeFileSync(file, text);
      const { excess, findings } = measure([folder]);
      assert.deepEqual(excess, [
        "25.0 marks per 100 sentences, at most 5",
        "25.0 % long sentences, at most 4",
      ]);
      assert.equal(findings.length, 2);
      assert.ok(findings.every((finding) => finding.startsWith(`${file}: `)));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
