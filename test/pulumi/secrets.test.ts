import { equal } from "node:assert/strict";
import { record } from "../support/programs";
import { type Run, says, story } from "../support/story";

describe("secrets", () => {
  it("of the login in the stack's file cause one warning with the command", () => {
    const program = record("a", "192.0.2.1") + record("b", "192.0.2.1");
    return story({ program, env: { LEGACYDNS_LOGIN_TOKEN: "" } }, async ({ emulator, stack }) => {
      const warnings = (run: Run): number =>
        (run.output.split("Diagnostics:")[1] ?? "").split("warning: legacydns:loginToken is plain text")
          .length - 1;
      await stack.must("config", "set", "--plaintext", "legacydns:loginToken", emulator.token);
      const plain = await stack.must("preview", "--suppress-progress");
      equal(warnings(plain), 1, plain.output);
      says(plain, "help: store it: pulumi config set --secret legacydns:loginToken ID,TOKEN");
      await stack.must("config", "set", "--secret", "legacydns:loginToken", emulator.token);
      const secret = await stack.must("preview", "--suppress-progress");
      equal(warnings(secret), 0, secret.output);
    });
  });
});
