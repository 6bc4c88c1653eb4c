import { itHolds } from "./hold";
import { features } from "./troubles";

describe("simulated schedules with the undocumented operations", () => {
  itHolds([
    {
      what: "edits of every kind on a service that works",
      seed: 40_000,
      of: ["full", "console", "moves", "report"],
      always: ["full"],
    },
    {
      what: "edits with lost answers, kills and an index that lags",
      seed: 41_000,
      of: ["full", "faults", "kills", "lag", "jobs"],
      always: ["full"],
    },
    {
      what: "edits of programs that wait between their resources and send no manifest",
      seed: 42_000,
      of: ["full", "late", "console", "moves", "report", "faults", "kills"],
      always: ["full", "late"],
    },
    { what: "edits with all features", seed: 20_001, of: features, always: ["full"] },
  ]);
});
