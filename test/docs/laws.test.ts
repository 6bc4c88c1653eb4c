/** The pages name the laws that the simulation checks. */
import { ok } from "node:assert/strict";
import { laws } from "../simulation/laws";
import { read } from "../support/page";

const linesOf = (page: string): ReadonlySet<string> => new Set(read(page).split("\n"));

describe("each law of the simulation", () => {
  it("is a promise of docs/guarantees.md and a row of tools/simulate/README.md", () => {
    const [promised, listed] = [linesOf("docs/guarantees.md"), linesOf("tools/simulate/README.md")];
    for (const { name, row, sentence } of laws)
      ok(promised.has(`- ${row}`) && listed.has(`| ${name} | ${sentence} |`), name);
  });
});
