/** An `onError` hook, which repeats Create in the same process. */
import { deepEqual, equal } from "node:assert/strict";
import { inlineUp } from "../support/inline";
import { batch } from "../support/programs";
import { byBothFrontEnds, story } from "../support/story";

const domains = ["example.com", "example.net"];
const program = `
  const again = async ({ failedOperation }) => {
    console.log("hook: " + failedOperation);
    await fetch(process.env.CLEAR, { method: "POST", body: "{}" });
    return true;
  };
  const onError = [new pulumi.ErrorHook("again", again)];
  ${batch("web", ["www 600 A 192.0.2.1"], { domains }, "{ hooks: { onError } }")}`;

describe("an onError hook", () => {
  byBothFrontEnds("repeats a Create whose answer was lost, and each record is made once", (frontEnd) =>
    story(
      { frontEnd, env: { LEGACYDNS_JOB_TIMEOUT: "2" }, service: { settings: { identical: "accept" } } },
      async ({ emulator, admin, stack, lines }) => {
        // The first answer is lost, and the zones cannot be read until the hook has run.
        admin.addFault({ kind: "dropped", operation: "Batch.Record.Create", when: "after", count: 1 });
        for (const [operation, skip] of [
          ["Record.List", 2],
          ["Record.Info", 0],
        ] as const)
          admin.addFault({ kind: "http", status: 404, operation, skip });
        const env = { CLEAR: `${emulator.adminUrl}/faults/clear` };
        const { output } = await inlineUp(stack, program, env);
        equal(output.match(/^hook: create$/gm)?.length, 1, output);
        for (const domain of domains) deepEqual(lines(domain), ["www A 192.0.2.1 600"]);
      },
    ),
  );
});
