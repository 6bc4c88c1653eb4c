/** Sequences about resources that are split, joined, renamed and moved. */
import type { Act, Sequence } from "./act";
import { a, secret, ttlOf, txt } from "./cast";

export const resources: readonly Sequence[] = [
  {
    name: "batches exchange",
    sentence: "Two batches exchange some or all of their records in one up.",
    async play(act) {
      const names = act.hosts(4);
      const specs = names.map((name, i) => a(name, i + 1, ttlOf(i)));
      const [left, right] = [specs.slice(0, 2), specs.slice(2)];
      await act.up(act.batch("b", left), act.batch("c", right));
      const was = act.areLive(...specs);
      const from = act.dice.pick([0, 1]);
      const [b, c] = [left, right].map((each) => each.slice(from));
      const exchanged = [
        act.batch("b", [...left.slice(0, from), ...(c ?? [])]),
        act.batch("c", [...right.slice(0, from), ...(b ?? [])]),
      ];
      await act.up(...(act.dice.chance(0.5) ? exchanged : exchanged.reverse()));
      return was;
    },
  },
  {
    name: "moved and changed",
    sentence: "A resource gets another name and kind in the up that changes one of its records.",
    async play(act) {
      const [one = "", two = ""] = act.hosts(2);
      const before = [a(one, 1), a(two, 1)];
      const asBatch = act.dice.chance(0.5);
      await act.up(...act.some("b", before, asBatch));
      const was = act.areLive(...before);
      await act.up(...act.some("c", [a(one, 1), a(two, 2)], !asBatch));
      return was;
    },
  },
  {
    name: "renamed and back",
    sentence: "The up that renames a resource is killed, and the old name comes back.",
    needs: ["kills"],
    async play(act) {
      const [one = "", two = ""] = act.hosts(2);
      await act.up(act.batch("b", [a(one, 1)]));
      act.killAtWrite(1);
      await act.up(act.batch("c", [a(one, 1), a(two, 2)]));
      const wasKilled = act.wasKilled();
      await act.pause();
      await act.up(act.batch("b", [a(one, 1), a(two, act.dice.pick([2, 3]))]));
      return wasKilled;
    },
  },
  {
    name: "domain and back",
    sentence: "A Record goes to another domain and comes back, perhaps before its old one was deleted.",
    async play(act) {
      const [name = ""] = act.hosts(1);
      const elsewhere = act.stage.domains.filter((each) => each !== act.domain);
      act.need(elsewhere.length > 0);
      const domains = [act.dice.pick(elsewhere)];
      const spec = a(name, 1);
      await act.up(act.single("r", spec));
      const was = act.areLive(spec);
      await act.up(act.single("r", spec, { domains }));
      await act.pause();
      await act.up(act.single("r", spec));
      return was && domains.some((domain) => act.idOf(spec, domain) !== undefined);
    },
  },
  {
    name: "domain left out",
    sentence: "A batch loses a domain in an up that is cut short, and gets it back.",
    async play(act) {
      const [name = "", other = ""] = act.hosts(2);
      const domains = act.stage.domains;
      act.need(domains.length > 1);
      const specs = [a(name, 1), a(other, 2)];
      await act.up(act.batch("b", specs, { domains }));
      const was = domains.every((domain) => specs.every((spec) => act.idOf(spec, domain) !== undefined));
      if (act.has("kills")) act.killAtWrite(1);
      const fewer = domains.filter((domain) => domain !== act.domain);
      await act.up(act.batch("b", [a(name, 1), a(other, 3)], { domains: fewer }));
      await act.pause();
      await act.up(act.batch("b", specs, { domains }));
      return was;
    },
  },
  {
    name: "another spelling",
    sentence: "The program spells the same records in another way, which changes nothing.",
    async play(act) {
      const [one = "", two = ""] = act.hosts(2);
      const spelled = [
        { ...a(one, 1), written: { name: one.toUpperCase() } },
        { ...a(two, 2), written: { name: `${two}.${act.domain}.` } },
      ];
      const [before, after] = act.dice.pick([
        [[a(one, 1), a(two, 2)], spelled],
        [spelled, [a(one, 1), a(two, 2)]],
      ] as const);
      const asBatch = act.dice.chance(0.5);
      await act.up(...act.some("b", before, asBatch));
      const was = act.areLive(...before);
      await act.up(...act.some("b", after, asBatch));
      return was;
    },
  },
  {
    name: "secret moves",
    sentence: "A secret record moves to another resource, while its first one gets another secret.",
    needs: ["secrets"],
    async play(act) {
      const [one = "", two = ""] = act.hosts(2);
      await act.up(act.batch("b", [secret(one, 1), txt(two, "plain")]));
      const was = act.areLive(secret(one, 1));
      const b = act.batch("b", [secret(one, 2), txt(two, "plain")]);
      await act.up(
        ...act.dice.pick([
          [b, act.single("c", secret(one, 1))],
          [b, act.batch("c", [secret(one, 1)])],
        ]),
      );
      await act.pause();
      if (act.dice.chance(0.5)) await act.up(act.batch("b", [txt(two, "plain")]));
      return was;
    },
  },
  {
    name: "most records go",
    sentence: "A zone of ten records or more loses most of them, first without a confirmation.",
    needs: ["full"],
    async play(act) {
      const specs = Array.from({ length: act.dice.between(10, 14) }, (_, i) => a(`h${i}`, i + 1));
      await act.up(act.batch("b", specs));
      const was = act.areLive(...specs);
      const { main, domains } = act.stage;
      const confirm = (confirmedDomains: readonly string[]) =>
        void (main.settings = { ...main.settings, confirmedDomains: [...confirmedDomains] });
      confirm([]);
      await act.up(act.batch("b", specs.slice(0, 3)));
      const refused = act.areLive(...specs);
      if (act.dice.chance(0.5)) await act.up(act.batch("b", specs.slice(2)));
      confirm(domains);
      await act.up(act.batch("b", specs.slice(0, 3)));
      return was && refused;
    },
  },
  {
    name: "long series",
    sentence:
      "Answers are lost in the middle of a series of small jobs, and half of its records are dropped.",
    needs: ["faults"],
    async play(act) {
      const specs = Array.from({ length: act.dice.between(8, 12) }, (_, i) => a(`l${i}`, i + 1, ttlOf(i)));
      const { main, admin } = act.stage;
      const { maxRecordsPerJob } = main.settings;
      main.settings = { ...main.settings, maxRecordsPerJob: 2 };
      const when = act.dice.pick(["before", "after"] as const);
      const count = act.dice.between(3, 5);
      admin.addFault({ kind: "dropped", operation: "Batch.Record.Create", when, skip: 1, count });
      await act.up(act.batch("b", specs));
      const hasLost = admin.faults().some(({ hits }) => hits > 2) || act.isPartly(specs);
      await act.pause();
      await act.up(act.batch("b", specs.slice(0, specs.length / 2)));
      main.settings = { ...main.settings, maxRecordsPerJob };
      return hasLost;
    },
  },
  {
    name: "two owners in turn",
    sentence: "A record is declared by one resource, then by none, then by another one.",
    async play(act: Act) {
      const [one = "", two = ""] = act.hosts(2);
      const kept = act.batch("b", [a(two, 1)]);
      await act.up(act.batch("b", [a(one, 1), a(two, 1)]));
      const was = act.areLive(a(one, 1));
      await act.up(kept);
      await act.pause();
      await act.up(kept, ...act.some("c", [a(one, 1, 600)], act.dice.chance(0.5)));
      return was;
    },
  },
];
