/** The invariants can fail: each promise broken on purpose, in the simulation only, is noticed by its own invariant. */
import { deepStrictEqual, ok } from "node:assert";
import { breaks, type Break } from "./breaks";
import type { Invariant } from "./observer";
import { features, simulate, type Feature } from "./run";

interface Caught {
  readonly by: Invariant;
  /** Part of every schedule; nothing else is. */
  readonly with?: readonly Feature[];
}

const expected: Readonly<Record<Break, Caught>> = {
  "resend a write": { by: 1 },
  "overlook a record": { by: 1 },
  "hide duplicates": { by: 1, with: ["kills", "fresh-disk", "jobs"] },
  "drop an outcome": { by: 2, with: ["refusals"] },
  "touch a record": { by: 3 },
  "remove a record": { by: 4 },
  "never quiet": { by: 5 },
  chatter: { by: 6 },
  "ignore a failed login": { by: 7, with: ["login"] },
  "forget the ledger": { by: 8 },
  "let go in silence": { by: 8, with: ["retain"] },
  "sleep too long": { by: 9 },
  "leave a rejection": { by: 9 },
  "tell a secret": { by: 10 },
  "change nothing": { by: 11, with: ["full"] },
  "remove before making": { by: 12, with: ["full"] },
  "leave the journal unread": { by: 1, with: ["kills", "jobs"] },
  "forget the jobs": { by: 1, with: ["jobs", "fresh-disk"] },
  "repeat the service's words": { by: 10, with: ["secrets", "echoes", "refusals"] },
  "wait by the machine's clock": { by: 9, with: ["clocks", "jobs"] },
  "believe every code": { by: 1, with: ["lies"] },
  "believe that it is gone": { by: 8, with: ["full", "lies"] },
  "want what later answers have": { by: 2, with: ["eras"] },
};

const mostSeeds = 60;

describe("the invariants of the simulation can fail", () => {
  for (const broken of breaks) {
    const { by, with: on = [] } = expected[broken];
    it(`${broken}: caught by invariant ${by}`, async () => {
      const always = new Set(on);
      const without = new Set(features.filter((feature) => !always.has(feature)));
      const heard = new Set<Invariant>();
      for (let seed = 1; seed <= mostSeeds && !heard.has(by); seed += 1) {
        const { violations } = await simulate(seed, { broken, always, without });
        for (const { invariant } of violations) heard.add(invariant);
      }
      ok(heard.has(by), `heard of ${[...heard].join(", ") || "nothing"}`);
    });
  }

  it("every invariant has a break of its own", () => {
    deepStrictEqual(
      [...new Set(Object.values(expected).map(({ by }) => by))].sort((a, b) => a - b),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    );
  });
});
