/** Programs that declare in several steps: a record that an early resource gives up and a late one declares is live in the end. */
import assert from "node:assert/strict";
import { countsOf, idsOf, zoneLines } from "../support/service";
import { story } from "../support/story";

const full = {
  service: { settings: { undocumented: true } },
  env: { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" },
};

const batch = (name: string, lines: readonly string[], more = ""): string =>
  `new dns.RecordBatch(${JSON.stringify(name)}, { domains: "example.com", records: ${JSON.stringify(lines)}${more} });`;
/** An asynchronous function that waits between its parts for longer than any quiet window. */
const steps = (...parts: string[]): string =>
  `async () => {\n${parts.join("\nawait new Promise((done) => setTimeout(done, 6000));\n")}\n}`;

const [api, ftp, www] = ["api 600 A 192.0.2.1", "ftp 600 A 192.0.2.3", "www 600 A 192.0.2.2"] as const;
/** `a` gives up two records, of which `b` declares one later. */
const [before, after] = [batch("a", [api, ftp, www]), steps(batch("a", [www]), batch("b", [api]))];
const moved = ["api A 192.0.2.1 600", "www A 192.0.2.2 600"];

describe("a program that awaits between its batches, under `removal: delete`", () => {
  it("has a record live that the first batch gives up and a later one declares", () =>
    story({ ...full, program: before }, async ({ emulator, deploy, quietUp, up }) => {
      await up();
      const run = await deploy(`module.exports = ${after};`);
      assert.deepEqual(zoneLines(emulator, "example.com"), moved, run.output);
      // On a slow machine the engine has checked `b` before `a` removes anything.
      const { "Record.Remove": removed = 0, "Batch.Record.Create": made = 0 } = countsOf(emulator);
      assert.equal(removed - made, 1);
      await quietUp();
    }));

  it("keeps records of its late batches under `undeclared: remove`, since the refresh has read them", () => {
    const strays = [66, 67].map((end) => ({
      name: `stray${end}`,
      type: "A",
      value: `192.0.2.${end}`,
      ttl: 600,
    }));
    const program = `module.exports = ${steps(batch("a", [www], ', undeclared: "remove"'), batch("b", [api]))};`;
    return story({ ...full, program }, async ({ emulator, up }) => {
      await up();
      for (const stray of strays) emulator.admin.addRecord("example.com", stray, { indexed: true });
      const ids = idsOf(emulator, "example.com");
      const run = await up("--refresh");
      assert.deepEqual(zoneLines(emulator, "example.com"), moved, run.output);
      assert.ok(
        idsOf(emulator, "example.com").every((id) => ids.includes(id)),
        "no record was made anew",
      );
    });
  });
});
