/** The entries that an update makes in the ledger, and the records that it leaves unchanged. */
import { deepEqual, equal, fail, ok } from "node:assert/strict";
import { rmSync } from "node:fs";
import { recordKey } from "../../provider/dns";
import { account } from "../../provider/reconcile/account/account";
import { digestOf, emptyLedger } from "../../provider/reconcile/memory/ledger";
import { planTask } from "../../provider/reconcile/plan/plan";
import { wordingOf } from "../../provider/reconcile/wording";
import { liveEntry } from "../support/live";
import { filesOf } from "./journal-files";
import {
  both,
  bothLines,
  clientReading,
  create,
  declare,
  full,
  fullLabs,
  hosts,
  madeIn,
  modify,
  modifyMany,
  of,
  other,
  processBefore,
  remove,
  short,
  staleOf,
  statesIn,
  two,
  www,
  wwwLine,
  wwwLive,
} from "./lab";

const { it, start } = fullLabs();
const quick = () => start({}, { jobTimeout: 3 });

describe("the ledger after an update", () => {
  it("lacks a record that must not be adopted", async (lab) => {
    lab.add(wwwLine);
    const { codes, held } = await lab.up({ ...of(wwwLine), adopt: false });
    deepEqual([codes, held.length], [["live.exists"], 0]);
  });

  for (const [what, operation, code, after] of [
    ["the former record of a change", modify, "21", other],
    ["the record of a removal", remove, "500077", full([])],
  ] as const)
    it(`has ${what} that the service refused`, async (lab) => {
      const before = await lab.must(www);
      lab.answer(operation, code);
      const done = await lab.up(after, before);
      deepEqual([done.codes, staleOf(done)], [["write.refused"], before.held]);
    });

  it("calls an adopted record adopted when the program drops it", async (lab) => {
    lab.add(wwwLine);
    const done = await lab.up(of(), await lab.must(of(wwwLine)));
    deepEqual([done.codes, madeIn(done)], [["live.left-over"], [false]]);
  });

  it("calls an adopted record adopted after a change whose answer was lost", async () => {
    const lab = await quick();
    lab.add(wwwLine);
    const before = await lab.must(www);
    lab.loseUnread(modify, "after");
    const open = await lab.up(short, before);
    lab.clearFaults();
    deepEqual([open.openWrites.length, madeIn(await lab.must(short, open))], [1, [false]]);
  });

  it("calls an adopted record adopted when another resource takes it over", async (lab) => {
    lab.add(wwwLine);
    await lab
      .process()
      .declares(www)
      .must(full([]), await lab.must(www));
    deepEqual(madeIn(await lab.must(www)), [false]);
  });

  for (const [title, isHeld] of [
    ["calls a record created that appears while its job is open", false],
    ["calls an adopted record adopted while a change of it is open", true],
  ] as const)
    it(title, async (lab) => {
      const id = lab.add(wwwLine);
      const { siblings, zones: reader } = lab.process().reconciler;
      const zones = await reader.getAll(["example.com"]);
      const digests = www.records.map(digestOf);
      const open = { domain: "example.com", job: "1", since: 0, digests };
      const adopted = digests.map((digest) => ({ domain: "example.com", digest, id, since: 0, made: false }));
      const ledger = { ...emptyLedger, held: isHeld ? adopted : [], openWrites: [open] };
      const task = { declaration: www, before: [], ledger };
      const nothing = { written: [], removals: [], reread: new Map(), found: new Map() };
      const [never, wording] = [() => false, wordingOf(siblings, www)];
      const facts = { isCreated: never, now: 0, settings: lab.settings, wording };
      deepEqual(madeIn(account(task, planTask(task, zones, never), nothing, facts)), [!isHeld]);
    });

  for (const [title, isOver, state] of [
    // The update has waited until shortly before the write can no longer take effect.
    ["keeps a lost write through a refresh", false, "unread"],
    ["forgets a lost write in a refresh after which it can no longer take effect", true, "missing"],
  ] as const)
    it(title, async (lab) => {
      lab.loseUnread(create);
      const before = await lab.up(www);
      lab.clearFaults();
      const { jobTimeout, indexDelay } = lab.settings;
      const clock = lab.clockAhead(() => (isOver ? (jobTimeout + indexDelay + 1) * 1000 : -10_000));
      const seen = await lab.process({ clock }).observe(www, before);
      deepEqual([statesIn(seen), seen.ledger.openWrites.length], [[state], isOver ? 0 : 1]);
    });
});

describe("a record of somebody else", () => {
  it("stays beside its twin, which the resource made with adopt: false", async (lab) => {
    const before = await lab.must({ ...www, adopt: false });
    lab.admin.set({ identical: "accept" });
    lab.add(wwwLine);
    await lab.up({ ...both, adopt: false }, before);
    lab.has(...bothLines, wwwLive);
  });

  for (const [what, edit, line] of [
    ["has become another", { value: "192.0.2.77" }, "www A 192.0.2.77 600"],
    ["was disabled", { enabled: false }, `${wwwLive} disabled`],
  ] as const)
    it(`stays if it ${what} while a change of it was lost`, async (lab) => {
      const before = await lab.must(www);
      lab.lose(modify);
      const by = processBefore(lab, modify, () => lab.edit("www", edit));
      const { codes } = await by.up(short, before);
      deepEqual([codes, lab.calls(modify)], [["write.not-sent"], 1]);
      lab.has(line);
    });

  it("is not adopted with adopt: false if it appears after the plan", async (lab) => {
    const by = processBefore(lab, create, () => lab.add(wwwLine));
    const { codes, held } = await by.up({ ...www, adopt: false });
    deepEqual([codes, held], [["write.refused"], []]);
  });

  it("is adopted if it appears after the plan, and the rest of its job is made", async (lab) => {
    const { writer, zones } = lab.process().reconciler;
    const { records } = both;
    await zones.getAll(["example.com"]);
    const entry = liveEntry(records[0] ?? fail(), lab.add(wwwLine));
    zones.lay([entry], lab.clock.now(), true);
    const results = await writer.creator.create(records);
    deepEqual(records.map((each) => results.get(each)?.kind).sort(), ["appeared", "made"]);
    lab.has(...bothLines);
  });
});

describe("a job", () => {
  it("changes no disabled records, because each needs a call that enables it", async (lab) => {
    const before = await lab.must(full(hosts(4)));
    for (const { name } of before.records) lab.edit(name, { enabled: false });
    await lab.must(full(hosts(4).map((line) => line.replace(/\S+$/, "192.0.2.9"))), before);
    deepEqual([lab.calls(modifyMany), lab.calls(modify)], [0, 4]);
    ok(lab.admin.zone("example.com").every(({ enabled }) => enabled));
  });

  it("has not ended while it reports a domain without records", async (lab) => {
    const client = clientReading(lab, (item) =>
      lab.calls("Batch.Detail") > 1 ? item : { ...item, status: "running", records: [] },
    );
    const { held } = await lab.process({ client }).must(www);
    deepEqual([held.length, lab.calls("Batch.Detail"), lab.calls(create)], [1, 2, 1]);
  });

  for (const runs of ["the run that sent it", "the next run"] as const)
    it(`with an unknown end keeps what its name had in ${runs}`, async () => {
      const lab = await quick();
      const before = await lab.must(www);
      lab.admin.set({ stickAfter: 0 });
      const after = full(["www 600 AAAA 2001:db8::1"]);
      const first = await lab.up(after, before);
      if (runs === "the next run") await lab.up(after, first);
      lab.has(wwwLive);
    });
});

it("a lost change is waited for until it is as declared, although its record is live", async () => {
  const lab = await start({}, { jobTimeout: 60 });
  const before = await lab.must(www);
  const digests = before.held.map(({ digest }) => digest);
  const open = { domain: "example.com", since: Math.floor(lab.clock.wall() / 1000), digests };
  const arrives = lab.clock.sleep(12_000).then(() => lab.edit("www", { ttl: 300 }));
  await lab.must(short, { ...before, ledger: { ...before.ledger, openWrites: [open] } });
  await arrives;
  deepEqual([lab.calls(modify), lab.lines()], [0, ["www A 192.0.2.1 300"]]);
});

it("a domain that left the account keeps its stale records in the ledger", async (lab) => {
  const domains = ["example.com", "example.net"];
  const less = declare(domains, [wwwLine]);
  const left = await lab.up(less, await lab.must(declare(domains, [wwwLine, "api 600 A 192.0.2.2"])));
  lab.admin.removeDomain("example.net");
  const stale = staleOf(await lab.up(less, left));
  deepEqual(stale.map(({ domain }) => domain).sort(), domains);
});

it("a removed record that the index still shows is made again if the program declares it again", async () => {
  const lab = await start({}, { indexDelay: 30 });
  const made = await lab.must(both);
  await lab.clock.sleep(31_000);
  const without = await lab.must(two, made);
  // The next run is on another machine, so only the state has the removal.
  for (const file of filesOf(lab)) rmSync(file);
  await lab.must(both, without);
  equal(lab.calls(create), 2);
  await lab.clock.sleep(31_000);
  lab.has(...bothLines);
});

describe("what the resources of a run have in common", () => {
  const live = (id = "1") => liveEntry(www.records[0] ?? fail(), id);

  for (const order of [
    [true, false],
    [false, true],
  ])
    it(`a record is created if one resource calls it so: ${order.join(", then ")}`, async (lab) => {
      const { held } = (await lab.must(www)).ledger;
      const { siblings } = lab.process();
      for (const made of order)
        siblings.owned.add(www.records, { ...emptyLedger, held: held.map((each) => ({ ...each, made })) });
      ok(siblings.owned.isCreated(live(held[0]?.id)));
    });

  it("a record that another resource declares is not unmanaged, although none owns it", (lab) => {
    const { siblings } = lab.process();
    ok(siblings.owned.isUnmanaged(live()));
    siblings.declared.add(() => www.records);
    ok(!siblings.owned.isUnmanaged(live()));
  });

  it("a resource with a secret shows its own public records, and no others", (lab) => {
    const { siblings } = lab.process();
    const declared = of(wwwLine, "s 600 TXT secret");
    const records = declared.records.map((each) =>
      each.type === "TXT" ? { ...each, secret: true as const } : each,
    );
    siblings.secrets.add(records);
    const { hides } = wordingOf(siblings, { ...declared, records, sensitive: true });
    deepEqual([...records, ...of("former 600 A 192.0.2.5").records].map(hides), [false, true, true]);
  });

  it("a secret that another resource declares is hidden where it is in the way, whatever its type is", (lab) => {
    const { siblings } = lab.process();
    const { records } = declare("example.com", [wwwLine, "s 600 TXT secret"], { sensitive: true });
    siblings.declared.add(() => records);
    siblings.secrets.add(records);
    deepEqual(
      records.map((each) => siblings.secrets.hidesForeign(each)),
      [true, true],
    );
  });

  it("a request by id is logged without values that no resource declares, if one has a secret", (lab) => {
    const { siblings } = lab.process();
    const [record] = www.records;
    ok(record);
    const mayHave = () => siblings.secrets.mayHave(record, "1");
    const before = mayHave();
    siblings.secrets.add(declare("example.com", ["s 600 TXT secret"], { sensitive: true }).records);
    const undeclared = mayHave();
    siblings.declared.add(() => www.records);
    deepEqual([before, undeclared, mayHave()], [false, true, false]);
  });

  it("a value is secret if the program now says so, whatever it said before", (lab) => {
    const isSecret = (now: typeof www, before: typeof www) => {
      const { secrets } = lab.process().siblings;
      secrets.add(now.records, before.records);
      return www.records.some((record) => secrets.has(recordKey(record)));
    };
    const hidden = declare("example.com", [wwwLine], { sensitive: true });
    deepEqual([isSecret(hidden, www), isSecret(www, hidden)], [true, false]);
  });

  it("a role that is declared in one domain does not count in another", (lab) => {
    const { declared } = lab.process().siblings;
    declared.add(() => declare("example.net", ["@ 600 MX 10 mx.example.org"]).records);
    const roles = ["example.com", "example.net"].map((domain) => [...declared.rolesIn(domain)]);
    deepEqual(roles, [[], ["apex MX"]]);
  });
});
