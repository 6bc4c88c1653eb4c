/** The table of facts: a sentence of a document, and its proof with the emulator. */
import type { Lab } from "./lab";
import { inLab } from "./lab";
import type { StartOptions } from "../../emulator";

export interface Fact {
  /** The sentence of the document. */
  readonly says: string;
  readonly options?: StartOptions;
  readonly check: (lab: Lab) => Promise<void>;
}

/** One test for each fact of a section. */
export function facts(section: string, rows: readonly Fact[]): void {
  describe(`emulator facts: ${section}`, () => {
    for (const row of rows) it(row.says, () => inLab(row.options ?? {}, row.check));
  });
}
