import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { Shares } from "../../provider/reconcile/shares";
import { asDeclaredAmong, atOnce, look } from "../../provider/reconcile/look";
import { journalOf } from "./journal-files";
import {
  create,
  full,
  fullSettings,
  hosts,
  labTests,
  modify,
  modifyMany,
  of,
  other,
  remove,
  www,
  wwwLine,
  type Lab,
} from "./lab";

const { it, start } = labTests(
  {
    accounts: [{ email: "owner@example.org" }, { email: "agency@example.org" }],
    settings: { identical: "accept" },
  },
  {
    ...fullSettings,
    confirmedDomains: "example.com,example.net",
    jobTimeout: 1,
  },
);
const lie = (lab: Lab, operation: string, code: string, when: "before" | "after" = "before", count = 1) =>
  lab.answer(operation, code, { when, count });

describe("a write that was carried out, and answered with a code that is no refusal", () => {
  for (const code of ["3", "8", "4711"]) {
    it(`${code}: the created records are found and taken over; none is made twice`, async (lab) => {
      lie(lab, create, code, "after");
      const { held } = await lab.must(of(...hosts(21)));
      deepEqual([held.length, lab.calls(create), lab.size], [21, 1, 21]);
    });

    it(`${code}: a change, a removal and a job of many are found and not repeated`, async (lab) => {
      const first = await lab.must(full([...hosts(5), wwwLine, "old 600 A 192.0.2.9"]));
      const operations = [modify, remove, modifyMany];
      for (const operation of operations) lie(lab, operation, code, "after");
      await lab.must(full([...hosts(5, 300), "www 600 A 192.0.2.2"]), first);
      for (const operation of operations) equal(lab.calls(operation), 1);
    });
  }

  for (const [title, operation, when] of [
    ["finds a creation", create, "after"],
    ["proves that a creation never happened", create, "before"],
    ["finds a change of many records", modifyMany, "after"],
  ] as const)
    it(`a search that ${title} leaves no open entry in the journal`, async (lab) => {
      lie(lab, operation, "4711", when);
      const done = await lab.must(full(hosts(4, 300)), await lab.must(full(hosts(4))));
      const entries = journalOf(lab).othersOf(done.records, () => 0);
      ok(entries.length >= 2, "a creation and a change");
      ok(entries.every(({ ended }) => ended !== undefined));
    });

  const share = { domain: "example.com", email: "agency@example.org", mode: "r", scope: undefined } as const;
  const sharing = async () => {
    const lab = await start();
    const shares = () => new Shares(lab.client, lab.settings);
    const [make, end] = [() => shares().create(share, [undefined]), () => shares().end(share)];
    return { lab, make, end, find: () => shares().find(share) };
  };

  it("a share that was made, or ended, is seen in the listing", async () => {
    const { lab, make, end, find } = await sharing();
    lie(lab, "Domainshare.Create", "4711", "after");
    await make();
    equal((await find())?.mode, "r");
    lie(lab, "Domainshare.Remove", "10", "after");
    await end();
    equal(await find(), undefined);
    lie(lab, "Domainshare.Create", "4711");
    await rejects(make(), /4711/);
  });

  it("no answer proves that a listed share is gone", async () => {
    const { lab, make, end } = await sharing();
    await make();
    lie(lab, "Domainshare.Remove", "9");
    await rejects(end(), /no such share/);
  });
});

describe("code 8", () => {
  for (const [operation, before, after] of [
    [modify, www, other],
    [remove, full([wwwLine, "old 600 A 192.0.2.9"]), www],
  ] as const)
    it(`of ${operation} never means that a listed record is gone`, async (lab) => {
      const first = await lab.must(before);
      lie(lab, operation, "8");
      await lab.must(after, first);
      deepEqual([lab.calls(operation), lab.size], [2, 1]);
    });

  it("leaves a change uncertain if the zone cannot be read afterwards", async (lab) => {
    const first = await lab.must(www);
    lab.loseUnread(modify);
    const { codes, ledger, text } = await lab.up(other, first);
    deepEqual([codes, ledger.openWrites.length], [["write.uncertain"], 1]);
    match(text, /Then the zone could not be read: /);
    lab.clearFaults();
    await lab.must(other, { ledger, records: other.records });
    lab.has("www A 192.0.2.2 600");
  });

  it("of Batch.Detail, said once, does not end a job that is at work", async () => {
    const lab = await start({ settings: { jobStartMs: 700 } });
    lie(lab, "Batch.Detail", "8", "before", 2);
    equal((await lab.must(of(...hosts(3)))).held.length, 3);
  });

  for (const codes of [
    ["10", "10", "8"],
    ["8", "4711"],
  ])
    it(`of Batch.Detail among ${codes.join(", ")} does not make a job of the state unknown`, async () => {
      const lab = await start({ settings: { stickAfter: 0 } });
      const declaration = of(...hosts(2));
      const first = await lab.up(declaration);
      for (const code of codes) lie(lab, "Batch.Detail", code);
      const next = await lab.up(declaration, first);
      deepEqual([next.codes, next.openWrites.length, lab.calls(create)], [["job.pending"], 1, 1]);
    });
});

describe("code 21", () => {
  it("ends the removals of its domain, and those of no other", async (lab, by) => {
    const both = ["example.com", "example.net"];
    const { held } = await lab.must(full(hosts(20), {}, both));
    const zones = await by.reconciler.zones.getAll(both);
    const ours = [...zones.values()].flatMap(({ entries }) => entries.filter(({ hold }) => !hold));
    equal(ours.length, held.length);
    lab.admin.setDomain("example.com", { status: "lock" });
    const done = await by.reconciler.writer.remove(ours, zones, () => false);
    const kinds = done.map(({ outcome }) => outcome.kind);
    equal(kinds.filter((kind) => kind === "removed").length, 20);
    equal(kinds.filter((kind) => kind === "refused" || kind === "not-sent").length, 20);
    ok(lab.calls(remove) <= 24, String(lab.calls(remove)));
  });

  it("of one record ends no changes; of two, those of their domain", async (lab) => {
    const at = (net: number) => full(hosts(20, 600, net));
    const first = await lab.must(at(0));
    lie(lab, modify, "21");
    const one = await lab.up(at(1), first);
    equal(one.failures.length, 1);
    lie(lab, modify, "21", "before", 20);
    lab.clearCalls();
    await lab.up(at(2), one);
    ok(lab.calls(modify) <= 6, String(lab.calls(modify)));
  });
});

describe("an undocumented code that a reading has proved to be a refusal", () => {
  for (const [operation, lines, calls] of [
    [modify, hosts(20, 600, 1), 20],
    [remove, hosts(1), 19],
  ] as const)
    it(`refuses each ${operation} by itself and stops none`, async (lab) => {
      const first = await lab.must(full(hosts(20)));
      lie(lab, operation, "500077", "before", 100);
      const { codes } = await lab.up(full(lines), first);
      deepEqual([lab.calls(operation), [...new Set(codes)]], [calls, ["write.refused"]]);
    });

  it("proves nothing of another operation", async (lab) => {
    const first = await lab.must(full(hosts(1)));
    lie(lab, modify, "500077");
    lie(lab, create, "500077", "after");
    lab.clearCalls();
    const { codes, held } = await lab.up(full([...hosts(1, 300), ...hosts(3).slice(1)]), first);
    deepEqual(codes, ["write.refused"]);
    deepEqual([lab.calls(create), held.length, lab.size], [1, 3, 3]);
  });

  it("splits a job of changes until the refused record stands alone", async (lab) => {
    const first = await lab.must(full(hosts(8)));
    lie(lab, modifyMany, "500077", "before", 3);
    lie(lab, modify, "500077");
    const { codes } = await lab.up(full(hosts(8, 300)), first);
    deepEqual([codes, lab.calls(modifyMany), lab.calls(modify)], [["write.refused"], 5, 2]);
  });
});

it("concurrent searches of a zone share their listings", async (lab) => {
  const run = lab.process().reconciler;
  const missing = full(hosts(6)).records;
  lab.clearCalls();
  const now = lab.clock.now();
  const judge = asDeclaredAmong(run, []);
  const windows = missing.map((_, i) => ({ first: now + i, last: now + 10_000 }));
  await Promise.all(missing.map((record, i) => look(run, [record], judge, { window: windows[i] ?? atOnce })));
  ok(lab.calls("Record.List") <= 12, String(lab.calls("Record.List")));
});
