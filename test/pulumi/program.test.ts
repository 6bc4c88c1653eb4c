/** Programs as people write them: outputs of one resource in another, errors of both kinds, the example of the repository. */
import assert from "node:assert/strict";
import { countsOf, zoneLines } from "../support/service";
import { noStack, problem, says, story } from "../support/story";

describe("a program", () => {
  it("hears of a wrong spec and of a wrong output in the same preview", () =>
    story({}, async ({ stack, emulator }) => {
      stack.program(`
        new dns.RecordBatch("plain", { domains: "example.com", records: [{ name: "a", type: "A", value: "192.0.2.999" }] });
        new dns.Record("output", { domain: "example.com", name: "b", type: "AAAA", value: pulumi.output("2001:db8::xyz") });
        new dns.Record("promise", { domain: Promise.resolve("example.com"), name: "c..d", type: "A", value: "192.0.2.1" });`);
      const run = await stack.preview();
      assert.notEqual(run.code, 0);
      noStack(run);
      says(
        run,
        problem('RecordBatch "plain"', 'records\\[0\\].value: "192.0.2.999"'),
        problem('Record "output"', "value: .*IPv6"),
        problem('Record "promise"', "name:"),
      );
      assert.deepEqual(countsOf(emulator), {});
    }));

  it("of the quick start, in TypeScript, deploys its whole zone with a handful of calls, and then nothing", () =>
    story({ main: "../../../examples/quickstart/index.ts" }, async ({ emulator, stack, up, quietUp }) => {
      const run = await up();
      const lines = zoneLines(emulator, "example.com");
      assert.ok(lines.length > 150, run.output);
      // 167 records: at the most a job for each resource and line, on a machine too slow for them to join.
      assert.ok((countsOf(emulator)["Batch.Record.Create"] ?? 0) <= 8, JSON.stringify(countsOf(emulator)));
      // The first up has checked its types.
      stack.env["PULUMI_NODEJS_TRANSPILE_ONLY"] = "true";
      await quietUp();
      const refreshed = await stack.refresh("--expect-no-changes");
      assert.equal(refreshed.code, 0, refreshed.output);
    }));
});
