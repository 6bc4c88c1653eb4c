import { deepEqual, doesNotMatch, equal, match, ok, rejects } from "node:assert/strict";
import { digestOf } from "../../provider/reconcile/memory/ledger";
import { textOf } from "../../provider/problems";
import {
  create,
  declare,
  fresh,
  hosts,
  labTests,
  of,
  pendingUp,
  processAtWait,
  processBefore,
  saidIn,
  statesIn,
  wwwLine,
} from "./lab";

const www = of(wwwLine);
const [digest = ""] = www.records.map(digestOf);
const { it, start } = labTests();
const lag = (indexDelay: number, settings: object = {}) => start({ settings }, { indexDelay });

describe("a refresh", () => {
  it("enters a live record that the ledger does not have", async (lab, by) => {
    const id = lab.add(wwwLine);
    const seen = await by.observe(www);
    deepEqual(seen.ledger.held, [{ digest, domain: "example.com", id, since: 0, made: false }]);
    // No ledger knows that the stack made it: a destroy keeps it and reports it.
    await by.release(www, seen);
    match(by.said(), new RegExp(`\\[live\\.adopted\\]\\n.* +record ${id}`));
  });

  it("warns of a record that must not be adopted, and leaves it to the next update as missing", async (lab, by) => {
    const id = lab.add(wwwLine);
    const seen = await by.observe({ ...www, adopt: false });
    deepEqual([seen.ledger.held.length, statesIn(seen)], [0, ["missing"]]);
    match(by.said(), new RegExp(`\\[live\\.exists\\]\\n.*record ${id}\\n`));
  });

  it("does not warn of a record that the stack created for another resource", async (lab, by) => {
    const made = await lab.must(www);
    const strict = by.observe({ ...www, adopt: false });
    const [seen] = await Promise.all([strict, by.observe(www, made)]);
    deepEqual([seen.ledger.held.length, statesIn(seen), by.said()], [0, ["missing"], ""]);
  });

  it("holds a record that appears during it while its job is open, although adopt is false", async () => {
    const lab = await start({ settings: { identical: "accept" } }, { indexDelay: 30, jobTimeout: 1 });
    // More young records than are read by their ids.
    const strict = { ...of(...hosts(6), wwwLine), adopt: false };
    const open = await pendingUp(lab, 6, strict);
    lab.clearCalls();
    const by = processBefore(lab, "Record.List", () => {
      if (lab.calls("Record.List") === 1) lab.add(wwwLine);
    });
    const seen = await by.observe(strict, open);
    deepEqual([new Set(statesIn(seen)), seen.ledger.held.length], [new Set(["as declared"]), 7]);
  });

  it("holds the declared record and the one of the ledger, if both are live", async (lab) => {
    const [old, other] = [lab.add("www 600 A 192.0.2.2"), lab.add(wwwLine)];
    const held = [{ digest, domain: "example.com", id: old, since: 0, made: false }];
    const { ledger } = await lab.observe(www, { ledger: { ...fresh.ledger, held } });
    deepEqual(
      ledger.held.map(({ id, made }) => [id, made]),
      [
        [old, false],
        [other, false],
      ],
    );
  });

  it("reads a young record by its number, as it is now", async () => {
    const lab = await lag(5);
    const made = await lab.must(www);
    lab.edit("www", { value: "192.0.2.9" });
    const seen = await lab.observe(www, made);
    const strays = seen.strays.map(({ record }) => record.value);
    deepEqual([statesIn(seen), strays], [["missing"], ["192.0.2.9"]]);
  });

  it("hides a stale record that is the secret of a resource that is read later", async (lab) => {
    const line = "www 600 TXT hush";
    const left = await lab.up(of(), await lab.must(of(line)));
    const secret = declare("example.com", [line], { sensitive: true });
    const made = await lab.must(secret);
    let later: Promise<unknown> | undefined;
    const by = processAtWait(lab, (late) => (later = late.observe(secret, made)));
    const { secrets, strays } = await by.observe(of(), left);
    await later;
    deepEqual([strays.length, [...secrets]], [1, strays]);
  });

  it("names both records that two machines made at the same moment", async () => {
    const lab = await lag(2, { identical: "accept" });
    const { reporter } = lab.process();
    const { settings } = lab;
    const machine = (name: string) =>
      lab.process({ reporter, settings: { ...settings, stateDir: `${settings.stateDir}/${name}` } });
    const [first] = await Promise.all(["one", "two"].map((name) => machine(name).up(www)));
    await lab.clock.sleep(3_000);
    await machine("one").observe(www, first);
    const numbers = lab.records.map(({ id }) => String(id));
    const named = reporter.lines.filter(({ text }) => numbers.every((number) => text.includes(number)));
    deepEqual([numbers.length, named.length], [2, 1]);
  });

  it("does not name a record of another TTL that kept a job from making its own", async () => {
    const lab = await start({ settings: { jobStartMs: 5_000 } }, { jobTimeout: 1 });
    const update = await lab.up(www);
    deepEqual(update.codes, ["job.pending"]);
    lab.add("www 300 A 192.0.2.1");
    await lab.clock.sleep(10_000);
    const by = lab.process();
    const seen = await by.observe(www, update);
    deepEqual([statesIn(seen), by.said()], [["other ttl"], ""]);
  });
});

describe("a found record", () => {
  it("keeps its age with another resource: a moment later it is not taken for gone", async () => {
    const lab = await lag(5);
    const by = lab.process();
    await by.up(www);
    const second = await by.up(www);
    ok(second.held.every(({ since }) => since > 0));
    await rejects(lab.release(www, second), /\[live\.left-over\]/);
  });

  it("that is live twice after a lost answer is named", async () => {
    const lab = await start({ settings: { identical: "accept", indexDelay: 0 } }, { indexDelay: 1 });
    const by = lab.process();
    await by.preview(www);
    lab.lose(create, "after");
    const seen = lab.add(wwwLine);
    equal((await by.up(www)).held.length, 1);
    match(
      by.said(),
      new RegExp(`\\[live\\.twice\\]\\n {2}www\\.example\\.com\\. A 192\\.0\\.2\\.1 +records .*${seen}`),
    );
  });

  it("after a lost answer is the one of two with the declared TTL", async () => {
    const lab = await start({ settings: { identical: "accept", indexDelay: 0 } }, { indexDelay: 1 });
    const by = lab.process();
    await by.preview(www);
    lab.lose(create, "after");
    const twin = lab.add("www 300 A 192.0.2.1");
    const [own] = (await by.up(www)).held;
    ok(own !== undefined && own.id !== twin);
  });

  it("of type TXT is named without its text, which may have been a secret", async (lab) => {
    lab.add("www 600 TXT once-a-secret");
    const { failures } = await lab.preview(of("www 600 CNAME example.net."));
    match(
      failures.map(textOf).join(),
      /exclude each other.*www\.example\.com\. TXT \(secret\) \(live, record \d+\)/,
    );
  });
});

describe("a record of a lost creation that is live, but disabled", () => {
  const lost = async () => {
    const lab = await start({ settings: { indexDelay: 3 } }, { jobTimeout: 1 });
    lab.loseUnread(create, "after");
    const update = await lab.up(www);
    deepEqual(update.codes, ["write.uncertain"]);
    lab.clearFaults();
    const [record] = lab.records;
    lab.admin.setRecord("example.com", record?.id ?? 0, { enabled: false }, { force: true });
    await lab.clock.sleep(3_000);
    return { lab, update, by: lab.process() };
  };
  const named = /\[live\.unknown\]\n {2}www\.example\.com\. A 192\.0\.2\.1/;

  it("is named by the update whose program has another one in its place", async () => {
    const { update, by } = await lost();
    const { openWrites, held } = await by.must(of("www 600 A 192.0.2.2"), update);
    match(by.said(), named);
    deepEqual([openWrites, held.length], [[], 1]);
  });

  it("is named by the deletion of its resource, and stays", async () => {
    const { lab, update } = await lost();
    match(await saidIn(lab, (by) => by.release(www, update)), named);
    equal(lab.size, 1);
  });

  it("is an error alone if it is still declared", async () => {
    const { update, by } = await lost();
    by.declares(www);
    deepEqual((await by.up(www, update)).codes, ["live.disabled"]);
    doesNotMatch(by.said(), /live\.unknown/);
  });
});
