/** The two front ends of one program: a stack goes from the dynamic provider to the native plugin and back without a write. */
import { deepEqual, doesNotMatch, equal, ok } from "node:assert/strict";
import { commandOn } from "../support/page";
import { provider, record, share, zone } from "../support/programs";
import { must, says, story, type Story } from "../support/story";

const program = (more = "") => `
  ${provider("own")}
  ${record("owned", "192.0.2.8", {}, "{ provider: own }")}
  ${share("agency", "agency@example.org", "rw")}
  ${record("one", "192.0.2.9")}
  const batch = new dns.RecordBatch("batch", { domains: "example.com", records: [
    { name: "www", type: "A", value: ["192.0.2.1", "192.0.2.2"], ttl: 600 }, { name: "hidden", type: "TXT", value: pulumi.secret("s3cret-value"), ttl: 600 } ${more} ] });
  ${zone(["@ 600 A 192.0.2.3"], {}, "example.net")}
  exports.records = batch.zoneText;`;

/** The next up goes through the other front end, without a write. */
async function moves({ stack, up, writes }: Story, frontEnd: "native" | "dynamic"): Promise<void> {
  stack.env["LEGACYDNS_USE_PLUGIN"] = String(frontEnd === "native");
  const moved = await up("--diff");
  equal(writes(), 0, moved.output);
  deepEqual(
    [...new Set(moved.output.match(/^ *[-+]+ ?\S+: \(\w+\)$/gm)?.map((line) => line.trim()))].sort(),
    [
      `+ pulumi:providers:${frontEnd === "native" ? "legacydns" : "pulumi-nodejs"}: (create)`,
      `- pulumi:providers:${frontEnd === "native" ? "pulumi-nodejs" : "legacydns"}: (delete)`,
    ],
    moved.output,
  );
  doesNotMatch(moved.output, /replace/, moved.output);
  // A Zone of a program in TypeScript is a component, whose type is the same with both front ends.
  const types = new Set(
    stack
      .resources()
      .filter(({ id }) => id !== undefined)
      .map(({ type }) => type.split(":")[0]),
  );
  deepEqual([...types], [frontEnd === "native" ? "legacydns" : "pulumi-nodejs"]);
}

describe("a stack", () => {
  it("moves from the dynamic provider to the plugin and back without a write", () =>
    story(
      {
        frontEnd: "dynamic",
        plugin: true,
        program: program(),
        service: { accounts: [{ email: "owner@example.com" }, { email: "agency@example.org" }] },
      },
      async (told) => {
        const { admin, stack, up, quietUp, ids, lines } = told;
        admin.addShare("example.com", { email: "agency@example.org", mode: "r" });
        const through = (frontEnd: "native" | "dynamic") => moves(told, frontEnd);
        await up();
        const before = [ids(), ids("example.net")];
        await through("native");
        await quietUp();
        await must(stack.refresh("--expect-no-changes", "--diff"));
        await through("dynamic");
        await quietUp();
        deepEqual([ids(), ids("example.net")], before);
        await must(stack.shell(commandOn("docs/native.md", /^pulumi config set legacydns:usePlugin true$/)));
        delete stack.env["LEGACYDNS_USE_PLUGIN"];
        stack.program(program(', "new 600 A 192.0.2.4"'));
        says(await up(), "1 to create");
        ok(lines().includes("new A 192.0.2.4 600"));
        ok(!(await stack.state()).includes("s3cret-value"));
        await quietUp();
      },
    ));

  it("refuses a `usePlugin` that is no boolean", () =>
    story(
      { program: program(), config: { "legacydns:usePlugin": "native" }, env: { LEGACYDNS_USE_PLUGIN: "" } },
      async ({ stack }) => {
        says(await stack.preview(), 'legacydns:usePlugin is "native"', "write true or false");
      },
    ));
});
