/** A run that is killed between a write and its saved state. */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import fs from "node:fs";
import { digestOf, emptyLedger, heldByDigest } from "../../provider/reconcile/memory/ledger";
import { until } from "../support/processes";
import { edit, folderOf, journalOf, textOf, withoutEnds } from "./journal-files";
import {
  create,
  full,
  fullService,
  fullSettings,
  labTests,
  madeIn,
  modify,
  of,
  refusing,
  saidIn,
  saved,
  times,
  wwwLine,
  type Lab,
  type Process,
  type Update,
} from "./lab";

const www = of(wwwLine);
const two = of(wwwLine, "api 600 A 192.0.2.2");

const { it, start } = labTests({ settings: { identical: "accept" } }, { jobTimeout: 3 });
const jobsSent = (lab: Lab, jobs = 1) => until("the job", () => lab.calls(create) >= jobs);

/** A person makes the record again. */
function remake(lab: Lab) {
  lab.erase("www");
  lab.add(wwwLine);
}

describe("a run that is killed between a write and its saved state", () => {
  it("while its job is at work: the next run waits for the job, and takes over what it made", async () => {
    const lab = await start({ settings: { jobStartMs: 1_500 } });
    const killed = lab.up(two);
    await jobsSent(lab);
    const { held } = await lab.must(two);
    await killed;
    deepEqual([held.length, lab.calls(create), lab.size], [2, 1, 2]);
  });

  it("while its answer is on the way: the next run looks before it sends", async (lab) => {
    lab.admin.addFault({ operation: create, kind: "slow", ms: 1_000 / times, count: 1 });
    const killed = lab.up(www);
    await until("the journal", () => fs.existsSync(folderOf(lab)));
    await lab.must(www);
    await killed;
    deepEqual([lab.calls(create), lab.size], [1, 1]);
  });

  it("with adopt: false: the next run knows its record", async (lab) => {
    const declaration = { ...www, adopt: false };
    await lab.up(declaration);
    deepEqual([madeIn(await lab.must(declaration)), lab.calls(create)], [[true], 1]);
  });

  it("and whose record a person makes again: adopt: false refuses it, although the journal has an equal one", async (lab) => {
    await lab.up(www);
    remake(lab);
    deepEqual((await lab.up({ ...www, adopt: false })).codes, ["live.exists"]);
  });

  for (const look of ["an update", "a refresh"] as const)
    it(`and whose record ${look} has found disabled: a person's equal one is adopted later`, async (lab) => {
      await lab.up(www);
      edit(lab, withoutEnds);
      lab.edit("www", { enabled: false });
      if (look === "a refresh") await lab.observe(www);
      else deepEqual((await lab.up(www)).codes, ["live.disabled"]);
      remake(lab);
      deepEqual(madeIn(await lab.must(www)), [false]);
    });

  it("and whose record a later run has seen: a person's equal one is adopted later", async (lab) => {
    // The answer of its job is lost, so only the text of its record is known.
    await lab.up(www);
    edit(lab, withoutEnds);
    deepEqual(madeIn(await lab.must(www)), [true]);
    remake(lab);
    deepEqual(madeIn(await lab.must(www)), [false]);
  });

  describe("whose write did nothing, as a later listing shows", () => {
    const later = async (lab: Lab) => {
      await lab.up(www);
      lab.erase("www");
      edit(lab, (text) => text.replace(/^.*"(?:ended|job)":.*\n/gm, ""));
      return lab.clockAhead(() => 600_000);
    };
    for (const [what, look] of [
      ["an update", (by) => by.must(of("new 600 A 192.0.2.7"))],
      ["a preview", (by) => by.preview(www)],
      ["a destroy", (by) => by.release(of("old 600 A 192.0.2.8"))],
    ] as const satisfies readonly [string, (by: Process) => Promise<unknown>][])
      it(`an equal record that a person makes after ${what} is adopted`, async (lab) => {
        const clock = await later(lab);
        await look(lab.process({ clock }));
        lab.add(wwwLine);
        deepEqual(madeIn(await lab.process({ clock }).must(www)), [false]);
      });

    it("an equal record that another project makes meanwhile is adopted", async () => {
      const lab = await start({ settings: { jobStartMs: 1_500 } });
      const clock = await later(lab);
      lab.clearCalls();
      const other = lab.process({ clock, project: "another" }).must(www);
      await jobsSent(lab);
      deepEqual(madeIn(await lab.process({ clock }).must(www)), [false]);
      deepEqual([madeIn(await other), lab.calls(create)], [[true], 1]);
    });
  });

  it("whose records no later program declares: the next run names them once", async (lab) => {
    await lab.up(two);
    const said = await saidIn(lab, async (by) => {
      for (const line of ["new 600 A 192.0.2.7", "other 600 A 192.0.2.8"]) await by.must(of(line));
    });
    const named = said.matchAll(/^ {2}(\w+)\.example\.com\. A \(secret\) +record \d+$/gm);
    deepEqual([...named].map(([, name]) => name).sort(), ["api", "www"]);
    equal(said.match(/\[live\.unknown\]/g)?.length, 1);
  });

  for (const removal of ["delete", "retain"] as const)
    it(`whose record no later program declares: a destroy with removal: ${removal} names it once, without the others' records`, async () => {
      const lab = await start(fullService, fullSettings);
      // The state has these two, as the engine saves each resource at once.
      const killed = lab.process();
      const both = ["one", "another"].map((name) => full([`${name} 600 A 192.0.2.7`], { removal }));
      const made: Update[] = [];
      for (const each of both) made.push(await killed.must(each));
      await killed.must(www);
      await lab.clock.sleep(10_000);
      const said = await saidIn(lab, (by) =>
        Promise.all(both.map((each, i) => lab.clock.sleep(100 * i).then(() => by.release(each, made[i])))),
      );
      const unknown = said.split("\n").filter((line) => line.includes("A (secret)"));
      deepEqual([said.match(/\[live\.unknown\]/g)?.length, unknown.length], [1, 1]);
      match(unknown[0] ?? "", /^ {2}www\.example\.com\. A \(secret\) +record \d+$/);
      ok(lab.lines().includes("www A 192.0.2.1 600"));
    });

  it("whose record has another TTL than a later program declares: the resource's deletion names it", async (lab) => {
    await lab.up(www);
    const other = of("www 900 A 192.0.2.1");
    const blocked = saved(await lab.up(other));
    const said = await saidIn(lab, async (by) => {
      await by.observe(other, blocked);
      await by.release(other, blocked);
    });
    match(said, /\[live\.unknown\]\n {2}www\.example\.com\. A \(secret\) +record \d+/);
  });

  it("with a job that made some records: the next run takes these over, makes the rest, and asks once", async () => {
    const lab = await start(refusing("api"));
    await lab.up(two);
    edit(lab, withoutEnds);
    lab.admin.set({ refuse: [] });
    lab.clearCalls();
    const { held } = await lab.must(two);
    deepEqual([held.length, lab.calls(create)], [2, 1]);
    ok(lab.calls("Batch.Detail") < 8);
  });

  it("with a job that sticks after a record that the next run does not list yet: that record is made once", async () => {
    const lab = await start(
      { settings: { jobStartMs: 3_000, stickAfter: 1, identical: "accept" } },
      { jobTimeout: 6 },
    );
    const killed = lab.up(two);
    await jobsSent(lab);
    await lab.must(of("api 600 A 192.0.2.2"));
    await killed;
    deepEqual([lab.calls(create), lab.size], [1, 1]);
  });

  it("with a job whose end a later run sees through the state: no other run asks about it", async (lab) => {
    const first = await lab.up(two);
    const [, job = ""] = /"job":"(\d+)"/.exec(textOf(lab)) ?? [];
    edit(lab, withoutEnds);
    const since = Math.floor(lab.clock.wall() / 1000);
    const digests = two.records.map(digestOf);
    const openWrites = [{ domain: "example.com", job, since, digests }];
    await lab.up(two, { ...first, ledger: { ...emptyLedger, openWrites } });
    lab.erase("www");
    lab.clearCalls();
    await lab.must(two);
    equal(lab.calls(create), 1);
    deepEqual(
      lab.admin.calls("Batch.Detail").filter(({ params }) => params["job_id"] === job),
      [],
    );
  });

  it("with a job that refused a record: a person's equal one is adopted later", async () => {
    const lab = await start(refusing("api"));
    await lab.up(two);
    edit(lab, withoutEnds);
    await lab.up(two);
    lab.add("api 600 A 192.0.2.2");
    const { ledger } = await lab.must(two);
    deepEqual(
      two.records.map((record) => heldByDigest(ledger).get(digestOf(record))?.made),
      [true, false],
    );
  });

  it("after a try that had not left: the time counts from when it did", async () => {
    const lab = await start({ settings: { jobStartMs: 2_000 } }, { requestTimeout: 1 });
    // Longer than the 4 s that a job whose number was lost is given.
    const busy = { kind: "http", status: 429, retryAfter: 5, count: 1 } as const;
    lab.admin.addFault({ ...busy, operation: create });
    lab.lose(create, "after");
    const killed = lab.up(www);
    await jobsSent(lab, 2);
    await lab.must(www);
    await killed;
    deepEqual([lab.calls(create), lab.size], [2, 1]);
  });

  it("on a machine whose clock was an hour ahead: nothing waits for that hour", async (lab) => {
    journalOf(lab, 3_600_000).begin(www.records);
    const since = Math.floor((lab.clock.wall() + 3_600_000) / 1000);
    const ledger = {
      ...emptyLedger,
      openWrites: [{ domain: "example.com", since, digests: www.records.map(digestOf) }],
      removed: [{ domain: "example.com", id: "1", since }],
    };
    await lab.must(www, { records: www.records, ledger });
  });

  it("beside another whose later change has ended: the next run waits for both", async () => {
    const lab = await start(
      { settings: { ...fullService.settings, indexDelay: 3 } },
      { ...fullSettings, indexDelay: 3 },
    );
    const [one, another] = [full([wwwLine]), full(["api 600 A 192.0.2.1"])];
    const [first, second] = [await lab.must(one), await lab.must(another)];
    await lab.clock.sleep(4_000);
    const client = lab.clientWith((operation, call) =>
      operation === modify ? new Promise<never>(() => undefined) : call(),
    );
    void lab.process({ client }).up(full(["www 600 A 192.0.2.2"]), first);
    await until("the change", () => textOf(lab).includes('"change"'));
    const arrives = lab.clock.sleep(20_000).then(() => lab.edit("www", { value: "192.0.2.2" }));
    await lab.must(full(["api 600 A 192.0.2.2"]), second);
    const held = [...first.held, ...second.held];
    const records = [...one.records, ...another.records];
    await lab.must({ ...one, records }, { ledger: { ...first.ledger, held }, records });
    await arrives;
    lab.has("api A 192.0.2.1 600", "www A 192.0.2.1 600");
  });

  it("beside another that begins at the same moment: at most one sends, and a third run makes the record once", async (lab) => {
    const results = await Promise.all([lab.up(www), lab.up(www)]);
    ok(lab.calls(create) <= 1);
    for (const { text } of results.filter(({ failures }) => failures.length > 0))
      match(text, /not sent, because another run began to create some of these records/);
    await lab.must(www);
    equal(lab.size, 1);
  });
});
