import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import { rmSync } from "node:fs";
import type { FaultSpec } from "../../emulator";
import { createClient, LegacyDnsError, type Client } from "../../provider/api";
import type { Clock } from "../../provider/support/clock";
import { ZoneReader } from "../../provider/reconcile/zones/reader";
import { textOf } from "../../provider/problems";
import { asDeclaredAmong, look } from "../../provider/reconcile/look";
import { until } from "../support/processes";
import {
  clientReading,
  create,
  declare,
  full,
  fullSettings,
  labTests,
  madeIn,
  of,
  ownFormService,
  refusing,
  withoutIds,
  wwwLine,
  type Lab,
} from "./lab";

const www = of(wwwLine);
const unreadable: FaultSpec = { kind: "http", status: 404, operation: "Record.List", skip: 1, count: 50 };
const forgetDisk = ({ settings }: Lab) => rmSync(settings.stateDir, { recursive: true, force: true });
const { it, start } = labTests({ settings: { identical: "accept" } }, { jobTimeout: 1 });

describe("the result of a write", () => {
  it("is reported and stored, even if the zone cannot be read afterwards", async () => {
    const lab = await start(refusing("api"));
    lab.admin.addFault(unreadable);
    const both = { ...of(wwwLine, "api 600 A 192.0.2.2"), undeclared: "report" as const };
    const { failures, text, held } = await lab.up(both);
    deepEqual([failures.length, held.length], [1, 1]);
    match(
      text,
      /^example\.com: refused by the service, so not created; api\.example\.com\. A 192\.0\.2\.2; Refused for the test/,
    );
  });

  it("of a job in two domains is open in the journal while one cannot be read", async () => {
    const lab = await start({ settings: { refuse: [{ domain: "example.com", message: "no" }] } });
    const { client } = lab;
    const half: Client = {
      ...client,
      close: () => client.close(),
      call: (operation, request, options) => {
        const isHidden =
          operation === "Record.List" && "domain" in request && request.domain === "example.net";
        if (!isHidden || lab.calls(create) === 0) return client.call(operation, request, options);
        throw new LegacyDnsError({ operation, target: "", meaning: "cut", help: [], outcome: "refused" });
      },
    };
    lab.lose(create, "after");
    const killed = await lab.process({ client: half }).up(declare(["example.com", "example.net"], [wwwLine]));
    deepEqual([...killed.codes].sort(), ["write.refused", "write.uncertain"]);
    deepEqual(madeIn(await lab.must(declare("example.net", [wwwLine]))), [true]);
  });

  it("of a job at work keeps its number, so that a fresh disk makes nothing twice", async () => {
    const lab = await start({ settings: { stickAfter: 0 } }, { jobTimeout: 62 });
    let ahead = 0;
    const sleep: Clock["sleep"] = (ms, signal) => ((ahead += ms), lab.clock.sleep(0, signal));
    const clock = { ...lab.clockAhead(() => ahead), sleep };
    lab.admin.addFault(unreadable);
    const reporting = { ...www, undeclared: "report" as const };
    const first = await lab.process({ clock }).up(reporting);
    equal(first.openWrites.length, 1);
    lab.clearFaults();
    forgetDisk(lab);
    lab.finishJobs();
    await lab.must(reporting, first);
    equal(lab.size, 1);
  });

  it("on another line is reported and stored, even if the zone cannot be read afterwards", async () => {
    const lab = await start(refusing("edge"), { jobTimeout: 3 });
    let ahead = 0;
    const clock = lab.clockAhead(() => ahead);
    lab.admin.addFault(unreadable);
    // The zone in hand is too old by the time that the job has ended.
    const client = clientReading(lab, (item) => ((ahead = 61_000), item));
    const both = of(wwwLine, "edge 600 A 192.0.2.2 [电信]");
    const { text, held } = await lab.process({ client, clock }).up(both);
    match(
      text,
      /^example\.com: refused by the service, so not created; edge\.example\.com\. A 192\.0\.2\.2 \[电信\]/,
    );
    equal(held.length, 1);
  });

  it("of a job at work is shared by a second resource that declares the record", async () => {
    const lab = await start({ settings: { jobStartMs: 500 } }, { jobTimeout: 20 });
    const by = lab.process();
    const first = by.must(www);
    while (lab.calls(create) === 0) await lab.clock.sleep(10);
    const both = await Promise.all([first, by.must(www)]);
    for (const { ledger } of both) equal(ledger.held.length, 1);
    deepEqual([lab.calls(create), lab.size], [1, 1]);
  });

  it("that a job does not name is looked for until the index must show it", async () => {
    const lab = await start({ settings: { jobStartMs: 1_500 } }, { indexDelay: 2 });
    const client = clientReading(lab, withoutIds);
    const first = await lab.process({ client }).up(www);
    equal(first.openWrites.length, 1);
    forgetDisk(lab);
    const { held } = await lab.process({ client }).must(www, first);
    deepEqual([held.length, lab.calls(create)], [1, 1]);
  });

  for (const [where, settings, delay] of [
    ["shows late in the listing", { indexDelay: 15 }, "15"],
    ["waits in the queue", { jobStartMs: 12_000 }, "0"],
  ] as const)
    it(`without an answer whose record ${where} is found by the same run, which sends nothing again`, async () => {
      const lab = await start({ settings }, { jobTimeout: 20, indexDelay: delay });
      lab.lose(create, "after");
      const { held, openWrites } = await lab.must(www);
      deepEqual([held.length, openWrites, lab.calls(create)], [1, [], 1]);
    });

  it("without an answer whose zone cannot be read is found by the next run, which sends nothing again", async (lab) => {
    lab.loseUnread(create, "after");
    const first = await lab.up(www);
    equal(first.openWrites.length, 1);
    forgetDisk(lab);
    lab.clearFaults();
    const { held } = await lab.must(www, first);
    deepEqual([held.length, lab.calls(create)], [1, 1]);
  });

  it("is known if a reading finds it, even if a later one that ended first does not", async (lab) => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let isFirst = true;
    const client = lab.clientWith(async (operation, call) => {
      const waits = operation === "Record.List" && isFirst;
      isFirst = false;
      if (waits) await held;
      return call();
    });
    const reader = new ZoneReader(client, lab.settings, lab.clock);
    const listed = async (since?: number) =>
      (await reader.get("example.com", since)).zone.entries.filter(({ hold }) => !hold).length;
    const [now, run] = [lab.clock.now(), Object.assign(lab.process().reconciler, { zones: reader })];
    const looking = look(run, www.records, asDeclaredAmong(run, []), { window: { first: now, last: now } });
    await lab.clock.sleep(100);
    equal(await listed(lab.clock.now()), 0);
    lab.add(wwwLine);
    release();
    deepEqual(
      [...(await looking).values()].map(({ is }) => is),
      ["as wanted"],
    );
    equal(await listed(), 1);
  });

  it("is known if a reading finds it, even if one that began later does not", async (lab) => {
    let listings = 0;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const client = lab.clientWith(async (_operation, call) => {
      const answer = await call();
      if ((listings += 1) === 1) await held;
      return answer;
    });
    const by = lab.process({ client }).reconciler;
    const listed = async (since?: number) =>
      (await by.zones.get("example.com", since)).zone.entries.filter(({ hold }) => !hold).length;
    lab.add(wwwLine);
    const window = { first: lab.clock.now(), last: lab.clock.now() };
    const looking = look(by, www.records, asDeclaredAmong(by, []), { window });
    await until("the first listing", () => listings === 1);
    lab.erase("www");
    equal(await listed(lab.clock.now()), 0);
    release();
    await looking;
    equal(await listed(), 1);
  });

  it("has the service's words only for the domain of a job that ended in an error", async () => {
    const lab = await start(refusing("www"));
    const client = clientReading(lab, (item) =>
      item.domain === "example.com"
        ? { ...item, status: "error", error: "It is frozen", records: [] }
        : { ...item, status: "ok", error: "A note", records: [{}] },
    );
    const both = declare(["example.com", "example.net"], [wwwLine]);
    const { failures } = await lab.process({ client }).up(both);
    const [com = "", net = ""] = failures.map(textOf).sort();
    match(com, /^example\.com: refused by the service, .*It is frozen/);
    match(net, /^example\.net: /);
    doesNotMatch(net, /frozen|note/);
  });

  for (const [state, edit, difference] of [
    ["with another TTL", { ttl: 60 }, "TTL 60 live, 600 declared"],
    ["that is switched off", { ttl: 600, enabled: false }, "disabled"],
  ] as const) {
    it(`is not a record ${state} that somebody makes before the next run`, async () => {
      const lab = await start({ settings: { identical: "refuse" } });
      const declaration = { ...www, adopt: false };
      lab.loseUnread(create);
      const first = await lab.up(declaration);
      equal(first.openWrites.length, 1);
      lab.clearFaults();
      const id = lab.add("www A 192.0.2.1", edit);
      const { failures } = await lab.up(declaration, first);
      deepEqual(
        failures.map(({ code, records }) => [code, records?.[0]?.note]),
        [["live.exists", `${difference}, record ${id}`]],
      );
    });

    it(`is not a record ${state} that somebody makes while its answer is lost`, async () => {
      const lab = await start({ settings: { identical: "refuse" } });
      const by = lab.process();
      await by.preview(www);
      lab.lose(create);
      lab.add("www A 192.0.2.1", edit);
      const { codes, held } = await by.up(www);
      deepEqual([codes.length, held], [1, []]);
    });
  }
});

describe("a domain that a job could not change at all", () => {
  const { it, start } = labTests(ownFormService, fullSettings);
  const declaration = declare(
    ["example.com", "example.net"],
    ["a 600 显性URL http://A.example.net", "a 600 显性URL http://B.example.net"],
  );
  const named = { name: "a", type: "显性URL", line: "默认", status: "error", error: "not known here" };

  for (const [how, records] of [
    ["no record", []],
    ["the records in another form", ["x", "y"].map((value) => ({ ...named, value }))],
  ] as const)
    it(`is a refusal if its answer names ${how}`, async () => {
      const lab = await start({ settings: { refuse: [{ domain: "example.com", message: "no" }] } });
      const refused = { status: "error", error: "Type is not known", records };
      const client = clientReading(lab, (item) =>
        item.domain === "example.com" ? { ...item, ...refused } : item,
      );
      const begun = lab.clock.now();
      const { failures, held, openWrites } = await lab.process({ client }).up(declaration);
      for (const { code, why } of failures) deepEqual([code, why], ["write.refused", "Type is not known"]);
      deepEqual([held.length, openWrites.length], [2, 0]);
      ok(failures.length > 0 && lab.clock.now() - begun < 5_000);
    });
});

describe("a secret value that the service repeats", () => {
  const values = ["top-secret-value", 'another "hidden" one'];
  const lines = ["a 600 TXT top-secret-value", 'b 600 TXT "another \\"hidden\\" one"'];
  const secret = declare("example.com", lines, { sensitive: true });

  it("in the error of a whole job is never shown", async (lab) => {
    const { reporter } = lab.process();
    const client = createClient({ settings: lab.settings, reporter });
    const message = `wrong: ${values.join(" and ")}, ${JSON.stringify(values[1])}`;
    lab.answer(create, "21", { message });
    const by = lab.process({ client, reporter });
    const results = await Promise.all([secret, www].map((each) => by.up(each)));
    await client.close();
    const said = [...results, ...reporter.lines].map(({ text }) => text).join("\n");
    match(said, /21/);
    doesNotMatch(said, /top-secret|hidden/);
  });

  it("in the refusal of a change to a public value is never shown", async () => {
    const lab = await start({ settings: { undocumented: true } }, fullSettings);
    const first = await lab.must(full(lines.slice(0, 1), { sensitive: true }));
    lab.answer("Record.Modify", "21", { message: "top-secret-value stays" });
    const after = { ...full(["a 600 TXT public"]), sensitive: true };
    const { codes, text } = await lab.process().declares(after).up(after, first);
    deepEqual(codes, ["write.refused"]);
    doesNotMatch(text, /top-secret/);
  });

  it("in the refusal of another record is never shown", async (lab, by) => {
    lab.admin.set({ refuse: [{ name: "www", message: "in conflict with top-secret-value" }] });
    const results = await Promise.all([secret, www].map((each) => by.up(each)));
    deepEqual(
      results.flatMap(({ failures }) => failures.map(textOf)),
      [
        "example.com: refused by the service, so not created; www.example.com. A 192.0.2.1; not shown, because the call carries a secret value",
      ],
    );
  });
});
