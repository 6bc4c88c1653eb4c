/** The engine's state file, cut by a kill: the steps of docs/guarantees.md bring the stack back, without a write. */
import { deepEqual, equal } from "node:assert/strict";
import { readdirSync, rmSync, readFileSync, writeFileSync, copyFileSync } from "node:fs";
import { join } from "node:path";
import { batch } from "../support/programs";
import { says, story, type Story } from "../support/story";

/** Cuts the state to so many bytes, sees that no up works, and goes a way back: the next up writes nothing. */
async function lost(
  { stack, failing, up, ids, writes }: Story,
  keep: number,
  wayBack: (file: string) => void | Promise<void>,
): Promise<void> {
  const before = ids();
  const file = join(stack.folder, "backend/.pulumi/stacks/zones/test.json");
  writeFileSync(file, readFileSync(file).subarray(0, keep));
  says(await failing(), "failed to load checkpoint");
  await wayBack(file);
  await up();
  equal(writes(), 0);
  deepEqual(ids(), before);
}

describe("a state file that was cut", () => {
  it("comes back from the backend's own copy, from its history, or as a fresh stack that adopts what is live", () =>
    story({ program: batch("zone", ["www 600 A 192.0.2.1"]) }, async (tale) => {
      const { stack } = tale;
      await tale.up();
      await tale.deploy(batch("zone", ["www 600 A 192.0.2.1", "api 600 A 192.0.2.2"]));
      await lost(tale, 300, (file) => {
        copyFileSync(`${file}.bak`, file);
      });
      await lost(tale, 0, (file) => {
        const history = join(stack.folder, "backend/.pulumi/history/zones/test");
        const newest =
          readdirSync(history)
            .filter((name) => name.endsWith(".checkpoint.json"))
            .sort()
            .at(-1) ?? "";
        copyFileSync(join(history, newest), file);
      });
      await lost(tale, 0, async (file) => {
        rmSync(file);
        await stack.must("stack", "init", "test");
      });
      await tale.quietUp();
    }));
});
