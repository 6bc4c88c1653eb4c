/** Promise 5: only a complete listing proves that a record is absent. */
import { deepEqual, equal } from "node:assert/strict";
import { batch, record } from "../support/programs";
import { byBothFrontEnds, must, sentRecords } from "../support/story";

const program = batch("hosts", ["a 600 A 192.0.2.1", "b 600 A 192.0.2.2"]) + record("one", "192.0.2.3");

describe("promise 5: absent means absent", () => {
  byBothFrontEnds(
    "a failed listing removes nothing from the state; a complete one does, and the up creates the missing record",
    { program },
    async ({ emulator, admin, stack, up, quietUp, lines, erase, writes }) => {
      await up();
      const before = lines();
      const held = (): unknown => stack.resources().map(({ urn, id, outputs }) => ({ urn, id, outputs }));
      const known = held();
      erase("a");
      erase("one");
      admin.addFault({ kind: "code", operation: "Record.List", code: 10 });
      await stack.refresh();
      deepEqual(held(), known);
      admin.clearFaults();
      await quietUp();
      await must(stack.refresh());
      equal(writes(), 0);
      await up();
      deepEqual(sentRecords(emulator).flat().sort(), ["a A 192.0.2.1", "one A 192.0.2.3"]);
      deepEqual(lines(), before);
    },
  );
});
