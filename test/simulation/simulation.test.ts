import { deepStrictEqual, notDeepStrictEqual } from "node:assert";
import { itHolds } from "./hold";
import { simulate } from "./run";

describe("simulated schedules with one kind of trouble", () => {
  itHolds([
    { what: "nothing going wrong", seed: 1_000, of: [] },
    { what: "faults of the network and the service", seed: 2_000, of: ["faults"] },
    { what: "slow and stuck jobs", seed: 3_000, of: ["jobs"] },
    {
      what: "answers in the shapes of other years",
      seed: 4_500,
      of: ["eras", "console"],
      always: ["eras"],
    },
    {
      what: "refused records, locked domains, console edits",
      seed: 4_000,
      of: ["refusals", "console"],
    },
  ]);

  it("repeat exactly", async () => {
    const traceOf = async (seed: number) =>
      (await simulate(seed, { always: new Set(["full"]), trace: true })).trace;
    const one = await traceOf(77);
    deepStrictEqual(await traceOf(77), one);
    notDeepStrictEqual(await traceOf(78), one);
  });
});
