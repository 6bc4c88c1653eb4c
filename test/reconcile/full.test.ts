/** Changes and removals, below the engine: few calls, in a fixed order, each once after any answer. */
import assert from "node:assert/strict";
import type { StartOptions } from "../../emulator";
import type { Client } from "../../provider/api";
import { emptyLedger, type Ledger } from "../../provider/reconcile/memory/ledger";
import type { Declaration } from "../../provider/reconcile/declaration";
import { textOf } from "../../provider/problems";
import { Reconciler, type Applied } from "../../provider/reconcile/reconciler";
import { collectingReporter } from "../support/reporter";
import { zoneLines } from "../support/service";
import { declare, startLab, type Lab } from "../support/lab";
import { until } from "../support/processes";

const may = { change: true, remove: true, single: false };
const full = (lines: readonly string[], more: Partial<Declaration> = {}): Declaration =>
  declare("example.com", lines, { removal: "delete", may, ...more });
const hosts = (n: number, ttl = 600, last = 0): string[] =>
  Array.from({ length: n }, (_, i) => `h${i} ${ttl} A 10.${last}.${i >> 8}.${i & 255}`);
const confirmed = { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true", LEGACYDNS_CONFIRMED_DOMAINS: "example.com" };

function start(service: StartOptions = {}, settings: Record<string, string> = {}): Promise<Lab> {
  return startLab(
    { ...service, settings: { undocumented: true, jobStartMs: 0, jobMs: 0, ...service.settings } },
    { ...confirmed, ...settings },
  );
}

/** One declaration after the other, each by a process of its own; the calls and failures of the last. */
async function run(
  lab: Lab,
  declarations: readonly Declaration[],
  ledger: Ledger = emptyLedger,
): Promise<Applied & { calls: Record<string, number> }> {
  let before: Declaration["records"] = [];
  let applied: Applied = { ledger, failures: [] };
  for (const declaration of declarations) {
    lab.service.admin.clearCalls();
    applied = await lab.reconciler().apply(declaration, before, applied.ledger);
    before = declaration.records;
  }
  const { "Batch.Detail": _polls, "Domain.Purview": _purview, ...calls } = lab.service.admin.counts();
  return { ...applied, calls };
}

describe("changes and removals take few calls", () => {
  let lab: Lab;
  afterEach(() => lab.close());

  it("another TTL for 1,000 records: one job", async () => {
    lab = await start();
    const { calls, failures } = await run(lab, [full(hosts(1000)), full(hosts(1000, 300))]);
    assert.deepEqual(failures, []);
    assert.deepEqual(calls, { "Record.List": 1, "Batch.Record.Modify": 1 });
    assert.ok(zoneLines(lab.service, "example.com").every((line) => line.endsWith(" 300")));
  });

  it("other values of 10 of 1,000 records: ten, each with everything that the record is", async () => {
    lab = await start();
    const changed = [...hosts(10, 600, 1), ...hosts(1000).slice(10)];
    const { calls, failures } = await run(lab, [full(hosts(1000)), full(changed)]);
    assert.deepEqual(failures, []);
    assert.deepEqual(calls, { "Record.List": 1, "Record.Modify": 10 });
    const [first] = lab.service.admin.calls("Record.Modify");
    const { login_token: _token, format: _format, record_id: id, ...sent } = first?.params ?? {};
    assert.match(String(id), /^\d+$/);
    const i = /10\.1\.0\.(\d+)/.exec(String(sent["value"]))?.[1] ?? "";
    assert.deepEqual(sent, {
      domain: "example.com",
      sub_domain: `h${i}`,
      record_type: "A",
      record_line: "默认",
      value: `10.1.0.${i}`,
      ttl: "600",
      status: "enable",
    });
  });

  it("one address that many names have: one job; the removal of 100: 100 calls, and nothing else", async () => {
    lab = await start();
    const at = (address: string): string[] => Array.from({ length: 200 }, (_, i) => `h${i} 600 A ${address}`);
    const moved = await run(lab, [full(at("192.0.2.1")), full(at("192.0.2.2"))]);
    assert.deepEqual([moved.failures, moved.calls], [[], { "Record.List": 1, "Batch.Record.Modify": 1 }]);
    lab.service.admin.clearCalls();
    const kept = full(at("192.0.2.2").slice(100));
    const { failures, ledger } = await lab
      .reconciler()
      .apply(kept, full(at("192.0.2.2")).records, moved.ledger);
    assert.deepEqual(failures, []);
    assert.deepEqual(lab.service.admin.counts(), { "Record.List": 1, "Record.Remove": 100 });
    assert.equal(ledger.removed.length, 0, "without an index delay nothing has to be remembered");
  });
});

describe("an SRV whose priority the service keeps in mx", () => {
  let lab: Lab;
  afterEach(() => lab.close());
  const srv = (name: string, value: string, ttl: number) => ({ name, type: "SRV", value, mx: 10, ttl });

  it("keeps it there, whatever of the record is changed, and one value for several is sent for each", async () => {
    const names = ["_a._tcp", "_b._tcp", "_c._tcp"];
    lab = await start({
      domains: [
        {
          name: "example.com",
          records: [
            ...names.map((name) => srv(name, "5 5060 old.example.net.", 600)),
            srv("_t._tcp", "5 5060 sip.example.net.", 300),
          ],
        },
      ],
    });
    const lines = (host: string, ttl: number): Declaration =>
      full([
        ...names.map((name) => `${name} 600 SRV 10 5 5060 ${host}.`),
        `_t._tcp ${ttl} SRV 10 5 5060 sip.example.net.`,
      ]);
    const { failures, calls, ledger } = await run(lab, [
      lines("old.example.net", 300),
      lines("new.example.net", 600),
    ]);
    assert.deepEqual(failures, []);
    assert.deepEqual(calls, { "Record.List": 1, "Record.Modify": 4 });
    assert.deepEqual(
      lab.service.admin
        .calls("Record.Modify")
        .map(({ params }) => [params["sub_domain"], params["value"], params["mx"]])
        .sort(),
      [
        ...names.map((name) => [name, "5 5060 new.example.net.", "10"]),
        ["_t._tcp", "5 5060 sip.example.net.", "10"],
      ],
    );
    assert.deepEqual(
      lab.service.admin.zone("example.com", { hold: false }).map(({ value, mx, ttl }) => [value, mx, ttl]),
      [...names.map(() => ["5 5060 new.example.net.", 10, 600]), ["5 5060 sip.example.net.", 10, 600]],
    );
    lab.service.admin.clearCalls();
    const after = lines("new.example.net", 600);
    assert.deepEqual((await lab.reconciler().apply(after, after.records, ledger)).failures, []);
    assert.deepEqual(lab.service.admin.counts(), { "Record.List": 1 });
  });
});

describe("the order of steps", () => {
  let lab: Lab;
  afterEach(() => lab.close());
  const writes = (): string[] =>
    lab.service.admin
      .calls()
      .flatMap(({ operation, params }) =>
        /Create|Modify|Remove/.test(operation)
          ? [`${operation} ${params["sub_domain"] ?? params["records"] ?? ""}`]
          : [],
      );

  it("addresses that become a CNAME: all but one go, then the last becomes it", async () => {
    lab = await start();
    await run(lab, [
      full(["www 600 A 192.0.2.1", "www 600 A 192.0.2.2"]),
      full(["www 600 CNAME a.example.net."]),
    ]);
    assert.deepEqual(writes(), ["Record.Remove ", "Record.Modify www"]);
    assert.deepEqual(zoneLines(lab.service, "example.com"), ["www CNAME a.example.net. 600"]);
  });

  it("of addresses that become a CNAME, one that is switched off is not the last to go", async () => {
    lab = await start();
    const before = full(["www 600 A 192.0.2.1", "www 600 A 192.0.2.2"]);
    const first = await run(lab, [before]);
    const off = lab.service.admin.disableRecord("example.com", {
      name: "www",
      type: "A",
      value: "192.0.2.1",
    });
    lab.service.admin.clearCalls();
    const { failures } = await lab
      .reconciler()
      .apply(full(["www 600 CNAME a.example.net."]), before.records, first.ledger);
    assert.deepEqual(failures, []);
    assert.equal(lab.service.admin.calls("Record.Remove")[0]?.params["record_id"], String(off.id));
  });

  it("of a record that is live twice with another TTL, one goes before the other is changed: the service allows no change beside its like", async () => {
    lab = await start({ settings: { identical: "accept" } });
    for (const _ of [1, 2])
      lab.service.admin.addRecord(
        "example.com",
        { name: "www", type: "A", value: "192.0.2.1", ttl: 600 },
        { indexed: true },
      );
    lab.service.admin.set({ identical: "refuse" });
    const { failures } = await run(lab, [full(["www 300 A 192.0.2.1"])]);
    assert.deepEqual(failures, []);
    assert.deepEqual(
      writes().map((each) => each.split(" ")[0]),
      ["Record.Remove", "Record.Modify"],
    );
    assert.deepEqual(zoneLines(lab.service, "example.com"), ["www A 192.0.2.1 300"]);
  });

  it("what is made comes before what goes, unless the package has room for one of them only", async () => {
    lab = await start({ domains: [{ name: "example.com", purview: { aaaa: 2 } }] });
    const old = ["a 600 AAAA 2001:db8::1", "b 600 AAAA 2001:db8::2", "c 600 A 192.0.2.1"];
    const { failures } = await run(lab, [
      full(old),
      full(["x 600 AAAA 2001:db8::1", "y 600 AAAA 2001:db8::2", "z 600 A 192.0.2.1"]),
    ]);
    assert.deepEqual(failures, []);
    assert.deepEqual(
      writes().map((each) => each.split(" ")[0]),
      ["Record.Remove", "Record.Remove", "Batch.Record.Create", "Record.Remove"],
    );
  });

  it("where something failed, nothing of its domain is removed; the next run does the rest", async () => {
    lab = await start();
    const before = full(["old 600 A 192.0.2.1", "www 600 A 192.0.2.2"]);
    const first = await run(lab, [before]);
    lab.service.admin.addFault({
      operation: "Batch.Record.Create",
      when: "before",
      kind: "code",
      code: "34",
      count: 1,
    });
    const after = full(["new 600 A 192.0.2.1", "www 600 A 192.0.2.2"]);
    const failed = await lab.reconciler().apply(after, before.records, first.ledger);
    assert.match(
      failed.failures.map(textOf).join("\n"),
      /could not be deleted; old\.example\.com\. A 192\.0\.2\.1 \(record \d+\); it waits until all else/,
    );
    assert.deepEqual(zoneLines(lab.service, "example.com"), ["old A 192.0.2.1 600", "www A 192.0.2.2 600"]);
    const again = await lab.reconciler().apply(after, after.records, failed.ledger);
    assert.deepEqual(again.failures, []);
    assert.deepEqual(zoneLines(lab.service, "example.com"), ["new A 192.0.2.1 600", "www A 192.0.2.2 600"]);
  });

  it("a CNAME of another resource is in the way: the error says how to let the provider order it", async () => {
    lab = await start({
      domains: [{ name: "example.com", records: [{ name: "www", type: "CNAME", value: "a.example.net." }] }],
    });
    const { failures } = await lab.reconciler().apply(full(["www 600 A 192.0.2.1"]), [], emptyLedger);
    assert.match(failures.map(textOf).join(), /declare both in one RecordBatch/);
  });
});

describe("a record that another resource declares while it goes", () => {
  let lab: Lab;
  afterEach(() => lab.close());
  const single = (text: string): Declaration => full([text], { may: { ...may, single: true } });

  for (const [what, slow, late] of [
    [
      "stays, where its removal was not sent yet",
      { LEGACYDNS_REQUESTS_PER_SECOND: "10" },
      "h19 600 A 10.0.0.19",
    ],
    ["is made again, where its removal was under way", {}, "h0 600 A 10.0.0.0"],
  ] as const) {
    it(what, async () => {
      lab = await start({}, slow);
      const { ledger } = await run(lab, [full(hosts(20))]);
      if (late.startsWith("h0 "))
        lab.service.admin.addFault({
          operation: "Record.Remove",
          when: "before",
          kind: "slow",
          ms: 1500,
          count: 1,
        });
      const reconciler = lab.reconciler();
      const going = reconciler.apply(full([]), full(hosts(20)).records, ledger);
      await until("the first removal", () => (lab.service.admin.counts()["Record.Remove"] ?? 0) > 0);
      const sibling = single(late);
      reconciler.siblings.declare(() => sibling.records, false);
      const [first, second] = await Promise.all([going, reconciler.apply(sibling, [], emptyLedger)]);
      assert.deepEqual([first.failures, second.failures], [[], []]);
      assert.deepEqual(zoneLines(lab.service, "example.com"), [late.replace("600 A", "A") + " 600"]);
      assert.deepEqual(first.ledger.leftOver, []);
    });
  }
});

describe("a run that pauses between its listing and a write", () => {
  let lab: Lab;
  afterEach(() => lab.close());

  const before = full(["www 600 A 192.0.2.1", "old 600 A 192.0.2.9"]);
  const after = full(["www 600 A 192.0.2.2", "new 600 A 192.0.2.3"]);

  /** An up that pauses before a call of an operation. @param meanwhile the work of others in the pause */
  const upThatPauses = async (
    operation: string,
    meanwhile: () => unknown = () => undefined,
  ): Promise<Applied> => {
    lab = await start();
    const { ledger } = await lab.reconciler().apply(before, [], emptyLedger);
    lab.service.admin.clearCalls();
    let resumedAt = 0;
    const client: Client = {
      clock: lab.clock,
      close: () => lab.client.close(),
      call: async (called, ...rest) => {
        if (called === operation && resumedAt === 0) {
          meanwhile();
          resumedAt = lab.clock.now() + 1;
          await lab.clock.sleep(2);
        }
        return lab.client.call(called, ...rest);
      },
    };
    const clock = { ...lab.clock, resumed: () => resumedAt };
    const paused = new Reconciler({ ...lab, client, clock, reporter: collectingReporter() });
    return paused.apply(after, before.records, ledger);
  };
  const edited = (name: string): unknown =>
    lab.service.admin.setRecord("example.com", { name, type: "A" }, { ttl: 60 });
  const calls = (): Record<string, number> => lab.service.admin.counts();

  for (const operation of ["Batch.Record.Create", "Record.Modify", "Record.Remove"]) {
    it(`lists the zone again before ${operation}, once`, async () => {
      const { failures } = await upThatPauses(operation);
      assert.deepEqual(failures, []);
      assert.deepEqual(zoneLines(lab.service, "example.com"), ["new A 192.0.2.3 600", "www A 192.0.2.2 600"]);
      assert.deepEqual([calls()["Record.List"], calls()[operation]], [2, 1]);
    });
  }

  it("creates no record that another machine has made meanwhile", async () => {
    const { failures, ledger } = await upThatPauses("Batch.Record.Create", () =>
      lab.service.admin.addRecord("example.com", { name: "new", type: "A", value: "192.0.2.3" }),
    );
    assert.deepEqual([failures, ledger.owned.size], [[], 2]);
    assert.equal(calls()["Batch.Record.Create"], undefined);
  });

  for (const [operation, name] of [
    ["Record.Modify", "www"],
    ["Record.Remove", "old"],
  ] as const) {
    it(`sends no ${operation} of a record that was edited meanwhile`, async () => {
      const { failures } = await upThatPauses(operation, () => edited(name));
      assert.match(failures.map(textOf).join(), /not sent, since this process paused/);
      assert.equal(calls()[operation], undefined);
    });
  }
});

describe("a lost answer to a change or a removal", () => {
  let lab: Lab;
  afterEach(() => lab.close());
  const lagging = { settings: { indexDelay: 1 } };
  const delay = { LEGACYDNS_INDEX_DELAY: "1", LEGACYDNS_REQUEST_TIMEOUT: "1" };

  for (const when of ["before", "after"] as const) {
    it(`of one record, lost ${when} it took effect, is found out and never sent again unasked`, async () => {
      lab = await start(lagging, delay);
      const [a, b] = [full(["www 600 A 192.0.2.1"]), full(["www 600 A 192.0.2.2"])];
      const first = await run(lab, [a]);
      lab.service.admin.clearCalls();
      lab.service.admin.addFault({ operation: "Record.Modify", when, kind: "dropped", count: 1 });
      const lost = await lab.reconciler().apply(b, a.records, first.ledger);
      assert.equal(lab.service.admin.counts()["Record.Modify"], 1);
      if (when === "after") assert.deepEqual(lost.failures, []);
      else assert.match(lost.failures.map(textOf).join(), /had not changed/);
      const settled = await lab.reconciler().apply(b, b.records, lost.ledger);
      assert.deepEqual(settled.failures, []);
      assert.deepEqual(zoneLines(lab.service, "example.com"), ["www A 192.0.2.2 600"]);
      assert.equal(lab.service.admin.counts()["Record.Modify"], when === "after" ? 1 : 2);
    });

    it(`of a job of many, lost ${when} it took effect, is read from the zone`, async () => {
      lab = await start(lagging, { ...delay, LEGACYDNS_JOB_TIMEOUT: "1" });
      const [a, b] = [full(hosts(20)), full(hosts(20, 300))];
      const first = await run(lab, [a]);
      lab.service.admin.clearCalls();
      lab.service.admin.addFault({ operation: "Batch.Record.Modify", when, kind: "dropped", count: 1 });
      const lost = await lab.reconciler().apply(b, a.records, first.ledger);
      assert.equal(lab.service.admin.counts()["Batch.Record.Modify"], 1);
      if (when === "after") assert.deepEqual(lost.failures, []);
      const settled = await lab.reconciler().apply(b, b.records, lost.ledger);
      assert.deepEqual(settled.failures, []);
      assert.ok(zoneLines(lab.service, "example.com").every((line) => line.endsWith(" 300")));
      assert.equal(lab.service.admin.counts()["Batch.Record.Modify"], when === "after" ? 1 : 2);
    });

    it(`of a removal, lost ${when} it took effect, is found out; a record that is gone is removed`, async () => {
      lab = await start(lagging, delay);
      const [a, b] = [full(["www 600 A 192.0.2.1", "old 600 A 192.0.2.3"]), full(["www 600 A 192.0.2.1"])];
      const first = await run(lab, [a]);
      lab.service.admin.addFault({ operation: "Record.Remove", when, kind: "dropped", count: 1 });
      const lost = await lab.reconciler().apply(b, a.records, first.ledger);
      if (when === "after") assert.deepEqual(lost.failures, []);
      else
        assert.match(lost.failures.map(textOf).join(), /old\.example\.com\. A 192\.0\.2\.3.*is still there/s);
      lab.service.admin.clearCalls();
      const settled = await lab.reconciler().apply(b, b.records, lost.ledger);
      assert.deepEqual(settled.failures, []);
      assert.deepEqual(zoneLines(lab.service, "example.com"), ["www A 192.0.2.1 600"]);
    });
  }

  it("of removals, one after the other, ends them after a few, and the zone is read once for all", async () => {
    lab = await start(lagging, delay);
    const [a, b] = [full(hosts(20)), full(hosts(1))];
    const first = await run(lab, [a]);
    lab.service.admin.clearCalls();
    lab.service.admin.addFault({ operation: "Record.Remove", when: "before", kind: "dropped" });
    const lost = await lab.reconciler().apply(b, a.records, first.ledger);
    const { "Record.Remove": removals = 0, "Record.List": lists = 0 } = lab.service.admin.counts();
    assert.ok(removals >= 4 && removals < 12, `${removals} removals`);
    assert.ok(lists < 6, `${lists} listings`);
    assert.match(lost.failures.map(textOf).join(), /what became of the removals before it is not known/);
    lab.service.admin.clearFaults();
    const settled = await lab.reconciler().apply(b, b.records, lost.ledger);
    assert.deepEqual(settled.failures, []);
    assert.equal(zoneLines(lab.service, "example.com").length, 1);
  });

  it("what a split job did not send after an error that concerns all is told with that error", async () => {
    lab = await start({}, { LEGACYDNS_JOB_TIMEOUT: "1" });
    const [a, b] = [full(hosts(6)), full(hosts(6, 300))];
    const first = await run(lab, [a]);
    const { admin } = lab.service;
    admin.addFault({
      operation: "Batch.Record.Modify",
      when: "before",
      kind: "code",
      code: "21",
      message: "Refused for the test",
      count: 1,
    });
    admin.addFault({
      operation: "Batch.Record.Modify",
      when: "before",
      kind: "code",
      code: "-1",
      message: "Login failed",
    });
    const failures = (await lab.reconciler().apply(b, a.records, first.ledger)).failures.map(textOf).join();
    assert.match(failures, /not sent; h0.*h5.*Login failed/s);
    assert.doesNotMatch(failures, /meanwhile declared/);
  });

  it("what was just changed is not changed again while the listing still shows it as it was", async () => {
    lab = await start({ settings: { indexDelay: 3 } }, { LEGACYDNS_INDEX_DELAY: "3" });
    const [a, b] = [full(["www 600 A 192.0.2.1"]), full(["www 300 A 192.0.2.1"])];
    const { ledger } = await run(lab, [a, b]);
    lab.service.admin.clearCalls();
    const again = await lab.reconciler().apply(b, b.records, ledger);
    assert.deepEqual(again.failures, []);
    assert.equal(lab.service.admin.counts()["Record.Modify"] ?? 0, 0);
  });

  it("an operation that the service lacks changes nothing, and each error has the hint", async () => {
    lab = await start({}, { LEGACYDNS_JOB_TIMEOUT: "1" });
    const a = full([...hosts(5), "www 600 A 192.0.2.1"]);
    const b = full([...hosts(5, 300), "www 600 A 192.0.2.2"]);
    const first = await run(lab, [a]);
    lab.service.admin.set({ undocumented: false });
    const { failures } = await lab.reconciler().apply(b, a.records, first.ledger);
    const said = failures.map(textOf);
    assert.deepEqual(lab.service.admin.counts()["Record.Modify"], 1);
    assert(
      said.length > 0 && said.every((text) => text.includes("The service may lack this operation")),
      said.join("\n"),
    );
  });

  it("of another run, which nobody has found out about, is waited for, with numbers that add up and the settings that they come from", async () => {
    lab = await start(
      { settings: { indexDelay: 1 } },
      { LEGACYDNS_INDEX_DELAY: "2", LEGACYDNS_REQUEST_TIMEOUT: "9" },
    );
    const [a, b] = [full(["www 600 A 192.0.2.1"]), full(["www 600 A 192.0.2.2"])];
    const first = await run(lab, [a]);
    lab.service.admin.addFault({ operation: "Record.Modify", when: "before", kind: "dropped", count: 1 });
    await lab.reconciler().apply(b, a.records, first.ledger);
    const reporter = collectingReporter();
    const next = await new Reconciler({
      client: lab.client,
      settings: lab.settings,
      clock: lab.clock,
      reporter,
    }).apply(b, a.records, first.ledger);
    assert.deepEqual(next.failures, []);
    const said = reporter.lines.map(({ text }) => text).join("\n");
    assert.match(
      said,
      /^example\.com: waiting up to \d+ s for another run's changes \(requestTimeout, jobTimeout, indexDelay\)$/m,
    );
  });

  for (const [what, line] of [
    ["other data", "www 600 A 192.0.2.2"],
    ["another TTL", "www 300 A 192.0.2.1"],
  ] as const) {
    it(`what a killed run gave ${what} gets back what a run declares that goes back, though the listing shows it as it was`, async () => {
      lab = await start({ settings: { indexDelay: 3 } }, { LEGACYDNS_INDEX_DELAY: "3" });
      const [a, b] = [full(["www 600 A 192.0.2.1"]), full([line])];
      const { ledger } = await run(lab, [a]);
      await lab.clock.sleep(4_000);
      // Its process is killed: its result is lost.
      await lab.reconciler().apply(b, a.records, ledger);
      const more = full(["www 600 A 192.0.2.1", "two 600 A 192.0.2.2"]);
      const back = await lab.reconciler().apply(more, a.records, ledger);
      assert.deepEqual(back.failures, []);
      assert.deepEqual(zoneLines(lab.service, "example.com"), ["two A 192.0.2.2 600", "www A 192.0.2.1 600"]);
    });
  }

  it("what was just removed is not adopted while the listing still shows it", async () => {
    lab = await start({ settings: { indexDelay: 3 } }, { LEGACYDNS_INDEX_DELAY: "3" });
    const [a, b] = [full(["www 600 A 192.0.2.1", "two 600 A 192.0.2.2"]), full(["two 600 A 192.0.2.2"])];
    const { ledger } = await run(lab, [a, b]);
    // The same resource, with the ledger. Then another one, with the journal.
    const back = await lab.reconciler().apply(a, b.records, ledger);
    assert.deepEqual(back.failures, []);
    assert.deepEqual(zoneLines(lab.service, "example.com"), ["two A 192.0.2.2 600", "www A 192.0.2.1 600"]);
    await lab.reconciler().apply(b, a.records, back.ledger);
    const other = await lab.reconciler().apply(full(["www 600 A 192.0.2.1"]), [], emptyLedger);
    assert.deepEqual(other.failures, []);
    assert.deepEqual(zoneLines(lab.service, "example.com"), ["two A 192.0.2.2 600", "www A 192.0.2.1 600"]);
  });

  it("nor what another run removed while it was listed: after the wait the zone is read anew", async () => {
    lab = await start({ settings: { indexDelay: 2 } }, { LEGACYDNS_INDEX_DELAY: "2" });
    lab.service.admin.addRecord(
      "example.com",
      { name: "www", type: "A", value: "192.0.2.1", ttl: 600 },
      { indexed: true },
    );
    const www = full(["www 600 A 192.0.2.1"]);
    const { ledger } = await lab.reconciler().apply(www, [], emptyLedger);
    await lab.reconciler().apply(full([]), www.records, ledger);
    const other = await lab.reconciler().apply(www, [], emptyLedger);
    assert.deepEqual(other.failures, []);
    assert.deepEqual(zoneLines(lab.service, "example.com"), ["www A 192.0.2.1 600"]);
  });

  it("nor what another run has just changed, while the listing still shows it as it was", async () => {
    lab = await start({ settings: { indexDelay: 2 } }, { LEGACYDNS_INDEX_DELAY: "2" });
    lab.service.admin.addRecord(
      "example.com",
      { name: "www", type: "A", value: "192.0.2.1", ttl: 600 },
      { indexed: true },
    );
    const [first, second] = [full(["www 600 A 192.0.2.1"]), full(["www 600 A 192.0.2.2"])];
    const { ledger } = await run(lab, [first]);
    const ended = lab.reconciler();
    assert.deepEqual((await ended.apply(second, first.records, ledger)).failures, []);
    ended.close();
    // Another resource declares the record's old form. The first is unchanged, so the engine does not call
    // it.
    const other = await lab.reconciler().apply(first, [], emptyLedger);
    assert.deepEqual(other.failures, []);
    assert.deepEqual(zoneLines(lab.service, "example.com"), ["www A 192.0.2.1 600", "www A 192.0.2.2 600"]);
  });

  it("nor what a destroy has removed that failed for another record, though the state still has both", async () => {
    lab = await start({ settings: { indexDelay: 2 } }, { LEGACYDNS_INDEX_DELAY: "2" });
    const both = full(["one 600 A 192.0.2.1", "two 600 A 192.0.2.2"]);
    const { ledger } = await run(lab, [both]);
    lab.service.admin.addFault({
      kind: "code",
      operation: "Record.Remove",
      code: "21",
      when: "before",
      count: 1,
    });
    await assert.rejects(lab.reconciler().release(both, ledger), /\[write\.unremoved\]/);
    assert.equal(zoneLines(lab.service, "example.com").length, 1);
    const again = await lab.reconciler().apply(both, both.records, ledger);
    assert.deepEqual(again.failures, []);
    assert.deepEqual(zoneLines(lab.service, "example.com"), ["one A 192.0.2.1 600", "two A 192.0.2.2 600"]);
  });

  it("what two batches have found to be nobody's, one of them takes on", async () => {
    lab = await start();
    const { id } = lab.service.admin.addRecord(
      "example.com",
      { name: "www", type: "A", value: "192.0.2.77", ttl: 600 },
      { indexed: true },
    );
    const found: Ledger = { ...emptyLedger, undeclared: [{ domain: "example.com", id: String(id) }] };
    const report = { domains: ["example.com"], ignored: () => false, remove: true };
    const reconciler = lab.reconciler();
    await reconciler.observe(full([], { report: { ...report, remove: false } }), emptyLedger);
    const results = await Promise.all(
      [full(["api 600 A 192.0.2.1"], { report }), full(["www 600 A 192.0.2.2"], { report })].map((each) =>
        reconciler.apply(each, [], found),
      ),
    );
    assert.deepEqual(
      results.flatMap(({ failures }) => failures),
      [],
    );
    assert.deepEqual(zoneLines(lab.service, "example.com"), ["api A 192.0.2.1 600", "www A 192.0.2.2 600"]);
    const { "Record.Modify": changed = 0, "Record.Remove": removed = 0 } = lab.service.admin.counts();
    assert.equal(changed + removed, 1);
  });

  it("what another resource answers for is not nobody's, whatever the console has made of it", async () => {
    lab = await start();
    const one = full(["www 600 A 192.0.2.1"]);
    const all = full(["api 600 A 192.0.2.2"], {
      report: { domains: ["example.com"], ignored: () => false, remove: true },
    });
    const first = lab.reconciler();
    const [a, b] = [await first.apply(one, [], emptyLedger), await first.apply(all, [], emptyLedger)];
    lab.service.admin.setRecord("example.com", { name: "www", type: "A" }, { value: "192.0.2.9" });
    const next = lab.reconciler();
    const [seen] = await Promise.all([next.observe(all, b.ledger), next.observe(one, a.ledger)]);
    assert.deepEqual(seen.undeclared, []);
  });
});
