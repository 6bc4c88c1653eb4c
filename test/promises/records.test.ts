/** Promises 1, 6 and 7: live records are adopted without a write. Few calls create many records. An up without changes makes no call. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { batch, record } from "../support/programs";
import { byBothFrontEnds, says, sentRecords } from "../support/story";

/** Five records of a batch, and one of its own. */
const zoneAnd = (more = "") => `new dns.RecordBatch("zone", { domains: "example.com", records: [
    { name: ["@", "www"], type: "A", value: ["192.0.2.1", "192.0.2.2"], ttl: 600 },
    { type: "MX", value: "mx1.example.org", priority: 10, ttl: 3600 },
    ${more}
  ] });
  const one = new dns.Record("one", { domain: "example.com", name: "one", type: "A", value: "192.0.2.9", ttl: 300 });`;

const live = [
  "@ A 192.0.2.1 600",
  "@ A 192.0.2.2 600",
  "@ MX 10 mx1.example.org. 3600",
  "one A 192.0.2.9 300",
  "www A 192.0.2.1 600",
  "www A 192.0.2.2 600",
];
/** As `zoneText` has the batch. */
const text = [
  "example.com. 600 A 192.0.2.1",
  "example.com. 600 A 192.0.2.2",
  "example.com. 3600 MX 10 mx1.example.org.",
  "www.example.com. 600 A 192.0.2.1",
  "www.example.com. 600 A 192.0.2.2",
];

describe("promises 1, 6 and 7: adopt, few calls, quiet", () => {
  byBothFrontEnds(
    "records are created in one job, previewed line by line, and a second up makes no call",
    {
      program: `const zone = ${zoneAnd()} exports.records = zone.zoneText; exports.recordId = one.recordId;`,
    },
    async ({ emulator, admin, stack, up, quietUp, lines }) => {
      const first = await up();
      deepEqual(lines(), live);
      // Two jobs on a busy machine, if the single record comes after the quiet window.
      ok((admin.counts()["Batch.Record.Create"] ?? 0) <= 2, first.output);
      const outputs = await stack.outputs();
      equal(outputs["records"], text.map((line) => `${line}\n`).join(""));
      for (const line of text) says(first, `  + ${line}`);
      const zone = admin.zone("example.com", { hold: false });
      equal(outputs["recordId"], String(zone.find(({ name }) => name === "one")?.id));
      await quietUp();

      stack.program(`${zoneAnd('{ name: "new", type: "A", value: "192.0.2.3", ttl: 60 },')}
          exports.recordId = ${JSON.stringify(outputs["recordId"])};
          exports.records = ${JSON.stringify(outputs["records"])};`);
      const preview = await stack.preview("--diff");
      says(preview, /~ records: *\n(?: .*\n)* +\+ new\.example\.com\. 60 A 192\.0\.2\.3$/m);
      // Once in the summary, once in the engine's diff.
      const changed = [...preview.output.matchAll(/^( *)[-+~] .*example\.com\. .*$/gm)];
      deepEqual(
        changed.map(([, indent = ""]) => indent.length),
        [2, 10],
        preview.output,
      );
      says(await up(), "to create, 5 unchanged\n      + new.example.com. 60 A 192.0.2.3\n");
      deepEqual(sentRecords(emulator), [["new A 192.0.2.3"]]);
      await quietUp();
    },
  );

  const program = (more: object) =>
    batch("zone", ["www 600 A 192.0.2.1"], more) + record("any", "192.0.2.2", { ttl: undefined, ...more });
  byBothFrontEnds(
    "live records are adopted without a write, with any TTL unless one is declared; `adopt: false` refuses",
    { program: program({ adopt: false }) },
    async ({ stack, deploy, failing, quietUp, add, ids, lines, writes }) => {
      add("www 600 A 192.0.2.1");
      add("any 77 A 192.0.2.2");
      const live = ids();
      says(await failing(), "[live.exists]");
      equal(writes(), 0);
      deepEqual(ids(), live);
      stack.program("");

      const adopted = await deploy(program({}));
      for (const resource of ['RecordBatch "zone"', 'Record "any"'])
        says(adopted, `${resource}: example.com: 1 to adopt\n`);
      equal(writes(), 0);
      deepEqual(ids(), live);
      deepEqual(lines(), ["any A 192.0.2.2 77", "www A 192.0.2.1 600"]);
      await quietUp();
    },
  );
});
