import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { writesOf, zoneLines } from "../support/service";
import type { Run } from "../support/stack";
import { says, story } from "../support/story";

/** The two commands of docs/pipelines.md. */
const page = readFileSync(resolve(__dirname, "../../docs/pipelines.md"), "utf8");
const [save = "", deploy = ""] = [...page.matchAll(/^```sh\n(pulumi [^\n]*)\n```$/gm)].map(
  ([, command = ""]) => command,
);

const zone = (...records: string[]): string =>
  `new dns.Zone("com", { domain: "example.com", records: ${JSON.stringify(records)} });`;

describe("a saved plan, through the real engine", function () {
  this.timeout(240_000);

  it("is deployed as reviewed; any difference is refused before a write", () =>
    story({ program: zone("www 600 A 192.0.2.1") }, async ({ stack, emulator, quietUp }) => {
      const run = (command: string): Promise<Run> => stack.shell(command, { STACK: "test" });
      const must = async (command: string): Promise<void> => {
        const done = await run(command);
        assert.equal(done.code, 0, done.output);
      };
      await must(save);
      assert.equal(writesOf(emulator), 0);
      await must(deploy);
      assert.deepEqual(zoneLines(emulator, "example.com"), ["www A 192.0.2.1 600"]);
      await quietUp();

      stack.program(zone("www 600 A 192.0.2.1", "a 600 A 192.0.2.2"));
      await must(save);
      stack.program(zone("www 600 A 192.0.2.1", "a 600 A 192.0.2.2", "b 600 A 192.0.2.3"));
      emulator.admin.clearCalls();
      const other = await run(deploy);
      assert.notEqual(other.code, 0);
      says(other, "violates plan: properties changed", "b.example.com. 600 A 192.0.2.3");
      assert.equal(writesOf(emulator), 0);

      // Records of others are adopted, with the plan as without one.
      stack.program(zone("www 600 A 192.0.2.1", "a 600 A 192.0.2.2"));
      emulator.admin.addRecord(
        "example.com",
        { name: "a", type: "A", value: "192.0.2.2", ttl: 600 },
        { indexed: true },
      );
      await must(deploy);
      assert.equal(writesOf(emulator), 0);

      // What cannot stand beside it is refused in the provider's own words.
      stack.program(zone("www 600 A 192.0.2.1", "a 600 A 192.0.2.2", "c 600 A 192.0.2.4"));
      await must(save);
      emulator.admin.addRecord(
        "example.com",
        { name: "c", type: "CNAME", value: "example.org.", ttl: 600 },
        { indexed: true },
      );
      const blocked = await run(deploy);
      assert.notEqual(blocked.code, 0);
      says(blocked, /c\.example\.com\. CNAME example\.org\./);
      assert.equal(writesOf(emulator), 0);
      // The stack was deployed from elsewhere since: the plan knows nothing of it.
      emulator.admin.removeRecord("example.com", { name: "c", type: "CNAME" });
      const elsewhere = await stack.up();
      assert.equal(elsewhere.code, 0, elsewhere.output);
      stack.program(zone("www 600 A 192.0.2.1", "a 600 A 192.0.2.2", "d 600 A 192.0.2.5"));
      emulator.admin.clearCalls();
      assert.notEqual((await run(deploy)).code, 0);
      assert.equal(writesOf(emulator), 0);
    }));

  it("contains no secret value, and refuses a batch's first secret, as docs/pipelines.md warns", () =>
    story({}, async ({ stack, emulator }) => {
      stack.program(`
        new dns.RecordBatch("keys", { domains: "example.com", records: [{ name: "k", type: "TXT", value: pulumi.secret("hunter2-hunter2"), ttl: 600 }] });
      `);
      const saved = await stack.shell(save, { STACK: "test" });
      assert.equal(saved.code, 0, saved.output);
      const plan = readFileSync(join(stack.folder, "plan.json"), "utf8");
      assert.match(plan, /"records"/);
      assert.doesNotMatch(plan, /hunter2/);
      const up = await stack.shell(deploy, { STACK: "test" });
      assert.notEqual(up.code, 0);
      says(up, "violates plan");
      assert.equal(writesOf(emulator), 0);
      assert.equal((await stack.up()).code, 0);
    }));
});
