/** The table of facts: a sentence of a document, and its proof with the emulator. */
import assert from "node:assert/strict";
import type { StartOptions } from "../../emulator";
import { get, inLab, type Lab, type Params } from "./lab";

/** A check, or a call and the values at paths of its answer. */
export type Fact =
  | readonly [says: string, check: (lab: Lab) => Promise<void>, options?: StartOptions]
  | readonly [says: string, operation: string, params: Params, answer: object, options?: StartOptions];

/** One test for each fact of a section. */
export function facts(section: string, rows: readonly Fact[]): void {
  describe(`emulator facts: ${section}`, () => {
    for (const row of rows) it(row[0], () => (isCheck(row) ? inLab(row[2] ?? {}, row[1]) : answers(row)));
  });
}

type Check = Extract<Fact, { readonly 1: (lab: Lab) => Promise<void> }>;
const isCheck = (row: Fact): row is Check => typeof row[1] === "function";

const answers = ([, operation, params, expected, options = {}]: Exclude<Fact, Check>): Promise<void> =>
  inLab(options, async (lab) => {
    const answer = await lab.call(operation, params);
    for (const [path, value] of Object.entries(expected)) assert.deepEqual(get(answer, path), value, path);
  });
