/** A job that never ends, whose records the program has dropped or whose resource is deleted. */
import { deepEqual, equal, fail, match, ok, rejects } from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { isOf } from "../../provider/problems";
import type { Declaration } from "../../provider/reconcile/declaration";
import { until } from "../support/processes";
import { filesOf } from "./journal-files";
import {
  create,
  full,
  fullLabs,
  hosts,
  jobsIn,
  madeIn,
  modify,
  modifyMany,
  of,
  pendingUp,
  processBefore,
  saidIn,
  saved,
  statesIn,
  withoutWait,
  type Lab,
  type Update,
} from "./lab";

const { it, start } = fullLabs({ jobTimeout: 20 });
const [a, b] = ["a 600 A 192.0.2.1", "b 600 A 192.0.2.2"] as const;
const both = of(a, b);
const names = ["a", "b", "c", "d"];
const many = (value: string) => names.map((name) => `${name} 600 A ${value}`);

/** An update that ends well, as the state keeps it. */
async function must(lab: Lab, declaration: Declaration): Promise<Update> {
  return saved(await lab.must(declaration));
}

/** The first record is live, the others in a job that is stuck. */
async function stuck(declaration: Declaration): Promise<[Lab, Update]> {
  const lab = await start();
  const first = await pendingUp(lab, 1, declaration);
  lab.has("a A 192.0.2.1 600");
  return [lab, first];
}

describe("a pending record that the program drops", () => {
  for (const [mode, all, one] of [
    ["full", full([a, b]), full([a])],
    ["documented", both, of(a)],
  ] as const) {
    it(`blocks and delays nothing in ${mode} mode, and stays in the state until its job ends`, async () => {
      const [lab, first] = await stuck(all);
      const by = lab.process();
      const done = await withoutWait(lab, async () => {
        const second = saved(await by.must(one, first));
        deepEqual(jobsIn(second), jobsIn(first));
        lab.clearCalls();
        return saved(await by.must(one, second));
      });
      deepEqual([jobsIn(done), lab.calls("Batch.Detail"), lab.calls(create)], [jobsIn(first), 1, 0]);
      equal(by.said(), "");
      deepEqual(jobsIn(await lab.observe(one, done)), jobsIn(first));

      lab.finishJobs();
      const last = await lab.up(one, done);
      deepEqual(jobsIn(last), []);
      deepEqual(
        [last.codes, lab.lines()],
        mode === "full"
          ? [[], ["a A 192.0.2.1 600"]]
          : [["live.left-over"], ["a A 192.0.2.1 600", "b A 192.0.2.2 600"]],
      );
    });

    it(`is noticed in ${mode} mode if the console creates it`, async () => {
      const [lab, first] = await stuck(all);
      const done = saved(await lab.must(one, first));
      lab.add(b);
      const next = await lab.up(one, done);
      deepEqual([jobsIn(next), next.codes], [[], mode === "full" ? [] : ["live.left-over"]]);
    });
  }

  it("of a resource that is deleted then is named with its job, and stops no destroy", async () => {
    const [lab, first] = await stuck(full([a, b]));
    const done = saved(await lab.must(full([a]), first));
    for (const removal of ["retain", "delete"] as const)
      for (const others of [full([a]), full([])])
        match(
          await saidIn(lab, (by) => by.declares(others).release(full([a], { removal }), done)),
          new RegExp(`\\[live\\.unknown\\]\\n {2}1 record of job ${String(jobsIn(first)[0])}`),
        );
    lab.has();
  });
});

describe("a pending change that the program takes back or replaces", () => {
  for (const value of ["192.0.2.1", "192.0.2.3"])
    for (const isClosed of [true, false])
      it(`blocks nothing (to ${value}, after a run that ${isClosed ? "ended well" : "was killed"})`, async (lab, by) => {
        const first = await must(lab, full(many("192.0.2.1")));
        let done = await pendingUp(lab, 1, full(many("192.0.2.2")), first, by);
        if (isClosed) by.close();
        for (let time = 0; time < 2; time += 1) {
          done = await withoutWait(lab, async () => saved(await lab.must(full(many(value)), done)));
          lab.has(...names.map((name) => `${name} A ${value} 600`));
          equal(done.openWrites.length, 1);
        }
        lab.finishJobs();
        deepEqual(jobsIn(await lab.must(full(many(value)), done)), []);
      });
});

describe("a pending change of a record that a person edits", () => {
  const [before, after] = [full(hosts(3)), full(hosts(3, 300))];
  const changed = ["h0 A 10.0.0.0 300", "h1 A 10.0.0.1 300", "h2 A 10.0.0.2 300"];

  for (const when of ["a refresh", "an up during the job, and a refresh"])
    it(`takes the edit for no form of the service after ${when}, and the next up takes it back`, async (lab) => {
      let open = await pendingUp(lab, 0, after, await must(lab, before));
      equal(lab.calls(modifyMany), 1);
      lab.edit("h1", { value: "192.0.2.9" });
      if (when !== "a refresh") {
        open = saved(await lab.up(after, open));
        deepEqual(open.codes, ["job.pending"]);
      }
      lab.finishJobs();
      const seen = await lab.observe(after, open);
      deepEqual(statesIn(seen).sort(), ["as declared", "as declared", "missing"]);
      await lab.must(after, { ...open, ledger: seen.ledger });
      lab.has(...changed);
    });

  it("is the same if the job ends in its own run", async (lab) => {
    const first = await lab.must(before);
    const by = processBefore(lab, modifyMany, () => lab.edit("h1", { value: "192.0.2.9" }));
    const done = await by.must(after, first);
    lab.has("h0 A 10.0.0.0 300", "h1 A 192.0.2.9 300", "h2 A 10.0.0.2 300");
    await lab.must(after, saved(done));
    lab.has(...changed);
  });
});

describe("a pending change of a killed run that saved nothing", () => {
  const fifth = (value: string) => `e 600 A ${value}`;

  it("keeps back only its own records until the job ends, and names the journal's file", async (lab) => {
    const first = await must(lab, full([...many("192.0.2.1"), fifth("192.0.2.1")]));
    await pendingUp(lab, 2, full([...many("192.0.2.2"), fifth("192.0.2.1")]), first);
    lab.clearCalls();
    const declaration = full([...many("192.0.2.3"), fifth("192.0.2.9")]);
    const { codes, failures, ledger } = await lab.up(declaration, first);
    deepEqual(codes, ["job.other-changes"]);
    const [why] = failures;
    ok(why !== undefined && isOf(why, "job.other-changes"));
    const { domain, file, job } = why.parts;
    deepEqual([domain, job], ["example.com", String(lab.admin.jobs().at(-1)?.id)]);
    ok(existsSync(String(file)));
    deepEqual([lab.calls(modify), lab.calls(modifyMany)], [1, 0]);
    ok(lab.lines().includes("e A 192.0.2.9 600"));

    lab.finishJobs();
    await lab.must(declaration, { ...first, ledger });
    lab.has(...names.map((name) => `${name} A 192.0.2.3 600`), "e A 192.0.2.9 600");
  });
});

it("a pending record of a killed run is not made by a change as well", async (lab) => {
  const [before, after] = [full(["www 600 A 192.0.2.1"]), full(["www 600 A 192.0.2.2"])];
  const first = await must(lab, before);
  await pendingUp(lab, 0, full(["www 600 A 192.0.2.1", "www 600 A 192.0.2.2"]), first);
  const { codes, ledger } = await lab.up(after, first);
  deepEqual([codes, lab.calls(modify)], [["job.pending"], 0]);
  lab.finishJobs();
  await lab.must(after, { ...first, ledger });
  lab.has("www A 192.0.2.2 600");
});

it("a pending job with the records of many resources is asked about together, and the wait is announced once", async (lab, by) => {
  const singles = hosts(12).map((line) => of(line));
  lab.admin.set({ stickAfter: 0 });
  const first = await Promise.all(singles.map((each) => by.up(each)));
  equal(new Set(first.flatMap(jobsIn)).size, 1);
  lab.clearCalls();
  const said = await saidIn(lab, (next) =>
    Promise.all(singles.map((each, i) => next.up(each, saved(first[i] ?? fail())))),
  );
  ok(lab.calls("Batch.Detail") < 24, `${lab.calls("Batch.Detail")} calls`);
  equal(said.match(/waiting up to \S+ s for job/g)?.length, 1);
});

it("a pending job that one resource waits for keeps no other resource waiting", async (lab) => {
  const first = await pendingUp(lab, 0, both);
  lab.clearCalls();
  const by = lab.process({ settings: { ...lab.settings, jobTimeout: 3_000 } });
  let isWaiting = true;
  const waiting = by.up(of(a), first).finally(() => (isWaiting = false));
  await until("the wait", () => lab.calls("Batch.Detail") > 2);
  await by.must(of("c 600 A 192.0.2.3"), first);
  ok(isWaiting);
  lab.finishJobs();
  await waiting;
});

describe("a pending job that the service denies", () => {
  for (const whose of ["the stack's own", "a killed run's"])
    it(`is looked for as long as one that is sent now, so its record is not made twice (${whose})`, async (lab) => {
      const first = await pendingUp(lab, 0, of(a));
      await lab.clock.sleep(60_000);
      lab.answer("Batch.Detail", "8", { count: 100 });
      const ends = lab.clock.now() + 10_000;
      const by = processBefore(lab, "Record.List", () => {
        if (lab.clock.now() > ends) lab.finishJobs();
      });
      await by.must(of(a), whose === "the stack's own" ? first : undefined);
      deepEqual([lab.lines(), lab.calls(create)], [["a A 192.0.2.1 600"], 1]);
    });
});

it("a pending job that only the state knows keeps back its record while a killed run's job is settled", async (lab) => {
  const first = await pendingUp(lab, 0, of(a));
  for (const file of filesOf(lab)) rmSync(file);
  await pendingUp(lab, 0, of(b));
  const { id = 0 } = lab.admin.jobs().at(-1) ?? {};
  const done = await processBefore(lab, "Batch.Detail", () => lab.admin.finishJob(id)).up(both, first);
  deepEqual([done.codes, jobsIn(done), lab.calls(create)], [["job.pending"], jobsIn(first), 2]);
});

it("pending jobs of several killed runs that the service denies are looked for at the same time", async (lab) => {
  for (const each of [a, b]) await pendingUp(lab, 0, of(each));
  lab.answer("Batch.Detail", "8", { count: 100 });
  const said = await saidIn(lab, (by) => by.up(both));
  const waits = said
    .match(/waiting up to .* records? of another run/g)
    ?.map((text) => text.replace(/\d+ s/, "… s"));
  deepEqual(waits, ["waiting up to … s for 2 records of another run"]);
});

it("a pending record that a person makes is adopted, and not called created, if the job ends and was refused", async () => {
  const [lab, first] = await stuck(both);
  lab.add(b);
  lab.admin.set({ identical: "refuse" });
  lab.finishJobs();
  deepEqual(madeIn(await lab.must(both, first)).sort(), [false, true]);
});

describe("a destroy during a job that does not end", () => {
  it("deletes all other records, and ends with one diagnostic for the pending ones, until the job ends", async () => {
    const all = full([a, b, "c 600 A 192.0.2.3"]);
    const [lab, first] = await stuck(all);
    for (let time = 0; time < 2; time += 1) {
      await rejects(
        lab.release(all, first),
        /^[^\n]*example\.com: a job may still .* \[job\.unfinished\]\n {2}b\.example\.com\. A 192\.0\.2\.2 +job \d+ had done .*\n {2}c\.example\.com\. [^\n]*\n {2}help: run `pulumi destroy` again: .*\n {2}help: if the job never ends: LEGACYDNS_REMOVAL=retain pulumi destroy$/,
      );
      lab.has();
    }
    lab.finishJobs();
    await lab.release(all, first);
    lab.has();
  });

  it("waits for the job's end, and deletes what it has made", async () => {
    const [lab, first] = await stuck(full([a, b]));
    lab.clearCalls();
    const by = processBefore(lab, "Batch.Detail", () => {
      if (lab.calls("Batch.Detail") === 1) lab.finishJobs();
    });
    await by.release(full([a, b]), first);
    lab.has();
  });

  it("names every equal live record under retain, because each may be the job's", async () => {
    const [lab, first] = await stuck(both);
    lab.admin.set({ identical: "accept" });
    const ids = [lab.add(b), lab.add(b)];
    const said = await saidIn(lab, (by) => by.release({ ...both, removal: "retain" }, first));
    for (const id of ids) match(said, new RegExp(`b\\.example\\.com\\. A 192\\.0\\.2\\.2 +record ${id}`));
  });

  it("ends with an error in documented mode, which names live and pending records", async () => {
    const [lab, first] = await stuck(both);
    await rejects(lab.release(both, first), /\[job\.unfinished\]\n {2}b\..*\[live\.left-over\]\n {2}a\./s);
  });
});
