import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "../../provider/api";
import type { Declaration } from "../../provider/reconcile/declaration";
import { emptyLedger, withoutMissing, type Ledger } from "../../provider/reconcile/memory/ledger";
import { digest, recordKey } from "../../provider/dns";
import { textOf } from "../../provider/problems";
import { Reconciler, type Applied } from "../../provider/reconcile/reconciler";
import { zoneLines } from "../support/service";
import { declare, startLab, type Lab } from "../support/lab";
import { until } from "../support/processes";
import { collectingReporter, type CollectingReporter } from "../support/reporter";
import type { Reporter } from "../../provider/support/reporter";

const creates = (lab: Lab): number => lab.service.admin.counts()["Batch.Record.Create"] ?? 0;
const hosts = (n: number): string[] => Array.from({ length: n }, (_, i) => `h${i} 600 A 192.0.2.${i % 256}`);
const quick = { LEGACYDNS_JOB_TIMEOUT: "1" };
const switchedOn = {
  LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true",
  LEGACYDNS_CONFIRMED_DOMAINS: "example.com",
};

describe("a job that is refused as a whole", () => {
  let lab: Lab;
  afterEach(() => lab.close());
  const reconcilerWith = (reporter: Reporter): Reconciler =>
    new Reconciler({ client: lab.client, settings: lab.settings, clock: lab.clock, reporter });
  /** How often a write with an unknown outcome was looked for. */
  const searches = ({ lines }: CollectingReporter): number =>
    lines.filter(({ text }) => text.includes("and a slow job (jobTimeout)")).length;

  it("for the whole domain, the account or the moment is not split into a storm of calls", async () => {
    lab = await startLab();
    for (const fault of [
      { kind: "code", code: "21" },
      { kind: "http", status: 403 },
      { kind: "code", code: "-7" },
    ] as const) {
      lab.service.admin.clearFaults();
      lab.service.admin.clearCalls();
      lab.service.admin.addFault({ operation: "Batch.Record.Create", when: "before", ...fault });
      const { failures } = await lab.reconciler().apply(declare("example.com", hosts(64)), [], emptyLedger);
      assert.equal(failures.length, 1);
      assert.equal(creates(lab), 1, JSON.stringify(fault));
    }
  });

  it("with an undocumented code is searched for once, then split until the refused record stands alone", async () => {
    lab = await startLab({}, quick);
    const fault = { operation: "Batch.Record.Create", when: "before", kind: "code" } as const;
    // The first record of 64 is refused, and so is each job that has it.
    lab.service.admin.addFault({ ...fault, code: "500077", count: 7 });
    const reporter = collectingReporter();
    const { failures, ledger } = await reconcilerWith(reporter).apply(
      declare("example.com", hosts(64)),
      [],
      emptyLedger,
    );
    assert.equal(searches(reporter), 1);
    assert.equal(creates(lab), 13);
    assert.equal(ledger.owned.size, 63);
    assert.deepEqual(ledger.uncertain, []);
    assert.match(
      failures.map(textOf).join(),
      /not sent; h0\.example\.com\. A 192\.0\.2\.0; .*a code that is not documented \(500077/,
    );
  });

  it("and split ends after four parts with an unknown outcome, and sends no other part", async () => {
    lab = await startLab({ settings: { undocumented: true } }, { ...quick, ...switchedOn });
    const may = { change: true, remove: true, single: false };
    const of = (ttl: number): Declaration =>
      declare(
        "example.com",
        hosts(64).map((line) => line.replace("600", String(ttl))),
        {
          may,
          removal: "delete",
        },
      );
    const refused = { when: "before", kind: "code", code: "34", count: 6 } as const;
    const lost = { when: "before", kind: "dropped" } as const;
    const reporter = collectingReporter();
    const reconciler = reconcilerWith(reporter);
    const { admin } = lab.service;

    admin.addFault({ ...refused, operation: "Batch.Record.Create" });
    admin.addFault({ ...lost, operation: "Batch.Record.Create" });
    const first = await reconciler.apply(of(600), [], emptyLedger);
    assert.equal(creates(lab), 10);
    assert.equal(searches(reporter), 4);
    const sent = first.ledger.uncertain.flatMap(({ digests }) => digests);
    assert.equal(sent.length, 8, "1, 1, 2 and 4 records");

    admin.clearFaults();
    const made = await lab.reconciler().apply(of(600), of(600).records, first.ledger);
    assert.deepEqual(made.failures, []);
    admin.addFault({ ...refused, operation: "Batch.Record.Modify" });
    admin.addFault({ ...lost, operation: "Batch.Record.Modify" });
    const { failures } = await reconciler.apply(of(300), of(600).records, made.ledger);
    assert.ok(failures.length > 0);
    assert.equal(admin.counts()["Batch.Record.Modify"], 10);
    assert.equal(searches(reporter), 8);
  });

  it("with several others ends after four lost answers, and sends no other job", async () => {
    lab = await startLab({}, { ...quick, LEGACYDNS_MAX_RECORDS_PER_JOB: "8" });
    lab.service.admin.addFault({ operation: "Batch.Record.Create", when: "before", kind: "dropped" });
    const { failures } = await lab.reconciler().apply(declare("example.com", hosts(64)), [], emptyLedger);
    assert.equal(creates(lab), 4);
    assert.ok(failures.length > 0);
  });

  it("for one of its domains is made in the others", async () => {
    lab = await startLab({ domains: ["a.example", "b.example", "c.example", "d.example"] });
    const reconciler = lab.reconciler();
    const declaration = declare(
      ["a.example", "b.example", "c.example", "d.example"],
      ["www 600 A 192.0.2.1"],
    );
    await reconciler.preview(declaration);
    lab.service.admin.setDomain("c.example", { status: "lock" });
    const { failures, ledger } = await reconciler.apply(declaration, [], emptyLedger);
    assert.equal(ledger.owned.size, 3);
    assert.match(failures.map(textOf).join(), /www\.c\.example\. A 192\.0\.2\.1.*locked/s);
  });
});

describe("a job that does not end", () => {
  let lab: Lab;
  afterEach(() => lab.close());
  /** A first run whose job has made none of its records. */
  const stuck = async (lines: string[], settings: Record<string, string> = quick): Promise<Ledger> => {
    const service = { stickAfter: 0, undocumented: true };
    lab = await startLab({ settings: service }, settings);
    const { ledger, failures } = await lab.reconciler().apply(declare("example.com", lines), [], emptyLedger);
    assert.ok((lab.service.admin.counts()["Batch.Detail"] ?? 0) > 1, "it is polled");
    assert.match(failures.map(textOf).join(), /job \d+ had done 0 of \d records after \d+ s \(jobTimeout\)/);
    lab.service.admin.set({ stickAfter: null });
    lab.service.admin.clearCalls();
    return ledger;
  };
  const codesOf = (failures: Applied["failures"]): string[] => failures.map(({ code }) => code);
  const full = { may: { change: true, remove: true, single: false }, removal: "delete" } as const;

  it("is named with its records when it times out", async () => {
    lab = await startLab({ settings: { stickAfter: 0 } }, quick);
    const { failures } = await lab
      .reconciler()
      .apply(declare("example.com", ["www 600 A 192.0.2.1"]), [], emptyLedger);
    const [job] = lab.service.admin.jobs();
    assert.match(
      failures.map(textOf).join(),
      new RegExp(`job ${job?.id} has not ended.*; www\\.example\\.com\\. A 192\\.0\\.2\\.1;`),
    );
  });

  it("blocks only its own records: the next update makes all other changes, and asks for the job once", async () => {
    const ledger = await stuck(["www 600 A 192.0.2.1"], { ...switchedOn, LEGACYDNS_JOB_TIMEOUT: "100" });
    const { admin } = lab.service;
    const rest = declare("example.com", ["old 600 A 192.0.2.8", "ttl 600 A 192.0.2.9"], full);
    const beside = await lab.reconciler().apply(rest, [], emptyLedger);
    const owned = new Map([...ledger.owned, ...beside.ledger.owned]);
    admin.clearCalls();
    const begun = lab.clock.now();
    const declaration = declare(
      "example.com",
      ["www 600 A 192.0.2.1", "ttl 60 A 192.0.2.9", "new 600 A 192.0.2.7"],
      full,
    );
    const before = [...declare("example.com", ["www 600 A 192.0.2.1"]).records, ...rest.records];
    const next = await lab.reconciler().apply(declaration, before, { ...ledger, owned });
    assert.deepEqual(codesOf(next.failures), ["job.pending"]);
    const [first] = admin.jobs();
    const asked = admin.calls().filter(({ params }) => params["job_id"] === String(first?.id));
    assert.deepEqual([asked.length, creates(lab)], [1, 1]);
    assert.ok(lab.clock.now() - begun < 100_000, "nothing waits for jobTimeout");
    assert.deepEqual(admin.zoneText("example.com"), ["new 600 A 192.0.2.7", "ttl 60 A 192.0.2.9"]);
    assert.deepEqual(
      next.ledger.uncertain.map(({ job }) => job),
      [String(first?.id)],
    );

    for (const { id } of admin.jobs()) admin.finishJob(id);
    const settled = await lab.reconciler().apply(declaration, declaration.records, next.ledger);
    assert.deepEqual([settled.failures, settled.ledger.uncertain, settled.ledger.owned.size], [[], [], 3]);
    assert.equal(creates(lab), 1);
  });

  it("keeps a record with an open change, and the other records at that name", async () => {
    const ledger = await stuck(["www 600 A 192.0.2.1"], { ...quick, ...switchedOn });
    const old = declare("example.com", ["www 600 A 192.0.2.8", "www 600 A 192.0.2.9"], full);
    const beside = await lab.reconciler().apply(old, [], emptyLedger);
    const owned = new Map([...ledger.owned, ...beside.ledger.owned]);
    const declaration = declare("example.com", ["www 600 A 192.0.2.1", "new 600 A 192.0.2.7"], full);
    const next = await lab.reconciler().apply(declaration, old.records, { ...ledger, owned });
    assert.deepEqual(codesOf(next.failures), ["job.pending"]);
    assert.equal(lab.service.admin.zone("example.com").length, 3);
    assert.deepEqual([next.ledger.owned.size, next.ledger.leftOver.length], [1, 2]);
    for (const { id } of lab.service.admin.jobs()) lab.service.admin.finishJob(id);
    const settled = await lab.reconciler().apply(declaration, declaration.records, next.ledger);
    assert.deepEqual(settled.failures, []);
    assert.deepEqual(lab.service.admin.zoneText("example.com"), [
      "new 600 A 192.0.2.7",
      "www 600 A 192.0.2.1",
    ]);
  });

  it("is waited for if nothing else is left to do", async () => {
    const ledger = await stuck(["www 600 A 192.0.2.1"]);
    const declaration = declare("example.com", ["www 600 A 192.0.2.1"]);
    const { failures } = await lab.reconciler().apply(declaration, declaration.records, ledger);
    assert.match(
      failures.map(textOf).join(),
      /after \d s \(jobTimeout\).*if the job never ends: create them/,
    );
    assert.equal(creates(lab), 0);
  });

  it("does not hold up a refresh, which leaves its records as they were and keeps its number", async () => {
    const ledger = await stuck(["www 600 A 192.0.2.1"], { LEGACYDNS_JOB_TIMEOUT: "100" });
    const begun = lab.clock.now();
    const declaration = declare("example.com", ["www 600 A 192.0.2.1", "gone 600 A 192.0.2.2"]);
    const observed = await lab.reconciler().observe(declaration, ledger);
    assert.deepEqual(
      observed.findings.map(({ state }) => state),
      ["unread", "missing"],
    );
    assert.deepEqual(
      observed.ledger.uncertain.map(({ job }) => job),
      ledger.uncertain.map(({ job }) => job),
    );
    assert.equal(lab.service.admin.counts()["Batch.Detail"], 1);
    assert.ok(lab.clock.now() - begun < 100_000, "nothing waits for jobTimeout");
  });

  it("is neither waited for nor asked about after its records were created in the console", async () => {
    const ledger = await stuck(["www 600 A 192.0.2.1"]);
    const declaration = declare("example.com", ["www 600 A 192.0.2.1"]);
    lab.service.admin.addRecord(
      "example.com",
      { name: "www", type: "A", value: "192.0.2.1", ttl: 600 },
      { indexed: true },
    );
    const settled = await lab.reconciler().apply(declaration, declaration.records, ledger);
    assert.deepEqual(settled.failures, []);
    assert.equal(settled.ledger.owned.size, 1);
    assert.deepEqual(lab.service.admin.counts(), { "Record.List": 1 });
  });

  it("and whose record the program has dropped: once the job has made it, it is removed", async () => {
    const ledger = await stuck(["www 600 A 192.0.2.1"], { ...quick, ...switchedOn });
    const declaration = declare("example.com", ["new 600 A 192.0.2.7"], full);
    const before = declare("example.com", ["www 600 A 192.0.2.1"]).records;
    const next = await lab.reconciler().apply(declaration, before, ledger);
    assert.deepEqual(codesOf(next.failures), ["job.pending"]);
    for (const { id } of lab.service.admin.jobs()) lab.service.admin.finishJob(id);
    const settled = await lab.reconciler().apply(declaration, declaration.records, next.ledger);
    assert.deepEqual([settled.failures, settled.ledger.leftOver], [[], []]);
    assert.deepEqual(lab.service.admin.zoneText("example.com"), ["new 600 A 192.0.2.7"]);
  });

  it("and changes records is waited for by the state alone, until they are as declared", async () => {
    const may = { change: true, remove: true, single: false } as const;
    const of = (ttl: number): Declaration =>
      declare(
        "example.com",
        hosts(5).map((line) => line.replace("600", String(ttl))),
        { may },
      );
    lab = await startLab(
      { settings: { undocumented: true } },
      { ...quick, LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" },
    );
    const first = await lab.reconciler().apply(of(600), [], emptyLedger);
    lab.service.admin.set({ stickAfter: 0 });
    const { ledger, failures } = await lab.reconciler().apply(of(300), of(600).records, first.ledger);
    assert.match(failures.map(textOf).join(), /job \d+ had done 0 of 5 records/);
    rmSync(join(lab.settings.stateDir, "journal"), { recursive: true });
    const again = await lab.reconciler().apply(of(300), of(600).records, ledger);
    assert.deepEqual(codesOf(again.failures), ["job.pending"]);
    assert.equal(lab.service.admin.counts()["Batch.Record.Modify"], 1);
    for (const { name } of of(300).records)
      lab.service.admin.setRecord("example.com", { name, type: "A" }, { ttl: 300 });
    const settled = await lab.reconciler().apply(of(300), of(600).records, again.ledger);
    assert.deepEqual(settled.failures, []);
    assert.equal(lab.service.admin.counts()["Batch.Record.Modify"], 1);
  }).timeout(30_000);

  it("keeps records that it does not name pending, so that none is sent while it works", async () => {
    const ledger = await stuck(["www 600 A 192.0.2.1"]);
    const other = declare("example.com", ["unnamed 600 A 192.0.2.9"]);
    const unnamed = other.records.map((record) => digest(recordKey(record)));
    const [job] = ledger.uncertain;
    assert.ok(job);
    const odd: Ledger = { ...ledger, uncertain: [{ ...job, digests: [...job.digests, ...unnamed] }] };
    const { failures } = await lab.reconciler().apply(other, other.records, odd);
    assert.deepEqual(codesOf(failures), ["job.pending"]);
    assert.equal(creates(lab), 0);
  });

  it("and ended long ago yields to the zone: a record that was removed since is created again", async () => {
    const ledger = await stuck(["www 600 A 192.0.2.1", "api 600 A 192.0.2.2"]);
    for (const { id } of lab.service.admin.jobs()) lab.service.admin.finishJob(id);
    lab.service.admin.set({ stickAfter: null });
    lab.service.admin.advanceClock(3_600_000);
    lab.service.admin.removeRecord("example.com", { name: "www", type: "A" });
    const declaration = declare("example.com", ["www 600 A 192.0.2.1", "api 600 A 192.0.2.2"]);
    const { failures } = await lab.reconciler().apply(declaration, declaration.records, ledger);
    assert.deepEqual(failures, []);
    assert.deepEqual(lab.service.admin.zoneText("example.com"), [
      "api 600 A 192.0.2.2",
      "www 600 A 192.0.2.1",
    ]);
  });
});

describe("a record younger than the index delay", () => {
  it("is read by id if there are few, and waited for if there are more", async () => {
    for (const [n, infos] of [
      [3, 3],
      [8, undefined],
    ] as const) {
      const lab = await startLab({ settings: { indexDelay: 2 } }, { LEGACYDNS_INDEX_DELAY: "2" });
      try {
        const declaration = declare("example.com", hosts(n));
        const { ledger } = await lab.reconciler().apply(declaration, [], emptyLedger);
        lab.service.admin.clearCalls();
        const observed = await lab.reconciler().observe(declaration, ledger);
        assert.ok(observed.findings.every(({ state }) => state === "as declared"));
        assert.equal(lab.service.admin.counts()["Record.Info"], infos);
        assert.equal(lab.service.admin.counts()["Record.List"], infos === undefined ? 2 : 1);
      } finally {
        await lab.close();
      }
    }
  });
});

describe("60 Records younger than the index delay", () => {
  it("cost a handful of Record.Info and one more listing, however many resources ask at once", async () => {
    const lab = await startLab({ settings: { indexDelay: 2 } }, { LEGACYDNS_INDEX_DELAY: "2" });
    try {
      const each = hosts(60).map((line) => declare("example.com", [line]));
      const first = lab.reconciler();
      const applied = await Promise.all(each.map((one) => first.apply(one, [], emptyLedger)));
      lab.service.admin.clearCalls();
      const refresh = lab.reconciler();
      const observed = await Promise.all(
        each.map((one, i) => refresh.observe(one, applied[i]?.ledger ?? emptyLedger)),
      );
      const states = observed.flatMap(({ findings }) => findings.map(({ state }) => state));
      assert.deepEqual([states.length, new Set(states)], [60, new Set(["as declared"])]);
      assert.deepEqual(lab.service.admin.counts(), { "Record.Info": 5, "Record.List": 2 });
    } finally {
      await lab.close();
    }
  });
});

describe("a reading of a zone", () => {
  /** A lab whose clock can be set on, and whose listings take so many milliseconds of it. */
  /** @param listing how long a page takes @param preparing how long a plan takes after it; both in ms */
  const startSlow = async (listing: number, records = 0, preparing = 0) => {
    const seeded = Array.from({ length: records }, (_, i) => ({
      name: `h${i}`,
      type: "A",
      value: "192.0.2.1",
      ttl: 600,
    }));
    const lab = await startLab({ domains: [{ name: "example.com", records: seeded }] });
    const time = { ahead: 0 };
    const clock = {
      ...lab.clock,
      now: () => lab.clock.now() + time.ahead,
      wall: () => lab.clock.wall() + time.ahead,
    };
    const client: Client = {
      clock,
      close: () => lab.client.close(),
      call: (operation, ...rest) => {
        if (operation === "Record.List") time.ahead += listing;
        if (operation === "Domain.Purview") time.ahead += preparing;
        return lab.client.call(operation, ...rest);
      },
    };
    return { lab, time, parts: { ...lab, client, clock, reporter: collectingReporter() } };
  };

  it("that takes longer than a minute serves the whole of an up", async () => {
    const { lab, parts } = await startSlow(65_000);
    try {
      const { failures } = await new Reconciler(parts).apply(
        declare("example.com", hosts(3)),
        [],
        emptyLedger,
      );
      assert.deepEqual([failures, lab.service.admin.counts()["Record.List"]], [[], 1]);
    } finally {
      await lab.close();
    }
  });

  it("serves longer if many records are declared, until they are sent", async () => {
    const { lab, parts } = await startSlow(0, 0, 65_000);
    try {
      const reconciler = new Reconciler(parts);
      const declaration = declare("example.com", hosts(3_000));
      await reconciler.preview(declaration);
      const { failures } = await reconciler.apply(declaration, [], emptyLedger);
      assert.deepEqual([failures, lab.service.admin.counts()["Record.List"]], [[], 1]);
    } finally {
      await lab.close();
    }
  });

  it("serves ten seconds longer for each page of 3,000 records", async () => {
    const { lab, parts, time } = await startSlow(0, 6_000);
    const listings = (): number => lab.service.admin.counts()["Record.List"] ?? 0;
    try {
      const { zones } = new Reconciler(parts);
      await zones.get("example.com");
      const once = listings();
      time.ahead = 75_000;
      await zones.get("example.com");
      assert.equal(listings(), once);
      time.ahead = 85_000;
      await zones.get("example.com");
      assert.ok(listings() > once);
    } finally {
      await lab.close();
    }
  });
});

describe("a record that is refused because it exists", () => {
  it("is adopted when a fresh reading shows the same one, enabled and with the same TTL", async () => {
    const lab = await startLab();
    try {
      const reconciler = lab.reconciler();
      const declaration = declare("example.com", ["www 600 A 192.0.2.1", "api 600 A 192.0.2.2"]);
      await reconciler.preview(declaration);
      lab.service.admin.addRecord(
        "example.com",
        { name: "www", type: "A", value: "192.0.2.1", ttl: 600 },
        { indexed: true },
      );
      lab.service.admin.addRecord(
        "example.com",
        { name: "api", type: "A", value: "192.0.2.2", ttl: 60 },
        { indexed: true },
      );
      const { failures, ledger } = await reconciler.apply(declaration, [], emptyLedger);
      assert.equal(ledger.owned.size, 1);
      assert.equal(failures.length, 1);
      assert.match(
        failures.map(textOf).join(),
        /refused by the service; api\.example\.com\. A 192\.0\.2\.2; api\.example\.com\. A 192\.0\.2\.2 \(live, record/,
      );
    } finally {
      await lab.close();
    }
  });
});

describe("a record that appears while a lost answer is looked into", () => {
  for (const [what, edit] of [
    ["another TTL", { ttl: 60 }],
    ["switched off", { ttl: 600, enabled: false }],
  ] as const) {
    it(`with ${what} is not taken for the one that was sent`, async () => {
      const lab = await startLab();
      try {
        const { admin } = lab.service;
        admin.addFault({ kind: "dropped", operation: "Batch.Record.Create", when: "before", count: 1 });
        const declaration = declare("example.com", ["www 600 A 192.0.2.1"]);
        const applying = lab.reconciler().apply(declaration, [], emptyLedger);
        await until("the job", () => creates(lab) > 0);
        const { id } = admin.addRecord(
          "example.com",
          { name: "www", type: "A", value: "192.0.2.1", ...edit },
          { indexed: true },
        );
        const { failures, ledger } = await applying;
        assert.equal(failures.length, 1);
        assert.match(
          failures.map(textOf).join(),
          new RegExp(
            `www\\.example\\.com\\. A 192\\.0\\.2\\.1 \\((TTL 60 live, 600 declared|disabled), record ${id}\\)`,
          ),
        );
        assert.equal(ledger.owned.size, 0);
      } finally {
        await lab.close();
      }
    });
  }
});

describe("resources that are made at the same time", () => {
  it("share one listing and one job", async () => {
    const lab = await startLab();
    try {
      const reconciler = lab.reconciler();
      const results = await Promise.all(
        hosts(50).map((line) => reconciler.apply(declare("example.com", [line]), [], emptyLedger)),
      );
      assert.deepEqual(
        results.flatMap(({ failures }) => failures),
        [],
      );
      assert.equal(creates(lab), 1);
      assert.equal(lab.service.admin.counts()["Record.List"], 1);
      assert.equal(lab.service.admin.zone("example.com").length, 50);
    } finally {
      await lab.close();
    }
  });
});

describe("a record on another line", () => {
  it("waits for the default line's record of its name that another resource is making", async () => {
    const lab = await startLab({ settings: { jobMs: 400 } });
    try {
      const reconciler = lab.reconciler();
      const other = reconciler.apply(
        declare("example.com", ["edge 600 A 198.51.100.1 [电信]"]),
        [],
        emptyLedger,
      );
      await until("the other job", () => creates(lab) > 0);
      const first = await reconciler.apply(declare("example.com", ["edge 600 A 192.0.2.1"]), [], emptyLedger);
      assert.deepEqual([...first.failures, ...(await other).failures], []);
      assert.equal(lab.service.admin.zone("example.com").length, 2);
    } finally {
      await lab.close();
    }
  });
});

describe("an alias that the console has turned elsewhere", () => {
  it("is named alone; other missing records are created", async () => {
    const lab = await startLab();
    try {
      const { admin } = lab.service;
      const declaration = declare("example.com", ["r1 600 CNAME www.example.org.", "r2 600 A 192.0.2.1"]);
      const first = await lab.reconciler().apply(declaration, [], emptyLedger);
      const { id } = admin.setRecord(
        "example.com",
        { name: "r1", type: "CNAME" },
        { value: "evil.example.org." },
      );
      admin.removeRecord("example.com", { name: "r2", type: "A" });
      // As a refresh leaves it: neither is there as declared, and the first lives on as another.
      const seen = await lab.reconciler().observe(declaration, first.ledger);
      const missing = seen.findings.flatMap(({ state, record }) => (state === "missing" ? [record] : []));
      assert.equal(missing.length, 2);
      const { failures } = await lab
        .reconciler()
        .apply(declaration, [], withoutMissing(seen.ledger, missing, seen.strays, false));
      assert.equal(failures.length, 1);
      assert.match(
        failures.map(textOf).join(),
        new RegExp(`r1\\.example\\.com\\. CNAME www\\.example\\.org\\. \\(declared\\); .*record ${id}\\)`),
      );
      assert.doesNotMatch(failures.map(textOf).join(), /retain/);
      assert.deepEqual(
        zoneLines(lab.service, "example.com").filter((line) => line.startsWith("r2")),
        ["r2 A 192.0.2.1 600"],
      );
    } finally {
      await lab.close();
    }
  });
});
