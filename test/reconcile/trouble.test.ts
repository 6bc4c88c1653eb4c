import { deepEqual, equal, match, ok } from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Declaration } from "../../provider/reconcile/declaration";
import { digestOf } from "../../provider/reconcile/memory/ledger";
import { until } from "../support/processes";
import type { CollectingReporter } from "../support/reporter";
import {
  create,
  declare,
  fresh,
  full as inFull,
  fullSettings,
  hosts,
  jobsIn,
  labTests,
  modifyMany,
  of,
  pendingUp,
  staleOf,
  statesIn,
  withoutWait,
  wwwLine,
  wwwLive,
  type Lab,
  type LabSettings,
  type Update,
} from "./lab";

const full = (...lines: string[]) => inFull(lines);
const www = of(wwwLine);
const quick = { jobTimeout: 1 };
const { it, start } = labTests();
const fullLab = (settings: LabSettings = quick) => start({}, { ...fullSettings, ...settings });

describe("a job that is refused as a whole", () => {
  const searches = ({ lines }: CollectingReporter) =>
    lines.filter(({ text }) => text.includes("a job whose answer was lost")).length;

  it("for the whole domain, the account or the moment is not split", async (lab) => {
    for (const fault of [
      { kind: "code", code: "21" },
      { kind: "http", status: 403 },
      { kind: "code", code: "-7" },
    ] as const) {
      lab.clearFaults();
      lab.clearCalls();
      lab.admin.addFault({ operation: create, ...fault });
      const { failures } = await lab.up(of(...hosts(64)));
      deepEqual([failures.length, lab.calls(create)], [1, 1], JSON.stringify(fault));
    }
  });

  it("with an undocumented code is searched for once, then split down to the refused record", async () => {
    const lab = await start({}, quick);
    // The first record of 64 is refused, and so is each job that has it.
    lab.answer(create, "500077", { count: 7 });
    const by = lab.process();
    const { text, held, openWrites } = await by.up(of(...hosts(64)));
    deepEqual([searches(by.reporter), lab.calls(create), held.length], [1, 13, 63]);
    deepEqual(openWrites, []);
    match(
      text,
      /not sent, so not written; h0\.example\.com\. A 10\.0\.0\.0; .*a code that is not documented \(500077/,
    );
  });

  it("and split ends after four lost answers in a row, and sends no other part", async () => {
    const lab = await fullLab();
    const by = lab.process();
    const failing = async (operation: string, ttl: number, before: Update) => {
      lab.answer(operation, "34", { count: 6 });
      lab.lose(operation, "before", "each");
      const failed = await by.up(full(...hosts(64, ttl)), before);
      ok(failed.failures.length > 0);
      equal(lab.calls(operation), 10);
      lab.clearFaults();
      return failed;
    };
    const first = await failing(create, 600, fresh);
    deepEqual([first.ledger.openWrites, searches(by.reporter)], [[], 4]);
    await failing(modifyMany, 300, await lab.must(full(...hosts(64)), first));
    equal(searches(by.reporter), 8);
  });

  it("with several others ends after four lost answers, and sends no other job", async () => {
    const lab = await start({}, { ...quick, maxRecordsPerJob: 8 });
    lab.lose(create, "before", "each");
    const { failures } = await lab.up(of(...hosts(64)));
    equal(lab.calls(create), 4);
    ok(failures.length > 0);
  });

  it("for one of its domains is made in the others", async () => {
    const domains = ["a.example", "b.example", "c.example", "d.example"];
    const lab = await start({ domains });
    const by = lab.process();
    const declaration = declare(domains, [wwwLine]);
    await by.preview(declaration);
    lab.admin.setDomain("c.example", { status: "lock" });
    const { text, held } = await by.up(declaration);
    equal(held.length, 3);
    match(text, /www\.c\.example\. A 192\.0\.2\.1.*locked/s);
  });
});

describe("a job that does not end", () => {
  const stuck = async (declaration = www, settings = quick): Promise<[Lab, Update]> => {
    const lab = await fullLab(settings);
    const first = await pendingUp(lab, 0, declaration);
    ok(lab.calls("Batch.Detail") > 1, "it is polled");
    match(
      first.text,
      /^example\.com: job \d+ has not ended.*; www\.example\.com\. A 192\.0\.2\.1;.*done 0 of \d records after \d+ s \(jobTimeout\)/,
    );
    lab.clearCalls();
    return [lab, first];
  };
  const beside = async (lab: Lab, first: Update, declaration: Declaration) => {
    const { ledger, records } = await lab.must(declaration);
    const held = [...first.ledger.held, ...ledger.held];
    lab.clearCalls();
    return { ...first, ledger: { ...first.ledger, held }, records: [...first.records, ...records] };
  };

  it("blocks only its own records: the next update makes all other changes, and asks for the job once", async () => {
    const [lab, first] = await stuck(www, { jobTimeout: 20 });
    const before = await beside(lab, first, full("old 600 A 192.0.2.8", "ttl 600 A 192.0.2.9"));
    const declaration = full(wwwLine, "ttl 60 A 192.0.2.9", "new 600 A 192.0.2.7");
    const next = await withoutWait(lab, () => lab.up(declaration, before));
    deepEqual(next.codes, ["job.pending"]);
    const asked = lab.admin.calls().filter(({ params }) => params["job_id"] === jobsIn(first)[0]);
    deepEqual([asked.length, lab.calls(create)], [1, 1]);
    lab.has("new A 192.0.2.7 600", "ttl A 192.0.2.9 60");
    deepEqual(jobsIn(next), jobsIn(first));

    lab.finishJobs();
    const { openWrites, held } = await lab.must(declaration, next);
    deepEqual([openWrites, held.length, lab.calls(create)], [[], 3, 1]);
  });

  it("keeps a record with an open change, and the other records at that name", async () => {
    const [lab, first] = await stuck();
    const before = await beside(lab, first, full("www 600 A 192.0.2.8", "www 600 A 192.0.2.9"));
    const declaration = full(wwwLine, "new 600 A 192.0.2.7");
    const next = await lab.up(declaration, before);
    deepEqual(next.codes, ["job.pending"]);
    deepEqual([lab.size, next.held.length, staleOf(next).length], [3, 3, 2]);
    lab.finishJobs();
    await lab.must(declaration, next);
    lab.has("new A 192.0.2.7 600", wwwLive);
  });

  it("is waited for if nothing else is left to do", async () => {
    const [lab, first] = await stuck();
    const { text } = await lab.up(www, first);
    match(text, /after \d s \(jobTimeout\).*if the job never ends: make them as declared/);
    equal(lab.calls(create), 0);
  });

  it("does not hold up a refresh, which leaves its records as they were and keeps its number", async () => {
    const [lab, first] = await stuck(www, { jobTimeout: 20 });
    const declaration = of(wwwLine, "gone 600 A 192.0.2.2");
    const observed = await withoutWait(lab, () => lab.observe(declaration, first));
    deepEqual(statesIn(observed), ["unread", "missing"]);
    deepEqual([jobsIn(observed), lab.calls("Batch.Detail")], [jobsIn(first), 1]);
  });

  it("is asked about once, and not waited for, after the console has created its records", async () => {
    const [lab, first] = await stuck();
    lab.add(wwwLine);
    const { held } = await lab.must(www, first);
    deepEqual([held.length, lab.admin.counts()], [1, { "Record.List": 1, "Batch.Detail": 1 }]);
  });

  it("and changes records is waited for by the state alone, until they are as declared", async () => {
    const lab = await fullLab();
    const first = await lab.must(full(...hosts(5)));
    const changed = full(...hosts(5, 300));
    const pending = await pendingUp(lab, 0, changed, first);
    match(pending.text, /job \d+ had done 0 of 5 records/);
    rmSync(join(lab.settings.stateDir, "journal"), { recursive: true });
    const again = await lab.up(changed, { ...first, ledger: pending.ledger });
    deepEqual(again.codes, ["job.pending"]);
    for (const { name } of changed.records) lab.edit(name, { ttl: 300 });
    await lab.must(changed, { ...first, ledger: again.ledger });
    equal(lab.calls(modifyMany), 1);
  });

  it("keeps records that it does not name pending", async () => {
    const [lab, { ledger }] = await stuck();
    const other = of("unnamed 600 A 192.0.2.9");
    const unnamed = other.records.map(digestOf);
    const openWrites = ledger.openWrites.map((job) => ({ ...job, digests: [...job.digests, ...unnamed] }));
    const next = await lab.up(other, { records: other.records, ledger: { ...ledger, openWrites } });
    deepEqual([next.codes, lab.calls(create)], [["job.pending"], 0]);
  });

  it("and ended long ago: a record that was removed since is created again", async () => {
    const declaration = of(wwwLine, "api 600 A 192.0.2.2");
    const [lab, first] = await stuck(declaration);
    lab.finishJobs();
    lab.admin.advanceClock(3_600_000);
    lab.erase("www");
    await lab.must(declaration, first);
    lab.has("api A 192.0.2.2 600", wwwLive);
  });
});

it("a record that is refused because it exists is adopted if a fresh reading shows an equal one that is enabled and has its TTL", async (lab, by) => {
  const declaration = of(wwwLine, "api 600 A 192.0.2.2");
  await by.preview(declaration);
  lab.add(wwwLine);
  lab.add("api 60 A 192.0.2.2");
  const { codes, text, held } = await by.up(declaration);
  deepEqual([held.length, codes.length], [1, 1]);
  match(
    text,
    /refused by the service, so not created; api\.example\.com\. A 192\.0\.2\.2; api\.example\.com\. A 192\.0\.2\.2 \(live, record/,
  );
});

it("a record on another line waits for the default line's record of its name that another resource is making", async () => {
  const lab = await start({ settings: { stickAfter: 0 } }, { jobTimeout: 3000 });
  const by = lab.process();
  const other = by.must(of("edge 600 A 198.51.100.1 [电信]"));
  await until("the job of the other line", () => lab.admin.jobs().length === 1);
  const own = by.must(of("edge 600 A 192.0.2.1"));
  await until("both jobs", () => lab.admin.jobs().length === 2);
  lab.admin.set({ stickAfter: null });
  lab.finishJobs();
  await Promise.all([own, other]);
  equal(lab.size, 2);
});

it("a record on another line waits for the default line's record of its name that is about to be sent", async () => {
  const lab = await start({ settings: { jobStartMs: 0, jobMs: 0 } });
  let own: Promise<unknown> | undefined;
  const client = lab.clientWith(async (operation, call) => {
    const answer = await call();
    if (operation === "Batch.Detail") own ??= creator.create(of("edge 600 A 192.0.2.1").records);
    return answer;
  });
  const { creator } = lab.process({ client }).reconciler.writer;
  const results = await creator.create(of("edge 600 A 198.51.100.1 [电信]").records);
  await own;
  deepEqual([[...results.values()].map(({ kind }) => kind), lab.calls(create)], [["made"], 3]);
});

it("an alias with another target, set in the console is named alone; other missing records are created", async (lab) => {
  const declaration = of("r1 600 CNAME www.example.org.", "r2 600 A 192.0.2.1");
  const first = await lab.must(declaration);
  const id = lab.edit("r1", { value: "evil.example.org." }, "CNAME");
  lab.erase("r2");
  // As a refresh leaves it: the first lives on as another.
  const seen = await lab.observe(declaration, first);
  const missing = seen.findings.flatMap(({ state, record }) => (state === "missing" ? [record] : []));
  equal(missing.length, 2);
  const { failures, text } = await lab.up(declaration, seen);
  equal(failures.length, 1);
  match(
    text,
    new RegExp(`r1\\.example\\.com\\. CNAME www\\.example\\.org\\. \\(declared\\); .*record ${id}\\)`),
  );
  ok(lab.lines().includes("r2 A 192.0.2.1 600"));
});
