/** Promise 5: only a complete listing proves that a record is absent. */
import assert from "node:assert/strict";
import { byBothFrontEnds, sentRecords, story, writesOf, zoneLines } from "../support/story";

const program = `
  new dns.RecordBatch("hosts", { domains: "example.com", records: ["a 600 A 192.0.2.1", "b 600 A 192.0.2.2"] });
  new dns.Record("one", { domain: "example.com", name: "one", type: "A", value: "192.0.2.3", ttl: 600 });`;

describe("promise 5: absent means absent", () => {
  byBothFrontEnds(
    "a failed listing removes nothing from the state; a complete one does, and the up creates the missing record",
    (frontEnd) =>
      story({ frontEnd, program }, async ({ emulator, stack, up, quietUp }) => {
        await up();
        const before = zoneLines(emulator, "example.com");
        const held = (): unknown => stack.resources().map(({ urn, id, outputs }) => ({ urn, id, outputs }));
        const known = held();
        emulator.admin.removeRecord("example.com", { name: "a", type: "A" });
        emulator.admin.removeRecord("example.com", { name: "one", type: "A" });
        emulator.admin.addFault({ kind: "code", operation: "Record.List", code: 10 });
        await stack.refresh();
        assert.deepEqual(held(), known);
        emulator.admin.clearFaults();
        await quietUp();
        await stack.must("refresh", "--yes", "--skip-preview");
        assert.equal(writesOf(emulator), 0);
        await up();
        assert.deepEqual(sentRecords(emulator).flat().sort(), ["a A 192.0.2.1", "one A 192.0.2.3"]);
        assert.deepEqual(zoneLines(emulator, "example.com"), before);
      }),
  );
});
