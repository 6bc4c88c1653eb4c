import assert from "node:assert/strict";
import { digest, recordKey } from "../../provider/dns";
import { emptyLedger, withoutMissing } from "../../provider/reconcile/memory/ledger";
import { Reconciler } from "../../provider/reconcile/reconciler";
import { collectingReporter } from "../support/reporter";
import { textOf } from "../../provider/problems";
import { declare, startLab, type Lab } from "../support/lab";

const www = ["www 600 A 192.0.2.1"];
const add = (lab: Lab, value: string): string =>
  String(
    lab.service.admin.addRecord("example.com", { name: "www", type: "A", value, ttl: 600 }, { indexed: true })
      .id,
  );

describe("a refresh", () => {
  let lab: Lab;
  afterEach(() => lab.close());
  const listening = (): { reconciler: Reconciler; said: () => string } => {
    const reporter = collectingReporter();
    const { client, settings } = lab;
    const reconciler = new Reconciler({ client, settings, clock: lab.clock, reporter });
    return { reconciler, said: () => reporter.lines.map(({ text }) => text).join("\n") };
  };

  it("live as declared, and the ledger does not know: a refresh enters it, so that a later deletion names it", async () => {
    lab = await startLab();
    const id = add(lab, "192.0.2.1");
    const declaration = declare("example.com", www);
    const { reconciler, said } = listening();
    const { ledger } = await reconciler.observe(declaration, emptyLedger);
    assert.deepEqual([...ledger.owned.values()], [{ id, since: 0, made: false }]);
    // No ledger knows that the stack made it: a destroy keeps it and reports it.
    await reconciler.release(declaration, ledger);
    assert.match(said(), new RegExp(`\\[live\\.adopted\\]\\n.* +record ${id}`));
  });

  it("only warns if nothing may be adopted", async () => {
    lab = await startLab();
    const id = add(lab, "192.0.2.1");
    const { reconciler, said } = listening();
    const { ledger } = await reconciler.observe(declare("example.com", www, { adopt: false }), emptyLedger);
    assert.equal(ledger.owned.size, 0);
    assert.match(said(), new RegExp(`\\[live\\.exists\\]\\n.*record ${id}\\n`));
  });

  it("under the declared record's name in place of the one that the ledger knew: both are answered for", async () => {
    lab = await startLab();
    const [old, other] = [add(lab, "192.0.2.2"), add(lab, "192.0.2.1")];
    const declaration = declare("example.com", www);
    const [record] = declaration.records;
    assert.ok(record);
    const before = {
      ...emptyLedger,
      owned: new Map([[digest(recordKey(record)), { id: old, since: 0, made: false }]]),
    };
    const { ledger } = await lab.reconciler().observe(declaration, before);
    assert.deepEqual(
      [...ledger.owned.values()].map(({ id }) => id),
      [other],
    );
    assert.deepEqual(ledger.leftOver, [{ domain: "example.com", id: old, made: false }]);
  });

  it("by number of a young record is what the record is by now", async () => {
    lab = await startLab({ settings: { indexDelay: 5 } }, { LEGACYDNS_INDEX_DELAY: "5" });
    const declaration = declare("example.com", www);
    const { ledger } = await lab.reconciler().apply(declaration, [], emptyLedger);
    const [made] = ledger.owned.values();
    lab.service.admin.setRecord("example.com", Number(made?.id), { value: "192.0.2.9" });
    const { findings, strays } = await lab.reconciler().observe(declaration, ledger);
    assert.deepEqual(
      findings.map(({ state }) => state),
      ["missing"],
    );
    assert.deepEqual(
      strays.map(({ record }) => record.value),
      ["192.0.2.9"],
    );
  });

  it("young, keeps its age with another resource: a moment later it is not taken for gone", async () => {
    lab = await startLab({ settings: { indexDelay: 5 } }, { LEGACYDNS_INDEX_DELAY: "5" });
    const declaration = declare("example.com", www);
    const reconciler = lab.reconciler();
    await reconciler.apply(declaration, [], emptyLedger);
    const { ledger } = await reconciler.apply(declaration, [], emptyLedger);
    assert.ok([...ledger.owned.values()].every(({ since }) => since > 0));
    await assert.rejects(lab.reconciler().release(declaration, ledger), /\[live\.left-over\]/);
  });

  it("twice after a lost answer is named", async () => {
    lab = await startLab({ settings: { identical: "accept" } }, { LEGACYDNS_INDEX_DELAY: "1" });
    const { reconciler, said } = listening();
    const declaration = declare("example.com", www);
    await reconciler.preview(declaration);
    lab.service.admin.addFault({
      operation: "Batch.Record.Create",
      kind: "dropped",
      when: "after",
      count: 1,
    });
    const seen = add(lab, "192.0.2.1");
    const { ledger } = await reconciler.apply(declaration, [], emptyLedger);
    assert.equal(ledger.owned.size, 1);
    assert.match(
      said(),
      new RegExp(`\\[live\\.twice\\]\\n {2}www\\.example\\.com\\. A 192\\.0\\.2\\.1 +records .*${seen}`),
    );
  });

  it("a refresh names both records that two machines made at the same moment", async () => {
    lab = await startLab(
      { settings: { indexDelay: 2, identical: "accept" } },
      { LEGACYDNS_INDEX_DELAY: "2" },
    );
    const { client, clock, settings } = lab;
    const reporter = collectingReporter();
    const machine = (name: string): Reconciler => {
      const stateDir = `${settings.stateDir}/${name}`;
      return new Reconciler({ client, clock, reporter, settings: { ...settings, stateDir } });
    };
    const declaration = declare("example.com", www);
    const [first] = await Promise.all(
      ["one", "two"].map((name) => machine(name).apply(declaration, [], emptyLedger)),
    );
    await clock.sleep(3_000);
    await machine("one").observe(declaration, first?.ledger ?? emptyLedger);
    const numbers = lab.service.admin.zone("example.com", { hold: false }).map(({ id }) => String(id));
    const named = reporter.lines.filter(({ text }) => numbers.every((number) => text.includes(number)));
    assert.deepEqual([numbers.length, named.length], [2, 1]);
  });

  it("of nobody's TXT records is their name and number: their text may have been a secret before", async () => {
    lab = await startLab();
    lab.service.admin.addRecord(
      "example.com",
      { name: "www", type: "TXT", value: "once-a-secret", ttl: 600 },
      { indexed: true },
    );
    const { failures } = await lab
      .reconciler()
      .preview(declare("example.com", ["www 600 CNAME example.net."]));
    assert.match(
      failures.map(textOf).join(),
      /exclude each other.*www\.example\.com\. TXT #\S+ \(live, record \d+\)/,
    );
  });
});

describe("a release under retain", () => {
  it("is named, one by one, wherever it is and however young", async () => {
    const lab = await startLab(
      { domains: ["one.example", "two.example"], settings: { indexDelay: 5 } },
      { LEGACYDNS_INDEX_DELAY: "5" },
    );
    try {
      const reporter = collectingReporter();
      const { client, settings } = lab;
      const process = (): Reconciler => new Reconciler({ client, settings, clock: lab.clock, reporter });
      const lines = Array.from({ length: 6 }, (_, i) => `h${i} 600 A 192.0.2.${i}`);
      const all = declare(["one.example", "two.example"], lines, { removal: "retain" });
      const { ledger } = await process().apply(all, [], emptyLedger);
      const less = declare("one.example", lines.slice(0, 3), { removal: "retain" });
      const { failures, ledger: kept } = await process().apply(less, all.records, ledger);
      assert.deepEqual(failures, []);
      await process().release(less, kept);
      const said = reporter.lines.map(({ text }) => text).join("\n");
      for (const { name, domain, value } of all.records)
        assert.match(said, new RegExp(`\\b${name}\\.${domain}\\. A ${value}\\b`));
    } finally {
      await lab.close();
    }
  });
});

describe("the ledger of a batch whose record a refresh found missing", () => {
  it("forgets the missing record, and keeps its new data", () => {
    const { records } = declare("example.com", ["www 600 A 192.0.2.1", "api 600 A 192.0.2.2"]);
    const owned = new Map(
      records.map((record, i) => [digest(recordKey(record)), { id: String(i), since: 0, made: true }]),
    );
    const [stray] = declare("example.com", ["www 600 A 192.0.2.9"]).records;
    assert.ok(stray);
    const gone = withoutMissing(
      { ...emptyLedger, owned },
      records,
      [{ domain: stray.domain, id: "0" }],
      false,
    );
    assert.equal(gone.owned.size, 0);
    assert.deepEqual(gone.leftOver, [{ domain: "example.com", id: "0", made: true }]);
  });
});
