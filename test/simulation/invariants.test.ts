import { deepStrictEqual, ok } from "node:assert";
import { breaks } from "./breaks";
import { simulate } from "./run";
import { features } from "./troubles";

const mostSeeds = 60;

describe("the invariants of the simulation can fail", () => {
  for (const [name, broken] of Object.entries(breaks)) {
    const { caughtBy, with: on = [] } = broken;
    it(`${name}: caught by invariant ${caughtBy}`, async () => {
      const always = new Set(on);
      const without = new Set(features.filter((feature) => !always.has(feature)));
      const heard = new Set<number>();
      for (let seed = 1; seed <= mostSeeds && !heard.has(caughtBy); seed += 1) {
        const { violations } = await simulate(seed, { broken, always, without });
        for (const { invariant } of violations) heard.add(invariant);
      }
      ok(heard.has(caughtBy), `heard of ${[...heard].join(", ") || "nothing"}`);
    });
  }

  it("every invariant has a break of its own", () => {
    const caught = new Set(Object.values(breaks).map(({ caughtBy }) => caughtBy));
    deepStrictEqual(caught, new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]));
  });
});
