/** Changes and removals, below the engine: few calls, in a fixed order, each once after any answer. */
import assert from "node:assert/strict";
import type { Client } from "../../provider/api";
import type { PlanProblem } from "../../provider/lifecycle/plan-file";
import { planProblem } from "../../provider/lifecycle/plan-lines";
import type { Declaration } from "../../provider/reconcile/declaration";
import { textOf } from "../../provider/problems";
import { fresh, full, fullService, fullSettings, labs, may, type Lab, type Update } from "../support/lab";
import { until } from "../support/processes";

const hosts = (n: number, ttl = 600, last = 0): string[] =>
  Array.from({ length: n }, (_, i) => `h${i} ${ttl} A 10.${last}.${i >> 8}.${i & 255}`);
const www = full(["www 600 A 192.0.2.1"]);
const other = full(["www 600 A 192.0.2.2"]);
const short = full(["www 300 A 192.0.2.1"]);
const both = full(["www 600 A 192.0.2.1", "two 600 A 192.0.2.2"]);
const bothLines = ["two A 192.0.2.2 600", "www A 192.0.2.1 600"];

/** One declaration after the other, each by a process of its own. The calls are those of the last. */
async function run(lab: Lab, ...declarations: readonly Declaration[]): Promise<Update> {
  let done = fresh;
  for (const declaration of declarations) {
    lab.admin.clearCalls();
    done = await lab.must(declaration, done);
  }
  return done;
}

function callsOf(lab: Lab): Record<string, number> {
  const { "Batch.Detail": _polls, "Domain.Purview": _purview, ...calls } = lab.admin.counts();
  return calls;
}

const start = labs(fullService, fullSettings);

describe("changes and removals", () => {
  it("another TTL for 1,000 records: one job", async () => {
    const lab = await start();
    await run(lab, full(hosts(1000)), full(hosts(1000, 300)));
    assert.deepEqual(callsOf(lab), { "Record.List": 1, "Batch.Record.Modify": 1 });
    assert.ok(lab.lines().every((line) => line.endsWith(" 300")));
  });

  it("other values of 10 of 1,000 records: ten calls, each with the whole record", async () => {
    const lab = await start();
    await run(lab, full(hosts(1000)), full([...hosts(10, 600, 1), ...hosts(1000).slice(10)]));
    assert.deepEqual(callsOf(lab), { "Record.List": 1, "Record.Modify": 10 });
    const [first] = lab.admin.calls("Record.Modify");
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

  it("another address of 200 names: one job; the removal of 100: 100 calls", async () => {
    const lab = await start();
    const at = (address: string): string[] => Array.from({ length: 200 }, (_, i) => `h${i} 600 A ${address}`);
    const moved = await run(lab, full(at("192.0.2.1")), full(at("192.0.2.2")));
    assert.deepEqual(callsOf(lab), { "Record.List": 1, "Batch.Record.Modify": 1 });
    lab.admin.clearCalls();
    const { ledger } = await lab.must(full(at("192.0.2.2").slice(100)), moved);
    assert.deepEqual(lab.admin.counts(), { "Record.List": 1, "Record.Remove": 100 });
    assert.deepEqual(ledger.removed, []);
  });

  it("keep the priority of an SRV record in mx if the service has it there", async () => {
    const names = ["_a._tcp", "_b._tcp", "_c._tcp"];
    const srv = (name: string, value: string, ttl: number) => ({ name, type: "SRV", value, mx: 10, ttl });
    const records = [
      ...names.map((name) => srv(name, "5 5060 old.example.net.", 600)),
      srv("_t._tcp", "5 5060 sip.example.net.", 300),
    ];
    const lab = await start({ domains: [{ name: "example.com", records }] });
    const lines = (host: string, ttl: number): Declaration =>
      full([
        ...names.map((name) => `${name} 600 SRV 10 5 5060 ${host}.`),
        `_t._tcp ${ttl} SRV 10 5 5060 sip.example.net.`,
      ]);
    const after = lines("new.example.net", 600);
    const done = await run(lab, lines("old.example.net", 300), after);
    assert.deepEqual(callsOf(lab), { "Record.List": 1, "Record.Modify": 4 });
    const zone = lab.admin.zone("example.com", { hold: false });
    assert.deepEqual(
      zone.map(({ value, mx, ttl }) => [value, mx, ttl]),
      [...names.map(() => ["5 5060 new.example.net.", 10, 600]), ["5 5060 sip.example.net.", 10, 600]],
    );
    await lab.must(after, done);
    assert.equal(lab.calls("Record.Modify"), 4);
  });
});

describe("the order of steps", () => {
  const writes = (lab: Lab): string[] =>
    lab.admin.calls().flatMap(({ operation }) => (/Create|Modify|Remove/.test(operation) ? [operation] : []));

  it("removes the twin of a record before it changes the record", async () => {
    const lab = await start({ settings: { identical: "accept" } });
    for (const _ of [1, 2]) lab.add("www 600 A 192.0.2.1");
    lab.admin.set({ identical: "refuse" });
    await run(lab, short);
    assert.deepEqual(writes(lab), ["Record.Remove", "Record.Modify"]);
    assert.deepEqual(lab.lines(), ["www A 192.0.2.1 300"]);
  });

  it("keeps a twin whose record a later listing does not show any more", async () => {
    const lab = await start({ settings: { identical: "accept" } });
    const [first] = [lab.add("www 600 A 192.0.2.1"), lab.add("www 600 A 192.0.2.1")];
    lab.admin.addFault({ operation: "Batch.Record.Create", when: "after", kind: "dropped", count: 1 });
    const client: Client = {
      clock: lab.clock,
      close: () => lab.client.close(),
      call: (called, ...rest) => {
        if (called === "Batch.Record.Create") lab.admin.removeRecord("example.com", Number(first));
        return lab.client.call(called, ...rest);
      },
    };
    await lab.must(both, fresh, lab.reconciler({ client }));
    assert.deepEqual([lab.lines(), writes(lab)], [bothLines, ["Batch.Record.Create"]]);
  });

  it("removes nothing at the name of a blocked record until nothing is in its way", async () => {
    const lab = await start();
    const first = await lab.must(full(["www 600 A 192.0.2.1", "www 600 A 192.0.2.2"]));
    const id = lab.add("www 600 A 192.0.2.77", { enabled: false });
    const alias = full(["www 600 CNAME example.net."]);
    const blocked = await lab.up(alias, first);
    assert.deepEqual([blocked.codes, lab.lines().length], [["live.in-the-way"], 3]);
    lab.admin.removeRecord("example.com", Number(id));
    await lab.must(alias, blocked);
    assert.deepEqual(lab.lines(), ["www CNAME example.net. 600"]);
  });

  it("creates before it removes, unless the package has room for one of them only", async () => {
    const lab = await start({ domains: [{ name: "example.com", purview: { aaaa: 2 } }] });
    await run(
      lab,
      full(["a 600 AAAA 2001:db8::1", "b 600 AAAA 2001:db8::2", "c 600 A 192.0.2.1"]),
      full(["x 600 AAAA 2001:db8::1", "y 600 AAAA 2001:db8::2", "z 600 A 192.0.2.1"]),
    );
    assert.deepEqual(writes(lab), ["Record.Remove", "Record.Remove", "Batch.Record.Create", "Record.Remove"]);
  });

  it("removes nothing from a domain after a failure there; the next run does", async () => {
    const lab = await start();
    const first = await lab.must(full(["old 600 A 192.0.2.1", "www 600 A 192.0.2.2"]));
    const fault = { operation: "Batch.Record.Create", when: "before", kind: "code" } as const;
    lab.admin.addFault({ ...fault, code: "34", count: 1 });
    const after = full(["new 600 A 192.0.2.1", "www 600 A 192.0.2.2"]);
    const failed = await lab.up(after, first);
    assert.match(
      failed.text,
      /not sent, so not deleted; old\.example\.com\. A 192\.0\.2\.1 \(record \d+\); it waits/,
    );
    assert.deepEqual(lab.lines(), ["old A 192.0.2.1 600", "www A 192.0.2.2 600"]);
    await lab.must(after, failed);
    assert.deepEqual(lab.lines(), ["new A 192.0.2.1 600", "www A 192.0.2.2 600"]);
  });
});

describe("the safety gates", () => {
  const mail = "@ 600 MX 10 mx.example.net.";
  const unconfirmed = { LEGACYDNS_CONFIRMED_DOMAINS: "" };

  it("refuse a large share in the preview and in the update, unless the domain is named", async () => {
    const lab = await start({}, unconfirmed);
    const before = await lab.must(full([...hosts(12), mail]));
    const after = full([...hosts(7), mail]);
    const { refusals } = await lab.reconciler().preview(after, before.records, before.ledger);
    const share = /5 to delete, 0 to update, 13 live: 38 %.*LEGACYDNS_CONFIRMED_DOMAINS=example\.com/s;
    assert.match(refusals.map(textOf).join(), share);
    await assert.rejects(lab.up(after, before), share);
    assert.equal(lab.lines().length, 13);
    const confirmed = { ...lab.settings, confirmedDomains: ["example.com"] };
    const { ledger, records } = await lab.must(after, before, lab.reconciler({ settings: confirmed }));
    // A zone of fewer than ten records has no share.
    await lab.must(full([...hosts(7, 600, 1), mail]), { ledger, records });
  });

  it("are reported once for all resources of a domain, with the sum of their changes", async () => {
    const lab = await start({}, unconfirmed);
    const four = (ttl: number, i: number): Declaration =>
      full(["a", "b", "c", "d"].map((name, n) => `${name}${i} ${n < 2 ? ttl : 600} A 192.0.2.1`));
    const before: Update[] = [];
    for (const i of [0, 1, 2]) before.push(await lab.must(four(600, i)));
    const reconciler = lab.reconciler();
    const told: PlanProblem[][] = [];
    for (const [i, { records, ledger }] of before.entries()) {
      const { refusals } = await reconciler.preview(four(300, i), records, ledger);
      told.push(refusals.map(planProblem));
    }
    // A plan shows the last one with this key.
    assert.deepEqual(
      told.map((problems) => problems.map(({ key }) => key)),
      [[], ["zone.gated example.com"], ["zone.gated example.com"]],
    );
    assert.match(told[2]?.[0]?.text ?? "", /0 to delete, 6 to update, 12 live: 50 %/);
  });

  it("refuse the removal of the apex's last MX record, unless another resource declares one", async () => {
    const lab = await start({}, unconfirmed);
    const before = await lab.must(full([...hosts(3), mail, "sub 600 MX 10 mx.example.net."]));
    const after = full(hosts(3));
    await assert.rejects(lab.up(after, before), /the last MX record of the apex: mx\.example\.net\./);
    const reconciler = lab.reconciler();
    const { records } = full(["@ 600 MX 20 mx2.example.net."]);
    reconciler.siblings.declare(() => records, false);
    await lab.must(after, before, reconciler);
  });
});

describe("a record that another resource declares during its removal", () => {
  for (const [title, settings, late] of [
    ["stays if its removal was not sent", { LEGACYDNS_REQUESTS_PER_SECOND: "10" }, hosts(20)[19]],
    ["is created again if its removal was sent", {}, hosts(1)[0]],
  ] as const)
    it(title, async () => {
      const lab = await start({}, settings);
      const before = await lab.must(full(hosts(20)));
      if (late === hosts(1)[0])
        lab.admin.addFault({ operation: "Record.Remove", when: "before", kind: "slow", ms: 300, count: 1 });
      const reconciler = lab.reconciler();
      const going = lab.must(full([]), before, reconciler);
      await until("the first removal", () => lab.calls("Record.Remove") > 0);
      const sibling = full([late ?? ""], { may: { ...may, single: true } });
      reconciler.siblings.declare(() => sibling.records, false);
      const [first] = await Promise.all([going, lab.must(sibling, fresh, reconciler)]);
      assert.deepEqual(lab.lines(), [`${late?.replace("600 ", "")} 600`]);
      assert.deepEqual(first.ledger.stale, []);
    });
});

describe("a record in the ledgers of two resources", () => {
  it("is changed by the one that declares it, and the other does not remove it", async () => {
    const lab = await start();
    const one = await lab.must(www);
    const [{ id } = { id: "" }] = one.ledger.owned.values();
    const stale = [{ domain: "example.com", id, made: true }];
    const two = full(["api 600 A 192.0.2.9"]);
    const reconciler = lab.reconciler();
    for (const { records } of [other, two]) reconciler.siblings.declare(() => records, false);
    await Promise.all([
      lab.must(other, one, reconciler),
      lab.must(two, { records: [], ledger: { ...fresh.ledger, stale } }, reconciler),
    ]);
    assert.deepEqual(lab.lines(), ["api A 192.0.2.9 600", "www A 192.0.2.2 600"]);
  });
});

describe("a run that pauses between its listing and a write", () => {
  const before = full(["www 600 A 192.0.2.1", "old 600 A 192.0.2.9"]);
  const after = full(["www 600 A 192.0.2.2", "new 600 A 192.0.2.3"]);

  /** An up that pauses before a call of an operation. @param meanwhile the work of others in the pause */
  const pausing = async (lab: Lab, operation: string, meanwhile = (): unknown => undefined) => {
    const first = await lab.must(before);
    lab.admin.clearCalls();
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
    return lab.up(after, first, lab.reconciler({ client, clock }));
  };

  for (const operation of ["Batch.Record.Create", "Record.Modify", "Record.Remove"])
    it(`lists the zone again before ${operation}, once`, async () => {
      const lab = await start();
      assert.deepEqual((await pausing(lab, operation)).failures, []);
      assert.deepEqual(lab.lines(), ["new A 192.0.2.3 600", "www A 192.0.2.2 600"]);
      assert.deepEqual([lab.calls("Record.List"), lab.calls(operation)], [2, 1]);
    });

  it("creates no record that another machine has made meanwhile", async () => {
    const lab = await start();
    const { failures, ledger } = await pausing(lab, "Batch.Record.Create", () => lab.add("new A 192.0.2.3"));
    assert.deepEqual([failures, ledger.owned.size, lab.calls("Batch.Record.Create")], [[], 2, 0]);
  });

  for (const [operation, name] of [
    ["Record.Modify", "www"],
    ["Record.Remove", "old"],
  ] as const)
    it(`sends no ${operation} of a record that was edited meanwhile`, async () => {
      const lab = await start();
      const edit = (): unknown => lab.admin.setRecord("example.com", { name, type: "A" }, { ttl: 60 });
      const { text } = await pausing(lab, operation, edit);
      assert.match(text, /not sent, since this process paused/);
      assert.equal(lab.calls(operation), 0);
    });
});

describe("a lost answer to a change or a removal", () => {
  const lag = (s: number, more: object = {}) =>
    start({ settings: { indexDelay: s } }, { LEGACYDNS_INDEX_DELAY: `${s}`, ...more });
  const quick = { LEGACYDNS_REQUEST_TIMEOUT: "1", LEGACYDNS_JOB_TIMEOUT: "1" };
  const dropped = { kind: "dropped", count: 1 } as const;

  for (const when of ["before", "after"] as const)
    for (const [operation, a, b, lost] of [
      ["Record.Modify", www, other, /had not changed/],
      ["Batch.Record.Modify", full(hosts(20)), full(hosts(20, 300)), /./],
      ["Record.Remove", both, www, /two\.example\.com\. A 192\.0\.2\.2.*is still there/s],
    ] as const)
      it(`${operation}, lost ${when} its effect, is found out and not repeated unasked`, async () => {
        const lab = await lag(1, quick);
        const first = await lab.must(a);
        lab.admin.addFault({ ...dropped, operation, when });
        const second = await lab.up(b, first);
        assert.equal(lab.calls(operation), 1);
        if (when === "after") assert.deepEqual(second.failures, []);
        else assert.match(second.text, lost);
        await lab.must(b, second);
        const lines = b.records.map(({ name, value, ttl }) => `${name} A ${value} ${ttl}`);
        assert.deepEqual(lab.lines(), lines.sort());
        assert.equal(lab.calls(operation), when === "after" ? 1 : 2);
      });

  it("ends a series of removals after a few, with one reading of the zone", async () => {
    const lab = await lag(1, quick);
    const [a, b] = [full(hosts(20)), full(hosts(1))];
    const first = await run(lab, a);
    lab.admin.clearCalls();
    lab.admin.addFault({ operation: "Record.Remove", when: "before", kind: "dropped" });
    const lost = await lab.up(b, first);
    const [removals, lists] = [lab.calls("Record.Remove"), lab.calls("Record.List")];
    assert.ok(removals >= 4 && removals < 12 && lists < 6, `${removals} removals, ${lists} listings`);
    assert.match(lost.text, /what became of the removals before it is not known/);
    lab.admin.clearFaults();
    await lab.must(b, lost);
    assert.equal(lab.lines().length, 1);
  });

  it("names the error that kept the parts of a split job from being sent", async () => {
    const lab = await start({}, quick);
    const first = await lab.must(full(hosts(6)));
    const fault = { operation: "Batch.Record.Modify", when: "before", kind: "code" } as const;
    lab.admin.addFault({ ...fault, code: "21", message: "Refused for the test", count: 1 });
    lab.admin.addFault({ ...fault, code: "-1", message: "Login failed" });
    const { text } = await lab.up(full(hosts(6, 300)), first);
    assert.match(text, /not sent, so not created; h0.*h5.*Login failed/s);
    assert.doesNotMatch(text, /meanwhile declared/);
  });

  it("an operation that the service lacks changes nothing, and each error has the hint", async () => {
    const lab = await start({}, quick);
    const first = await lab.must(full([...hosts(5), "www 600 A 192.0.2.1"]));
    lab.admin.set({ undocumented: false });
    const { failures } = await lab.up(full([...hosts(5, 300), "www 600 A 192.0.2.2"]), first);
    assert.equal(lab.calls("Record.Modify"), 1);
    assert.ok(failures.length > 0);
    for (const failure of failures) assert.match(textOf(failure), /The service may lack this operation/);
  });

  it("of another run is waited for, with the settings that bound the wait", async () => {
    const lab = await start(
      { settings: { indexDelay: 1 } },
      { LEGACYDNS_INDEX_DELAY: "2", LEGACYDNS_REQUEST_TIMEOUT: "9" },
    );
    const first = await lab.must(www);
    lab.admin.addFault({ ...dropped, operation: "Record.Modify", when: "before" });
    await lab.up(other, first);
    const { reconciler, said } = lab.process();
    await lab.must(other, first, reconciler);
    assert.match(
      said(),
      /^example\.com: waiting up to \d+ s for another run's changes \(requestTimeout, jobTimeout, indexDelay\)$/m,
    );
  });
});

describe("a listing that is behind", () => {
  const lag = (s: number) => start({ settings: { indexDelay: s } }, { LEGACYDNS_INDEX_DELAY: `${s}` });

  it("causes no second change", async () => {
    const lab = await lag(3);
    const done = await run(lab, www, short);
    lab.admin.clearCalls();
    await lab.must(short, done);
    assert.equal(lab.calls("Record.Modify"), 0);
  });

  for (const [title, changed] of [
    ["data", other],
    ["TTL", short],
  ] as const)
    it(`does not hide that a killed run has changed a record's ${title}`, async () => {
      const lab = await lag(3);
      const before = await lab.must(www);
      await lab.clock.sleep(4_000);
      // Its process is killed: its result is lost.
      await lab.up(changed, before);
      await lab.must(both, before);
      assert.deepEqual(lab.lines(), bothLines);
    });

  it("does not make a removed record adopted, by the same resource or another", async () => {
    const lab = await lag(3);
    const two = full(["two 600 A 192.0.2.2"]);
    const removed = await run(lab, both, two);
    const back = await lab.must(both, removed);
    assert.deepEqual(lab.lines(), bothLines);
    await lab.up(two, back);
    await lab.must(www);
    assert.deepEqual(lab.lines(), bothLines);
  });

  it("is read again after the wait for another run's removal", async () => {
    const lab = await lag(2);
    lab.add("www 600 A 192.0.2.1");
    await lab.up(full([]), await lab.up(www));
    await lab.must(www);
    assert.deepEqual(lab.lines(), ["www A 192.0.2.1 600"]);
  });

  it("does not hide that another resource has changed a record", async () => {
    const lab = await lag(2);
    lab.add("www 600 A 192.0.2.1");
    const before = await lab.must(www);
    const ended = lab.reconciler();
    await lab.must(other, before, ended);
    ended.close();
    await lab.must(www);
    assert.deepEqual(lab.lines(), ["www A 192.0.2.1 600", "www A 192.0.2.2 600"]);
  });

  it("does not hide what a failed destroy has removed", async () => {
    const lab = await lag(2);
    const done = await lab.must(both);
    lab.admin.addFault({ kind: "code", operation: "Record.Remove", code: "21", when: "before", count: 1 });
    await assert.rejects(lab.reconciler().release(both, done.ledger), /\[write\.not-sent\]/);
    assert.equal(lab.lines().length, 1);
    await lab.must(both, done);
    assert.deepEqual(lab.lines(), bothLines);
  });
});

describe("an unmanaged record", () => {
  const report = { domains: ["example.com"], ignored: () => false, remove: true };

  it("that two batches have found is taken by one of them", async () => {
    const lab = await start();
    const undeclared = [{ domain: "example.com", id: lab.add("www 600 A 192.0.2.77") }];
    const found = { records: [], ledger: { ...fresh.ledger, undeclared } };
    const reconciler = lab.reconciler();
    await reconciler.observe(full([], { report: { ...report, remove: false } }), fresh.ledger);
    const lines = ["api 600 A 192.0.2.1", "www 600 A 192.0.2.2"];
    await Promise.all(lines.map((line) => lab.must(full([line], { report }), found, reconciler)));
    assert.deepEqual(lab.lines(), ["api A 192.0.2.1 600", "www A 192.0.2.2 600"]);
    assert.equal(lab.calls("Record.Modify") + lab.calls("Record.Remove"), 1);
  });

  it("is none if another resource of the refresh answers for it, whatever the console has made of it", async () => {
    const lab = await start();
    const all = full(["api 600 A 192.0.2.2"], { report });
    const first = lab.reconciler();
    const [a, b] = [await lab.must(www, fresh, first), await lab.must(all, fresh, first)];
    lab.admin.setRecord("example.com", { name: "www", type: "A" }, { value: "192.0.2.9" });
    const next = lab.reconciler();
    const [seen] = await Promise.all([next.observe(all, b.ledger), next.observe(www, a.ledger)]);
    assert.deepEqual(seen.undeclared, []);
  });
});
