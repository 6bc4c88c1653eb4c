/** The second workload's faults: each is one symptom of docs/guarantees.md. */
import type { Dice } from "../dice";
import type { Feature } from "../troubles";
import type { Stage } from "../workload";
import type { Cue } from "./cues";

interface Trouble {
  readonly needs: Feature;
  readonly cause: (stage: Stage, cues: Cue[]) => void;
}

const at = (dice: Dice, operation: string): Pick<Cue, "operation" | "moment" | "nth"> => ({
  operation,
  moment: dice.pick(["leaves", "works"]),
  nth: dice.between(1, 3),
});

const troubles: readonly Trouble[] = [
  {
    needs: "faults", // Answers of writes are lost, sometimes four in a row.
    cause: ({ admin, dice }) =>
      admin.addFault({
        ...{ kind: "dropped", operation: "writes", when: dice.pick(["before", "after"] as const) },
        ...{ skip: dice.between(0, 3), count: dice.between(1, 5) },
      }),
  },
  {
    needs: "faults", // Listings are cut, or the service has an error.
    cause: ({ admin, dice }) => {
      const place = { operation: "Record.List", skip: dice.between(0, 2), count: dice.between(1, 4) };
      if (dice.chance(0.5)) admin.addFault({ kind: "garbage", form: "truncated", when: "after", ...place });
      else admin.addFault({ kind: "http", status: 503, ...place });
    },
  },
  {
    needs: "faults", // The service is busy.
    cause: ({ admin, dice }) => {
      const place = { operation: "writes", count: dice.between(1, 3) };
      if (dice.chance(0.5)) admin.addFault({ kind: "http", status: 429, retryAfter: 5, ...place });
      else admin.addFault({ kind: "code", code: "-2", ...place });
    },
  },
  {
    needs: "faults", // Answers come about when the process gives the call up.
    cause: ({ admin, dice, main: { settings } }) => {
      const ms = settings.requestTimeout * 1000 + dice.pick([-2_000, -50, 50, 5_000]);
      const when = dice.pick(["before", "after"] as const);
      admin.addFault({ kind: "slow", operation: "writes", when, ms, count: 1, skip: dice.between(0, 1) });
    },
  },
  {
    needs: "jobs", // Jobs end about when the process no longer waits.
    cause: ({ admin, dice, main: { settings } }) =>
      admin.set({ jobStartMs: settings.jobTimeout * 1000 + dice.pick([-5_000, -500, 500, 20_000]) }),
  },
  {
    needs: "jobs", // A job stops in the middle.
    cause: ({ admin, dice, timeline, finishJobs }) => {
      admin.set({ stickAfter: dice.between(0, 3), jobMs: dice.pick([2, 3_000]) });
      timeline.in(dice.pick([5_000, 60_000, 300_000]), finishJobs);
    },
  },
  {
    needs: "refusals", // The service refuses a declared record.
    cause: ({ admin, dice, main: { program } }) => {
      const specs = program.flatMap((each) => each.specs);
      if (specs.length === 0) return;
      const { name, type } = dice.pick(specs);
      admin.set({ refuse: [{ name, ...(dice.chance(0.5) && { type }), message: "Not this one" }] });
    },
  },
  {
    needs: "refusals", // A domain is locked at a write.
    cause: ({ admin, dice, domains, timeline }, cues) => {
      const domain = dice.pick(domains);
      const then = () => {
        admin.setDomain(domain, { status: "lock" });
        timeline.in(dice.pick([4_000, 90_000]), () => admin.setDomain(domain, { status: "enable" }));
      };
      cues.push({ ...at(dice, dice.pick(["write", "Record.List"])), then });
    },
  },
  {
    needs: "login", // A login fails in the middle of a run.
    cause: ({ admin, dice }) =>
      admin.addFault({ kind: "code", code: "-1", skip: dice.between(1, 6), count: 1 }),
  },
  {
    needs: "console", // A person edits beside a call.
    cause: ({ dice, edit }, cues) =>
      cues.push({ ...at(dice, dice.pick(["write", "Record.List", "Batch.Detail"])), then: edit }),
  },
  {
    needs: "kills", // A process is killed at a call.
    cause: ({ dice }, cues) => {
      const how = dice.pick(["killHost", "killEngine", "killBoth", "interrupt"] as const);
      const operation = dice.pick(["write", "write", "Batch.Detail", "Record.List"]);
      cues.push({ ...at(dice, operation), then: (process) => process.upset(how) });
    },
  },
  {
    needs: "stops", // A pipeline is cancelled at a call.
    cause: ({ dice }, cues) =>
      cues.push({ ...at(dice, "write"), then: (process) => process.upset("terminate") }),
  },
  {
    needs: "clocks", // The machine's clock is set in the middle of a run.
    cause: ({ dice, setClock }, cues) =>
      cues.push({ ...at(dice, "write"), then: ({ settings }) => setClock(settings.stateDir) }),
  },
];

export function trouble(stage: Stage, cues: Cue[]): void {
  const possible = troubles.filter(({ needs }) => stage.has(needs));
  for (let n = stage.dice.between(1, 2); n > 0 && possible.length > 0; n -= 1)
    stage.dice.pick(possible).cause(stage, cues);
}
