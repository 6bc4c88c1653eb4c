/** An `onError` hook, which repeats Create in the same process. An inline program, because the built language host knows no hooks. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { byBothFrontEnds, must, pluginSettings, story, zoneLines } from "../support/story";

const program = `
  const pulumi = require("@pulumi/pulumi");
  const { LocalWorkspace } = require("@pulumi/pulumi/automation");
  const dns = require("pulumi-legacydns");
  const again = async ({ failedOperation }) => {
    console.log("hook: " + failedOperation);
    await fetch(process.env.CLEAR, { method: "POST", body: "{}" });
    return true;
  };
  const declare = async () => {
    const onError = [new pulumi.ErrorHook("again", again)];
    new dns.RecordBatch("web", { domains: ["example.com", "example.net"], records: ["www 600 A 192.0.2.1"] }, { hooks: { onError } });
  };
  (async () => {
    const projectSettings = { name: "inline", runtime: "nodejs", main: __dirname, ...${JSON.stringify(pluginSettings)} };
    const names = { stackName: "inline", projectName: "inline" };
    const stack = await LocalWorkspace.createOrSelectStack({ ...names, program: declare }, { projectSettings });
    await stack.up({ onOutput: (text) => process.stdout.write(text) });
  })().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });`;

describe("an onError hook", () => {
  byBothFrontEnds("repeats a Create whose answer was lost, and each record is made once", (frontEnd) =>
    story(
      { frontEnd, env: { LEGACYDNS_JOB_TIMEOUT: "2" }, service: { settings: { identical: "accept" } } },
      async ({ emulator, stack }) => {
        const { admin } = emulator;
        // The first answer is lost, and the zones cannot be read until the hook has run.
        admin.addFault({ kind: "dropped", operation: "Batch.Record.Create", when: "after", count: 1 });
        for (const [operation, skip] of [
          ["Record.List", 2],
          ["Record.Info", 0],
        ] as const)
          admin.addFault({ kind: "http", status: 404, operation, skip });
        writeFileSync(join(stack.folder, "inline.js"), program);
        const { output } = await must(
          stack.shell("node inline.js", { CLEAR: `${emulator.adminUrl}/faults/clear` }),
        );
        assert.equal(output.match(/^hook: create$/gm)?.length, 1, output);
        for (const domain of ["example.com", "example.net"])
          assert.deepEqual(zoneLines(emulator, domain), ["www A 192.0.2.1 600"]);
      },
    ),
  );
});
