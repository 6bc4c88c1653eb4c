import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import type { Declaration } from "../../provider/reconcile/declaration";
import { recordKey } from "../../provider/dns";
import { digestOf, emptyLedger } from "../../provider/reconcile/memory/ledger";
import { OwnForms } from "../../provider/reconcile/zones/own-forms";
import { liveEntry, zoneWith } from "../support/live";
import {
  clientReading,
  create,
  declare,
  fresh,
  full,
  fullSettings,
  labTests,
  madeIn,
  modify,
  modifyMany,
  of,
  ownFormService as service,
  remove,
  saved,
  staleOf,
  statesIn,
  type Lab,
  type Process,
  type Update,
} from "./lab";

const { it, start } = labTests(service, fullSettings);

const forward = "www 600 显性URL http://Www.Example.net/Path";
const stored = "www 600 显性URL http://www.example.net/path";

interface Seen extends Update {
  readonly told: readonly [codes: Update["codes"], warnings: number, writes: readonly number[]];
  readonly said: string;
  readonly seconds: number;
}

/** The number of the warnings that a value is stored in another form. */
const storedIn = (by: Process) => by.said().split("live.stored-otherwise").length - 1;

/** A new process, with a ledger that was written and read. */
async function up(lab: Lab, declaration: Declaration, before: Update = fresh): Promise<Seen> {
  lab.clearCalls();
  const by = lab.process();
  const begun = lab.clock.now();
  const done = await by.up(declaration, before);
  const seconds = (lab.clock.now() - begun) / 1000;
  return { ...saved(done), told: [done.codes, storedIn(by), writes(lab)], said: by.said(), seconds };
}

const writes = (lab: Lab) => [create, modify, modifyMany, remove].map((each) => lab.calls(each));
const values = (lab: Lab) => lab.records.map(({ value }) => value);

/** An update that has nothing to write or to say. */
async function quietUp(lab: Lab, declaration: Declaration, before: Update) {
  const done = await up(lab, declaration, before);
  deepEqual(done.told, [[], 0, [0, 0, 0, 0]]);
  return done;
}

async function refreshed(lab: Lab, declaration: Declaration, before: Update) {
  const by = lab.process();
  const seen = await by.observe(declaration, before);
  const { ledger, strays } = seen;
  const states = statesIn(seen);
  return { states, strays, stored: storedIn(by), after: { ...before, ledger } };
}

for (const [what, line, value] of [
  ["in lower case", forward, "http://www.example.net/path"],
  ["with escapes", "www 600 隐性URL http://例子.net/Ä", "http://%E4%BE%8B%E5%AD%90.net/%C3%84"],
  ["of a known type", 'www 600 TXT "Key=AbC"', "key=abc"],
] as const)
  describe(`a value that the service stores ${what}`, () => {
    for (const [mode, made] of [
      ["documented", of],
      ["full", (each: string) => full([each])],
    ] as const) {
      it(`is created once and owned, with one warning, and is as declared in a refresh (${mode})`, async (lab) => {
        const first = await up(lab, made(line));
        deepEqual(first.told, [[], 1, [1, 0, 0, 0]]);
        deepEqual([first.ledger.held.length, first.ledger.openWrites.length], [1, 0]);
        ok(first.said.includes(value), first.said);
        ok(first.seconds < 5, String(first.seconds));
        await quietUp(lab, made(line), first);
        const { states, strays, stored, after } = await refreshed(lab, made(line), first);
        deepEqual([states, strays, stored], [["as declared"], [], 0]);
        await quietUp(lab, made(line), after);
      });

      it(`may be declared as it is stored, without a write (${mode})`, async (lab) => {
        const first = await up(lab, made(line));
        const asStored = made(line.replace(/\S+$/, what === "of a known type" ? `"${value}"` : value));
        const second = await quietUp(lab, asStored, first);
        deepEqual((await refreshed(lab, asStored, second)).states, ["as declared"]);
      });
    }

    it("is deleted as created by a destroy", async (lab) => {
      const first = await up(lab, full([line]));
      await lab.process({ programRan: () => Promise.resolve(false) }).release(full([line]), first);
      deepEqual(values(lab), []);
    });

    it("is not sent again if it is dropped and declared again", async (lab) => {
      const dropped = await up(lab, of(), await up(lab, of(line)));
      deepEqual(dropped.codes, ["live.left-over"]);
      const again = await up(lab, of(line), dropped);
      deepEqual([again.codes, writes(lab), staleOf(again).length], [[], [0, 0, 0, 0], 0]);
    });
  });

describe("a record in the service's own form", () => {
  const quick = { jobTimeout: 20, indexDelay: 2, requestTimeout: 5 };
  const domains = ["example.com", "example.net"];
  const other = "www 600 显性URL http://Other.Example.net/";

  it("is found in each domain of a job, beside others", async (lab) => {
    const declaration = declare(domains, [forward, "www 600 A 192.0.2.1", "api 600 TXT Text"]);
    const first = await up(lab, declaration);
    deepEqual([first.told, first.ledger.held.length], [[[], 2, [1, 0, 0, 0]], 6]);
    const { states, after } = await refreshed(lab, declaration, first);
    deepEqual(new Set(states), new Set(["as declared"]));
    await quietUp(lab, declaration, after);
  });

  it("is found in the zone if its job names two of a name and type", async (lab) => {
    const first = await up(lab, of(forward, other));
    deepEqual([first.told, first.ledger.held.length], [[[], 1, [1, 0, 0, 0]], 2]);
    deepEqual((await refreshed(lab, of(forward, other), first)).states, ["as declared", "as declared"]);
  });

  for (const [what, lines] of [
    ["letter case", ['www 600 TXT "Key=AbC"', 'www 600 TXT "Key=DeF"']],
    ["escapes", ["www 600 隐性URL http://例子.net/", "www 600 隐性URL http://测试.net/Ä"]],
  ] as const)
    it(`is told from another of its name and type by all but ${what}`, async (lab) => {
      const first = await up(lab, of(...lines));
      deepEqual([first.told, first.ledger.held.length], [[[], 1, [1, 0, 0, 0]], 2]);
      await quietUp(lab, of(...lines), first);
      equal(values(lab).length, 2);
    });

  for (const next of ["state", "journal"] as const)
    it(`is not sent again if no answer shows which of two it is (the ${next} knows the job)`, async () => {
      const lab = await start({ settings: { identical: "accept" } }, quick);
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

  it("is not looked for among the records that another resource declares", () => {
    const [sent, live] = [forward, stored].flatMap((line) => of(line).records);
    ok(sent && live);
    const found = (isDeclared: boolean) =>
      new OwnForms(() => isDeclared).find(zoneWith([liveEntry(live)]), sent, [sent])?.id;
    deepEqual([found(false), found(true)], ["1", undefined]);
  });

  it("is known by its id if only a listing shows the form", async (lab) => {
    const sent = { value: "http://Www.Example.net/Path" };
    const client = clientReading(lab, (item) => ({
      ...item,
      records: item.records.map((each) => ({ ...each, ...sent })),
    }));
    const first = await lab.process({ client }).must(full([forward]));
    const { states, stored, after } = await refreshed(lab, full([forward]), first);
    deepEqual([states, stored], [["as declared"], 1]);
    equal((await refreshed(lab, full([forward]), after)).stored, 0);
    const second = await up(lab, full([forward, "api 600 A 192.0.2.1"]), first);
    deepEqual(second.told, [[], 1, [1, 0, 0, 0]]);
  });

  it("has drifted if somebody changes it, and is changed back once", async (lab) => {
    const declaration = full([forward]);
    const first = await up(lab, declaration);
    lab.edit("www", { value: "http://example.org/" }, "显性URL");
    const { states, strays, after } = await refreshed(lab, declaration, first);
    deepEqual([states, strays.length], [["missing"], 1]);
    const second = await up(lab, declaration, after);
    deepEqual(second.told, [[], 0, [0, 1, 0, 0]]);
    deepEqual(values(lab), ["http://www.example.net/path"]);
    deepEqual((await refreshed(lab, declaration, second)).states, ["as declared"]);
  });

  const many = (value: string) => ["a", "b", "c", "d"].map((name) => `${name} 600 显性URL ${value}`);
  type Row = [what: string, before: string[], after: string[], calls: number[], callsIfLost?: number[]];
  const changes: Row[] = [
    ["gets another value once", [forward], ["www 600 显性URL http://Www.Example.net/Other"], [0, 1, 0, 0]],
    ["gets another TTL once", [forward], [forward.replace("600", "300")], [0, 1, 0, 0]],
    [
      "gets another letter case once",
      [forward],
      ["www 600 显性URL http://WWW.example.net/path"],
      [0, 1, 0, 0],
      // Letter case alone does not show whether the lost change was made.
      [0, 2, 0, 0],
    ],
    [
      "is one of many that get one value by a job",
      many("http://Www.Example.net/Path"),
      many("http://Www.Example.net/Other"),
      [0, 0, 1, 0],
    ],
  ];
  for (const [what, before, after, calls, callsIfLost = calls] of changes)
    for (const isLost of [false, true])
      it(`${what}, and the next up is quiet${isLost ? ", although the answer is lost" : ""}`, async () => {
        const lab = await start({}, quick);
        const first = await up(lab, full(before));
        if (isLost) lab.lose(before.length === 1 ? modify : modifyMany, "after");
        const second = await up(lab, full(after), first);
        deepEqual([second.codes, writes(lab)], [[], isLost ? callsIfLost : calls]);
        const seen = await refreshed(lab, full(after), second);
        deepEqual(new Set(seen.states), new Set(["as declared"]));
        await quietUp(lab, full(after), seen.after);
      });

  for (const next of ["the same run", "the next run", "the run after a kill"] as const)
    it(`is found by ${next} if the answer of its creation is lost`, async () => {
      const lab = await start({}, quick);
      if (next === "the same run") lab.lose(create, "after");
      else lab.loseUnread(create, "after");
      let first = await up(lab, full([forward]));
      if (next !== "the same run") {
        equal(first.ledger.openWrites.length, 1);
        lab.clearFaults();
        first = await up(lab, full([forward]), next === "the next run" ? first : fresh);
        deepEqual(writes(lab), [0, 0, 0, 0]);
      }
      deepEqual([first.codes, madeIn(first), first.told[1], values(lab).length], [[], [true], 1, 1]);
    });

  it("is owned by the next up if its job ended after jobTimeout", async () => {
    const lab = await start({ settings: { stickAfter: 0 } }, { ...quick, jobTimeout: 1 });
    const declaration = full([forward, "www 600 TXT Text", "www 600 A 192.0.2.1"]);
    const first = await up(lab, declaration);
    deepEqual([first.ledger.held.length, first.codes], [0, ["job.pending"]]);
    lab.finishJobs();
    const second = await up(lab, declaration, first);
    deepEqual(second.told, [[], 1, [0, 0, 0, 0]]);
    equal(second.ledger.held.length, 3);
  });

  it("is adopted if the service refuses the record that it has in another form", async (lab) => {
    const live = { name: "www", type: "显性URL", value: "http://www.example.net/path" };
    const id = String(lab.admin.addRecord("example.com", live).id);
    const first = await up(lab, full([forward]));
    deepEqual(first.told, [[], 1, [1, 0, 0, 0]]);
    deepEqual(
      first.ledger.held.map((each) => [each.id, each.made]),
      [[id, false]],
    );
    await quietUp(lab, full([forward]), first);
  });

  it("becomes the declared one, and stays alone, if the program returns from the stored form", async (lab) => {
    const second = await up(lab, of(forward), await up(lab, of(stored)));
    // The service refuses the creation.
    deepEqual(second.told, [[], 1, [1, 0, 0, 0]]);
    await quietUp(lab, of(forward), second);
    equal(values(lab).length, 1);
  });

  it("is never shown if it is secret", async (lab) => {
    const first = await up(lab, declare("example.com", [forward], { sensitive: true }));
    deepEqual(first.told, [[], 1, [1, 0, 0, 0]]);
    const dropped = await up(lab, declare("example.com", [], { sensitive: true }), first);
    const texts = [first.said, dropped.said, dropped.text].join("\n");
    match(texts, /live\.stored-otherwise/);
    doesNotMatch(texts, /example\.net|path/i);
  });

  it("is not shown by another resource after its own has dropped it as a secret", async (lab, by) => {
    const first = await up(lab, declare("example.com", [forward], { sensitive: true }));
    await by.up(declare("example.com", [], { sensitive: true }), first);
    const { codes, text } = await by.up(of("www 600 CNAME example.org."));
    deepEqual(codes, ["live.blocked"]);
    doesNotMatch(text, /example\.net|path/i);
  });

  it("is hidden in the form that the service stores, too, if it is secret", (lab) => {
    const { siblings } = lab.process();
    const [sent, live] = [forward, stored].flatMap((line) => of(line).records);
    ok(sent && live);
    const names = { digest: digestOf(sent), form: digestOf(live) };
    siblings.secrets.add([{ ...sent, secret: true }]);
    const held = [{ ...names, domain: sent.domain, id: "1", since: 0, made: true }];
    siblings.owned.add([sent], { ...emptyLedger, held });
    ok(siblings.secrets.has(recordKey(live)));
  });
});
