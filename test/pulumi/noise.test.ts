/** The messages of a program of a few resources: each phase reports a message once, under its resource. */
import assert from "node:assert/strict";
import { byBothFrontEnds, fails, must, story, zoneLines, type Run } from "../support/story";

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

/** The diagnostics in the lists of messages: each as `LEVEL CODE`. A message of the engine has one level. */
function diagnosed({ output }: Run): string[] {
  const lists = output.split("Diagnostics:").slice(1);
  return lists
    .flatMap((list) => (list.split(/^Resources:/m)[0] ?? "").split("\n"))
    .flatMap((line) => {
      const [, level = "", code = ""] =
        /^ {4}(?:(error|warning|note): |\t\* )?\S.*\[([a-z]+[.-][a-z-]+)\]$/.exec(line) ?? [];
      // The engine puts the reasons of a half-done update into a list of its own.
      return code === "" ? [] : [`${level === "" && line.includes("\t* ") ? "error" : level} ${code}`];
    })
    .sort();
}

describe("the output of a run", () => {
  byBothFrontEnds("has one message for each diagnostic, with its level", (frontEnd) =>
    story({ frontEnd }, async ({ emulator, stack }) => {
      const zones = (lines: string): string =>
        `new dns.RecordBatch("zone", { domains: ["example.com", "example.net"], records: [${lines}] });`;
      stack.program(zones('"a 600 A 10.0.0.1", "b 9999999 A 192.0.2.1", "*.c 600 A 192.0.2.1"'));
      emulator.admin.addRecord("example.com", { name: "*", type: "TXT", value: "x", ttl: 600 });
      assert.deepEqual(diagnosed(await must(stack.preview())), [
        "note wildcard-hidden",
        "warning private-address",
        "warning private-address",
        "warning ttl-long",
        "warning ttl-long",
      ]);

      for (const [domain, name, ttl] of [
        ["example.com", "a", 77],
        ["example.net", "a", 77],
        ["example.com", "b", 600],
      ] as const)
        emulator.admin.addRecord(domain, { name, type: "A", value: "192.0.2.1", ttl });
      emulator.admin.disableRecord("example.com", { name: "b", type: "A" });
      stack.program(zones('"a 600 A 192.0.2.1", "b 600 A 192.0.2.1", "c 600 A 192.0.2.1"'));
      const blocked = ["live.disabled", "live.ttl", "live.ttl"];
      assert.deepEqual(diagnosed(await must(stack.preview())), [
        "note wildcard-hidden",
        ...blocked.map((code) => `warning ${code}`),
      ]);
      const failed = await fails(stack.up());
      assert.deepEqual(
        diagnosed(failed).filter((each) => !each.startsWith("note ")),
        blocked.map((code) => `error ${code}`),
      );
      assert.doesNotMatch(failed.output, /[2-9] errors occurred/);
      assert.equal(stack.resources()[0]?.initErrors?.length, 1);

      stack.program("");
      const removed = diagnosed(await fails(stack.up()));
      assert.deepEqual(removed, ["error live.left-over", "error live.left-over"]);

      stack.program(zones('"a 600 A 192.0.2.999", { name: "b b", type: "A", value: "192.0.2.1", ttl: -1 }'));
      assert.deepEqual(diagnosed(await fails(stack.preview())), [
        "error address.unfit",
        "error label.unfit",
        "error ttl.unfit",
      ]);
    }),
  );

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
