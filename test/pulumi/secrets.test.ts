/** Secret values and tokens are in no state, output, message or file. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { planVariable, readEntries, requestText } from "../../provider/lifecycle/plan-file";
import { plain, program, secrets } from "../support/secrets";
import { byBothFrontEnds, says, story, must } from "../support/story";
import type { Run } from "../support/stack";

describe("secrets", () => {
  it("of the login in the stack's file cause one warning with the command", () => {
    const program =
      'for (const name of ["a", "b"]) new dns.Record(name, { domain: "example.com", name, type: "A", value: "192.0.2.1" });';
    return story({ program, env: { LEGACYDNS_LOGIN_TOKEN: "" } }, async ({ emulator, stack }) => {
      const warnings = (run: Run): number =>
        (run.output.split("Diagnostics:")[1] ?? "").split("warning: legacydns:loginToken is plain text")
          .length - 1;
      await stack.must("config", "set", "--plaintext", "legacydns:loginToken", emulator.token);
      const plain = await stack.must("preview", "--suppress-progress");
      assert.equal(warnings(plain), 1, plain.output);
      says(plain, "help: store it: pulumi config set --secret legacydns:loginToken TOKEN");
      await stack.must("config", "set", "--secret", "legacydns:loginToken", emulator.token);
      const secret = await stack.must("preview", "--suppress-progress");
      assert.equal(warnings(secret), 0, secret.output);
    });
  });

  byBothFrontEnds("never stand in the report file of a plan", (frontEnd) =>
    story({ frontEnd, program: program() }, async ({ emulator, stack, up }) => {
      await up();
      emulator.admin.setRecord("example.com", { name: "two", type: "TXT" }, { value: "hush-console" });
      stack.program(
        `new dns.RecordBatch("batch", { domains: "example.com", records: [${plain} { name: "two", type: "TXT", value: pulumi.secret("${secrets[1]}"), ttl: 600 }] });`,
      );
      const file = join(stack.folder, "entries");
      writeFileSync(file, requestText({ urns: [], domains: ["example.com"], drift: false }));
      await must(stack.runWith({ [planVariable]: file }, "preview", "--refresh"));
      const text = readFileSync(file, "utf8");
      for (const secret of [...secrets, "hush-console"]) assert.ok(!text.includes(secret), text);
      assert.ok(
        readEntries(text).some(({ kind }) => kind === "declared"),
        text,
      );
    }),
  );
});
