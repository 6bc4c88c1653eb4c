/**
 * A written record reaches the state and the user after any later failure, and a foreign record is not taken
 * for it.
 */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import type { StartOptions } from "../../emulator";
import type { Client, JobDetail } from "../../provider/api";
import { createClient } from "../../provider/api";
import type { Clock } from "../../provider/support/clock";
import { emptyLedger } from "../../provider/reconcile/memory/ledger";
import { Reconciler } from "../../provider/reconcile/reconciler";
import { ZoneReader } from "../../provider/reconcile/zones/reader";
import { collectingReporter } from "../support/reporter";
import { textOf } from "../../provider/problems";
import { declare, startLab, type Lab } from "../support/lab";

const quick = { LEGACYDNS_JOB_TIMEOUT: "1" };
const report = { domains: ["example.com"], ignored: () => false, remove: false };

describe("the result of a write", () => {
  let lab: Lab;
  afterEach(() => lab.close());
  const start = async (service: StartOptions, settings: Record<string, string> = quick): Promise<void> => {
    lab = await startLab(service, settings);
  };

  /** A client that shows jobs otherwise than the service does. */
  const through = (change: (job: JobDetail) => JobDetail): Client => ({
    clock: lab.client.clock,
    close: () => lab.client.close(),
    call: async (operation, request, options) => {
      const answer = await lab.client.call(operation, request, options);
      return operation === "Batch.Detail" ? (change(answer as JobDetail) as typeof answer) : answer;
    },
  });
  const reconcilerWith = (client: Client, clock: Clock = lab.clock): Reconciler =>
    new Reconciler({ client, settings: lab.settings, clock, reporter: collectingReporter() });

  it("is reported and stored, even if the zone cannot be read afterwards", async () => {
    await start({ settings: { refuse: [{ name: "api", message: "Refused for the test" }] } });
    lab.service.admin.addFault({
      kind: "http",
      status: 404,
      operation: "Record.List",
      when: "before",
      skip: 1,
      count: 50,
    });
    const { failures, ledger } = await lab
      .reconciler()
      .apply(
        declare("example.com", ["www 600 A 192.0.2.1", "api 600 A 192.0.2.2"], { report }),
        [],
        emptyLedger,
      );
    assert.equal(failures.length, 1);
    assert.match(
      failures.map(textOf).join(),
      /^example\.com: refused by the service; api\.example\.com\. A 192\.0\.2\.2; Refused for the test/,
    );
    assert.equal(ledger.owned.size, 1);
  });

  it("of a job at work keeps its number, so that a fresh disk makes nothing twice", async () => {
    await start({ settings: { identical: "accept", stickAfter: 0 } }, { LEGACYDNS_JOB_TIMEOUT: "62" });
    const { admin } = lab.service;
    let ahead = 0;
    const clock: Clock = {
      now: () => lab.clock.now() + ahead,
      wall: () => lab.clock.wall() + ahead,
      resumed: () => 0,
      sleep: (ms, signal) => ((ahead += ms), lab.clock.sleep(0, signal)),
    };
    const declaration = declare("example.com", ["www 600 A 192.0.2.1"], { report });
    admin.addFault({
      kind: "http",
      status: 404,
      operation: "Record.List",
      when: "before",
      skip: 1,
      count: 50,
    });
    const first = await reconcilerWith(lab.client, clock).apply(declaration, [], emptyLedger);
    assert.equal(first.ledger.uncertain.length, 1);
    admin.clearFaults();
    rmSync(lab.settings.stateDir, { recursive: true, force: true });
    admin.set({ stickAfter: null });
    for (const { id } of admin.jobs()) admin.finishJob(id);
    const again = await lab.reconciler().apply(declaration, declaration.records, first.ledger);
    assert.deepEqual(again.failures, []);
    assert.equal(admin.zone("example.com").length, 1);
  });

  it("on another line is reported and stored, even if the zone cannot be read for the default line", async () => {
    await start(
      { settings: { refuse: [{ name: "edge", message: "Refused for the test" }] } },
      { LEGACYDNS_JOB_TIMEOUT: "3" },
    );
    let ahead = 0;
    const clock: Clock = {
      ...lab.clock,
      now: () => lab.clock.now() + ahead,
      wall: () => lab.clock.wall() + ahead,
    };
    lab.service.admin.addFault({
      kind: "http",
      status: 404,
      operation: "Record.List",
      when: "before",
      skip: 1,
      count: 50,
    });
    // The zone in hand is too old by the time that the job has ended.
    const client = through((job) => ((ahead = 61_000), job));
    const { failures, ledger } = await reconcilerWith(client, clock).apply(
      declare("example.com", ["www 600 A 192.0.2.1", "edge 600 A 192.0.2.2 [电信]"]),
      [],
      emptyLedger,
    );
    assert.match(
      failures.map(textOf).join(),
      /^example\.com: refused by the service; edge\.example\.com\. A 192\.0\.2\.2 \[电信\]/,
    );
    assert.equal(ledger.owned.size, 1);
  });

  it("that a second resource asks for while the first one's job is at work is one, and both have it", async () => {
    await start({ settings: { identical: "accept", jobStartMs: 500 } }, { LEGACYDNS_JOB_TIMEOUT: "20" });
    const { admin } = lab.service;
    const reconciler = lab.reconciler();
    const declaration = declare("example.com", ["www 600 A 192.0.2.1"]);
    const first = reconciler.apply(declaration, [], emptyLedger);
    while (admin.counts()["Batch.Record.Create"] === undefined) await lab.clock.sleep(10);
    const both = await Promise.all([first, reconciler.apply(declaration, [], emptyLedger)]);
    assert.deepEqual(
      both.map(({ failures, ledger }) => [failures, ledger.owned.size]),
      [
        [[], 1],
        [[], 1],
      ],
    );
    assert.deepEqual([admin.counts()["Batch.Record.Create"], admin.zone("example.com").length], [1, 1]);
  });

  it("that a job does not name is looked for until the index must show it", async () => {
    await start(
      { settings: { indexDelay: 2, identical: "accept", jobStartMs: 1_500 } },
      { ...quick, LEGACYDNS_INDEX_DELAY: "2" },
    );
    const declaration = declare("example.com", ["www 600 A 192.0.2.1"]);
    const client = through((job) => ({
      ...job,
      items: job.items.map((item) => ({
        ...item,
        records: item.records.map(({ recordId: _id, ...record }) => record),
      })),
    }));
    const first = await reconcilerWith(client).apply(declaration, [], emptyLedger);
    assert.equal(first.ledger.uncertain.length, 1);
    // The journal would contain it.
    rmSync(lab.settings.stateDir, { recursive: true, force: true });
    const second = await reconcilerWith(client).apply(declaration, declaration.records, first.ledger);
    assert.deepEqual([second.failures, second.ledger.owned.size], [[], 1]);
    assert.equal(lab.service.admin.counts()["Batch.Record.Create"], 1);
  });

  for (const [where, settings] of [
    ["shows late in the listing", { indexDelay: 60 }],
    ["waits in the queue", { jobStartMs: 12_000 }],
  ] as const)
    it(`without an answer whose record ${where} is found by the next run, which sends nothing`, async () => {
      await start({ settings: { identical: "accept", ...settings } }, { LEGACYDNS_JOB_TIMEOUT: "20" });
      const { admin } = lab.service;
      const declaration = declare("example.com", ["www 600 A 192.0.2.1"]);
      admin.addFault({ kind: "dropped", operation: "Batch.Record.Create", when: "after", count: 1 });
      const first = await lab.reconciler().apply(declaration, [], emptyLedger);
      assert.equal(first.ledger.uncertain.length, 1);
      // The journal would contain it.
      rmSync(lab.settings.stateDir, { recursive: true, force: true });
      admin.advanceClock("indexDelay" in settings ? 61_000 : 0);
      const second = await lab.reconciler().apply(declaration, declaration.records, first.ledger);
      assert.deepEqual([second.failures, second.ledger.owned.size], [[], 1]);
      assert.equal(admin.counts()["Batch.Record.Create"], 1);
    });

  it("that a reading finds which was tried again is known, though a reading that began later and ended first does not show it", async () => {
    await start({});
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let isFirst = true;
    const client: Client = {
      ...through((job) => job),
      call: async (operation, request, options) => {
        const waits = operation === "Record.List" && isFirst;
        isFirst = false;
        if (waits) await held;
        return lab.client.call(operation, request, options);
      },
    };
    const reader = new ZoneReader(client, lab.settings, lab.clock);
    const { records } = declare("example.com", ["www 600 A 192.0.2.1"]);
    const looking = reader.lookFor(records, lab.clock.now(), lab.clock.now());
    await lab.clock.sleep(100);
    assert.equal(
      (await reader.get("example.com", lab.clock.now())).zone.entries.filter(({ hold }) => !hold).length,
      0,
    );
    lab.service.admin.addRecord(
      "example.com",
      { name: "www", type: "A", value: "192.0.2.1", ttl: 600 },
      { indexed: true },
    );
    release();
    assert.equal((await looking).found.size, 1);
    assert.equal((await reader.get("example.com")).zone.entries.filter(({ hold }) => !hold).length, 1);
  });

  it("has the service's words if a whole domain of a job ended in an error", async () => {
    await start({ settings: { refuse: [{ name: "www", message: "Refused for the test" }] } });
    const client = through((job) => ({
      ...job,
      items: job.items.map((item) => ({
        ...item,
        status: "error",
        error: "The domain is frozen",
        records: [],
      })),
    }));
    const { failures } = await reconcilerWith(client).apply(
      declare("example.com", ["www 600 A 192.0.2.1"]),
      [],
      emptyLedger,
    );
    assert.match(
      failures.map(textOf).join(),
      /Job \d+ ended without naming the record\. It ended in an error for example\.com: "The domain is frozen"\./,
    );
  });

  for (const [state, edit] of [
    ["with another TTL", { ttl: 60 }],
    ["that is switched off", { ttl: 600, enabled: false }],
  ] as const) {
    it(`is not what somebody makes ${state} before the next run`, async () => {
      await start({});
      const { admin } = lab.service;
      const declaration = declare("example.com", ["www 600 A 192.0.2.1"], { adopt: false });
      admin.addFault({ kind: "dropped", operation: "Batch.Record.Create", when: "before", count: 1 });
      const first = await lab.reconciler().apply(declaration, [], emptyLedger);
      assert.equal(first.ledger.uncertain.length, 1);
      const { id } = admin.addRecord(
        "example.com",
        { name: "www", type: "A", value: "192.0.2.1", ...edit },
        { indexed: true },
      );
      const { failures } = await lab.reconciler().apply(declaration, declaration.records, first.ledger);
      assert.deepEqual(
        failures.map(({ code, records }) => [code, records?.[0]?.note]),
        [["live.exists", `live, record ${id}`]],
      );
    });
  }
});

describe("a secret value that the service repeats", () => {
  const values = ["top-secret-value", 'another "hidden" one'];
  let lab: Lab;
  beforeEach(async () => {
    lab = await startLab({}, quick);
  });
  afterEach(() => lab.close());

  for (const [what, code] of [
    ["after which nobody knows what was made", "-99"],
    ["of a whole job", "21"],
  ] as const) {
    it(`in an error ${what} is shown to nobody`, async () => {
      const reporter = collectingReporter();
      const client = createClient({ settings: lab.settings, reporter });
      lab.service.admin.addFault({
        kind: "code",
        code,
        message: `wrong: ${values.join(" and ")}, ${JSON.stringify(values[1])}`,
        operation: "Batch.Record.Create",
        when: "before",
      });
      const reconciler = new Reconciler({ client, settings: lab.settings, clock: lab.clock, reporter });
      const secret = declare(
        "example.com",
        ["a 600 TXT top-secret-value", 'b 600 TXT "another \\"hidden\\" one"'],
        { sensitive: true },
      );
      // Both are in one job. Each resource reports its failure.
      const results = await Promise.all([
        reconciler.apply(secret, [], emptyLedger),
        reconciler.apply(declare("example.com", ["www 600 A 192.0.2.1"]), [], emptyLedger),
      ]);
      await client.close();
      const said = [
        ...results.flatMap(({ failures }) => failures.map(textOf)),
        ...reporter.lines.map(({ text }) => text),
      ].join("\n");
      assert.match(said, code === "21" ? /21/ : /-99/);
      assert.doesNotMatch(said, /top-secret|hidden/);
    });
  }

  it("in the refusal of another record is never shown", async () => {
    lab.service.admin.set({ refuse: [{ name: "www", message: "in conflict with top-secret-value" }] });
    const reconciler = lab.reconciler();
    const results = await Promise.all([
      reconciler.apply(
        declare("example.com", ["a 600 TXT top-secret-value"], { sensitive: true }),
        [],
        emptyLedger,
      ),
      reconciler.apply(declare("example.com", ["www 600 A 192.0.2.1"]), [], emptyLedger),
    ]);
    assert.deepEqual(
      results.flatMap(({ failures }) => failures.map(textOf)),
      [
        "example.com: refused by the service; www.example.com. A 192.0.2.1; not shown, because the call carries a secret value",
      ],
    );
  });
});
