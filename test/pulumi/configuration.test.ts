/** A first burst of 64 operations at once, each a resource of its own, with a good configuration and with a broken one. */
import assert from "node:assert/strict";
import { countsOf, zoneLines } from "../support/service";
import { matchesSnapshot } from "../support/snapshot";
import { noStack, story } from "../support/story";

const program = `for (let i = 1; i <= 64; i++) {
  const record = { name: "r" + i, type: "A", value: "192.0.2." + i, ttl: 600 };
  if (i % 8 === 0) new dns.RecordBatch("r" + i, { domains: "example.com", records: [record] });
  else new dns.Record("r" + i, { domain: "example.com", ...record });
}`;

describe("a blank variable", () => {
  it("counts as none: the stack's setting holds, for the program as for its provider", () => {
    const batch = (value: string): string =>
      `new dns.RecordBatch("zone", { domains: "example.com", records: ["www A ${value}", "api A 192.0.2.9"] });`;
    const env = { LEGACYDNS_UNDOCUMENTED_OPERATIONS: " ", LEGACYDNS_DEFAULT_LINE: "" };
    return story(
      {
        env,
        config: { "legacydns:undocumentedOperations": "true" },
        service: { settings: { undocumented: true } },
        program: batch("192.0.2.1"),
      },
      async ({ deploy, emulator, up }) => {
        await up();
        await deploy(batch("192.0.2.2").replace(', "api A 192.0.2.9"', ""));
        assert.deepEqual(zoneLines(emulator, "example.com"), ["www A 192.0.2.2 600"]);
      },
    );
  });
});

describe("64 resources at once", () => {
  it("are made and read with the configuration; a broken one is said once on each, and nobody is called", () =>
    story({ program }, async ({ emulator, stack, up }) => {
      await up("--parallel", "64");
      assert.equal(zoneLines(emulator, "example.com").length, 64);
      emulator.admin.clearCalls();
      const refreshed = await stack.refresh("--parallel", "64");
      assert.equal(refreshed.code, 0, refreshed.output);
      assert.deepEqual(countsOf(emulator), { "Record.List": 1 });

      emulator.admin.clearCalls();
      const broken = await stack.runWith(
        { LEGACYDNS_REMOVAL: "retian", LEGACYDNS_INDEX_DELAY: "soon", LEGACYDNS_LOGIN_TOKEN: "" },
        ...["refresh", "--yes", "--skip-preview", "--suppress-progress", "--parallel", "64"],
      );
      assert.notEqual(broken.code, 0);
      noStack(broken);
      assert.deepEqual(countsOf(emulator), {});
      const [, after = ""] = broken.output.split("Diagnostics:\n");
      const [diagnostics = ""] = after.split("\nResources:");
      const sections = diagnostics
        .split(/\n\n+(?=  \S)/)
        .filter((section) => /dynamic\/legacydns|legacydns:index/.test(section));
      const names = sections.map((section) => /\((r\d+)\):/.exec(section)?.[1] ?? "?");
      assert.equal(new Set(names).size, 64, diagnostics);
      assert.equal(sections.length, 64);
      const texts = new Set(sections.map((section) => section.trim().replace(/^.*\n/, "")));
      assert.equal(texts.size, 1, [...texts].join("\n"));
      matchesSnapshot("broken-configuration", [...texts].join("\n"));
    }));
});
