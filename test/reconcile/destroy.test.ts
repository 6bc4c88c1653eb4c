/**
 * The records that a destroy deletes and keeps, below the engine. A run with a program is an update, one
 * without a program a destroy.
 */
import assert from "node:assert/strict";
import type { StartOptions } from "../../emulator";
import type { Clock } from "../../provider/support/clock";
import { createOnly, type Declaration } from "../../provider/reconcile/declaration";
import { emptyLedger, formatLedger, parseLedger, type Ledger } from "../../provider/reconcile/memory/ledger";
import { Reconciler } from "../../provider/reconcile/reconciler";
import { collectingReporter } from "../support/reporter";
import { idsOf, zoneLines } from "../support/service";
import { declare, startLab, type Lab } from "../support/lab";

const may = { change: true, remove: true, single: false };
const full = (lines: readonly string[], more: Partial<Declaration> = {}): Declaration =>
  declare("example.com", lines, { removal: "delete", may, ...more });
const hosts = (n: number, from = 0): string[] =>
  Array.from({ length: n }, (_, i) => `h${i + from} 600 A 192.0.2.${i + from}`);
const live = (n: number): StartOptions => ({
  domains: [
    {
      name: "example.com",
      records: Array.from({ length: n }, (_, i) => ({ name: `h${i}`, type: "A", value: `192.0.2.${i}` })),
    },
  ],
});

describe("a destroy", () => {
  let lab: Lab;
  afterEach(() => lab.close());

  const start = async (service: StartOptions = {}, settings: Record<string, string> = {}): Promise<void> => {
    lab = await startLab(
      { ...service, settings: { undocumented: true, jobStartMs: 0, jobMs: 0, ...service.settings } },
      { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true", ...settings },
    );
  };
  /** A process of its own, with its messages. */
  const process = (
    more: {
      programRan?: boolean;
      confirmed?: boolean;
      explicit?: boolean;
      project?: string;
    } = {},
  ): { reconciler: Reconciler; said: () => string } => {
    const reporter = collectingReporter();
    const settings = {
      ...lab.settings,
      explicit: more.explicit === true,
      ...(more.confirmed === true ? { confirmedDomains: ["example.com"] } : {}),
    };
    const { programRan: ran = false } = more;
    const reconciler = new Reconciler({
      client: lab.client,
      settings,
      clock: lab.clock,
      reporter,
      programRan: () => Promise.resolve(ran),
      project: more.project ?? "zones",
    });
    return { reconciler, said: () => reporter.lines.map(({ text }) => text).join("\n") };
  };
  const up = async (
    declaration: Declaration,
    before: Declaration["records"] = [],
    ledger: Ledger = emptyLedger,
  ): Promise<Ledger> => {
    const { reconciler } = process({ confirmed: true });
    const applied = await reconciler.apply(declaration, before, ledger);
    reconciler.close();
    assert.deepEqual(applied.failures, []);
    // As the state keeps it.
    return parseLedger(formatLedger(applied.ledger));
  };
  const lines = (): string[] => zoneLines(lab.service, "example.com");

  it("fails while a job is at work, though the console has made a record of the same identity meanwhile", async () => {
    await start({ settings: { stickAfter: 0 } }, { LEGACYDNS_JOB_TIMEOUT: "1" });
    const www = full(["www 600 A 192.0.2.1"]);
    const { ledger } = await process().reconciler.apply(www, [], emptyLedger);
    lab.service.admin.addRecord(
      "example.com",
      { name: "www", type: "A", value: "192.0.2.1", ttl: 300 },
      { indexed: true },
    );
    await assert.rejects(
      process().reconciler.release(www, ledger),
      /job \d+ has not ended.*\[job\.pending\]\n {2}www\.example\.com\. A 192\.0\.2\.1\n/,
    );
  });

  it("keeps adopted records, lists them, and deletes created ones", async () => {
    await start(live(30));
    const all = full([...hosts(30), "new 600 A 192.0.2.99"]);
    const ledger = await up(all);
    const { reconciler, said } = process();
    await reconciler.release(all, ledger);
    assert.equal(lines().length, 30);
    assert.ok(!lines().some((line) => line.startsWith("new ")));
    assert.match(said(), /\[live\.adopted\]\n {2}h0\.example\.com\. A 192\.0\.2\.0 .*… and 20 more/s);
  });

  it("that cannot delete created records lists ten of them, without secret values", async () => {
    await start();
    const all = full(hosts(12), { removal: "verify", may: createOnly });
    const secret = full(
      hosts(12).map((line) => line.replace("A 192.0.2.", "TXT very-secret-")),
      { removal: "verify", may: createOnly, sensitive: true },
    );
    const [open, hidden] = [await up(all), await up(secret)];
    const { reconciler, said } = process();
    const failure = async (declaration: Declaration, ledger: Ledger): Promise<string> =>
      reconciler.release(declaration, ledger).then(
        () => "",
        (error: unknown) => String(error),
      );
    assert.match(
      await failure(all, open),
      /\[live\.left-over\]\n( {2}h\d+\.example\.com\. A 192\.0\.2\.\d+ +record \d+\n){10} {2}… and 2 more\n/,
    );
    const both = await failure(secret, hidden);
    assert.match(both, /\[live\.left-over\]\n {2}h0.*… and 2 more\n/s);
    assert.doesNotMatch(both + said(), /very-secret/);
  });

  it("reports the number of deleted records and the first names, without secret values", async () => {
    await start({ domains: [{ name: "example.com" }, { name: "example.net" }] });
    const all = full(hosts(5));
    const secret = full(["s 600 TXT very-secret-text"], { sensitive: true });
    const [first, second] = [await up(all), await up(secret)];
    const { reconciler, said } = process();
    await reconciler.release(all, first);
    await reconciler.release(secret, second);
    assert.match(
      said(),
      /^example\.com: 5 records removed: h0\.example\.com\. A 192\.0\.2\.0 \(record \d+\); .*; and 2 more$/m,
    );
    assert.match(said(), /^example\.com: 1 record removed: s\.example\.com\. TXT \S+ \(record \d+\)$/m);
    assert.doesNotMatch(said(), /very-secret/);
    // For a resource with one record, the engine's own line suffices.
    const single = full(["one 600 A 192.0.2.1"], { may: { ...may, single: true } });
    const { reconciler: other, said: further } = process();
    await other.release(single, await up(single));
    assert.deepEqual([lines(), further()], [[], ""]);
  });

  it("of adopted records needs no deletion and no help in documented mode", async () => {
    await start(live(3), { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "false" });
    const all = declare("example.com", hosts(3));
    const ledger = await up(all);
    const { reconciler, said } = process();
    await reconciler.release(all, ledger);
    assert.match(said(), /\[live\.adopted\]\n.*h2\.example\.com\. A 192\.0\.2\.2 +record \d+/s);
  });

  it("leaves an adopted record that the stack has changed since, in its place or under the same name", async () => {
    await start({
      domains: [
        {
          name: "example.com",
          records: [
            { name: "www", type: "A", value: "192.0.2.1" },
            { name: "api", type: "A", value: "192.0.2.2" },
          ],
        },
      ],
    });
    const before = full(["www 600 A 192.0.2.1", "api 600 A 192.0.2.2", "own 600 A 192.0.2.3"]);
    const first = await up(before);
    const edited = full(["www 300 A 192.0.2.1", "api 600 A 192.0.2.8", "own 600 A 192.0.2.9"]);
    const ledger = await up(edited, before.records, first);
    await process().reconciler.release(edited, ledger);
    assert.deepEqual(lines(), ["api A 192.0.2.8 600", "www A 192.0.2.1 300"]);
  });

  it("of more than maxChangeShare of a zone is refused, until the domain is named", async () => {
    await start(live(20));
    const made = full(hosts(10, 20));
    const ledger = await up(made);
    await assert.rejects(
      process().reconciler.release(made, ledger),
      /\[zone\.gated\]\n {2}10 to delete, 0 to update, 30 live: 33 %.*LEGACYDNS_CONFIRMED_DOMAINS=example\.com pulumi destroy/s,
    );
    // No environment variable reaches an explicit Provider.
    await assert.rejects(
      process({ explicit: true }).reconciler.release(made, ledger),
      /help: if it is meant: add it to confirmedDomains on the Provider, then run `pulumi up` and `pulumi destroy`$/,
    );
    assert.equal(lines().length, 30);
    await process({ confirmed: true }).reconciler.release(made, ledger);
    assert.equal(lines().length, 20);
  });

  it("of several domains is confirmed by one command, which contains the confirmed ones", async () => {
    await start({ domains: [{ name: "example.com" }, { name: "example.net" }, { name: "example.org" }] });
    const records = ["example.com", "example.net", "example.org"].flatMap(
      (domain) => declare(domain, hosts(10)).records,
    );
    const made = full([], { records });
    const ledger = await up(made);
    const refused = async (confirmed: boolean): Promise<string[]> => {
      const [ended] = await Promise.allSettled([process({ confirmed }).reconciler.release(made, ledger)]);
      return ended.status === "rejected"
        ? (String(ended.reason).match(/LEGACYDNS_CONFIRMED_DOMAINS=\S+/g) ?? [])
        : [];
    };
    const all = "LEGACYDNS_CONFIRMED_DOMAINS=example.com,example.net,example.org";
    assert.deepEqual(await refused(false), [all, all, all]);
    assert.deepEqual(await refused(true), [all, all]);
  });

  it("of single records says what it had begun when their share was reached, and no further run of the day begins anew", async () => {
    await start({ domains: [{ name: "example.com" }] });
    const singles = hosts(20).map((line) => full([line], { may: { ...may, single: true } }));
    const batch = await up(full(hosts(20)));
    // Concurrent deletions, as from the engine. A refused one comes again in the next run.
    let [left, refusals] = [singles, [] as string[]];
    const destroy = async (reconciler: Reconciler): Promise<void> => {
      const still: Declaration[] = [];
      refusals = [];
      for (let i = 0; i < left.length; i += 4) {
        const wave = left.slice(i, i + 4);
        const ended = await Promise.allSettled(wave.map((each) => reconciler.release(each, batch)));
        still.push(...wave.filter((_, at) => ended[at]?.status === "rejected"));
        refusals.push(...ended.flatMap((each) => (each.status === "rejected" ? [String(each.reason)] : [])));
      }
      left = still;
    };
    await destroy(process().reconciler);
    assert.equal(lines().length, 16);
    assert.match(
      refusals[0] ?? "",
      /8 to delete, 0 to update, 20 live: 40 % +maxChangeShare 30 %\n {2}already begun: 4\n/,
    );
    await destroy(process({ confirmed: true }).reconciler);
    assert.deepEqual(lines(), []);
  });

  it("deletes a record that one resource created and another took over, in the same run or the next", async () => {
    await start();
    const all = full(hosts(2));
    const made = await up(all);
    // A renamed resource: the new one adopts, then the old one is deleted, in one process.
    const rename = process({ programRan: true }).reconciler;
    rename.siblings.declare(() => all.records, false);
    const { ledger } = await rename.apply(all, [], emptyLedger);
    await rename.release(all, made);
    assert.equal(lines().length, 2);
    rename.close();
    const other = process({ project: "another" });
    await other.reconciler.release(all, parseLedger(formatLedger(ledger)));
    assert.equal(lines().length, 2, "another project's stack did not make them");
    await process().reconciler.release(all, parseLedger(formatLedger(ledger)));
    assert.deepEqual(lines(), []);
    // A record that the console made again is not owned, even if it is equal.
    const [h0] = hosts(1);
    assert.ok(h0);
    lab.service.admin.addRecord(
      "example.com",
      { name: "h0", type: "A", value: "192.0.2.0", ttl: 600 },
      { indexed: true },
    );
    const adopted = await up(full([h0]));
    await process().reconciler.release(full([h0]), adopted);
    assert.deepEqual(lines(), ["h0 A 192.0.2.0 600"]);
  });

  it("keeps a record that another resource declares while the deletion waits", async () => {
    await start();
    const all = full(hosts(2));
    const made = await up(all);
    const reporter = collectingReporter();
    const others = full(hosts(1));
    let waits = 0;
    const clock: Clock = {
      ...lab.clock,
      sleep: (ms, signal) => {
        if ((waits += 1) === 1)
          reconciler.siblings.declare(() => others.records, false, { resource: 'Record "taker"' });
        return lab.clock.sleep(ms, signal);
      },
    };
    const reconciler = new Reconciler({
      client: lab.client,
      settings: { ...lab.settings, confirmedDomains: ["example.com"] },
      clock,
      reporter,
      programRan: () => Promise.resolve(true),
      project: "zones",
    });
    await reconciler.release(all, made);
    assert.deepEqual(lines(), ["h0 A 192.0.2.0 600"]);
    assert.match(
      reporter.lines.map(({ text }) => text).join("\n"),
      /^1 record taken over by Record "taker": h0\.example\.com\. A 192\.0\.2\.0 \(record \d+\)$/m,
    );
  });

  it("keeps an adopted record that a killed run of another project created", async () => {
    await start();
    const all = full(hosts(2));
    await process({ project: "another" }).reconciler.apply(all, [], emptyLedger);
    const ledger = await up(all);
    await process().reconciler.release(all, ledger);
    assert.equal(lines().length, 2);
  });

  it("deletes a record that a killed run of the stack created before its state was saved", async () => {
    await start();
    const all = full(hosts(2));
    // Killed: it is never closed, and its ledger is lost.
    await process().reconciler.apply(all, [], emptyLedger);
    const ledger = await up(all);
    assert.ok([...ledger.owned.values()].every(({ made }) => made));
    await process().reconciler.release(all, ledger);
    assert.deepEqual(lines(), []);
  });
});

describe("the message about records that stay under retain", () => {
  it("lists the live data and earlier stale records, but not refused records", async () => {
    const lab = await startLab();
    try {
      let reporter = collectingReporter();
      const run = (clock = lab.clock): Reconciler =>
        new Reconciler({ client: lab.client, settings: lab.settings, clock, reporter });
      const three = declare("example.com", [
        "a 600 A 192.0.2.1",
        "b 600 A 192.0.2.2",
        "gone 600 A 192.0.2.3",
      ]);
      const first = await run().apply(three, [], emptyLedger);
      // `b` is left over; `bad` is refused.
      lab.service.admin.set({ refuse: [{ name: "bad", message: "Refused for the test" }] });
      const two = declare("example.com", [
        "a 600 A 192.0.2.1",
        "gone 600 A 192.0.2.3",
        "bad 600 A 192.0.2.9",
      ]);
      const second = await run().apply(two, three.records, first.ledger);
      assert.ok(second.failures.length > 0);
      const [, b] = idsOf(lab.service, "example.com");
      lab.service.admin.removeRecord("example.com", { name: "gone", type: "A" });
      reporter = collectingReporter();
      // The listing may lack a record that was made in the last second.
      const later = {
        ...lab.clock,
        now: () => lab.clock.now() + 2_000,
        wall: () => lab.clock.wall() + 2_000,
      };
      await run(later).release({ ...two, removal: "retain" }, second.ledger);
      const said = reporter.lines.map(({ text }) => text).join("\n");
      assert.match(
        said,
        new RegExp(
          `\\[live\\.retained\\]\\n {2}a\\.example\\.com\\. A 192\\.0\\.2\\.1 +record \\d+\\n {2}b\\.example\\.com\\. A 192\\.0\\.2\\.2 +record ${b}`,
        ),
      );
      assert.doesNotMatch(said, /bad|gone/);
    } finally {
      await lab.close();
    }
  });

  it("is shown by a preview, which a zone that cannot be read does not keep from its end", async () => {
    const lab = await startLab();
    try {
      const run = new Reconciler({
        client: lab.client,
        settings: lab.settings,
        clock: lab.clock,
        reporter: collectingReporter(),
      });
      const two = declare("example.com", ["a 600 A 192.0.2.1", "b 600 A 192.0.2.2"]);
      const first = await run.apply(two, [], emptyLedger);
      const one = declare("example.com", ["a 600 A 192.0.2.1"]);
      const { ledger } = await run.apply(one, two.records, first.ledger);
      const lost = {
        ...ledger,
        leftOver: [...ledger.leftOver, { domain: "lost.example", id: "1", made: true }],
      };
      const retained = declare("example.com", ["a 600 A 192.0.2.1"], { removal: "retain" });
      const { plan, refusals } = await run.preview(retained, one.records, lost);
      assert.deepEqual(
        [refusals, plan.leftOver.map(({ key }) => key)],
        [[], ["example.com b.example.com. A 192.0.2.2"]],
      );
    } finally {
      await lab.close();
    }
  });

  it("names ten of 40 records and counts the rest", async () => {
    const lab = await startLab();
    try {
      const reporter = collectingReporter();
      const { client, settings, clock } = lab;
      const run = new Reconciler({ client, settings, clock, reporter });
      const all = declare("example.com", hosts(40), { removal: "retain" });
      const { ledger } = await run.apply(all, [], emptyLedger);
      await run.release(all, ledger);
      const said = reporter.lines.map(({ text }) => text).join("\n");
      assert.match(
        said,
        /\[live\.retained\]\n( {2}h\d\.example\.com\. A \S+ +record \d+\n){10} {2}… and 30 more$/m,
      );
    } finally {
      await lab.close();
    }
  });
});
