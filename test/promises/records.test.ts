/** Promises 1, 6 and 7: live records are adopted without a write. Few calls create many records. An up without changes makes no call. */
import assert from "node:assert/strict";
import {
  byBothFrontEnds,
  countsOf,
  idsOf,
  says,
  sentRecords,
  story,
  writesOf,
  zoneLines,
} from "../support/story";

/** Five records of a batch, and one of its own. */
const zoneAnd = (more = "") => `new dns.RecordBatch("zone", { domains: "example.com", records: [
    { name: ["@", "www"], type: "A", value: ["192.0.2.1", "192.0.2.2"], ttl: 600 },
    { type: "MX", value: "mx1.example.org", priority: 10, ttl: 3600 },
    ${more}
  ] });
  const one = new dns.Record("one", { domain: "example.com", name: "one", type: "A", value: "192.0.2.9", ttl: 300 });`;

describe("promises 1, 6 and 7: adopt, few calls, quiet", () => {
  byBothFrontEnds(
    "records are created in one job, previewed line by line, and a second up makes no call",
    (frontEnd) =>
      story(
        {
          frontEnd,
          program: `const zone = ${zoneAnd()} exports.records = zone.zoneText; exports.recordId = one.recordId;`,
        },
        async ({ emulator, stack, up, quietUp }) => {
          const first = await up();
          assert.deepEqual(zoneLines(emulator, "example.com"), [
            "@ A 192.0.2.1 600",
            "@ A 192.0.2.2 600",
            "@ MX 10 mx1.example.org. 3600",
            "one A 192.0.2.9 300",
            "www A 192.0.2.1 600",
            "www A 192.0.2.2 600",
          ]);
          // Two jobs on a busy machine, if the single record comes after the quiet window.
          assert.ok((countsOf(emulator)["Batch.Record.Create"] ?? 0) <= 2, first.output);
          const outputs = await stack.outputs();
          const text = [
            "example.com. 600 A 192.0.2.1",
            "example.com. 600 A 192.0.2.2",
            "example.com. 3600 MX 10 mx1.example.org.",
            "www.example.com. 600 A 192.0.2.1",
            "www.example.com. 600 A 192.0.2.2",
          ];
          assert.equal(outputs["records"], text.map((line) => `${line}\n`).join(""));
          for (const line of text) says(first, `  + ${line}`);
          const zone = emulator.admin.zone("example.com", { hold: false });
          assert.equal(outputs["recordId"], String(zone.find(({ name }) => name === "one")?.id));
          await quietUp();

          stack.program(`${zoneAnd('{ name: "new", type: "A", value: "192.0.2.3", ttl: 60 },')}
          exports.recordId = ${JSON.stringify(outputs["recordId"])};
          exports.records = ${JSON.stringify(outputs["records"])};`);
          const preview = await stack.preview("--diff");
          says(preview, /~ records: *\n(?: .*\n)* +\+ new\.example\.com\. 60 A 192\.0\.2\.3$/m);
          // Once in the summary, once in the engine's diff.
          const changed = [...preview.output.matchAll(/^( *)[-+~] .*example\.com\. .*$/gm)];
          assert.deepEqual(
            changed.map(([, indent = ""]) => indent.length),
            [2, 10],
            preview.output,
          );
          says(await up(), "to create, 5 unchanged\n      + new.example.com. 60 A 192.0.2.3\n");
          assert.deepEqual(sentRecords(emulator), [["new A 192.0.2.3"]]);
          await quietUp();
        },
      ),
  );

  byBothFrontEnds(
    "live records are adopted without a write, with any TTL unless one is declared; `adopt: false` refuses",
    (frontEnd) =>
      story(
        {
          frontEnd,
          program: `
          new dns.RecordBatch("zone", { domains: "example.com", adopt: false, records: ["www 600 A 192.0.2.1"] });
          new dns.Record("any", { domain: "example.com", name: "any", type: "A", value: "192.0.2.2", adopt: false });`,
        },
        async ({ emulator, stack, deploy, failing, quietUp }) => {
          emulator.admin.addRecord("example.com", { name: "www", type: "A", value: "192.0.2.1", ttl: 600 });
          emulator.admin.addRecord("example.com", { name: "any", type: "A", value: "192.0.2.2", ttl: 77 });
          const ids = idsOf(emulator, "example.com");
          const refused = await failing();
          says(refused, "[live.exists]");
          assert.equal(writesOf(emulator), 0);
          assert.deepEqual(idsOf(emulator, "example.com"), ids);
          stack.program("");

          await deploy(`
          new dns.RecordBatch("zone", { domains: "example.com", records: ["www 600 A 192.0.2.1"] });
          new dns.Record("any", { domain: "example.com", name: "any", type: "A", value: "192.0.2.2" });`);
          assert.equal(writesOf(emulator), 0);
          assert.deepEqual(idsOf(emulator, "example.com"), ids);
          assert.deepEqual(zoneLines(emulator, "example.com"), ["any A 192.0.2.2 77", "www A 192.0.2.1 600"]);
          await quietUp();
        },
      ),
  );
});
