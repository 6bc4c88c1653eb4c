import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import type { JobDetail } from "../../provider/api";
import type { Declaration } from "../../provider/reconcile/declaration";
import { formatLedger, parseLedger } from "../../provider/reconcile/memory/ledger";
import {
  create,
  declare,
  fresh,
  full,
  fullSettings,
  labs,
  modify,
  modifyMany,
  of,
  remove,
  type Lab,
  type Update,
  staleOf,
} from "../support/lab";
import { service } from "./own-form-lab";

const start = labs(service, fullSettings);

const code = "live.stored-otherwise";
const forward = "www 600 显性URL http://Www.Example.net/Path";
const stored = "www 600 显性URL http://www.example.net/path";

interface Seen extends Update {
  /** Lines of the warning. */
  readonly stored: number;
  readonly said: string;
  readonly seconds: number;
}

/** A new process, with a ledger that was written and read. */
async function up(lab: Lab, declaration: Declaration, before: Update = fresh): Promise<Seen> {
  lab.admin.clearCalls();
  const { reconciler, said } = lab.process();
  const begun = lab.clock.now();
  const done = await lab.up(declaration, before, reconciler);
  const text = said();
  return {
    ...done,
    ledger: parseLedger(formatLedger(done.ledger)),
    stored: text.split(code).length - 1,
    said: text,
    seconds: (lab.clock.now() - begun) / 1000,
  };
}

async function refreshed(lab: Lab, declaration: Declaration, before: Update) {
  const { reconciler, said } = lab.process();
  const { findings, ledger, strays } = await lab.observe(declaration, before, reconciler);
  const states = findings.map(({ state }) => state);
  return { states, strays, stored: said().split(code).length - 1, after: { ...before, ledger } };
}

const writes = (lab: Lab) => [create, modify, modifyMany, remove].map((each) => lab.calls(each));
const values = (lab: Lab, domain = "example.com") =>
  lab.admin.zone(domain, { hold: false }).map(({ value }) => value);

for (const [what, line, value] of [
  ["in lower case", forward, "http://www.example.net/path"],
  ["with escapes", "www 600 隐性URL http://例子.net/Ä", "http://%E4%BE%8B%E5%AD%90.net/%C3%84"],
  ["of a known type", 'www 600 TXT "Key=AbC"', "key=abc"],
] as const)
  describe(`a value that the service stores ${what}`, () => {
    for (const mode of ["documented", "full"] as const) {
      const declaration = mode === "full" ? full([line]) : of(line);

      it(`is created once and owned, with one warning (${mode})`, async () => {
        const lab = await start();
        const first = await up(lab, declaration);
        deepEqual(first.codes, []);
        deepEqual([first.ledger.held.length, first.ledger.openWrites.length, first.stored], [1, 0, 1]);
        ok(first.said.includes(value), first.said);
        deepEqual(writes(lab), [1, 0, 0, 0]);
        ok(first.seconds < 5, String(first.seconds));
        const second = await up(lab, declaration, first);
        deepEqual([second.codes, second.stored, writes(lab)], [[], 0, [0, 0, 0, 0]]);
      });

      it(`is as declared in a refresh (${mode})`, async () => {
        const lab = await start();
        const first = await up(lab, declaration);
        const { states, strays, stored, after } = await refreshed(lab, declaration, first);
        deepEqual([states, strays, stored], [["as declared"], [], 0]);
        const second = await up(lab, declaration, after);
        deepEqual([second.codes, writes(lab)], [[], [0, 0, 0, 0]]);
      });
    }

    it("is deleted as created by a destroy", async () => {
      const lab = await start();
      const first = await up(lab, full([line]));
      await lab.release(full([line]), first, lab.reconciler({ programRan: () => Promise.resolve(false) }));
      deepEqual(values(lab), []);
    });

    it("is not sent again if it is dropped and declared again", async () => {
      const lab = await start();
      const first = await up(lab, of(line));
      const dropped = await up(lab, of(), first);
      deepEqual(dropped.codes, ["live.left-over"]);
      const again = await up(lab, of(line), dropped);
      deepEqual([again.codes, writes(lab), staleOf(again).length], [[], [0, 0, 0, 0], 0]);
    });

    it("may be declared as it is stored, without a write", async () => {
      const lab = await start();
      for (const made of [of, (each: string) => full([each])]) {
        lab.admin
          .zone("example.com")
          .forEach(({ id, hold }) => hold || lab.admin.removeRecord("example.com", id));
        const first = await up(lab, made(line));
        const asStored = made(line.replace(/\S+$/, what === "of a known type" ? `"${value}"` : value));
        const second = await up(lab, asStored, first);
        deepEqual([second.codes, writes(lab), second.stored], [[], [0, 0, 0, 0], 0]);
        deepEqual((await refreshed(lab, asStored, second)).states, ["as declared"]);
      }
    });
  });

describe("a record in the service's own form", () => {
  const quick = {
    ...fullSettings,
    LEGACYDNS_JOB_TIMEOUT: "20",
    LEGACYDNS_INDEX_DELAY: "2",
    LEGACYDNS_REQUEST_TIMEOUT: "5",
  };
  const lagging = { settings: { ...service.settings, indexDelay: 2 } };
  const domains = ["example.com", "example.net"];
  const other = "www 600 显性URL http://Other.Example.net/";
  const through = (lab: Lab, change: (job: JobDetail) => JobDetail) =>
    lab.clientWith(async (operation, call) => {
      const answer = await call();
      return operation === "Batch.Detail" ? (change(answer as JobDetail) as typeof answer) : answer;
    });

  it("is found in each domain of a job, beside others", async () => {
    const lab = await start();
    const declaration = declare(domains, [forward, "www 600 A 192.0.2.1", "api 600 TXT Text"]);
    const first = await up(lab, declaration);
    deepEqual([first.codes, first.ledger.held.length, first.stored], [[], 6, 2]);
    deepEqual(writes(lab), [1, 0, 0, 0]);
    const { states, after } = await refreshed(lab, declaration, first);
    deepEqual(new Set(states), new Set(["as declared"]));
    await up(lab, declaration, after);
    deepEqual(writes(lab), [0, 0, 0, 0]);
  });

  it("is found in the zone if its job names two of a name and type", async () => {
    const lab = await start();
    const first = await up(lab, of(forward, other));
    deepEqual([first.codes, first.ledger.held.length, first.stored], [[], 2, 1]);
    const { states } = await refreshed(lab, of(forward, other), first);
    deepEqual(states, ["as declared", "as declared"]);
  });

  for (const [what, lines] of [
    ["letter case", ['www 600 TXT "Key=AbC"', 'www 600 TXT "Key=DeF"']],
    ["escapes", ["www 600 隐性URL http://例子.net/", "www 600 隐性URL http://测试.net/Ä"]],
  ] as const)
    it(`is told from another of its name and type by all but ${what}`, async () => {
      const lab = await start();
      const first = await up(lab, of(...lines));
      deepEqual([first.codes, first.ledger.held.length, first.stored], [[], 2, 1]);
      const second = await up(lab, of(...lines), first);
      deepEqual([second.codes, writes(lab), values(lab).length], [[], [0, 0, 0, 0], 2]);
    });

  for (const next of ["state", "journal"] as const)
    it(`is not sent again if no answer shows which of two it is (the ${next} knows the job)`, async () => {
      const lab = await start({ settings: { ...service.settings, identical: "accept" } }, quick);
      const two = of('www 600 TXT "Key=AbC"', 'www 600 TXT "Key=aBc"');
      const first = await up(lab, two);
      deepEqual([first.codes, writes(lab), values(lab).length], [["job.unclear"], [1, 0, 0, 0], 2]);
      const second = await up(lab, two, next === "state" ? first : fresh);
      deepEqual([second.codes, writes(lab), values(lab).length], [["job.unclear"], [0, 0, 0, 0], 2]);
      const asStored = of('www 600 TXT "key=abc"');
      const third = await up(lab, asStored, second);
      deepEqual([third.codes, third.ledger.held.length, writes(lab)], [[], 1, [0, 0, 0, 0]]);
      const fourth = await up(lab, asStored, third);
      deepEqual([fourth.codes, fourth.ledger.openWrites.length], [[], 0]);
    });

  it("is known by its id if only a listing shows the form", async () => {
    const lab = await start();
    const asSent = (job: JobDetail): JobDetail => ({
      ...job,
      items: job.items.map((item) => ({
        ...item,
        records: item.records.map((record) => ({ ...record, value: "http://Www.Example.net/Path" })),
      })),
    });
    const reconciler = lab.reconciler({ client: through(lab, asSent) });
    const first = await lab.must(full([forward]), fresh, reconciler);
    const { states, stored, after } = await refreshed(lab, full([forward]), first);
    deepEqual([states, stored], [["as declared"], 1]);
    equal((await refreshed(lab, full([forward]), after)).stored, 0);
    const second = await up(lab, full([forward, "api 600 A 192.0.2.1"]), first);
    deepEqual([second.codes, second.stored, writes(lab)], [[], 1, [1, 0, 0, 0]]);
  });

  it("has drifted if somebody changes it, and is changed back once", async () => {
    const lab = await start();
    const declaration = full([forward]);
    const first = await up(lab, declaration);
    lab.admin.setRecord("example.com", { name: "www", type: "显性URL" }, { value: "http://example.org/" });
    const { states, strays, after } = await refreshed(lab, declaration, first);
    deepEqual([states, strays.length], [["missing"], 1]);
    const second = await up(lab, declaration, after);
    deepEqual([second.codes, second.stored, writes(lab)], [[], 0, [0, 1, 0, 0]]);
    deepEqual(values(lab), ["http://www.example.net/path"]);
    deepEqual((await refreshed(lab, declaration, second)).states, ["as declared"]);
  });

  for (const [what, line] of [
    ["another value", "www 600 显性URL http://Www.Example.net/Other"],
    ["another TTL", forward.replace("600", "300")],
    ["another letter case", "www 600 显性URL http://WWW.example.net/path"],
  ] as const)
    for (const lost of [false, true])
      it(`gets ${what} once, and the next up is quiet${lost ? ", although the answer is lost" : ""}`, async () => {
        const lab = await start(lagging, quick);
        const first = await up(lab, full([forward]));
        if (lost) lab.lose(modify, "after");
        const second = await up(lab, full([line]), first);
        // Letter case alone does not show whether the lost change was made.
        const calls = lost && what === "another letter case" ? 2 : 1;
        deepEqual([second.codes, writes(lab)], [[], [0, calls, 0, 0]]);
        const { states, after } = await refreshed(lab, full([line]), second);
        deepEqual(states, ["as declared"]);
        const third = await up(lab, full([line]), after);
        deepEqual([third.codes, third.stored, writes(lab)], [[], 0, [0, 0, 0, 0]]);
      });

  for (const lost of [false, true])
    it(`is one of many that get one value by a job${lost ? ", although the answer is lost" : ""}`, async () => {
      const lab = await start(lagging, quick);
      const many = (value: string) =>
        full(["a", "b", "c", "d"].map((name) => `${name} 600 显性URL ${value}`));
      const first = await up(lab, many("http://Www.Example.net/Path"));
      if (lost) lab.lose(modifyMany, "after");
      const second = await up(lab, many("http://Www.Example.net/Other"), first);
      deepEqual([second.codes, writes(lab)], [[], [0, 0, 1, 0]]);
      const { states, after } = await refreshed(lab, many("http://Www.Example.net/Other"), second);
      deepEqual(new Set(states), new Set(["as declared"]));
      await up(lab, many("http://Www.Example.net/Other"), after);
      deepEqual(writes(lab), [0, 0, 0, 0]);
    });

  for (const next of ["the same run", "the next run", "the run after a kill"] as const)
    it(`is found by ${next} if the answer of its creation is lost`, async () => {
      const lab = await start(lagging, quick);
      lab.lose(create, "after");
      if (next !== "the same run")
        lab.admin.addFault({ kind: "http", status: 404, operation: "Record.List", skip: 1, count: 50 });
      let first = await up(lab, full([forward]));
      if (next !== "the same run") {
        equal(first.ledger.openWrites.length, 1);
        lab.admin.clearFaults();
        first = await up(lab, full([forward]), next === "the next run" ? first : fresh);
        deepEqual(writes(lab), [0, 0, 0, 0]);
      }
      deepEqual([first.codes, first.ledger.held.length, first.stored], [[], 1, 1]);
      equal(first.ledger.held[0]?.made, true);
      deepEqual(values(lab).length, 1);
    });

  it("is owned by the next up if its job ended after jobTimeout", async () => {
    const lab = await start(
      { settings: { ...service.settings, stickAfter: 0 } },
      { ...quick, LEGACYDNS_JOB_TIMEOUT: "1" },
    );
    const declaration = full([forward, "www 600 TXT Text", "www 600 A 192.0.2.1"]);
    const first = await up(lab, declaration);
    deepEqual([first.ledger.held.length, first.codes], [0, ["job.pending"]]);
    lab.finishJobs();
    const second = await up(lab, declaration, first);
    deepEqual(
      [second.codes, second.ledger.held.length, second.stored, writes(lab)],
      [[], 3, 1, [0, 0, 0, 0]],
    );
  });

  it("is adopted if the service refuses the record that it has in another form", async () => {
    const lab = await start();
    const id = String(
      lab.admin.addRecord("example.com", {
        name: "www",
        type: "显性URL",
        value: "http://www.example.net/path",
      }).id,
    );
    const first = await up(lab, full([forward]));
    deepEqual([first.codes, first.stored, writes(lab)], [[], 1, [1, 0, 0, 0]]);
    deepEqual(
      first.ledger.held.map((each) => [each.id, each.made]),
      [[id, false]],
    );
    await up(lab, full([forward]), first);
    deepEqual(writes(lab), [0, 0, 0, 0]);
  });

  it("becomes the declared one without a creation if the program returns from the stored form", async () => {
    const lab = await start();
    const first = await up(lab, of(stored));
    const second = await up(lab, of(forward), first);
    deepEqual([second.codes, second.stored], [[], 1]);
    await up(lab, of(forward), second);
    deepEqual([writes(lab), values(lab).length], [[0, 0, 0, 0], 1]);
  });

  it("is never shown if it is secret", async () => {
    const lab = await start();
    const secret = declare("example.com", [forward], { sensitive: true });
    const first = await up(lab, secret);
    deepEqual([first.codes, first.stored], [[], 1]);
    const dropped = await up(lab, declare("example.com", [], { sensitive: true }), first);
    const texts = [first.said, dropped.said, dropped.text].join("\n");
    match(texts, /live\.stored-otherwise/);
    doesNotMatch(texts, /example\.net|path/i);
  });
});
