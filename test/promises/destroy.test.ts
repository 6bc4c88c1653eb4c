/** Promise 10: `pulumi destroy` deletes the records that the stack made, and keeps those that it adopted. */
import assert from "node:assert/strict";
import { byBothFrontEnds, fails, must, says, story, zoneLines } from "../support/story";

const env = { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" };

function zone(name: string, ...lines: string[]): string {
  return `new dns.RecordBatch(${JSON.stringify(name)}, { domains: "example.com", records: ${JSON.stringify(lines)} });`;
}

describe("promise 10: destroy", () => {
  byBothFrontEnds(
    "a destroy keeps adopted records, and deletes records that the stack made or moved",
    (frontEnd) => {
      const live = Array.from({ length: 30 }, (_, i) => ({
        name: `h${i}`,
        type: "A",
        value: `192.0.2.${i}`,
      }));
      const adopted = live.map(({ name, value }) => `${name} 600 A ${value}`);
      const [moved = "", ...made] = Array.from({ length: 20 }, (_, i) => `own${i} 600 A 198.51.100.${i}`);
      const service = { domains: [{ name: "example.com", records: live }], settings: { undocumented: true } };
      return story(
        { frontEnd, env, service, program: zone("live", ...adopted) + zone("old", moved, ...made) },
        async ({ emulator, stack, up, deploy }) => {
          await up();
          // If the program runs, its resources are gated as in an up.
          says(await fails(stack.destroy("--run-program")), "[zone.gated]");
          assert.equal(zoneLines(emulator, "example.com").length, 50);
          // A resource is renamed, and one of its records moves into the other resource.
          await deploy(zone("live", ...adopted, moved) + zone("new", ...made));
          const refused = await fails(stack.destroy("--continue-on-error"));
          says(refused, "LEGACYDNS_CONFIRMED_DOMAINS=example.com pulumi destroy");
          assert.ok(zoneLines(emulator, "example.com").length >= 49);
          const args = ["destroy", "--yes", "--skip-preview"];
          await must(stack.runWith({ LEGACYDNS_CONFIRMED_DOMAINS: "example.com" }, ...args));
          assert.deepEqual(
            zoneLines(emulator, "example.com"),
            live.map(({ name, value }) => `${name} A ${value} 600`).sort(),
          );
          assert.deepEqual(stack.resources(), []);
        },
      );
    },
  );
});
