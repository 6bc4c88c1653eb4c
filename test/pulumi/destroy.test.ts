/** The records that `pulumi destroy` deletes, and those that it keeps. */
import assert from "node:assert/strict";
import { zoneLines } from "../support/service";
import { byBothFrontEnds, says, story } from "../support/story";

const env = { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" };

function zone(name: string, ...lines: string[]): string {
  return `new dns.RecordBatch(${JSON.stringify(name)}, { domains: "example.com", records: ${JSON.stringify(lines)} });`;
}

describe("a destroy", () => {
  byBothFrontEnds(
    "with --run-program counts as an up: the gate stands, and says that without the option what was adopted stays",
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
          const refused = await stack.destroy("--run-program");
          assert.notEqual(refused.code, 0, refused.output);
          says(
            refused,
            "this run would remove 12 and change 0 of its 12 records (100 %)",
            "A `pulumi destroy --run-program` counts as an up and takes what was adopted as well; without that option it stays",
          );
          assert.equal(zoneLines(emulator, "example.com").length, 12);
          const run = await stack.destroy();
          assert.equal(run.code, 0, run.output);
          assert.equal(zoneLines(emulator, "example.com").length, 12);
        },
      );
    },
  );

  byBothFrontEnds("that fails names ten adopted records and counts the rest", async (frontEnd) => {
    const live = Array.from({ length: 12 }, (_, i) => ({
      name: `a${i}`,
      type: "A",
      value: `192.0.2.${i + 1}`,
      ttl: 600,
    }));
    const lines = (some: typeof live): string[] => some.map(({ name, value }) => `${name} 600 A ${value}`);
    await story(
      {
        frontEnd,
        service: { domains: [{ name: "example.com", records: live }] },
        program: zone("all", "new 600 A 192.0.2.99", ...lines(live)),
      },
      async ({ deploy, stack, up }) => {
        await up();
        const many = await stack.destroy();
        assert.notEqual(many.code, 0);
        says(
          many,
          /new\.example\.com\. A 192\.0\.2\.99 \(record \d+\) still live, and not removed; .* 12 records stay in the zone anyway, since the stack adopted them: (?:a\d+\.example\.com\. A \S+ \(record \d+\); ){10}and 2 more/,
        );
        await deploy(
          zone("all", "new 600 A 192.0.2.99", ...lines(live.slice(0, 5))).replace(
            "] });",
            '], removal: "retain" });',
          ),
        );
        await deploy(zone("all", "new 600 A 192.0.2.99", ...lines(live.slice(0, 5))));
        const few = await stack.destroy();
        says(
          few,
          /5 records stay in the zone anyway, since the stack adopted them: (?:a\d+\.example\.com\. A \S+ \(record \d+\)(?:; |\n)){5}/,
        );
      },
    );
  });
});
