import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/page";
import { fails, must, says, story, writesOf, zoneLines } from "../support/story";

const page = readFileSync(join(root, "docs/pipelines.md"), "utf8");
const [save = "", deploy = ""] = [...page.matchAll(/^```sh\n(pulumi [^\n]*)\n```$/gm)].map(
  ([, command = ""]) => command,
);

const zone = (...records: string[]): string =>
  `new dns.Zone("com", { domain: "example.com", records: ${JSON.stringify(["www 600 A 192.0.2.1", ...records])} });`;
const [a, b, c, d] = [
  "a 600 A 192.0.2.2",
  "b 600 A 192.0.2.3",
  "c 600 A 192.0.2.4",
  "d 600 A 192.0.2.5",
] as const;
const env = { STACK: "test" };

describe("a saved plan, through the real engine", function () {
  this.timeout(240_000);

  it("is deployed as reviewed; any difference is refused before a write", () =>
    story({ program: zone(), env }, async ({ stack, emulator: { admin }, emulator, quietUp, up }) => {
      await must(stack.shell(save));
      assert.equal(writesOf(emulator), 0);
      await must(stack.shell(deploy));
      assert.deepEqual(zoneLines(emulator, "example.com"), ["www A 192.0.2.1 600"]);
      await quietUp();

      stack.program(zone(a));
      await must(stack.shell(save));
      stack.program(zone(a, b));
      const other = await fails(stack.shell(deploy));
      says(other, "violates plan: properties changed", "b.example.com. 600 A 192.0.2.3");

      // Records of others are adopted, with the plan as without one.
      stack.program(zone(a));
      admin.addRecord(
        "example.com",
        { name: "a", type: "A", value: "192.0.2.2", ttl: 600 },
        { indexed: true },
      );
      await must(stack.shell(deploy));

      stack.program(zone(a, c));
      await must(stack.shell(save));
      admin.addRecord("example.com", { name: "c", type: "CNAME", value: "example.org." }, { indexed: true });
      says(await fails(stack.shell(deploy)), /c\.example\.com\. CNAME example\.org\./);
      assert.equal(writesOf(emulator), 0);
      // The stack was deployed from elsewhere since: the plan knows nothing of it.
      admin.removeRecord("example.com", { name: "c", type: "CNAME" });
      await up();
      stack.program(zone(a, d));
      admin.clearCalls();
      await fails(stack.shell(deploy));
      assert.equal(writesOf(emulator), 0);
    }));

  it("contains no secret value, and refuses a batch's first secret, as docs/pipelines.md warns", () =>
    story({ env }, async ({ stack, emulator, up }) => {
      stack.program(
        'new dns.RecordBatch("keys", { domains: "example.com", records: [{ name: "k", type: "TXT", value: pulumi.secret("hunter2-hunter2") }] });',
      );
      await must(stack.shell(save));
      const plan = readFileSync(join(stack.folder, "plan.json"), "utf8");
      assert.match(plan, /"records"/);
      assert.doesNotMatch(plan, /hunter2/);
      says(await fails(stack.shell(deploy)), "violates plan");
      assert.equal(writesOf(emulator), 0);
      await up();
    }));
});
