/** Records that a refresh finds: adopted, moved, doubled or young. */
import assert from "node:assert/strict";
import { digest, recordKey } from "../../provider/dns";
import { withoutMissing } from "../../provider/reconcile/memory/ledger";
import { textOf } from "../../provider/problems";
import { declare, fresh, labs } from "../support/lab";

const www = declare("example.com", ["www 600 A 192.0.2.1"]);
const start = labs();
const lag = (s: number, more: object = {}) =>
  start({ settings: { indexDelay: s, ...more } }, { LEGACYDNS_INDEX_DELAY: `${s}` });

describe("a refresh", () => {
  it("enters a live record that the ledger does not have", async () => {
    const lab = await start();
    const id = lab.add("www 600 A 192.0.2.1");
    const { reconciler, said } = lab.process();
    const { ledger } = await reconciler.observe(www, fresh.ledger);
    assert.deepEqual([...ledger.owned.values()], [{ id, since: 0, made: false }]);
    // No ledger knows that the stack made it: a destroy keeps it and reports it.
    await reconciler.release(www, ledger);
    assert.match(said(), new RegExp(`\\[live\\.adopted\\]\\n.* +record ${id}`));
  });

  it("warns of a record that must not be adopted, and leaves it to the next update as missing", async () => {
    const lab = await start();
    const id = lab.add("www 600 A 192.0.2.1");
    const { reconciler, said } = lab.process();
    const { findings, ledger } = await reconciler.observe({ ...www, adopt: false }, fresh.ledger);
    assert.equal(ledger.owned.size, 0);
    assert.deepEqual(
      findings.map(({ state }) => state),
      ["missing"],
    );
    assert.match(said(), new RegExp(`\\[live\\.exists\\]\\n.*record ${id}\\n`));
  });

  it("does not warn of a record that the stack created for another resource", async () => {
    const lab = await start();
    const { ledger } = await lab.must(www);
    const { reconciler, said } = lab.process();
    const strict = reconciler.observe({ ...www, adopt: false }, fresh.ledger);
    const [observed] = await Promise.all([strict, reconciler.observe(www, ledger)]);
    assert.deepEqual([observed.ledger.owned.size, observed.findings[0]?.state], [0, "missing"]);
    assert.equal(said(), "");
  });

  it("owns the declared record in place of the one in the ledger, which becomes stale", async () => {
    const lab = await start();
    const [old, other] = [lab.add("www 600 A 192.0.2.2"), lab.add("www 600 A 192.0.2.1")];
    const entry = { id: old, since: 0, made: false };
    const owned = new Map(www.records.map((record) => [digest(recordKey(record)), entry]));
    const { ledger } = await lab.reconciler().observe(www, { ...fresh.ledger, owned });
    assert.deepEqual(
      [...ledger.owned.values()].map(({ id }) => id),
      [other],
    );
    assert.deepEqual(ledger.stale, [{ domain: "example.com", id: old, made: false }]);
  });

  it("reads a young record by its number, as it is now", async () => {
    const lab = await lag(5);
    const { ledger } = await lab.must(www);
    const [made] = ledger.owned.values();
    lab.admin.setRecord("example.com", Number(made?.id), { value: "192.0.2.9" });
    const { findings, strays } = await lab.reconciler().observe(www, ledger);
    assert.deepEqual(
      [findings.map(({ state }) => state), strays.map(({ record }) => record.value)],
      [["missing"], ["192.0.2.9"]],
    );
  });

  it("names both records that two machines made at the same moment", async () => {
    const lab = await lag(2, { identical: "accept" });
    const { reporter } = lab.process();
    const machine = (name: string) =>
      lab.reconciler({
        reporter,
        settings: { ...lab.settings, stateDir: `${lab.settings.stateDir}/${name}` },
      });
    const [first = fresh] = await Promise.all(
      ["one", "two"].map((name) => lab.up(www, fresh, machine(name))),
    );
    await lab.clock.sleep(3_000);
    await machine("one").observe(www, first.ledger);
    const numbers = lab.admin.zone("example.com", { hold: false }).map(({ id }) => String(id));
    const named = reporter.lines.filter(({ text }) => numbers.every((number) => text.includes(number)));
    assert.deepEqual([numbers.length, named.length], [2, 1]);
  });
});

describe("a found record", () => {
  it("keeps its age with another resource: a moment later it is not taken for gone", async () => {
    const lab = await lag(5);
    const reconciler = lab.reconciler();
    await lab.up(www, fresh, reconciler);
    const { ledger } = await lab.up(www, fresh, reconciler);
    assert.ok([...ledger.owned.values()].every(({ since }) => since > 0));
    await assert.rejects(lab.reconciler().release(www, ledger), /\[live\.left-over\]/);
  });

  it("that is live twice after a lost answer is named", async () => {
    const lab = await start({ settings: { identical: "accept" } }, { LEGACYDNS_INDEX_DELAY: "1" });
    const { reconciler, said } = lab.process();
    await reconciler.preview(www);
    lab.admin.addFault({ operation: "Batch.Record.Create", kind: "dropped", when: "after", count: 1 });
    const seen = lab.add("www 600 A 192.0.2.1");
    const { ledger } = await lab.up(www, fresh, reconciler);
    assert.equal(ledger.owned.size, 1);
    assert.match(
      said(),
      new RegExp(`\\[live\\.twice\\]\\n {2}www\\.example\\.com\\. A 192\\.0\\.2\\.1 +records .*${seen}`),
    );
  });

  it("of type TXT is named without its text, which may have been a secret", async () => {
    const lab = await start();
    lab.add("www 600 TXT once-a-secret");
    const alias = declare("example.com", ["www 600 CNAME example.net."]);
    const { failures } = await lab.reconciler().preview(alias);
    assert.match(
      failures.map(textOf).join(),
      /exclude each other.*www\.example\.com\. TXT #\S+ \(live, record \d+\)/,
    );
  });
});

describe("a record of a lost creation that is live, but disabled", () => {
  const other = declare("example.com", ["www 600 A 192.0.2.2"]);
  const lost = async () => {
    const lab = await start({ settings: { indexDelay: 3 } }, { LEGACYDNS_JOB_TIMEOUT: "1" });
    lab.admin.addFault({ operation: "Batch.Record.Create", kind: "dropped", when: "after", count: 1 });
    const update = await lab.up(www);
    assert.deepEqual(update.codes, ["write.uncertain"]);
    const [record] = lab.admin.zone("example.com", { hold: false });
    lab.admin.setRecord("example.com", record?.id ?? 0, { enabled: false }, { force: true });
    await lab.clock.sleep(3_000);
    return { lab, update, ...lab.process() };
  };
  const named = /\[live\.unknown\]\n {2}www\.example\.com\. A 192\.0\.2\.1/;

  it("is named by the update whose program has another one in its place", async () => {
    const { lab, update, reconciler, said } = await lost();
    const { ledger } = await lab.must(other, update, reconciler);
    assert.match(said(), named);
    assert.deepEqual([ledger.uncertain, ledger.owned.size], [[], 1]);
  });

  it("is named by the deletion of its resource, and stays", async () => {
    const { lab, update, reconciler, said } = await lost();
    await reconciler.release(www, update.ledger);
    assert.match(said(), named);
    assert.equal(lab.lines().length, 1);
  });

  it("is an error alone if it is still declared", async () => {
    const { lab, update, reconciler, said } = await lost();
    reconciler.siblings.declare(() => www.records, false);
    const { codes } = await lab.up(www, update, reconciler);
    assert.deepEqual(codes, ["live.disabled"]);
    assert.doesNotMatch(said(), /live\.unknown/);
  });
});

it("a refresh does not name a record of another TTL that kept a job from making its own", async () => {
  const lab = await start({ settings: { jobStartMs: 5_000 } }, { LEGACYDNS_JOB_TIMEOUT: "1" });
  const update = await lab.up(www);
  assert.deepEqual(update.codes, ["job.pending"]);
  lab.add("www 300 A 192.0.2.1");
  await lab.clock.sleep(10_000);
  const { reconciler, said } = lab.process();
  const { findings } = await reconciler.observe(www, update.ledger);
  assert.deepEqual([findings.map(({ state }) => state), said()], [["other ttl"], ""]);
});

describe("a release under retain", () => {
  it("names each record of all domains, however young", async () => {
    const domains = ["one.example", "two.example"];
    const lab = await start({ domains, settings: { indexDelay: 5 } }, { LEGACYDNS_INDEX_DELAY: "5" });
    const { reporter, said } = lab.process();
    const lines = Array.from({ length: 6 }, (_, i) => `h${i} 600 A 192.0.2.${i}`);
    const all = declare(domains, lines, { removal: "retain" });
    const less = declare("one.example", lines.slice(0, 3), { removal: "retain" });
    const first = await lab.must(all, fresh, lab.reconciler({ reporter }));
    const { ledger } = await lab.must(less, first, lab.reconciler({ reporter }));
    await lab.reconciler({ reporter }).release(less, ledger);
    for (const { name, domain, value } of all.records)
      assert.match(said(), new RegExp(`\\b${name}\\.${domain}\\. A ${value}\\b`));
  });
});

describe("the ledger of a batch whose record a refresh found missing", () => {
  it("forgets the missing record, and keeps its new data", () => {
    const { records } = declare("example.com", ["www 600 A 192.0.2.1", "api 600 A 192.0.2.2"]);
    const owned = new Map(
      records.map((record, i) => [digest(recordKey(record)), { id: String(i), since: 0, made: true }]),
    );
    const stray = { domain: "example.com", id: "0" };
    const gone = withoutMissing({ ...fresh.ledger, owned }, records, [stray], false);
    assert.equal(gone.owned.size, 0);
    assert.deepEqual(gone.stale, [{ ...stray, made: true }]);
  });
});
