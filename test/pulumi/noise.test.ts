/** The messages of a program of a few resources: each phase reports a message once, under its resource. */
import assert from "node:assert/strict";
import { fails, must, story, zoneLines } from "../support/story";

const record = (resource: string, name: string, value: string, more = ""): string =>
  `new dns.Record(${JSON.stringify(resource)}, { domain: "example.com", name: ${JSON.stringify(name)}, type: "A", value: ${JSON.stringify(value)}, ttl: 600${more} });\n`;
const batch = 'new dns.RecordBatch("zone", { domains: "example.com", records: ["c 600 A 192.0.2.3"] });\n';
const three = record("a", "a", "192.0.2.1") + record("b", "b", "192.0.2.2") + batch;

/** How often a text is printed in the lists of messages, the live display left out. */
function told(output: string, text: string): number {
  return output
    .split("Diagnostics:")
    .slice(1)
    .reduce((sum, part) => sum + (part.split(/^Resources:/m)[0] ?? "").split(text).length - 1, 0);
}

describe("the output of a run", () => {
  it("reports each message once per phase, and nothing if nothing changes", () =>
    story({ program: three, env: { LEGACYDNS_CONTACT: "" } }, async ({ stack, emulator }) => {
      const first = await must(stack.upWithPreview("--suppress-progress"));
      for (const text of [
        "no contact is set",
        'RecordBatch "zone": example.com: 1 to create',
        "+ c.example.com. 600 A 192.0.2.3",
      ])
        assert.equal(told(first.output, text), 2, first.output);
      const again = await stack.upWithPreview("--suppress-progress");
      assert.doesNotMatch(again.output, /Diagnostics/);
      stack.program(three.replace("c 600 A 192.0.2.3", "d 600 A 192.0.2.4"));
      const update = await stack.runWith(
        { LEGACYDNS_REMOVAL: "retain" },
        "up",
        "--yes",
        "--skip-preview",
        "--suppress-progress",
      );
      for (const text of [
        "no contact is set",
        'RecordBatch "zone": example.com: 1 to create',
        "no longer declared",
      ])
        assert.equal(told(update.output, text), 1, update.output);
      assert.equal(zoneLines(emulator, "example.com").length, 4);
      emulator.admin.disableRecord("example.com", { name: "d", type: "A" });
      emulator.admin.setRecord("example.com", { name: "a", type: "A" }, { ttl: 60 });
      stack.program(three.replace("c 600 A 192.0.2.3", "e 600 A 192.0.2.5"));
      const failed = await fails(
        stack.runWith(
          {},
          "up",
          "--yes",
          "--skip-preview",
          "--refresh",
          "--suppress-progress",
          "--continue-on-error",
        ),
      );
      for (const text of ["[live.left-over]", "TTL 60 live"])
        assert.equal(told(failed.output, text), 1, failed.output);
    }));
});
