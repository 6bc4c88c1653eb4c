/** The entries that an update makes in the ledger, and the records that it leaves unchanged. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { rmSync } from "node:fs";
import { TransportError } from "../../provider/api";
import { account } from "../../provider/reconcile/account/account";
import { digestOf, emptyLedger } from "../../provider/reconcile/memory/ledger";
import { planTask } from "../../provider/reconcile/plan/plan";
import {
  create,
  declare,
  fresh,
  full,
  fullService,
  fullSettings,
  hosts,
  labs,
  modify,
  modifyMany,
  of,
  remove,
  type Update,
  staleOf,
} from "../support/lab";
import { liveEntry } from "../support/live";
import { filesOf, journalOf } from "./journal-files";
import { other, short, two, www } from "./full-lab";
import { wordingOf } from "../../provider/reconcile/wording";

const start = labs(fullService, fullSettings);
const documented = of("www 600 A 192.0.2.1");

const idsOf = (done: Update) => staleOf(done).map(({ id }) => id);
const madeIn = ({ ledger }: Pick<Update, "ledger">) => ledger.held.map(({ made }) => made);

const lost = () =>
  Promise.reject(
    new TransportError({
      operation: modify,
      target: "www",
      meaning: "the connection broke",
      help: [],
      outcome: "uncertain",
      passing: false,
    }),
  );

describe("the ledger after an update", () => {
  it("lacks a record that must not be adopted", async () => {
    const lab = await start();
    lab.add("www 600 A 192.0.2.1");
    const { codes, ledger } = await lab.up({ ...documented, adopt: false });
    deepEqual([codes, ledger.held.length], [["live.exists"], 0]);
  });

  it("has the former record of a change that the service refused", async () => {
    const lab = await start();
    const before = await lab.must(www);
    lab.answer(modify, "21");
    const after = await lab.up(other, before);
    deepEqual([after.codes, idsOf(after)], [["write.refused"], before.ledger.held.map(({ id }) => id)]);
  });

  it("has the record of a removal that the service refused", async () => {
    const lab = await start();
    const before = await lab.must(www);
    lab.answer(remove, "500077");
    const after = await lab.up(full([]), before);
    deepEqual(
      idsOf(after),
      before.ledger.held.map(({ id }) => id),
    );
  });

  it("calls an adopted record adopted when the program drops it", async () => {
    const lab = await start();
    lab.add("www 600 A 192.0.2.1");
    const done = await lab.up(of(), await lab.must(documented));
    deepEqual([done.codes, madeIn(done)], [["live.left-over"], [false]]);
  });

  it("calls an adopted record adopted after a change whose answer was lost", async () => {
    const lab = await start({}, { LEGACYDNS_JOB_TIMEOUT: "3" });
    lab.add("www 600 A 192.0.2.1");
    const before = await lab.must(www);
    lab.loseUnread(modify, "after");
    const open = await lab.up(short, before);
    lab.admin.clearFaults();
    deepEqual([open.ledger.openWrites.length, madeIn(await lab.must(short, open))], [1, [false]]);
  });

  it("calls an adopted record adopted when another resource takes it over", async () => {
    const lab = await start();
    lab.add("www 600 A 192.0.2.1");
    const before = await lab.must(www);
    const reconciler = lab.reconciler();
    reconciler.siblings.declared.add(() => www.records);
    await lab.must(full([]), before, reconciler);
    deepEqual(madeIn(await lab.must(www)), [false]);
  });

  it("calls a record created that appears while its job is open", async () => {
    const lab = await start();
    lab.add("www 600 A 192.0.2.1");
    const { siblings, zones: reader } = lab.reconciler();
    const zones = await reader.getAll(["example.com"]);
    const open = { domain: "example.com", job: "1", since: 0, digests: www.records.map(digestOf) };
    const task = { declaration: www, before: [], ledger: { ...emptyLedger, openWrites: [open] } };
    const nothing = { written: [], removals: [], reread: new Map(), found: new Map() };
    const wording = wordingOf(siblings, www);
    const facts = { isCreated: () => false, now: 0, settings: lab.settings, wording };
    const plan = planTask(task, zones, () => false);
    deepEqual(madeIn(account(task, plan, nothing, facts)), [true]);
  });

  it("keeps a lost write through a refresh", async () => {
    const lab = await start();
    lab.loseUnread(create);
    const before = await lab.up(www);
    lab.admin.clearFaults();
    // The update has waited until shortly before the write can no longer take effect.
    const { reconciler } = lab.process({ clock: lab.clockAhead(() => -10_000) });
    equal((await lab.observe(www, before, reconciler)).ledger.openWrites.length, 1);
  });

  it("forgets a lost write in a refresh after which it can no longer take effect", async () => {
    const lab = await start();
    lab.loseUnread(create);
    const before = await lab.up(www);
    lab.admin.clearFaults();
    const { jobTimeout, indexDelay } = lab.settings;
    const { reconciler } = lab.process({ clock: lab.clockAhead(() => (jobTimeout + indexDelay + 1) * 1000) });
    const { findings, ledger } = await lab.observe(www, before, reconciler);
    deepEqual([findings.map(({ state }) => state), ledger.openWrites], [["missing"], []]);
  });
});

describe("a record of somebody else", () => {
  it("stays beside its twin, which the resource made with adopt: false", async () => {
    const lab = await start();
    const own = { ...www, adopt: false };
    const before = await lab.must(own);
    lab.admin.set({ identical: "accept" });
    lab.add("www 600 A 192.0.2.1");
    await lab.up({ ...full(["www 600 A 192.0.2.1", "two 600 A 192.0.2.2"]), adopt: false }, before);
    lab.has("two A 192.0.2.2 600", "www A 192.0.2.1 600", "www A 192.0.2.1 600");
  });

  it("stays if it has become another while a change of it was lost", async () => {
    const lab = await start();
    const before = await lab.must(www);
    let isLost = false;
    const client = lab.clientWith((operation, call) => {
      if (operation !== modify || isLost) return call();
      isLost = true;
      lab.edit("www", { value: "192.0.2.77" });
      return lost();
    });
    const { codes } = await lab.up(short, before, lab.reconciler({ client }));
    deepEqual([codes, lab.calls(modify)], [["write.not-sent"], 0]);
    lab.has("www A 192.0.2.77 600");
  });

  it("is adopted if it appears after the plan, and the rest of its job is made", async () => {
    const lab = await start();
    const { writer, zones } = lab.reconciler();
    const { records } = full(["www 600 A 192.0.2.1", "two 600 A 192.0.2.2"]);
    await zones.getAll(["example.com"]);
    const [record] = records;
    ok(record);
    const id = lab.add("www 600 A 192.0.2.1");
    const entry = liveEntry(record, id);
    zones.lay([entry], lab.clock.now(), true);
    const results = await writer.creator.create(records);
    deepEqual(records.map((each) => results.get(each)?.kind).sort(), ["appeared", "made"]);
    lab.has("two A 192.0.2.2 600", "www A 192.0.2.1 600");
  });
});

describe("a job", () => {
  it("of changes that does not end stays open in the journal", async () => {
    const lab = await start({}, { LEGACYDNS_JOB_TIMEOUT: "3" });
    const before = await lab.must(full(hosts(4)));
    lab.admin.set({ stickAfter: 2 });
    const after = full(hosts(4, 300));
    const { ledger } = await lab.up(after, before);
    equal(ledger.openWrites.length, 1);
    ok(journalOf(lab).othersOf(after.records, () => lab.clock.now()).length > 0);
  });

  it("changes no disabled records, because each needs a call that enables it", async () => {
    const lab = await start();
    const named = (value: string) => full(["a", "b", "c", "d"].map((name) => `${name} 600 A ${value}`));
    const before = await lab.must(named("192.0.2.1"));
    for (const name of ["a", "b", "c", "d"]) lab.edit(name, { enabled: false });
    await lab.must(named("192.0.2.9"), before);
    deepEqual([lab.calls(modifyMany), lab.calls(modify)], [0, 4]);
    ok(lab.admin.zone("example.com").every(({ enabled }) => enabled));
  });

  it("has not ended while it reports a domain without records", async () => {
    const lab = await start();
    const client = lab.clientWith(async (operation, call) => {
      const answer = await call();
      if (operation !== "Batch.Detail" || lab.calls(operation) > 1) return answer;
      const { items } = answer as { items: { status: string; records: unknown[] }[] };
      return { ...answer, items: items.map((item) => ({ ...item, status: "running", records: [] })) };
    });
    const { ledger } = await lab.must(www, fresh, lab.reconciler({ client }));
    deepEqual([ledger.held.length, lab.calls("Batch.Detail"), lab.calls(create)], [1, 2, 1]);
  });

  for (const runs of ["the run that sent it", "the next run"] as const)
    it(`with an unknown end keeps what its name had in ${runs}`, async () => {
      const lab = await start({}, { LEGACYDNS_JOB_TIMEOUT: "3" });
      const before = await lab.must(www);
      lab.admin.set({ stickAfter: 0 });
      const after = full(["www 600 AAAA 2001:db8::1"]);
      const first = await lab.up(after, before);
      if (runs === "the next run") await lab.up(after, first);
      lab.has("www A 192.0.2.1 600");
    });
});

describe("a lost change", () => {
  it("is waited for until it is as declared, although its record is live", async () => {
    const lab = await start({}, { LEGACYDNS_JOB_TIMEOUT: "60" });
    const before = await lab.must(www);
    const ledger = {
      ...before.ledger,
      openWrites: [
        {
          domain: "example.com",
          since: Math.floor(lab.clock.wall() / 1000),
          digests: before.ledger.held.map(({ digest }) => digest),
        },
      ],
    };
    const arrives = lab.clock.sleep(12_000).then(() => lab.edit("www", { ttl: 300 }));
    await lab.must(short, { ...before, ledger });
    await arrives;
    deepEqual([lab.calls(modify), lab.lines()], [0, ["www A 192.0.2.1 300"]]);
  });
});

describe("a domain that left the account", () => {
  it("keeps its stale records in the ledger", async () => {
    const lab = await start();
    const both = ["example.com", "example.net"];
    const before = await lab.must(declare(both, ["www 600 A 192.0.2.1", "api 600 A 192.0.2.2"]));
    const less = declare(both, ["www 600 A 192.0.2.1"]);
    const left = await lab.up(less, before);
    lab.admin.removeDomain("example.net");
    const done = await lab.up(less, left);
    deepEqual(
      staleOf(done)
        .map(({ domain }) => domain)
        .sort(),
      both,
    );
  });
});

describe("a removed record that the index still shows", () => {
  it("is made again if the program declares it again", async () => {
    const lab = await start({ settings: { indexDelay: 30 } }, { LEGACYDNS_INDEX_DELAY: "30" });
    const made = await lab.must(full(["www 600 A 192.0.2.1", "two 600 A 192.0.2.2"]));
    await lab.clock.sleep(31_000);
    const without = await lab.must(two, made);
    // The next run is on another machine, so only the state has the removal.
    for (const file of filesOf(lab)) rmSync(file);
    await lab.must(full(["www 600 A 192.0.2.1", "two 600 A 192.0.2.2"]), without);
    equal(lab.calls(create), 2);
    await lab.clock.sleep(31_000);
    lab.has("two A 192.0.2.2 600", "www A 192.0.2.1 600");
  });
});

describe("what the resources of a run have in common", () => {
  const [record] = www.records;
  const live = (id = "1") => {
    ok(record);
    return liveEntry(record, id);
  };

  for (const order of [
    [true, false],
    [false, true],
  ])
    it(`a record is created if one resource calls it so: ${order.join(", then ")}`, async () => {
      const lab = await start();
      const { held } = (await lab.must(www)).ledger;
      const { siblings } = lab.reconciler();
      for (const made of order)
        siblings.owned.add(www.records, { ...emptyLedger, held: held.map((each) => ({ ...each, made })) });
      ok(siblings.owned.isCreated(live(held[0]?.id)));
    });

  it("a record that another resource declares is not unmanaged, although none owns it", async () => {
    const { siblings } = (await start()).reconciler();
    ok(siblings.owned.isUnmanaged(live()));
    siblings.declared.add(() => www.records);
    ok(!siblings.owned.isUnmanaged(live()));
  });

  it("a resource with a secret shows its own public records, and no others", async () => {
    const { siblings } = (await start()).reconciler();
    const declared = declare("example.com", ["www 600 A 192.0.2.1", "s 600 TXT secret"]);
    const records = declared.records.map((each) =>
      each.type === "TXT" ? { ...each, secret: true as const } : each,
    );
    siblings.secrets.add(records);
    const { hides } = wordingOf(siblings, { ...declared, records, sensitive: true });
    const [stranger] = of("former 600 A 192.0.2.5").records;
    ok(stranger);
    deepEqual([...records, stranger].map(hides), [false, true, true]);
  });
});
