/** Answers that are no refusal: with any code, a reading decides whether the write happened. */
import assert from "node:assert/strict";
import type { FaultSpec } from "../../emulator";
import type { Declaration } from "../../provider/reconcile/declaration";
import { Journal } from "../../provider/reconcile/memory/journal";
import { emptyLedger, type Ledger } from "../../provider/reconcile/memory/ledger";
import type { Applied } from "../../provider/reconcile/reconciler";
import { Shares } from "../../provider/reconcile/shares";
import { textOf } from "../../provider/problems";
import { declare, startLab, type Lab } from "../support/lab";
import { collectingReporter } from "../support/reporter";
import { zoneLines } from "../support/service";

const may = { change: true, remove: true, single: false };
const full = (lines: readonly string[], domains: string | readonly string[] = "example.com"): Declaration =>
  declare(domains, lines, { removal: "delete", may });
const switchedOn = {
  LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true",
  LEGACYDNS_CONFIRMED_DOMAINS: "example.com,example.net",
  LEGACYDNS_JOB_TIMEOUT: "1",
};
const lie = (operation: string, code: string, when: "before" | "after", more: object = {}): FaultSpec => ({
  kind: "code",
  operation,
  code,
  when,
  count: 1,
  ...more,
});
const hosts = (n: number, last = 0): string[] =>
  Array.from({ length: n }, (_, i) => `h${i} 600 A 10.${last}.0.${i}`);

describe("a write that was carried out, and answered with a code that is no refusal", () => {
  let lab: Lab;
  afterEach(() => lab.close());
  const counts = (): Record<string, number> => lab.service.admin.counts();
  const start = async (): Promise<void> =>
    void (lab = await startLab(
      {
        accounts: [{ email: "owner@example.org" }, { email: "agency@example.org" }],
        settings: { identical: "accept", undocumented: true },
      },
      switchedOn,
    ));

  for (const code of ["2", "3", "8", "10", "-3", "4711"]) {
    it(`${code}: the records of a creation are found and taken over; none is made twice`, async () => {
      await start();
      lab.service.admin.addFault(lie("Batch.Record.Create", code, "after"));
      const { failures, ledger } = await lab
        .reconciler()
        .apply(declare("example.com", hosts(21)), [], emptyLedger);
      assert.deepEqual(failures, []);
      assert.equal(ledger.owned.size, 21);
      assert.equal(counts()["Batch.Record.Create"], 1);
      assert.equal(zoneLines(lab.service, "example.com").length, 21);
    });

    it(`${code}: a record that was changed, one that was removed, and a job of many are seen as what they are`, async () => {
      await start();
      const { admin } = lab.service;
      const before = full([...hosts(5), "www 600 A 192.0.2.1", "old 600 A 192.0.2.9"]);
      const first = await lab.reconciler().apply(before, [], emptyLedger);
      for (const operation of ["Record.Modify", "Record.Remove", "Batch.Record.Modify"])
        admin.addFault(lie(operation, code, "after"));
      const after = full([...hosts(5).map((line) => line.replace("600", "300")), "www 600 A 192.0.2.2"]);
      admin.clearCalls();
      const { failures } = await lab.reconciler().apply(after, before.records, first.ledger);
      assert.deepEqual(failures, []);
      assert.deepEqual(
        [counts()["Record.Modify"], counts()["Record.Remove"], counts()["Batch.Record.Modify"]],
        [1, 1, 1],
      );
    });
  }

  for (const [what, operation, when] of [
    ["finds a creation", "Batch.Record.Create", "after"],
    ["proves that a creation never happened", "Batch.Record.Create", "before"],
    ["finds a change of many records", "Batch.Record.Modify", "after"],
  ] as const) {
    it(`a search that ${what} leaves no open entry in the journal`, async () => {
      await start();
      const [before, after] = [full(hosts(4)), full(hosts(4).map((line) => line.replace("600", "300")))];
      if (operation === "Batch.Record.Create") lab.service.admin.addFault(lie(operation, "4711", when));
      const first = await lab.reconciler().apply(before, [], emptyLedger);
      if (operation === "Batch.Record.Modify") lab.service.admin.addFault(lie(operation, "4711", when));
      const { failures } = await lab.reconciler().apply(after, before.records, first.ledger);
      assert.deepEqual(failures, []);
      const journal = new Journal(lab.settings, lab.clock, collectingReporter());
      const entries = journal.othersOf(after.records, () => 0);
      assert.ok(entries.length >= 2, "a creation and a change");
      assert.deepEqual(
        entries.filter(({ ended }) => ended === undefined),
        [],
      );
    });
  }

  it("a share that was made, or ended, is seen in the listing", async () => {
    await start();
    const shares = (): Shares => new Shares(lab.client, lab.settings);
    const share = {
      domain: "example.com",
      email: "agency@example.org",
      mode: "r",
      scope: undefined,
    } as const;
    lab.service.admin.addFault(lie("Domainshare.Create", "4711", "after"));
    await shares().create(share, [undefined], true);
    assert.equal((await shares().find(share))?.mode, "r");
    lab.service.admin.addFault(lie("Domainshare.Remove", "10", "after"));
    await shares().end(share);
    assert.equal(await shares().find(share), undefined);
    lab.service.admin.addFault(lie("Domainshare.Create", "4711", "before"));
    await assert.rejects(shares().create(share, [undefined], true), /4711/);
  });

  it("of a share that is there no answer proves that it is gone", async () => {
    await start();
    const shares = (): Shares => new Shares(lab.client, lab.settings);
    const share = {
      domain: "example.com",
      email: "agency@example.org",
      mode: "r",
      scope: undefined,
    } as const;
    await shares().create(share, [undefined], true);
    lab.service.admin.addFault(lie("Domainshare.Remove", "9", "before"));
    await assert.rejects(shares().end(share), /no such share/);
  });
});

describe("an undocumented code that a reading has proved to be a refusal", () => {
  let lab: Lab;
  beforeEach(async () => (lab = await startLab({ settings: { undocumented: true } }, switchedOn)));
  afterEach(() => lab.close());
  const refused = (operation: string, count?: number): void => {
    lab.service.admin.clearCalls();
    lab.service.admin.addFault({
      operation,
      kind: "code",
      code: "500077",
      when: "before",
      ...(count && { count }),
    });
  };
  const update = async (
    from: readonly string[],
    to: readonly string[],
    ledger: Ledger = emptyLedger,
  ): Promise<Applied> => lab.reconciler().apply(full(to), full(from).records, ledger);

  for (const [operation, to, code] of [
    ["Record.Modify", hosts(20, 1), "write.unchanged"],
    ["Record.Remove", hosts(1), "write.unremoved"],
  ] as const) {
    it(`refuses each ${operation} by itself and stops none`, async () => {
      const { ledger } = await update([], hosts(20));
      refused(operation);
      const { failures } = await update(hosts(20), to, ledger);
      const changed = to.length === 20 ? 20 : 19;
      assert.equal(lab.service.admin.counts()[operation], changed);
      assert.deepEqual([...new Set(failures.map((each) => each.code))], [code]);
    });
  }

  it("splits a job of changes until the refused record stands alone", async () => {
    const { ledger } = await update([], hosts(8));
    // The jobs of 8, 4, 2 and 1 records with the first one.
    refused("Batch.Record.Modify", 4);
    const to = hosts(8).map((line) => line.replace("600", "300"));
    const { failures } = await update(hosts(8), to, ledger);
    assert.deepEqual(
      failures.map(({ code }) => code),
      ["write.unchanged"],
    );
    assert.equal(lab.service.admin.counts()["Batch.Record.Modify"], 7);
  });
});

describe("code 8", () => {
  let lab: Lab;
  afterEach(() => lab.close());
  const start = async (settings: object = {}): Promise<void> =>
    void (lab = await startLab(
      { settings: { identical: "accept", undocumented: true, ...settings } },
      switchedOn,
    ));

  it("of Record.Remove never means that a record is gone which the zone lists", async () => {
    await start();
    const [a, b] = [full(["www 600 A 192.0.2.1", "old 600 A 192.0.2.9"]), full(["www 600 A 192.0.2.1"])];
    const first = await lab.reconciler().apply(a, [], emptyLedger);
    lab.service.admin.addFault(lie("Record.Remove", "8", "before"));
    const { failures, ledger } = await lab.reconciler().apply(b, a.records, first.ledger);
    assert.match(failures.map(textOf).join(), /old\.example\.com\. A 192\.0\.2\.9.*\(8 .*is still there/s);
    assert.equal(ledger.leftOver.length, 1);
    lab.service.admin.removeRecord("example.com", { name: "old", type: "A" });
    const settled = await lab.reconciler().apply(b, b.records, ledger);
    assert.deepEqual(settled.failures, []);
  });

  it("of Record.Modify says that nothing is known where the record cannot be read afterwards", async () => {
    await start();
    const [a, b] = [full(["www 600 A 192.0.2.1"]), full(["www 600 A 192.0.2.2"])];
    const first = await lab.reconciler().apply(a, [], emptyLedger);
    lab.service.admin.addFault({ operation: "Record.Modify", when: "before", kind: "dropped", count: 1 });
    lab.service.admin.addFault({
      operation: "Record.Info",
      when: "before",
      kind: "http",
      status: 404,
      count: 50,
    });
    const { failures } = await lab.reconciler().apply(b, a.records, first.ledger);
    assert.match(
      failures.map(textOf).join(),
      /Then the record could not be read: .* What record \d+ is now is not known; `pulumi up` looks again before it sends anything/,
    );
    assert.doesNotMatch(failures.map(textOf).join(), /had not changed/);
  });

  it("of Record.Modify and Record.Info neither", async () => {
    await start();
    const [a, b] = [full(["www 600 A 192.0.2.1"]), full(["www 600 A 192.0.2.2"])];
    const first = await lab.reconciler().apply(a, [], emptyLedger);
    lab.service.admin.addFault(lie("Record.Modify", "8", "before"));
    lab.service.admin.addFault(lie("Record.Info", "8", "before"));
    const { failures } = await lab.reconciler().apply(b, a.records, first.ledger);
    assert.match(failures.map(textOf).join(), /had not changed/);
    assert.doesNotMatch(failures.map(textOf).join(), /is gone/);
  });

  it("of Batch.Detail, said once, does not end a job that is at work", async () => {
    await start({ jobStartMs: 700 });
    lab.service.admin.addFault(lie("Batch.Detail", "8", "before", { count: 2 }));
    const { failures, ledger } = await lab
      .reconciler()
      .apply(declare("example.com", hosts(3)), [], emptyLedger);
    assert.deepEqual(failures, []);
    assert.equal(ledger.owned.size, 3);
  });

  it("of Batch.Detail, said with other words before, does not make a job of the state unknown", async () => {
    await start({ stickAfter: 0 });
    const declaration = declare("example.com", hosts(2));
    const first = await lab.reconciler().apply(declaration, [], emptyLedger);
    for (const code of ["10", "10", "8"]) lab.service.admin.addFault(lie("Batch.Detail", code, "before"));
    const { failures, ledger } = await lab.reconciler().apply(declaration, declaration.records, first.ledger);
    assert.deepEqual(
      failures.map(({ code }) => code),
      ["job.pending"],
    );
    assert.equal(ledger.uncertain.length, 1);
    assert.equal(lab.service.admin.counts()["Batch.Record.Create"], 1);
  });

  it("of Batch.Detail about a job of the state: nothing is sent while another answer may come", async () => {
    await start({ stickAfter: 0 });
    const declaration = declare("example.com", hosts(2));
    const first = await lab.reconciler().apply(declaration, [], emptyLedger);
    assert.equal(first.ledger.uncertain.length, 1);
    lab.service.admin.addFault(lie("Batch.Detail", "8", "before"));
    lab.service.admin.addFault(lie("Batch.Detail", "4711", "before"));
    const { failures, ledger } = await lab.reconciler().apply(declaration, declaration.records, first.ledger);
    assert.deepEqual(
      failures.map(({ code }) => code),
      ["job.pending"],
    );
    assert.equal(ledger.uncertain.length, 1);
    assert.equal(lab.service.admin.counts()["Batch.Record.Create"], 1);
  });
});

describe("code 21", () => {
  it("ends the removals of its domain, and those of no other", async () => {
    const lab = await startLab({ settings: { undocumented: true } }, switchedOn);
    try {
      const both = ["example.com", "example.net"];
      const before = full(hosts(20), both);
      const first = await lab.reconciler().apply(before, [], emptyLedger);
      const reconciler = lab.reconciler();
      const zones = await reconciler.zones.getAll(both);
      const ours = [...zones.values()].flatMap(({ entries }) => entries.filter(({ hold }) => !hold));
      assert.equal(ours.length, first.ledger.owned.size);
      lab.service.admin.setDomain("example.com", { status: "lock" });
      lab.service.admin.clearCalls();
      const outcomes = (await reconciler.writer.remove(ours, zones, () => false)).map(
        ({ outcome }) => outcome,
      );
      assert.equal(outcomes.filter(({ kind }) => kind === "removed").length, 20);
      assert.ok(
        (lab.service.admin.counts()["Record.Remove"] ?? 0) <= 24,
        String(lab.service.admin.counts()["Record.Remove"]),
      );
      assert.ok(outcomes.filter(({ kind }) => kind === "refused" || kind === "not-sent").length === 20);
    } finally {
      await lab.close();
    }
  });

  it("of one record ends no changes; of two, those of their domain", async () => {
    const lab = await startLab({ settings: { undocumented: true } }, switchedOn);
    try {
      const [a, b] = [full(hosts(20)), full(hosts(20, 1))];
      const first = await lab.reconciler().apply(a, [], emptyLedger);
      lab.service.admin.addFault(lie("Record.Modify", "21", "before"));
      const one = await lab.reconciler().apply(b, a.records, first.ledger);
      assert.equal(one.failures.length, 1);
      const c = full(hosts(20, 2));
      lab.service.admin.addFault(lie("Record.Modify", "21", "before", { count: 20 }));
      lab.service.admin.clearCalls();
      await lab.reconciler().apply(c, b.records, one.ledger);
      assert.ok(
        (lab.service.admin.counts()["Record.Modify"] ?? 0) <= 6,
        String(lab.service.admin.counts()["Record.Modify"]),
      );
    } finally {
      await lab.close();
    }
  });
});
