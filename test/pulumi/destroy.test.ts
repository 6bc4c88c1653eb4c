/** The records that `pulumi destroy` deletes, and those that it keeps. */
import assert from "node:assert/strict";
import { zoneLines } from "../support/service";
import { byBothFrontEnds, says, story, must, fails } from "../support/story";

const env = { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" };

function zone(name: string, ...lines: string[]): string {
  return `new dns.RecordBatch(${JSON.stringify(name)}, { domains: "example.com", records: ${JSON.stringify(lines)} });`;
}

describe("a destroy", () => {
  byBothFrontEnds(
    "with --run-program is gated like an up; without it, adopted records stay",
    async (frontEnd) => {
      const records = Array.from({ length: 12 }, (_, i) => ({
        name: `h${i}`,
        type: "A",
        value: `192.0.2.${i}`,
      }));
      await story(
        {
          frontEnd,
          env,
          service: { domains: [{ name: "example.com", records }], settings: { undocumented: true } },
          program: zone("live", ...records.map(({ name, value }) => `${name} 600 A ${value}`)),
        },
        async ({ emulator, stack, up }) => {
          await up();
          const refused = await fails(stack.destroy("--run-program"));
          says(refused, "[zone.gated]", "12 to delete, 0 to update, 12 live: 100 %");
          assert.equal(zoneLines(emulator, "example.com").length, 12);
          await must(stack.destroy());
          assert.equal(zoneLines(emulator, "example.com").length, 12);
        },
      );
    },
  );
});
