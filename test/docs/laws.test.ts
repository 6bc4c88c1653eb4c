/** The pages name the laws that the simulation checks. */
import { deepEqual } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { laws } from "../simulation/laws";

const linesOf = (page: string): ReadonlySet<string> => new Set(readFileSync(page, "utf8").split("\n"));

describe("each law of the simulation", () => {
  it("is a promise of docs/guarantees.md and a row of tools/simulate/README.md", () => {
    const [promised, listed] = [linesOf("docs/guarantees.md"), linesOf("tools/simulate/README.md")];
    const missing = laws.filter(
      ({ name, row, sentence }) => !promised.has(`- ${row}`) || !listed.has(`| ${name} | ${sentence} |`),
    );
    deepEqual(
      missing.map(({ name }) => name),
      [],
    );
  });
});
