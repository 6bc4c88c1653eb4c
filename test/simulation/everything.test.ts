import { itHolds } from "./hold";
import { features } from "./troubles";

describe("simulated schedules with everything at once", () => {
  itHolds([
    {
      what: "programs of every kind, on a service that works",
      seed: 9_000,
      of: ["console", "secrets", "retain", "lines", "strict", "report", "moves", "targets"],
    },
    { what: "all features", seed: 10_000, of: features },
  ]);
});
