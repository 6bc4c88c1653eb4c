/** The native plugin through the real engine, with a program that knows nothing but the resources' types. */
import assert from "node:assert/strict";
import { countsOf, writesOf, zoneLines } from "../support/service";
import { says, story } from "../support/story";

/** Resources as a program in any language registers them. */
export const bare = `
  const of = (type, outputs) => class extends pulumi.CustomResource {
    constructor(name, args, opts) { super("legacydns:index:" + type, name, { ...Object.fromEntries(outputs.map((each) => [each, undefined])), ...args }, opts); }
  };
  const [Record, RecordBatch] = [of("Record", ["recordId"]), of("RecordBatch", [])];`;

describe("the native plugin", () => {
  it("creates, previews, finds drift, updates and destroys records", () =>
    story(
      {
        plugin: true,
        program: `${bare}
          const zone = new RecordBatch("zone", { domains: ["example.com"], records: [
            { name: ["@", "www"], type: "A", value: ["192.0.2.1", "192.0.2.2"], ttl: 600 }, "shop 300 CNAME www.example.org." ] });
          const one = new Record("one", { domain: "example.com", name: "one", type: "A", value: "192.0.2.9", ttl: 300 });
          new Record("two", { domain: "example.com", name: "two", type: "TXT", value: one.recordId });
          exports.records = zone.records;
          exports.recordId = one.recordId;`,
      },
      async ({ emulator, stack, up, quietUp }) => {
        const preview = await stack.preview("--diff");
        assert.equal(preview.code, 0, preview.output);
        says(preview, "example.com: 5 records to add", "  + shop.example.com. 300 CNAME www.example.org.");
        assert.equal(writesOf(emulator), 0);
        const first = await up();
        says(first, "+ 4 created");
        assert.deepEqual(zoneLines(emulator, "example.com").filter((line) => !line.startsWith("two")), [
          "@ A 192.0.2.1 600",
          "@ A 192.0.2.2 600",
          "one A 192.0.2.9 300",
          "shop CNAME www.example.org. 300",
          "www A 192.0.2.1 600",
          "www A 192.0.2.2 600",
        ]);
        await quietUp();
        const one = emulator.admin.zone("example.com", { hold: false }).find((record) => record.name === "one");
        assert.equal((JSON.parse((await stack.must("stack", "output", "--json")).output) as { recordId: string }).recordId, String(one?.id));

        emulator.admin.setRecord("example.com", { name: "shop", type: "CNAME" }, { ttl: 60 });
        const drift = await stack.preview("--refresh", "--diff");
        says(drift, "- shop.example.com. 60 CNAME www.example.org. ; drifted, declared 300", "+ shop.example.com. 300 CNAME www.example.org.");
        emulator.admin.setRecord("example.com", { name: "shop", type: "CNAME" }, { ttl: 300 });
        const refreshed = await stack.refresh("--expect-no-changes");
        assert.equal(refreshed.code, 0, refreshed.output);

        const destroyed = await stack.runWith({ LEGACYDNS_REMOVAL: "retain" }, "destroy", "--yes", "--skip-preview");
        assert.equal(destroyed.code, 0, destroyed.output);
        says(destroyed, "left in the zone (removal: retain)");
        assert.deepEqual(await stack.resources(), []);
        assert.equal(countsOf(emulator)["Batch.Record.Create"], undefined);
      },
    ));
});
