/** The example of a policy pack refuses records in the preview, before anything is written, with both front ends. */
import { deepEqual, doesNotMatch } from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandOn, root } from "../support/page";
import { batch, record } from "../support/programs";
import { byBothFrontEnds, fails, must, says, type Stack } from "../support/story";

/**
 * Copies the pack into the stack's folder. The old language host of the tests cannot start a pack, so the engine starts it
 * as the analyzer of a runtime named `test`.
 */
function packIn(stack: Stack): string {
  const folder = join(stack.folder, "policy");
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  symlinkSync(root, join(folder, "node_modules/pulumi-legacydns"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "policy", version: "0.0.0" }));
  cpSync(join(root, "examples/policy"), folder, { recursive: true });
  const settings = join(folder, "PulumiPolicy.yaml");
  writeFileSync(settings, readFileSync(settings, "utf8").replace("runtime: nodejs", "runtime: test"));
  const runner = join(root, "node_modules/@pulumi/pulumi/cmd/run-policy-pack");
  writeFileSync(
    join(folder, "pulumi-analyzer-policy-test"),
    `#!/bin/sh\nexec node ${JSON.stringify(runner)} "$1" "$2"\n`,
    { mode: 0o755 },
  );
  return folder;
}

const program = (...records: string[]) => batch("zone", records) + record("one", "192.0.2.9");

describe("the example of a policy pack", () => {
  byBothFrontEnds(
    "judges a deployed state, as docs/policy.md shows, without a call",
    { program: program("www 60 A 192.0.2.1") },
    async ({ admin, stack, up }) => {
      const PATH = `${packIn(stack)}:${String(stack.env["PATH"])}`;
      await up();
      admin.clearCalls();
      const analyze = commandOn("docs/policy.md", /^pulumi policy analyze /);
      says(
        await fails(stack.shell(analyze, { PATH })),
        "www A of example.com has TTL 60",
        "example.com has no CAA record",
      );
      deepEqual(admin.calls(), []);
    },
  );

  byBothFrontEnds(
    "refuses a short TTL and a domain without CAA, and accepts the corrected zone",
    { program: program("www 60 A 192.0.2.1") },
    async ({ stack, ids }) => {
      const folder = packIn(stack);
      const command = async (name: string) =>
        stack.shell(`pulumi ${name} --policy-pack policy`, {
          PATH: `${folder}:${String(stack.env["PATH"])}`,
        });
      const refused = await fails(command("up --yes"));
      says(refused, "www A of example.com has TTL 60", "example.com has no CAA record");
      doesNotMatch(refused.output, /one A of/);
      deepEqual(ids(), []);
      stack.program(program("www 300 A 192.0.2.1", '@ 600 CAA 0 issue "letsencrypt.org"'));
      await must(command("up --yes"));
      await must(command("preview --expect-no-changes"));
    },
  );
});
