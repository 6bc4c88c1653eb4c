/** Promise 4: a deletion never takes a record that the run declares, whichever resource declares it. */
import assert from "node:assert/strict";
import { byBothFrontEnds, idsOf, story, writesOf, zoneLines } from "../support/story";

const record = (resource: string, name: string, value: string): string =>
  `new dns.Record("${resource}", { domain: "example.com", name: "${name}", type: "A", value: "${value}", ttl: 600 });\n`;
const batch = (resource: string, ...records: readonly string[]): string =>
  `new dns.RecordBatch("${resource}", { domains: "example.com", records: ${JSON.stringify(records)} });\n`;
const [a, b, c] = ["a 600 A 192.0.2.2", "b 600 A 192.0.2.3", "c 600 A 192.0.2.4"] as const;

describe("promise 4: no deletion of a declared record", () => {
  byBothFrontEnds(
    "records that move between resources keep their ids, without an alias and without a write",
    (frontEnd) =>
      story(
        {
          frontEnd,
          program: record("before", "www", "192.0.2.1") + batch("old", a, b, c),
          env: { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" },
          service: { settings: { undocumented: true } },
        },
        async ({ emulator, stack, up, deploy, quietUp }) => {
          await up();
          const ids = idsOf(emulator, "example.com");
          for (const program of [
            record("after", "www", "192.0.2.1") + batch("new", a, b, c),
            record("b", "b", "192.0.2.3") + batch("new", a, "www 600 A 192.0.2.1") + batch("more", c),
          ]) {
            const run = await deploy(program);
            assert.equal(writesOf(emulator), 0, run.output);
            assert.equal(emulator.admin.counts()["Record.List"] ?? 0, 1, run.output);
            assert.deepEqual(idsOf(emulator, "example.com"), ids);
          }
          const names = stack.resources().map(({ urn }) => urn.split("::").at(-1));
          assert.deepEqual(names.sort(), ["b", "more", "new"]);
          await quietUp();
          await deploy(record("b", "b", "192.0.2.3") + batch("all", a, c));
          assert.deepEqual(zoneLines(emulator, "example.com"), [
            "a A 192.0.2.2 600",
            "b A 192.0.2.3 600",
            "c A 192.0.2.4 600",
          ]);
        },
      ),
  );
});
