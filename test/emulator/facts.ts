/** The table of facts: a sentence of a document, and its proof with the emulator. */
import type { Lab } from "./lab";
import { inLab } from "./lab";
import type { StartOptions } from "../../emulator";

export type Fact = readonly [says: string, check: (lab: Lab) => Promise<void>, options?: StartOptions];

/** One test for each fact of a section. */
export function facts(section: string, rows: readonly Fact[]): void {
  describe(`emulator facts: ${section}`, () => {
    for (const [says, check, options = {}] of rows) it(says, () => inLab(options, check));
  });
}
