import { deepEqual, doesNotMatch, equal, match, ok, rejects } from "node:assert/strict";
import { planProblem } from "../../provider/lifecycle/plan-file";
import type { Declaration } from "../../provider/reconcile/declaration";
import { messageOf, textOf } from "../../provider/problems";
import {
  create,
  fresh,
  full,
  fullService,
  fullSettings,
  hosts,
  labs,
  may,
  modify,
  modifyMany,
  remove,
  type Lab,
  type Update,
} from "../support/lab";
import { until } from "../support/processes";

const www = full(["www 600 A 192.0.2.1"]);
const other = full(["www 600 A 192.0.2.2"]);
const short = full(["www 300 A 192.0.2.1"]);
const two = full(["two 600 A 192.0.2.2"]);
const both = full(["www 600 A 192.0.2.1", "two 600 A 192.0.2.2"]);
const bothLines = ["two A 192.0.2.2 600", "www A 192.0.2.1 600"];

const lineOf = ({ name, ttl, type, value }: Declaration["records"][number]) =>
  `${name} ${ttl} ${type} ${value}`;

async function run(lab: Lab, ...declarations: readonly Declaration[]) {
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
const lagging = (s: number, more: object = {}) =>
  start({ settings: { indexDelay: s } }, { LEGACYDNS_INDEX_DELAY: `${s}`, ...more });

describe("changes and removals", () => {
  it("another TTL for 300 records: one call of Batch.Record.Modify", async () => {
    const lab = await start();
    await run(lab, full(hosts(300)), full(hosts(300, 300)));
    deepEqual(callsOf(lab), { "Record.List": 1, [modifyMany]: 1 });
    ok(lab.lines().every((line) => line.endsWith(" 300")));
  });

  it("other values of 10 of 100 records: ten calls of Record.Modify, each with the whole record", async () => {
    const lab = await start();
    await run(lab, full(hosts(100)), full([...hosts(10, 600, 1), ...hosts(100).slice(10)]));
    deepEqual(callsOf(lab), { "Record.List": 1, [modify]: 10 });
    const [first] = lab.admin.calls(modify);
    const { login_token: _token, format: _format, record_id: id, ...sent } = first?.params ?? {};
    match(String(id), /^\d+$/);
    const i = /10\.1\.0\.(\d+)/.exec(String(sent["value"]))?.[1] ?? "";
    deepEqual(sent, {
      domain: "example.com",
      sub_domain: `h${i}`,
      record_type: "A",
      record_line: "默认",
      value: `10.1.0.${i}`,
      ttl: "600",
      status: "enable",
    });
  });

  it("another address of 60 names: one job; the removal of 30: 30 calls of Record.Remove", async () => {
    const lab = await start();
    const at = (address: string) => Array.from({ length: 60 }, (_, i) => `h${i} 600 A ${address}`);
    const moved = await run(lab, full(at("192.0.2.1")), full(at("192.0.2.2")));
    deepEqual(callsOf(lab), { "Record.List": 1, [modifyMany]: 1 });
    lab.admin.clearCalls();
    const { ledger } = await lab.must(full(at("192.0.2.2").slice(30)), moved);
    deepEqual([lab.admin.counts(), ledger.removed], [{ "Record.List": 1, [remove]: 30 }, []]);
  });

  it("keep the priority of an SRV record in mx if the service has it there", async () => {
    const names = ["_a._tcp", "_b._tcp", "_c._tcp"];
    const srv = (name: string, value: string, ttl: number) => ({ name, type: "SRV", value, mx: 10, ttl });
    const records = [
      ...names.map((name) => srv(name, "5 5060 old.example.net.", 600)),
      srv("_t._tcp", "5 5060 sip.example.net.", 300),
    ];
    const lab = await start({ domains: [{ name: "example.com", records }] });
    const lines = (host: string, ttl: number) =>
      full([
        ...names.map((name) => `${name} 600 SRV 10 5 5060 ${host}.`),
        `_t._tcp ${ttl} SRV 10 5 5060 sip.example.net.`,
      ]);
    const after = lines("new.example.net", 600);
    const done = await run(lab, lines("old.example.net", 300), after);
    deepEqual(callsOf(lab), { "Record.List": 1, [modify]: 4 });
    deepEqual(
      lab.admin.zone("example.com", { hold: false }).map(({ value, mx, ttl }) => [value, mx, ttl]),
      [...names.map(() => ["5 5060 new.example.net.", 10, 600]), ["5 5060 sip.example.net.", 10, 600]],
    );
    await lab.must(after, done);
    equal(lab.calls(modify), 4);
  });
});

for (const removal of ["delete", "retain"] as const)
  it(`a TTL that is set back while the index shows the former one is changed back (removal: ${removal})`, async () => {
    const lab = await lagging(2);
    const made = await lab.must({ ...www, removal });
    await lab.clock.sleep(2_500);
    const by = lab.reconciler();
    const changed = await lab.must({ ...short, removal }, made, by);
    by.close();
    await lab.must({ ...www, removal }, changed);
    deepEqual(lab.lines(), ["www A 192.0.2.1 600"]);
  });

describe("the order of steps", () => {
  const writes = (lab: Lab) =>
    lab.admin.calls().flatMap(({ operation }) => (/Create|Modify|Remove/.test(operation) ? [operation] : []));

  it("removes the twin of a record before it changes the record", async () => {
    const lab = await start({ settings: { identical: "accept" } });
    for (const _ of [1, 2]) lab.add("www 600 A 192.0.2.1");
    lab.admin.set({ identical: "refuse" });
    await run(lab, short);
    deepEqual([writes(lab), lab.lines()], [[remove, modify], ["www A 192.0.2.1 300"]]);
  });

  it("with adopt: false keeps each twin that the resource does not own", async () => {
    const lab = await start({ settings: { identical: "accept" } });
    for (const _ of [1, 2]) lab.add("www 600 A 192.0.2.1");
    const { failures } = await lab.up({ ...www, adopt: false }, fresh);
    deepEqual(
      failures.map(({ code }) => code),
      ["live.exists"],
    );
    deepEqual([writes(lab), lab.lines()], [[], ["www A 192.0.2.1 600", "www A 192.0.2.1 600"]]);
  });

  it("keeps a twin whose record a later listing does not show any more", async () => {
    const lab = await start({ settings: { identical: "accept" } });
    const [first] = [lab.add("www 600 A 192.0.2.1"), lab.add("www 600 A 192.0.2.1")];
    lab.lose(create, "after");
    const client = lab.clientWith((operation, call) => {
      if (operation === create) lab.admin.removeRecord("example.com", Number(first));
      return call();
    });
    await lab.must(both, fresh, lab.reconciler({ client }));
    deepEqual([lab.lines(), writes(lab)], [bothLines, [create]]);
  });

  it("removes nothing at the name of a blocked record until nothing is in its way", async () => {
    const lab = await start();
    const first = await lab.must(full(["www 600 A 192.0.2.1", "www 600 A 192.0.2.2"]));
    const id = lab.add("www 600 A 192.0.2.77", { enabled: false });
    const alias = full(["www 600 CNAME example.net."]);
    const blocked = await lab.up(alias, first);
    deepEqual([blocked.codes, lab.lines().length], [["live.in-the-way"], 3]);
    lab.admin.removeRecord("example.com", Number(id));
    await lab.must(alias, blocked);
    lab.has("www CNAME example.net. 600");
  });

  it("removes nothing at the name of a record that may not be adopted, which the console has disabled", async () => {
    const lab = await start();
    const first = await lab.must(other);
    lab.add("www 600 A 192.0.2.1", { enabled: false });
    const refused = await lab.up({ ...www, adopt: false }, first);
    deepEqual([refused.codes, lab.lines().length], [["live.exists"], 2]);
  });

  it("creates before it removes, unless the package has room for one of them only", async () => {
    const lab = await start({ domains: [{ name: "example.com", purview: { aaaa: 2 } }] });
    await run(
      lab,
      full(["a 600 AAAA 2001:db8::1", "b 600 AAAA 2001:db8::2", "c 600 A 192.0.2.1"]),
      full(["x 600 AAAA 2001:db8::1", "y 600 AAAA 2001:db8::2", "z 600 A 192.0.2.1"]),
    );
    deepEqual(writes(lab), [remove, remove, create, remove]);
  });

  it("removes nothing from a domain after a failure there; the next run does", async () => {
    const lab = await start();
    const first = await lab.must(full(["old 600 A 192.0.2.1", "www 600 A 192.0.2.2"]));
    lab.answer(create, "34", { count: 1 });
    const after = full(["new 600 A 192.0.2.1", "www 600 A 192.0.2.2"]);
    const failed = await lab.up(after, first);
    match(
      failed.text,
      /not sent, so not deleted; old\.example\.com\. A 192\.0\.2\.1 \(record \d+\); it waits/,
    );
    lab.has("old A 192.0.2.1 600", "www A 192.0.2.2 600");
    await lab.must(after, failed);
    lab.has("new A 192.0.2.1 600", "www A 192.0.2.2 600");
  });

  it("a refused creation keeps all else of its resource in the domain, and no other resource's deletions", async () => {
    const lab = await start();
    const one = await lab.must(full(["old 600 A 192.0.2.1", "www 600 A 192.0.2.2"]));
    const two = await lab.must(full(["mail 600 A 192.0.2.3", "gone 600 A 192.0.2.4"]));
    lab.admin.set({ refuse: [{ name: "new", message: "Refused for the test" }] });
    const reconciler = lab.reconciler();
    const [failed, done] = await Promise.all([
      lab.up(full(["new 600 A 192.0.2.5", "www 600 A 192.0.2.2"]), one, reconciler),
      lab.up(full(["mail 600 A 192.0.2.3"]), two, reconciler),
    ]);
    deepEqual([failed.codes, done.codes], [["write.refused", "write.not-sent"], []]);
    lab.has("mail A 192.0.2.3 600", "old A 192.0.2.1 600", "www A 192.0.2.2 600");
  });
});

describe("the safety gates", () => {
  const mail = "@ 600 MX 10 mx.example.net.";
  const unconfirmed = { LEGACYDNS_CONFIRMED_DOMAINS: "" };
  const confirmed = ({ settings }: Lab) => ({ ...settings, confirmedDomains: ["example.com"] });

  it("refuse a large share in the preview and in the update, unless the domain is named", async () => {
    const lab = await start({}, unconfirmed);
    const before = await lab.must(full([...hosts(12), mail]));
    const after = full([...hosts(7), mail]);
    const share =
      /5 to delete, 0 to update, 13 live: at least 38 %.*LEGACYDNS_CONFIRMED_DOMAINS=example\.com/s;
    match((await lab.refusals(after, before)).join(), share);
    await rejects(lab.up(after, before), share);
    equal(lab.lines().length, 13);
    const done = await lab.must(after, before, lab.reconciler({ settings: confirmed(lab) }));
    await lab.must(full([...hosts(7, 600, 1), mail]), done);
  });

  it("are reported once for all resources of a domain, with the sum of their changes", async () => {
    const lab = await start({}, unconfirmed);
    const four = (ttl: number, i: number) =>
      full(["a", "b", "c", "d"].map((name, n) => `${name}${i} ${n < 2 ? ttl : 600} A 192.0.2.1`));
    const before: Update[] = [];
    for (const i of [0, 1, 2]) before.push(await lab.must(four(600, i)));
    const reconciler = lab.reconciler();
    const told = [];
    for (const [i, each] of before.entries())
      told.push((await lab.preview(four(300, i), each, reconciler)).refusals.map(planProblem));
    const key = "zone.gated example.com";
    deepEqual(
      told.map((problems) => problems.map((problem) => problem.key)),
      [[], [key], [key]],
    );
    match(told[2]?.[0]?.records[0]?.text ?? "", /^0 to delete, 6 to update, 12 live: at least 50 %/);
  });

  it("name the changed records, and call the count a lower bound if other resources may change more", async () => {
    const lab = await start({}, unconfirmed);
    const half = (ttl: number, i: number) => full(hosts(20, ttl, 0, 20 * i));
    const before = [await lab.must(half(600, 0)), await lab.must(half(600, 1))];
    const text = async (more: Partial<Declaration>): Promise<string> => {
      const reconciler = lab.reconciler();
      const found = await lab.preview({ ...half(300, 0), ...more }, before[0], reconciler);
      return found.refusals.map((each) => messageOf(each)).join();
    };
    match(
      await text({ isAlone: true }),
      /0 to delete, 20 to update, 40 live: 50 %.*\n {2}~ h0\.example\.com\. A 10\.0\.0\.0 +record \d+\n.*… and 11 more\n {2}help: [^\n]*$/s,
    );
    match(await text({}), /40 live: at least 50 %.*help: the whole run's changes: pulumi-legacydns plan$/s);
    const secret = (word: string) =>
      full(
        hosts(25).map((line) => line.replace("A 10.0.0.", `TXT ${word}-`)),
        { sensitive: true },
      );
    const hidden = await lab.must(secret("hush"), fresh, lab.reconciler({ settings: confirmed(lab) }));
    const found = await lab.preview(secret("whisper"), hidden);
    match(found.refusals.map((each) => messageOf(each)).join(), /~ h0\.example\.com\. TXT /);
    doesNotMatch(JSON.stringify(found.refusals), /hush|whisper/);
  });

  it("refuse the removal of the apex's last MX record, unless another resource declares one", async () => {
    const lab = await start({}, unconfirmed);
    const before = await lab.must(full([...hosts(3), mail, "sub 600 MX 10 mx.example.net."]));
    const after = full(hosts(3));
    await rejects(lab.up(after, before), /the last MX record of the apex: mx\.example\.net\./);
    const reconciler = lab.reconciler();
    const { records } = full(["@ 600 MX 20 mx2.example.net."]);
    reconciler.siblings.declare(() => records, false);
    await lab.must(after, before, reconciler);
  });
});

describe("a record that another resource declares during its removal", () => {
  for (const [title, settings, late, slow] of [
    ["stays if its removal was not sent", { LEGACYDNS_REQUESTS_PER_SECOND: "10" }, 19, false],
    ["is created again if its removal was sent", {}, 0, true],
  ] as const)
    it(title, async () => {
      const lab = await start({}, settings);
      const before = await lab.must(full(hosts(20)));
      if (slow) lab.admin.addFault({ operation: remove, kind: "slow", ms: 100, count: 1 });
      const reconciler = lab.reconciler();
      const going = lab.must(full([]), before, reconciler);
      await until("the first removal", () => lab.calls(remove) > 0);
      const sibling = full(hosts(20).slice(late, late + 1), { may: { ...may, single: true } });
      reconciler.siblings.declare(() => sibling.records, false);
      const [first] = await Promise.all([going, lab.must(sibling, fresh, reconciler)]);
      deepEqual([lab.lines(), first.ledger.stale], [[`h${late} A 10.0.0.${late} 600`], []]);
    });
});

describe("a record that another resource declares while a busy service lets its write wait", () => {
  for (const [title, operation, after, codes] of [
    ["stays if it was to be removed", remove, [two], []],
    ["stays if it was to be changed", modify, [other, two], ["write.not-sent"]],
    ["stays if it was to be changed with others", modifyMany, [other, two], ["write.not-sent"]],
  ] as const)
    it(title, async () => {
      const lab = await start();
      const isJob = operation === modifyMany;
      const more = isJob ? ["x 600 A 192.0.2.1", "y 600 A 192.0.2.1"] : [];
      const [kept, moved] = [more, more.map((line) => line.replace(/1$/, "2"))];
      const of = (all: readonly Declaration[], lines: readonly string[]) =>
        full([...all.flatMap(({ records }) => records.map(lineOf)), ...lines]);
      const before = await lab.must(of([www, two], kept));
      lab.admin.addFault({ kind: "http", operation, status: 429, retryAfter: 5, count: 1 });
      const reconciler = lab.reconciler();
      const going = lab.up(of(after, isJob ? moved : []), before, reconciler);
      await until("the first try", () => lab.calls(operation) > 0);
      reconciler.siblings.declare(() => www.records, false);
      const done = await going;
      deepEqual(done.codes, codes);
      deepEqual(lab.lines(), [
        "two A 192.0.2.2 600",
        "www A 192.0.2.1 600",
        ...(isJob ? ["x A 192.0.2.2 600", "y A 192.0.2.2 600"] : []),
      ]);
    });
});

describe("a record that moves to a resource that is checked later", () => {
  const receiver = full(["www 600 A 192.0.2.1"]);
  const previews = async (lab: Lab, ...tasks: readonly (readonly [Declaration, Update])[]) => {
    const reconciler = lab.reconciler();
    const found = [];
    for (const [declaration, before] of tasks) {
      reconciler.siblings.declare(() => declaration.records, false, { hasManifest: false });
      found.push((await lab.preview(declaration, before, reconciler)).stays);
    }
    return found;
  };

  for (const [title, loser] of [
    ["that would be deleted", two],
    ["that would become another one", full(["two 600 A 192.0.2.2", "www 600 A 192.0.2.9"])],
  ] as const)
    it(`is named by the receiver's preview (${title})`, async () => {
      const lab = await start();
      const before = await lab.must(both);
      const id = lab.admin.zone("example.com").find(({ name }) => name === "www")?.id;
      const [first, second] = await previews(lab, [loser, before], [receiver, fresh]);
      deepEqual(first, []);
      deepEqual(
        second?.map(({ code, records }) => [code, records]),
        [["live.moves", [{ text: "www.example.com. A 192.0.2.1", note: `record ${id}` }]]],
      );
      deepEqual(await previews(lab, [receiver, fresh], [loser, before]), [[], []]);
    });

  it("is not named by an update, which reports what it does", async () => {
    const lab = await start();
    const before = await lab.must(both);
    const reconciler = lab.reconciler();
    await lab.preview(two, before, reconciler);
    await lab.must(two, before, reconciler);
    deepEqual((await lab.preview(receiver, fresh, reconciler)).stays, []);
  });
});

describe("a record in the ledgers of two resources", () => {
  it("is changed by the one that declares it, and the other does not remove it", async () => {
    const lab = await start();
    const one = await lab.must(www);
    const [{ id } = { id: "" }] = one.ledger.owned.values();
    const stale = [{ domain: "example.com", id, made: true }];
    const reconciler = lab.reconciler();
    for (const { records } of [other, two]) reconciler.siblings.declare(() => records, false);
    await Promise.all([
      lab.must(other, one, reconciler),
      lab.must(two, { ledger: { ...fresh.ledger, stale } }, reconciler),
    ]);
    lab.has("two A 192.0.2.2 600", "www A 192.0.2.2 600");
  });
});

describe("a run that pauses between its listing and a write", () => {
  const before = full(["www 600 A 192.0.2.1", "old 600 A 192.0.2.9"]);
  const after = full(["www 600 A 192.0.2.2", "new 600 A 192.0.2.3"]);

  const pausing = async (lab: Lab, operation: string, meanwhile = (): unknown => undefined) => {
    const first = await lab.must(before);
    lab.admin.clearCalls();
    let resumedAt = 0;
    const client = lab.clientWith(async (called, call) => {
      if (called === operation && resumedAt === 0) {
        meanwhile();
        resumedAt = lab.clock.now() + 1;
        await lab.clock.sleep(2);
      }
      return call();
    });
    const clock = { ...lab.clock, resumed: () => resumedAt };
    return lab.up(after, first, lab.reconciler({ client, clock }));
  };

  for (const operation of [create, modify, remove])
    it(`lists the zone again before ${operation}, once`, async () => {
      const lab = await start();
      deepEqual((await pausing(lab, operation)).failures, []);
      lab.has("new A 192.0.2.3 600", "www A 192.0.2.2 600");
      deepEqual([lab.calls("Record.List"), lab.calls(operation)], [2, 1]);
    });

  it("creates no record that another machine has made meanwhile", async () => {
    const lab = await start();
    const { failures, ledger } = await pausing(lab, create, () => lab.add("new A 192.0.2.3"));
    deepEqual([failures, ledger.owned.size, lab.calls(create)], [[], 2, 0]);
  });

  for (const [operation, name] of [
    [modify, "www"],
    [remove, "old"],
  ] as const)
    it(`sends no ${operation} of a record that was edited meanwhile`, async () => {
      const lab = await start();
      const { text } = await pausing(lab, operation, () => lab.edit(name, { ttl: 60 }));
      match(text, /not sent, because this process paused/);
      equal(lab.calls(operation), 0);
    });
});

describe("a lost answer to a change or a removal", () => {
  const quick = { LEGACYDNS_REQUEST_TIMEOUT: "1", LEGACYDNS_JOB_TIMEOUT: "1" };

  for (const when of ["before", "after"] as const)
    for (const [operation, a, b] of [
      [modify, www, other],
      [modifyMany, full(hosts(20)), full(hosts(20, 300))],
      [remove, both, www],
    ] as const)
      it(`${operation}, lost ${when} its effect, is found out, and sent again only if it was not done`, async () => {
        const lab = await lagging(1, quick);
        const first = await lab.must(a);
        lab.lose(operation, when);
        await lab.must(b, first);
        const lines = b.records.map(({ name, value, ttl }) => `${name} A ${value} ${ttl}`);
        lab.has(...lines.sort());
        equal(lab.calls(operation), when === "after" ? 1 : 2);
      });

  it("ends a series of removals after a few, with one reading of the zone", async () => {
    const lab = await lagging(1, quick);
    const left = full(hosts(1));
    const first = await run(lab, full(hosts(20)));
    lab.admin.clearCalls();
    lab.lose(remove, "before", "each");
    const lost = await lab.up(left, first);
    const [removals, lists] = [lab.calls(remove), lab.calls("Record.List")];
    ok(removals >= 4 && removals < 12 && lists < 6, `${removals} removals, ${lists} listings`);
    match(lost.text, /the answers of 4 writes in a row were lost/);
    lab.admin.clearFaults();
    await lab.must(left, lost);
    equal(lab.lines().length, 1);
  });

  it("names the error that kept the parts of a split job from being sent", async () => {
    const lab = await start({}, quick);
    const first = await lab.must(full(hosts(6)));
    lab.answer(modifyMany, "21", { message: "Refused for the test", count: 1 });
    lab.answer(modifyMany, "-1", { message: "Login failed" });
    const { text } = await lab.up(full(hosts(6, 300)), first);
    match(text, /not sent, so not created; h0.*h5.*Login failed/s);
    doesNotMatch(text, /meanwhile declared/);
  });

  it("an operation that the service lacks changes nothing, and each error has the hint", async () => {
    const lab = await start({}, quick);
    const first = await lab.must(full([...hosts(5), "www 600 A 192.0.2.1"]));
    lab.admin.set({ undocumented: false });
    const { failures } = await lab.up(full([...hosts(5, 300), "www 600 A 192.0.2.2"]), first);
    equal(lab.calls(modify) + lab.calls(modifyMany), 4);
    ok(failures.length > 0);
    for (const failure of failures) match(textOf(failure), /if the service lacks this operation/);
  });

  it("of another run is waited for, with the settings that bound the wait", async () => {
    const lab = await start(
      { settings: { indexDelay: 1 } },
      { LEGACYDNS_INDEX_DELAY: "2", LEGACYDNS_REQUEST_TIMEOUT: "9" },
    );
    const first = await lab.must(www);
    lab.lose(modify);
    await lab.up(other, first);
    const { reconciler, said } = lab.process();
    await lab.must(other, first, reconciler);
    match(
      said(),
      /^example\.com: waiting up to \d+ s for another run's changes \(requestTimeout, jobTimeout, indexDelay\)$/m,
    );
  });
});

describe("a listing that is behind", () => {
  it("causes no second change", async () => {
    const lab = await lagging(3);
    const done = await run(lab, www, short);
    lab.admin.clearCalls();
    await lab.must(short, done);
    equal(lab.calls(modify), 0);
  });

  for (const [title, changed] of [
    ["data", other],
    ["TTL", short],
  ] as const)
    it(`does not hide that a killed run has changed a record's ${title}`, async () => {
      const lab = await lagging(3);
      const before = await lab.must(www);
      await lab.clock.sleep(4_000);
      await lab.up(changed, before);
      await lab.must(both, before);
      lab.has(...bothLines);
    });

  it("does not make a removed record adopted, by the same resource or another", async () => {
    const lab = await lagging(3);
    const back = await lab.must(both, await run(lab, both, two));
    lab.has(...bothLines);
    await lab.up(two, back);
    await lab.must(www);
    lab.has(...bothLines);
  });

  it("is read again after the wait for another run's removal", async () => {
    const lab = await lagging(2);
    lab.add("www 600 A 192.0.2.1");
    await lab.up(full([]), await lab.up(www));
    await lab.must(www);
    lab.has("www A 192.0.2.1 600");
  });

  it("does not hide that another resource has changed a record", async () => {
    const lab = await lagging(2);
    lab.add("www 600 A 192.0.2.1");
    const before = await lab.must(www);
    const ended = lab.reconciler();
    await lab.must(other, before, ended);
    ended.close();
    await lab.must(www);
    lab.has("www A 192.0.2.1 600", "www A 192.0.2.2 600");
  });

  it("does not hide what a failed destroy has removed", async () => {
    const lab = await lagging(2);
    const done = await lab.must(both);
    lab.answer(remove, "21", { count: 1 });
    await rejects(lab.release(both, done), /\[write\.not-sent\]/);
    equal(lab.lines().length, 1);
    await lab.must(both, done);
    lab.has(...bothLines);
  });
});

describe("an unmanaged record", () => {
  const report = { domains: ["example.com"], ignored: () => false, remove: true };

  it("that two batches have found is taken by one of them", async () => {
    const lab = await start();
    lab.add("www 600 A 192.0.2.77");
    const reconciler = lab.reconciler();
    await lab.observe(full([], { report: { ...report, remove: false } }), fresh, reconciler);
    const lines = ["api 600 A 192.0.2.1", "www 600 A 192.0.2.2"];
    await Promise.all(lines.map((line) => lab.must(full([line], { report }), fresh, reconciler)));
    lab.has("api A 192.0.2.1 600", "www A 192.0.2.2 600");
    equal(lab.calls(modify) + lab.calls(remove), 1);
  });

  it("is removed by the first up with a refresh, whose state does not have the option yet", async () => {
    const lab = await start();
    const before = await lab.must(www);
    lab.add("stranger 600 A 192.0.2.77");
    const declared = full(["www 600 A 192.0.2.1"], { report });
    const found = await lab.observe(www, before, lab.reconciler());
    const without = await lab.must(declared, { ...before, ledger: found.ledger }, lab.reconciler());
    lab.has("stranger A 192.0.2.77 600", "www A 192.0.2.1 600");

    const { reconciler, said } = lab.process();
    const state = await lab.observe(www, without, reconciler);
    const { plan } = await lab.preview(declared, { ...without, ledger: state.ledger }, reconciler);
    deepEqual(
      plan.removals.map(({ live }) => live.record.name),
      ["stranger"],
    );
    await lab.must(declared, { ...without, ledger: state.ledger }, reconciler);
    lab.has("www A 192.0.2.1 600");
    doesNotMatch(said(), /--refresh/);
  });

  it("stays if it matches `ignore`, or if another resource of the run declares it", async () => {
    const lab = await start();
    for (const name of ["_acme", "late", "stranger"]) lab.add(`${name} 600 A 192.0.2.77`);
    const ignored = ({ name }: { readonly name: string }) => name === "_acme";
    const reconciler = lab.reconciler();
    await lab.observe(www, fresh, reconciler);
    const { records } = full(["late 600 A 192.0.2.77"]);
    reconciler.siblings.declare(() => records, false);
    await lab.must(full(["www 600 A 192.0.2.1"], { report: { ...report, ignored } }), fresh, reconciler);
    lab.has("_acme A 192.0.2.77 600", "late A 192.0.2.77 600", "www A 192.0.2.1 600");
  });

  it("stays if another resource of the run ignores it, even if that one is checked after the refresh", async () => {
    const lab = await start();
    for (const name of ["_acme", "stranger"]) lab.add(`${name} 600 A 192.0.2.77`);
    const reconciler = lab.reconciler();
    await lab.observe(www, fresh, reconciler);
    const done = lab.must(full(["www 600 A 192.0.2.1"], { report }), fresh, reconciler);
    reconciler.siblings.ignore({ ...report, ignored: ({ name }) => name === "_acme" }, "check");
    await done;
    lab.has("_acme A 192.0.2.77 600", "www A 192.0.2.1 600");
  });

  it("is none in a refresh if another resource ignores it, until that one is checked without the pattern", async () => {
    const lab = await start();
    lab.add("_acme 600 A 192.0.2.77");
    const sibling = full([], { report: { ...report, ignored: () => true } });
    const reconciler = lab.reconciler();
    const cleaning = full(["www 600 A 192.0.2.1"], { report });
    const [seen] = await Promise.all([
      lab.observe(cleaning, fresh, reconciler),
      lab.observe(sibling, fresh, reconciler),
    ]);
    deepEqual(seen.undeclared, []);
    reconciler.siblings.ignore(undefined, "check");
    await lab.must(cleaning, fresh, reconciler);
    lab.has("www A 192.0.2.1 600");
  });

  it("is none if another resource of the refresh answers for it, whatever the console has made of it", async () => {
    const lab = await start();
    const all = full(["api 600 A 192.0.2.2"], { report });
    const first = lab.reconciler();
    const [a, b] = [await lab.must(www, fresh, first), await lab.must(all, fresh, first)];
    lab.edit("www", { value: "192.0.2.9" });
    const next = lab.reconciler();
    const [seen] = await Promise.all([lab.observe(all, b, next), lab.observe(www, a, next)]);
    deepEqual(seen.undeclared, []);
  });
});
