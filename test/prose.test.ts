import { deepEqual, equal, ok } from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { marksIn, measure, sentencesOfCode, sentencesOfPage } from "../scripts/prose";

describe("the check of the prose", () => {
  it("reads a page without headings, tables, blocks and link targets; list items end sentences", () => {
    const page =
      "# One two three\n\n| a b | c d |\n|---|---|\n\n```sh\nls a b c\n```\n- the first short item\n- Run `npm run lint -- --fix` by [the guide](docs/a.md).\n";
    deepEqual(sentencesOfPage(page), ["the first short item", "Run code by the guide."]);
  });

  it("reads the comments of code, without examples and directives; tags end sentences", () => {
    const code = `const a = "No comment at all.";
/**
 * Reads a zone.
 * @param name the zone's name
 * @example
 * read what is live now
 */
  // A sentence on
  // two lines.
f(a);
// eslint-disable-next-line no-console -- for what is shown
`;
    deepEqual(sentencesOfCode(code), ["Reads a zone.", "the zone's name", "A sentence on two lines."]);
  });

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
    it(`"${sentence}" has ${count} marks`, () => equal(marksIn(sentence).length, count));

  it("lists marks and long sentences with their file, and the limits that the files exceed", () => {
    const folder = mkdtempSync(join(tmpdir(), "prose-"));
    try {
      const file = join(folder, "page.md");
      const text = `A short sentence. A second short one. What is live stays live. ${"Words ".repeat(25)}end.\n`;
      writeFileSync(file, text);
      const { excess, findings } = measure([folder]);
      deepEqual(excess, ["25.0 marks per 100 sentences, at most 5", "25.0 % long sentences, at most 4"]);
      equal(findings.length, 2);
      ok(findings.every((finding) => finding.startsWith(`${file}: `)));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
