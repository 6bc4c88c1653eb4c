/** Sequences about people who edit the same records, and about the options that protect theirs. */
import type { Declared } from "../program";
import type { Sequence } from "./act";
import { a, txt } from "./cast";

export const people: readonly Sequence[] = [
  {
    name: "values exchanged by hand",
    sentence: "A person exchanges the values of two owned records, so each id has the other's value.",
    needs: ["console"],
    async play(act) {
      const [name = ""] = act.hosts(1);
      const [one, two] = [a(name, 1), a(name, 2)];
      await act.up(act.batch("b", [one, two]));
      const ids = [act.idOf(one), act.idOf(two)];
      act.change(one, { value: "192.0.2.99" });
      act.change(two, { value: one.value });
      act.change(a(name, 99), { value: two.value });
      const isExchanged = act.idOf(one) === ids[1] && act.idOf(two) === ids[0];
      if (act.dice.chance(0.5)) await act.run(act.dice.pick(["refresh", "up", "up --refresh"]));
      await act.up(act.batch("b", act.dice.chance(0.5) ? [one] : [one, a(name, 3)]));
      return isExchanged;
    },
  },
  {
    name: "made anew by hand",
    sentence: "A person deletes an owned record and makes an equal one, which the program then drops.",
    needs: ["console"],
    async play(act) {
      const [one = "", two = ""] = act.hosts(2);
      const asBatch = act.dice.chance(0.6);
      await act.up(...act.some("b", [a(two, 1), a(one, 1)], asBatch));
      const id = act.idOf(a(one, 1));
      act.remove(a(one, 1));
      act.add(a(one, 1));
      const other = act.idOf(a(one, 1));
      await act.pause();
      if (act.dice.chance(0.3)) await act.run("up --refresh");
      await act.up(...act.some("b", [a(two, 1)], asBatch));
      return other !== undefined && id !== other;
    },
  },
  {
    name: "copied by hand",
    sentence: "A person makes a second record like an owned one, and the program drops or changes it.",
    needs: ["console"],
    async play(act) {
      const [one = "", two = ""] = act.hosts(2);
      await act.up(act.batch("b", [a(one, 1), a(two, 1)]));
      const was = act.areLive(a(one, 1));
      act.add(a(one, 1));
      const copies = act.stage.admin.zone(act.domain).filter(({ name }) => name === one).length;
      await act.pause();
      await act.up(act.batch("b", [...(act.dice.chance(0.5) ? [a(one, 2)] : []), a(two, 1)]));
      return was && copies > 1;
    },
  },
  {
    name: "made after the preview",
    sentence: "A person makes a declared record after the program's preview and before its up.",
    needs: ["console"],
    async play(act) {
      const [one = "", two = ""] = act.hosts(2);
      const specs = [a(one, 1), txt(two, "one")];
      const more = act.has("strict") && act.dice.chance(0.5) ? { adopt: false } : {};
      act.declare(act.some("b", specs, act.dice.chance(0.5), more));
      await act.run("preview");
      const was = act.areLive(a(one, 1));
      act.add(a(one, 1));
      await act.run("up");
      return !was;
    },
  },
  {
    name: "undone by hand",
    sentence: "A person changes a record back right after the up that changed it.",
    needs: ["console", "full"],
    async play(act) {
      const [name = "", other = ""] = act.hosts(2);
      await act.up(act.batch("b", [a(name, 1)]));
      await act.up(act.batch("b", [a(name, 2)]));
      act.change(a(name, 2), { value: a(name, 1).value });
      const undone = act.areLive(a(name, 1));
      await act.run(act.dice.pick(["up", "up --refresh"]));
      await act.up(act.batch("b", [a(name, act.dice.pick([1, 2, 3])), a(other, 1)]));
      return undone;
    },
  },
  {
    name: "disabled and edited",
    sentence: "A person disables a record, and the program changes its value or its TTL.",
    needs: ["console"],
    async play(act) {
      const [name = ""] = act.hosts(1);
      const asBatch = act.dice.chance(0.5);
      await act.up(...act.some("b", [a(name, 1, 600)], asBatch));
      act.change(a(name, 1), { enabled: false });
      const edited = act.dice.pick([a(name, 2, 600), a(name, 1, 300)]);
      await act.up(...act.some("b", [edited], asBatch));
      act.obey();
      await act.run("up");
      return true;
    },
  },
  {
    name: "TTL let go",
    sentence: "The program no longer declares a TTL, a person changes it, and it is declared again.",
    needs: ["console"],
    async play(act) {
      const [name = ""] = act.hosts(1);
      await act.up(act.batch("b", [a(name, 1, 600)]));
      await act.up(act.batch("b", [a(name, 1)]));
      act.change(a(name, 1), { ttl: 1200 });
      await act.pause();
      await act.up(act.batch("b", [a(name, 1, act.dice.pick([600, 1200]))]));
      return act.areLive(a(name, 1));
    },
  },
  {
    name: "ignored in time",
    sentence: "A pattern of `ignore` comes in the up that would otherwise delete its matches.",
    needs: ["full", "console", "report"],
    async play(act) {
      act.need(!act.has("second"));
      const [mine = "", theirs = ""] = act.hosts(2);
      const of = (ignore: readonly string[]) =>
        act.batch("b", [a(mine, 1)], { undeclared: "remove", ignore });
      act.add(a(theirs, 1));
      act.add(txt(theirs, "theirs"));
      await act.up(of([theirs]));
      const patterns = act.dice.pick([[`${theirs} A`], [theirs, "* TXT"], [theirs]]);
      if (act.dice.chance(0.5)) await act.up(of([]));
      act.declare([of(patterns)]);
      const was = act.areLive(a(theirs, 1));
      await act.run("up --refresh");
      return was && act.areLive(a(theirs, 1));
    },
  },
  {
    name: "made by a person after a stop",
    sentence:
      "A stopped up's record is adopted, deleted by a person, refreshed away, and made by a person again.",
    needs: ["console", "stops"],
    async play(act) {
      const [one = "", two = ""] = act.hosts(2);
      const resources = act.some("b", [a(one, 1), a(two, 2)], act.dice.chance(0.3));
      act.atWrite(1, (process) => process.upset("terminate"));
      const ended = await act.up(...resources);
      await act.pause(60_000);
      await act.run("up");
      act.remove(a(one, 1));
      await act.run("refresh");
      act.add(a(one, 1));
      await act.pause(60_000);
      const id = act.idOf(a(one, 1));
      await act.run(act.dice.pick(["up", "up --refresh"]));
      return !ended && id !== undefined && act.idOf(a(one, 1)) === id;
    },
  },
  {
    name: "cleaning taken back",
    sentence:
      "A run that would delete undeclared records is stopped before it, and the program then keeps them.",
    needs: ["full", "console", "report", "kills"],
    async play(act) {
      act.need(!act.has("second"));
      const [mine = "", theirs = "", other = ""] = act.hosts(3);
      const of = (n: number, more: Partial<Declared>) => act.batch("b", [a(mine, n), a(other, n)], more);
      await act.up(of(1, { undeclared: "remove", ignore: [theirs] }));
      act.add(a(theirs, 1));
      act.declare([of(2, { undeclared: "remove" })]);
      act.atWrite(1, (process) => process.upset(act.dice.pick(["interrupt", "killHost", "killBoth"])));
      await act.run("up --refresh");
      const was = act.areLive(a(theirs, 1));
      await act.pause();
      act.declare([
        of(2, act.dice.pick([{ undeclared: "report" }, { undeclared: "remove", ignore: [theirs] }])),
      ]);
      await act.run(act.dice.pick(["up", "up --refresh", "destroy"]));
      return was && act.areLive(a(theirs, 1));
    },
  },
  {
    name: "adoption refused and allowed",
    sentence:
      "A person's record is first refused with `adopt: false`, then adopted, then dropped or destroyed.",
    needs: ["strict", "console"],
    async play(act) {
      const [one = "", two = ""] = act.hosts(2);
      act.add(a(one, 1));
      const was = act.areLive(a(one, 1));
      const of = (adopt: boolean) =>
        act.some("b", [a(one, 1), a(two, 2)], asBatch, { ...(!adopt && { adopt }) });
      const asBatch = act.dice.chance(0.5);
      const refused = !(await act.up(...of(false)));
      await act.up(...of(true));
      if (act.dice.chance(0.5)) await act.up(...of(false));
      if (act.dice.chance(0.3)) await act.run("destroy");
      else await act.up(...act.some("b", [a(two, 2)], asBatch));
      return was && refused;
    },
  },
  {
    name: "taken over after a deletion",
    sentence: "A record is dropped, deleted, made again by a person, and declared again with `adopt: false`.",
    needs: ["console", "strict"],
    async play(act) {
      const [one = "", two = ""] = act.hosts(2);
      await act.up(act.batch("b", [a(one, 1), a(two, 1)]));
      await act.up(act.batch("b", [a(two, 1)]));
      act.obey();
      const isGone = !act.areLive(a(one, 1));
      act.add(a(one, 1));
      await act.up(act.batch("b", [a(one, 1), a(two, 1)], { adopt: false }));
      await act.pause();
      if (act.dice.chance(0.5)) await act.up(act.batch("b", [a(two, 1)]));
      return isGone && act.areLive(a(one, 1));
    },
  },
];
