/** A job that never ends, whose records the program has dropped or whose resource is deleted. */
import { deepEqual, equal, fail, match, ok, rejects } from "node:assert/strict";
import { existsSync } from "node:fs";
import { isOf } from "../../provider/problems";
import type { Declaration } from "../../provider/reconcile/declaration";
import { formatLedger, parseLedger } from "../../provider/reconcile/memory/ledger";
import {
  create,
  fresh,
  full,
  fullService,
  fullSettings,
  hosts,
  labs,
  modify,
  modifyMany,
  of,
  type Lab,
  type Update,
} from "../support/lab";

const start = labs(fullService, { ...fullSettings, LEGACYDNS_JOB_TIMEOUT: "20" });
const [a, b] = ["a 600 A 192.0.2.1", "b 600 A 192.0.2.2"] as const;

const saved = (done: Update): Update => ({ ...done, ledger: parseLedger(formatLedger(done.ledger)) });
const jobsOf = ({ ledger }: Pick<Update, "ledger">) => ledger.openWrites.map(({ job }) => job);

/** The first record is live, the second one in a job that is stuck. */
async function stuck(both: Declaration): Promise<[Lab, Update]> {
  const lab = await start();
  lab.admin.set({ stickAfter: 1 });
  const first = await lab.up(both, fresh, lab.reconciler());
  deepEqual([first.codes, lab.lines()], [["job.pending"], ["a A 192.0.2.1 600"]]);
  lab.admin.set({ stickAfter: null });
  return [lab, saved(first)];
}

describe("a pending record that the program drops", () => {
  for (const [mode, both, one] of [
    ["full", full([a, b]), full([a])],
    ["documented", of(a, b), of(a)],
  ] as const) {
    it(`blocks and delays nothing in ${mode} mode, and the state keeps the job until it ends`, async () => {
      const [lab, first] = await stuck(both);
      const begun = lab.clock.now();
      const { reconciler, said } = lab.process();
      let done = saved(await lab.must(one, first, reconciler));
      deepEqual(jobsOf(done), jobsOf(first));
      lab.admin.clearCalls();
      done = saved(await lab.must(one, done, reconciler));
      deepEqual([jobsOf(done), lab.calls("Batch.Detail"), lab.calls(create)], [jobsOf(first), 1, 0]);
      equal(said(), "");
      ok(lab.clock.now() - begun < 20_000, "nothing waits for jobTimeout");
      const observed = await lab.observe(one, done);
      deepEqual(jobsOf(observed), jobsOf(first));

      lab.finishJobs();
      const last = await lab.up(one, done);
      deepEqual(jobsOf(last), []);
      deepEqual(
        [last.codes, lab.lines()],
        mode === "full"
          ? [[], ["a A 192.0.2.1 600"]]
          : [["live.left-over"], ["a A 192.0.2.1 600", "b A 192.0.2.2 600"]],
      );
    });

    it(`is noticed in ${mode} mode if the console creates it`, async () => {
      const [lab, first] = await stuck(both);
      const done = saved(await lab.must(one, first));
      lab.add("b 600 A 192.0.2.2");
      const next = await lab.up(one, done);
      deepEqual([jobsOf(next), next.codes], [[], mode === "full" ? [] : ["live.left-over"]]);
    });
  }

  it("of a resource that is deleted then is named with its job, and stops no destroy", async () => {
    const [lab, first] = await stuck(full([a, b]));
    const done = saved(await lab.must(full([a]), first));
    for (const removal of ["retain", "delete"] as const) {
      const { reconciler, said } = lab.process();
      await lab.release(full([a], { removal }), done, reconciler);
      match(said(), new RegExp(`\\[live\\.unknown\\]\\n {2}1 record of job ${String(jobsOf(first)[0])}`));
    }
    lab.has();
  });
});

describe("a pending change that the program takes back or replaces", () => {
  const many = (value: string) => full(["a", "b", "c", "d"].map((name) => `${name} 600 A ${value}`));

  for (const value of ["192.0.2.1", "192.0.2.3"])
    for (const isClosed of [true, false])
      it(`blocks nothing (to ${value}, after a run that ${isClosed ? "ended well" : "was killed"})`, async () => {
        const lab = await start();
        const first = saved(await lab.must(many("192.0.2.1"), fresh));
        lab.admin.set({ stickAfter: 1 });
        const reconciler = lab.reconciler();
        let done = saved(await lab.up(many("192.0.2.2"), first, reconciler));
        deepEqual(done.codes, ["job.pending"]);
        if (isClosed) reconciler.close();
        lab.admin.set({ stickAfter: null });
        for (let time = 0; time < 2; time += 1) {
          const begun = lab.clock.now();
          done = saved(await lab.must(many(value), done));
          lab.has(...["a", "b", "c", "d"].map((name) => `${name} A ${value} 600`));
          equal(done.ledger.openWrites.length, 1);
          ok(lab.clock.now() - begun < 20_000, "nothing waits for jobTimeout");
        }
        lab.finishJobs();
        deepEqual(jobsOf(await lab.must(many(value), done)), []);
      });
});

describe("a pending change of a record that a person edits", () => {
  it("takes the edit for no form of the service, and the next up takes it back", async () => {
    const lab = await start();
    const first = saved(await lab.must(full(hosts(3)), fresh));
    lab.admin.set({ stickAfter: 0 });
    const open = saved(await lab.up(full(hosts(3, 300)), first));
    lab.admin.set({ stickAfter: null });
    deepEqual([open.codes, lab.calls(modifyMany)], [["job.pending"], 1]);
    lab.edit("h1", { value: "192.0.2.9" });
    lab.finishJobs();
    const { findings, ledger } = await lab.observe(full(hosts(3, 300)), open);
    deepEqual(findings.map(({ state }) => state).sort(), ["as declared", "as declared", "missing"]);
    await lab.must(full(hosts(3, 300)), { ...open, ledger });
    lab.has("h0 A 10.0.0.0 300", "h1 A 10.0.0.1 300", "h2 A 10.0.0.2 300");
  });

  it("is the same if the job ends in its own run", async () => {
    const lab = await start();
    const first = await lab.must(full(hosts(3)), fresh);
    const client = lab.clientWith((operation, call) => {
      if (operation === modifyMany) lab.edit("h1", { value: "192.0.2.9" });
      return call();
    });
    const done = await lab.must(full(hosts(3, 300)), first, lab.reconciler({ client }));
    lab.has("h0 A 10.0.0.0 300", "h1 A 192.0.2.9 300", "h2 A 10.0.0.2 300");
    await lab.must(full(hosts(3, 300)), saved(done));
    lab.has("h0 A 10.0.0.0 300", "h1 A 10.0.0.1 300", "h2 A 10.0.0.2 300");
  });
});

describe("a pending change of a killed run that saved nothing", () => {
  const many = (value: string, last = "192.0.2.1") =>
    full([...["a", "b", "c", "d"].map((name) => `${name} 600 A ${value}`), `e 600 A ${last}`]);

  it("keeps only its own records from being sent, and names the journal's file, until the job ends", async () => {
    const lab = await start();
    const first = saved(await lab.must(many("192.0.2.1"), fresh));
    lab.admin.set({ stickAfter: 2 });
    deepEqual((await lab.up(many("192.0.2.2"), first)).codes, ["job.pending"]);
    lab.admin.set({ stickAfter: null });
    lab.admin.clearCalls();
    const { codes, failures, ledger } = await lab.up(many("192.0.2.3", "192.0.2.9"), first);
    deepEqual(codes, ["job.other-changes"]);
    const [why] = failures;
    ok(why !== undefined && isOf(why, "job.other-changes"));
    const { domain, file, job } = why.parts;
    deepEqual([domain, job], ["example.com", String(lab.admin.jobs().at(-1)?.id)]);
    ok(existsSync(String(file)));
    deepEqual([lab.calls(modify), lab.calls(modifyMany)], [1, 0]);
    ok(lab.lines().includes("e A 192.0.2.9 600"));

    lab.finishJobs();
    await lab.must(many("192.0.2.3", "192.0.2.9"), { ...first, ledger });
    lab.has(...["a", "b", "c", "d"].map((name) => `${name} A 192.0.2.3 600`), "e A 192.0.2.9 600");
  });
});

describe("a pending job with the records of many resources", () => {
  it("is asked about together, and the wait is announced once", async () => {
    const lab = await start();
    const singles = hosts(12).map((line) => of(line));
    lab.admin.set({ stickAfter: 0 });
    const by = lab.reconciler();
    const first = await Promise.all(singles.map((each) => lab.up(each, fresh, by)));
    deepEqual(new Set(first.flatMap(jobsOf)).size, 1);
    lab.admin.clearCalls();
    const { reconciler, said } = lab.process();
    await Promise.all(singles.map((each, i) => lab.up(each, saved(first[i] ?? fail()), reconciler)));
    ok(lab.calls("Batch.Detail") < 24, `${lab.calls("Batch.Detail")} calls`);
    deepEqual(said().match(/waiting up to \S+ s for job/g)?.length, 1);
  });
});

describe("a pending job that the service denies", () => {
  it("is looked for as long as one that is sent now, so its record is not made twice", async () => {
    const lab = await start();
    lab.admin.set({ stickAfter: 0 });
    const first = saved(await lab.up(of(a)));
    lab.answer("Batch.Detail", "8", { count: 100 });
    const ends = lab.clock.now() + 10_000;
    const client = lab.clientWith(async (operation, call) => {
      if (operation === "Record.List" && lab.clock.now() > ends) lab.finishJobs();
      return call();
    });
    await lab.must(of(a), first, lab.reconciler({ client }));
    deepEqual([lab.lines(), lab.calls(create)], [["a A 192.0.2.1 600"], 1]);
  });
});

describe("a pending record that a person makes", () => {
  it("is adopted, and not called created, if the job ends and was refused", async () => {
    const both = of(a, b);
    const [lab, first] = await stuck(both);
    lab.add(b);
    lab.admin.set({ identical: "refuse" });
    lab.finishJobs();
    const { ledger } = await lab.must(both, first);
    deepEqual(ledger.held.map(({ made }) => made).sort(), [false, true]);
  });
});

describe("a pending record with a twin that another program makes", () => {
  it("is the one that a destroy has seen, although the service does not show the job to the next update", async () => {
    const both = of(a, b);
    const [lab, first] = await stuck(both);
    lab.admin.set({ identical: "accept" });
    const twin = lab.add("b 600 A 192.0.2.2");
    lab.finishJobs();
    await rejects(lab.release(both, first), /\[live\.left-over\]/);
    lab.answer("Batch.Detail", "-4");
    const { ledger } = await lab.must(both, first);
    const owned = ledger.held;
    deepEqual([owned.map(({ made }) => made), owned.some(({ id }) => id === twin)], [[true, true], false]);
  });
});

describe("a destroy during a job that does not end", () => {
  it("deletes all other records, and ends with one diagnostic for the pending ones, until the job ends", async () => {
    const both = full([a, b, "c 600 A 192.0.2.3"]);
    const [lab, first] = await stuck(both);
    for (let time = 0; time < 2; time += 1) {
      await rejects(lab.release(both, first), (error) => {
        match(
          String(error),
          /^[^\n]*example\.com: a job may still .* \[job\.unfinished\]\n {2}b\.example\.com\. A 192\.0\.2\.2 +job \d+ had done .*\n {2}c\.example\.com\. [^\n]*\n {2}help: run `pulumi destroy` again: .*\n {2}help: if the job never ends: LEGACYDNS_REMOVAL=retain pulumi destroy$/,
        );
        return true;
      });
      lab.has();
    }
    lab.finishJobs();
    await lab.release(both, first);
    lab.has();
  });

  it("names every equal live record under retain, because each may be the job's", async () => {
    const both = of(a, b);
    const [lab, first] = await stuck(both);
    lab.admin.set({ identical: "accept" });
    const ids = [lab.add("b 600 A 192.0.2.2"), lab.add("b 600 A 192.0.2.2")];
    const { reconciler, said } = lab.process();
    await lab.release({ ...both, removal: "retain" }, first, reconciler);
    for (const id of ids)
      match(said(), new RegExp(`b\\.example\\.com\\. A 192\\.0\\.2\\.2 +record ${String(id)}`));
  });

  it("ends with an error in documented mode, which names the live and the pending records", async () => {
    const both = of(a, b);
    const [lab, first] = await stuck(both);
    await rejects(lab.release(both, first), /\[job\.unfinished\]\n {2}b\..*\[live\.left-over\]\n {2}a\./s);
  });
});
