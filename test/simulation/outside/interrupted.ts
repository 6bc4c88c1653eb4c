/** Sequences about runs and jobs that are cut short. */
import type { Sequence } from "./act";
import { a, cname, mx, txt } from "./cast";

export const interrupted: readonly Sequence[] = [
  {
    name: "rollback",
    sentence: "After an up that made a part of its changes, the program goes back to the last one.",
    needs: ["refusals"],
    async play(act) {
      const [one = "", two = "", three = ""] = act.hosts(3);
      const before = [a(one, 1), a(two, 1), txt(two, "one")];
      await act.up(act.batch("b", before));
      const made = [a(one, 2), a(three, 1)];
      act.stage.admin.set({ refuse: [{ name: two, message: "Not this one" }] });
      await act.up(act.batch("b", [...made, a(two, 2), cname(`${two}-c`)]));
      const isPartly = act.isPartly([...made, a(two, 2)]);
      act.stage.calm();
      await act.pause();
      await act.up(act.batch("b", before));
      return isPartly;
    },
  },
  {
    name: "killed and back",
    sentence: "An up is killed between two of its writes, and the program goes back to the last one.",
    needs: ["kills"],
    async play(act) {
      const [one = "", two = "", three = ""] = act.hosts(3);
      const [before, after] = [
        [a(one, 1), a(two, 1)],
        [a(one, 2), a(two, 1, 300), a(three, 3)],
      ];
      await act.up(...act.some("b", before, act.dice.chance(0.7)));
      act.killAtWrite(act.dice.between(1, 2));
      await act.up(act.batch("c", after));
      const wasKilled = act.wasKilled();
      await act.pause();
      await act.up(act.batch("b", before));
      return wasKilled;
    },
  },
  {
    name: "checkpoint restored",
    sentence: "The engine is killed, and the state file is restored from before the run.",
    needs: ["kills"],
    async play(act) {
      const [one = "", two = ""] = act.hosts(2);
      await act.up(act.batch("b", [a(one, 1)]));
      const { state } = act.stage.main;
      const saved = JSON.stringify(state.resources);
      act.atWrite(act.dice.between(1, 2), (process) => process.upset("killBoth"));
      await act.up(act.batch("b", [a(one, 2), a(two, 1)]), act.single("r", mx(two, 1, 10)));
      const wasKilled = act.wasKilled();
      if (wasKilled) state.resources = JSON.parse(saved) as typeof state.resources;
      await act.pause();
      await act.up(act.batch("b", [a(one, 2), a(two, 1)]), act.single("r", mx(two, 1, 10)));
      return wasKilled;
    },
  },
  {
    name: "at its heels",
    sentence:
      "An up of another program begins while the killed engine's provider still has calls on the way.",
    needs: ["kills"],
    async play(act) {
      const [one = "", two = ""] = act.hosts(2);
      await act.up(act.batch("b", [a(one, 1)]));
      act.atWrite(1, (process) => process.upset("killEngine"));
      await act.up(act.batch("b", [a(one, 2), a(two, 1)]));
      const wasKilled = act.wasKilled();
      await act.pause(act.dice.between(0, 30));
      await act.up(act.batch("b", [a(one, 3), a(two, act.dice.pick([1, 2]))]));
      return wasKilled;
    },
  },
  {
    name: "stuck and dropped",
    sentence: "The program drops the records of a stuck job, which makes them afterwards.",
    needs: ["jobs"],
    async play(act) {
      const [one = "", two = "", three = ""] = act.hosts(3);
      const specs = [a(one, 1), a(two, 2)];
      act.stick(act.dice.between(0, 1));
      await act.up(...act.some("b", specs, act.dice.chance(0.6)));
      const stuck = act.isStuck();
      await act.up(...act.some("b", act.dice.chance(0.5) ? [a(three, 1)] : [a(two, 3)], true));
      await act.pause();
      act.endJobs();
      await act.run(act.dice.pick(["up", "up --refresh"]));
      return stuck && act.areLive(a(two, 2));
    },
  },
  {
    name: "stuck and made by hand",
    sentence: "A person makes the records of a stuck job in the console, and the job ends after all.",
    needs: ["jobs", "console"],
    async play(act) {
      const [one = "", two = ""] = act.hosts(2);
      act.stick(0);
      await act.up(act.batch("b", [a(one, 1), a(two, 1)]));
      const stuck = act.isStuck();
      act.add(a(one, 1));
      await act.pause();
      await act.up(act.batch("b", [a(one, 1), a(two, 1)]));
      act.endJobs();
      await act.run("up --refresh");
      return stuck;
    },
  },
  {
    name: "stuck and destroyed",
    sentence: "A destroy of a stack with a stuck job is followed by an up of the same program.",
    needs: ["jobs"],
    async play(act) {
      const [one = "", two = ""] = act.hosts(2);
      act.stick(1);
      await act.up(act.batch("b", [a(one, 1), a(two, 2)]));
      const stuck = act.isStuck();
      await act.run("destroy");
      if (act.dice.chance(0.5)) act.endJobs();
      await act.pause();
      await act.run("up");
      act.endJobs();
      return stuck;
    },
  },
  {
    name: "destroy undone",
    sentence: "A destroy is killed in the middle, and the stack is deployed again before a listing shows it.",
    needs: ["full", "kills"],
    async play(act) {
      const specs = Array.from({ length: act.dice.between(8, 12) }, (_, i) => a(`d${i}`, i + 1));
      await act.up(...act.some("b", specs, act.dice.chance(0.5)));
      const was = act.areLive(...specs);
      act.killAtWrite(act.dice.between(2, 4));
      await act.run("destroy");
      const isPartly = act.isPartly(specs);
      await act.pause(act.dice.between(0, 3_000));
      await act.run("up");
      return was && isPartly;
    },
  },
  {
    name: "change of many taken back",
    sentence: "A job that changes many records is stuck, and the program takes the change back.",
    needs: ["full", "jobs"],
    async play(act) {
      const names = act.hosts(5);
      const of = (ttl: number) =>
        act.batch(
          "b",
          names.map((name, i) => a(name, i + 1, ttl)),
        );
      await act.up(of(600));
      act.stick(act.dice.between(1, 3));
      await act.up(of(300));
      const stuck = act.isStuck();
      if (act.dice.chance(0.5)) act.endJobs();
      await act.up(of(act.dice.pick([600, 900])));
      act.endJobs();
      return stuck;
    },
  },
  {
    name: "new machines",
    sentence: "Each up is on a machine without the journal of the one before.",
    async play(act) {
      const [one = "", two = ""] = act.hosts(2);
      let done = 0;
      for (const n of [1, 2, 3]) {
        act.moveTo(`m${n}`);
        const both = [a(one, 1), a(two, n)];
        await act.up(...act.some("b", act.dice.chance(0.7) ? both : both.slice(1), act.dice.chance(0.7)));
        if (act.areLive(a(two, n))) done += 1;
        await act.pause();
      }
      return done > 1;
    },
  },
];
