/**
 * Schedules of lost answers, slow jobs, kills, console edits and second deployments, each decided by its seed: what must
 * hold holds after each (docs/invariants.md). More of them: `ts-node -T scripts/simulate.ts --runs 100000 --seed 1`.
 */
import { deepStrictEqual, notDeepStrictEqual } from "node:assert";
import { knownOpen } from "./open";
import { features, simulate, type Feature } from "./run";

interface Group {
  readonly what: string;
  readonly seed: number;
  readonly runs: number;
  /** What schedules of the group may hold; the dice choose among it. */
  readonly of: readonly Feature[];
}

const groups: readonly Group[] = [
  { what: "nothing going wrong", seed: 1_000, runs: 60, of: [] },
  { what: "faults of the network and the service", seed: 2_000, runs: 100, of: ["faults"] },
  { what: "slow and stuck jobs", seed: 3_000, runs: 60, of: ["jobs"] },
  { what: "refused records, locked domains, console edits", seed: 4_000, runs: 80, of: ["refusals", "console"] },
  { what: "kills, with the journal", seed: 5_000, runs: 80, of: ["kills"] },
  { what: "a second deployment at the same time", seed: 6_000, runs: 60, of: ["second", "console"] },
  { what: "failed logins and fresh disks", seed: 7_000, runs: 60, of: ["login", "fresh-disk", "kills"] },
  { what: "an index that lags", seed: 8_000, runs: 40, of: ["lag", "faults"] },
  { what: "everything at once", seed: 9_000, runs: 60, of: features },
];

describe("simulated schedules", () => {
  for (const { what, seed, runs, of } of groups) {
    it(`hold what must hold: ${what}, ${runs} schedules from seed ${seed}`, async () => {
      const without = new Set(features.filter((feature) => !of.includes(feature)));
      const broken: string[] = [];
      for (let i = 0; i < runs; i += 1) {
        if (knownOpen.has(seed + i)) continue;
        const { violations } = await simulate(seed + i, { without });
        const [first] = violations;
        const left = [...without].join(",");
        if (first !== undefined) broken.push(`ts-node -T scripts/simulate.ts --runs 1 --seed ${seed + i}${left === "" ? "" : ` --without ${left}`} --trace: invariant ${first.invariant}: ${first.text}`);
      }
      deepStrictEqual(broken, []);
    });
  }

  it("repeat exactly", async () => {
    const [one, other, another] = [await simulate(77, { trace: true }), await simulate(77, { trace: true }), await simulate(78, { trace: true })];
    deepStrictEqual(other.trace, one.trace);
    notDeepStrictEqual(another.trace, one.trace);
  });
});
