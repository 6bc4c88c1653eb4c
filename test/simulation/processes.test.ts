import { itHolds } from "./hold";

describe("simulated schedules with processes that end, meet and lose their disk", () => {
  itHolds([
    { what: "kills, with the journal", seed: 5_000, of: ["kills"] },
    { what: "a second deployment at the same time", seed: 6_000, of: ["second", "console"] },
    {
      what: "failed logins and fresh disks",
      seed: 7_000,
      of: ["login", "fresh-disk", "kills", "jobs"],
    },
    {
      what: "hosts that are told to end, and a service that repeats what was sent",
      seed: 8_500,
      of: ["stops", "echoes", "refusals", "secrets", "jobs"],
    },
    {
      what: "answers that lie, and clocks that are set",
      seed: 8_900,
      of: ["lies", "clocks", "jobs", "lag", "kills"],
      always: ["lies", "clocks"],
    },
    { what: "an index that lags", seed: 8_000, of: ["lag", "faults"] },
  ]);
});
