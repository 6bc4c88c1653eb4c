/** Promise 10: `pulumi destroy` deletes the records that the stack made, and keeps those that it adopted. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { batch } from "../support/programs";
import { byBothFrontEnds, fails, fullMode, must, says } from "../support/story";

describe("promise 10: destroy", () => {
  const records = Array.from({ length: 30 }, (_, i) => ({
    name: `h${i}`,
    type: "A",
    value: `192.0.2.${i}`,
  }));
  const adopted = records.map(({ name, value }) => `${name} 600 A ${value}`);
  const [moved = "", ...made] = Array.from({ length: 20 }, (_, i) => `own${i} 600 A 198.51.100.${i}`);
  const service = { ...fullMode.service, domains: [{ name: "example.com", records }] };
  byBothFrontEnds(
    "a destroy keeps adopted records, and deletes records that the stack made or moved",
    { ...fullMode, service, program: batch("live", adopted) + batch("old", [moved, ...made]) },
    async ({ stack, up, deploy, lines }) => {
      await up();
      // If the program runs, its resources are gated as in an up.
      says(await fails(stack.destroy("--run-program")), "[zone.gated]");
      equal(lines().length, 50);
      // A resource is renamed, and one of its records moves into the other resource.
      await deploy(batch("live", [...adopted, moved]) + batch("new", made));
      const refused = await fails(stack.destroy("--continue-on-error"));
      says(refused, "LEGACYDNS_CONFIRMED_DOMAINS=example.com pulumi destroy");
      ok(lines().length >= 49);
      const args = ["destroy", "--yes", "--skip-preview"];
      await must(stack.runWith({ LEGACYDNS_CONFIRMED_DOMAINS: "example.com" }, ...args));
      deepEqual(lines(), records.map(({ name, value }) => `${name} A ${value} 600`).sort());
      deepEqual(stack.resources(), []);
    },
  );
});
