import { deepEqual, equal, ok } from "node:assert/strict";
import { itHolds } from "./hold";
import { Outside, sequences } from "./outside";
import { simulate } from "./run";
import { features, type Feature } from "./troubles";

const mostSeeds = 12;

describe("simulated schedules of the second workload", () => {
  itHolds(
    [
      { what: "its sequences on a service that works", seed: 1_000, of: ["console", "lines", "strict"] },
      { what: "its sequences with all features", seed: 2_000, of: features },
      {
        what: "its sequences with all features and the undocumented operations",
        seed: 3_000,
        of: features,
        always: ["full"],
      },
    ],
    { runs: 6, workload: () => new Outside() },
  );

  for (const sequence of sequences) {
    const { name, needs = [] } = sequence;
    it(`have the sequence "${name}": its decisive moment happens`, async () => {
      let occurred = 0;
      for (let seed = 1; seed <= mostSeeds && occurred === 0; seed += 1) {
        const always = new Set<Feature>([...needs, ...(seed % 2 === 0 ? (["full"] as const) : [])]);
        const without = new Set(features.filter((feature) => !always.has(feature)));
        const workload = () => new Outside([sequence], 1);
        const outcome = await simulate(seed, { always, without, workload });
        deepEqual(outcome.violations, [], `seed ${seed}`);
        occurred += outcome.occurred.length;
      }
      ok(occurred > 0);
    });
  }

  it("have sequences with different names, each with one sentence", () => {
    equal(new Set(sequences.map(({ name }) => name)).size, sequences.length);
    for (const { sentence } of sequences) equal(/^[A-Z][^.!?]*\.$/.test(sentence), true, sentence);
  });
});
