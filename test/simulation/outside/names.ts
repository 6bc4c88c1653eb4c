/** Sequences about names, values and lines that change places. */
import type { Sequence } from "./act";
import { a, cname, mx, txt } from "./cast";

export const places: readonly Sequence[] = [
  {
    name: "reused name",
    sentence: "A record gets the name, and sometimes the value, of one that was deleted a moment ago.",
    async play(act) {
      const [gone = "", kept = ""] = act.hosts(2);
      const asBatch = act.dice.chance(0.6);
      const [dead, moved] = [a(gone, 1), a(kept, act.dice.pick([1, 2]))];
      await act.up(...act.some("b", [moved, dead], asBatch));
      const was = act.areLive(dead);
      await act.up(...act.some("b", [moved], asBatch));
      act.obey();
      const isGone = was && !act.areLive(dead);
      await act.pause();
      const renamed = { ...moved, name: gone };
      await act.up(...act.some("b", [renamed], asBatch));
      return isGone && act.areLive(renamed);
    },
  },
  {
    name: "rotation",
    sentence: "The values of three names go round in one up, so each record becomes another's old one.",
    async play(act) {
      const names = act.hosts(3);
      const round = (by: number) => names.map((name, i) => a(name, 1 + ((i + by) % 3)));
      const asBatch = act.dice.chance(0.7);
      await act.up(...act.some("b", round(0), asBatch));
      const was = act.areLive(...round(0));
      await act.up(...act.some("b", round(1), asBatch));
      await act.pause();
      if (act.dice.chance(0.5)) await act.up(...act.some("b", round(2), asBatch));
      return was;
    },
  },
  {
    name: "names exchanged",
    sentence: "Two names exchange their sets of addresses, of different sizes.",
    async play(act) {
      const [one = "", two = ""] = act.hosts(2);
      const sets = (x: string, y: string) => [a(x, 1), a(x, 2), a(x, 3), a(y, 4)];
      await act.up(act.batch("b", sets(one, two)));
      const was = act.areLive(...sets(one, two));
      if (act.dice.chance(0.5)) act.killAtWrite(2);
      await act.up(act.batch("b", sets(two, one)));
      return was;
    },
  },
  {
    name: "flip-flop",
    sentence: "A value goes to another and back again, each time before a listing must show it.",
    async play(act) {
      const [name = ""] = act.hosts(1);
      const asBatch = act.dice.chance(0.5);
      let turns = 0;
      for (const n of [1, 2, 1, 2].slice(0, act.dice.between(3, 4))) {
        await act.up(...act.some("b", [a(name, n)], asBatch));
        if (act.areLive(a(name, n))) turns += 1;
        await act.pause(act.dice.between(0, 4_000));
      }
      return turns > 2;
    },
  },
  {
    name: "lines exchanged",
    sentence: "The default line and another line of a name exchange their addresses.",
    needs: ["lines"],
    async play(act) {
      const [name = ""] = act.hosts(1);
      const lines = (x: number, y: number) => [a(name, x), act.onLine(a(name, y))];
      await act.up(act.batch("b", lines(1, 2)));
      const was = act.areLive(...lines(1, 2));
      await act.up(act.batch("b", lines(2, 1)));
      await act.pause();
      if (act.dice.chance(0.5)) await act.up(act.batch("b", [a(name, 2)]));
      return was;
    },
  },
  {
    name: "line becomes default",
    sentence: "The default line's address goes, and the other line's address takes its place.",
    needs: ["lines"],
    async play(act) {
      const [name = "", other = ""] = act.hosts(2);
      const special = act.onLine(a(name, 2));
      await act.up(act.batch("b", [a(name, 1), special, a(other, 1)]));
      const was = act.areLive(special);
      await act.up(act.batch("b", [a(name, 2), a(other, 1)]));
      return was;
    },
  },
  {
    name: "alias apart",
    sentence: "A CNAME becomes addresses on two lines while a job is stuck.",
    needs: ["lines", "jobs"],
    async play(act) {
      const [name = "", other = ""] = act.hosts(2);
      await act.up(act.batch("b", [cname(name)]));
      const was = act.areLive(cname(name));
      act.stick(0);
      await act.up(act.batch("b", [cname(name), a(other, 1)]));
      const stuck = act.isStuck();
      const apart = [a(name, 1), act.onLine(a(name, 2)), a(other, act.dice.pick([1, 2]))];
      await act.up(act.batch("b", apart));
      await act.pause();
      act.endJobs();
      return was && stuck;
    },
  },
  {
    name: "alias elsewhere",
    sentence: "A name's addresses leave one batch in the up in which another batch gets a CNAME for it.",
    async play(act) {
      const [name = "", one = "", two = ""] = act.hosts(3);
      await act.up(act.batch("b", [a(name, 1), a(name, 2), a(one, 1)]), act.batch("c", [a(two, 1)]));
      const was = act.areLive(a(name, 1));
      await act.up(act.batch("b", [a(one, 1)]), act.batch("c", [a(two, 1), cname(name)]));
      act.obey();
      await act.pause();
      await act.run("up");
      return was && act.areLive(cname(name));
    },
  },
  {
    name: "priorities exchanged",
    sentence: "Two mail servers of the apex exchange their priorities, and a third one joins.",
    async play(act) {
      const servers = (x: number, y: number) => [mx("@", 1, x), mx("@", 2, y)];
      act.need(act.stage.main.program.every(({ specs }) => specs.every(({ type }) => type !== "MX")));
      await act.up(act.batch("b", servers(5, 10)));
      const was = act.areLive(...servers(5, 10));
      const third = act.dice.chance(0.5) ? [mx("@", 3, 5)] : [];
      await act.up(act.batch("b", [...servers(10, 5), ...third]));
      return was;
    },
  },
  {
    name: "type exchanged",
    sentence: "Two names exchange their types: the one with a CNAME gets addresses, and the other a CNAME.",
    async play(act) {
      const [one = "", two = ""] = act.hosts(2);
      const some = (x: string, y: string) => [cname(x), a(y, 1), a(y, 2), txt(y, "v=1")];
      const of = (x: string, y: string) => act.batch("b", some(x, y).slice(0, y === two ? 4 : 3));
      await act.up(of(one, two));
      const was = act.areLive(cname(one), a(two, 1));
      await act.up(of(two, one));
      return was;
    },
  },
];
