import { deepStrictEqual, ok } from "node:assert";
import { breaks } from "./excused-breaks";
import { laws } from "./laws";
import { simulate } from "./run";
import { features } from "./troubles";

const mostSeeds = 150;

describe("the invariants of the simulation can fail", () => {
  for (const [name, broken] of Object.entries(breaks)) {
    const { caughtBy, seed: first = 1, with: on = [] } = broken;
    it(`${name}: caught by ${caughtBy}`, async () => {
      const always = new Set(on);
      const without = new Set(features.filter((feature) => !always.has(feature)));
      const heard = new Set<string>();
      for (let seed = first; seed < first + mostSeeds && !heard.has(caughtBy); seed += 1) {
        const { violations } = await simulate(seed, { broken, always, without });
        for (const { law } of violations) heard.add(law);
      }
      ok(heard.has(caughtBy), `heard of ${[...heard].join(", ") || "nothing"}`);
    });
  }

  it("every law has a break of its own", () => {
    const caught = new Set(Object.values(breaks).map(({ caughtBy }) => caughtBy));
    deepStrictEqual(caught, new Set(laws.map(({ name }) => name)));
  });
});
