/**
 * The records that a destroy deletes and keeps, below the engine. A run with a program is an update, one
 * without a program a destroy.
 */
import assert from "node:assert/strict";
import type { StartOptions } from "../../emulator";
import { createOnly, type Declaration } from "../../provider/reconcile/declaration";
import { formatLedger, parseLedger } from "../../provider/reconcile/memory/ledger";
import type { Reconciler } from "../../provider/reconcile/reconciler";
import {
  declare,
  fresh,
  full,
  fullService,
  labs,
  may,
  type Lab,
  type Process,
  type Update,
} from "../support/lab";

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

const start = labs(fullService, { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" });

/** A process of a project. */
function processOf(
  lab: Lab,
  more: { programRan?: boolean; confirmed?: boolean; explicit?: boolean; project?: string } = {},
): Process {
  const { programRan = false, confirmed = false, explicit = false, project = "zones" } = more;
  const confirmedDomains = confirmed ? ["example.com"] : [];
  return lab.process({
    settings: { ...lab.settings, explicit, confirmedDomains },
    programRan: () => Promise.resolve(programRan),
    project,
  });
}

const saved = ({ ledger }: Pick<Update, "ledger">) => parseLedger(formatLedger(ledger));

/** An update that ends well, as the state keeps it. */
async function up(lab: Lab, declaration: Declaration, before = fresh): Promise<Update> {
  const { reconciler } = processOf(lab, { confirmed: true });
  const done = await lab.must(declaration, before, reconciler);
  reconciler.close();
  return { ...done, ledger: saved(done) };
}

const destroy = (lab: Lab, declaration: Declaration, { ledger }: Pick<Update, "ledger">): Promise<unknown> =>
  processOf(lab).reconciler.release(declaration, ledger);

describe("a destroy", () => {
  it("fails during a job, even if the console has made a record of the same identity meanwhile", async () => {
    const lab = await start({ settings: { stickAfter: 0 } }, { LEGACYDNS_JOB_TIMEOUT: "1" });
    const www = full(["www 600 A 192.0.2.1"]);
    const first = await lab.up(www, fresh, processOf(lab).reconciler);
    lab.add("www 300 A 192.0.2.1");
    await assert.rejects(
      destroy(lab, www, first),
      /job \d+ has not ended.*\[job\.pending\]\n {2}www\.example\.com\. A 192\.0\.2\.1\n/,
    );
  });

  it("keeps adopted records, lists them, and deletes created ones", async () => {
    const lab = await start(live(30));
    const all = full([...hosts(30), "new 600 A 192.0.2.99"]);
    const { ledger } = await up(lab, all);
    const { reconciler, said } = processOf(lab);
    await reconciler.release(all, ledger);
    assert.equal(lab.lines().length, 30);
    assert.ok(!lab.lines().some((line) => line.startsWith("new ")));
    assert.match(said(), /\[live\.adopted\]\n {2}h0\.example\.com\. A 192\.0\.2\.0 .*… and 20 more/s);
  });

  it("that cannot delete created records lists ten of them, without secret values", async () => {
    const lab = await start();
    const limited = { removal: "verify", may: createOnly } as const;
    const all = full(hosts(12), limited);
    const hidden = hosts(12).map((line) => line.replace("A 192.0.2.", "TXT very-secret-"));
    const secret = full(hidden, { ...limited, sensitive: true });
    const failure = async (declaration: Declaration): Promise<string> => {
      const { ledger } = await up(lab, declaration);
      const { reconciler, said } = processOf(lab);
      const error: unknown = await reconciler.release(declaration, ledger).catch((reason: unknown) => reason);
      return `${String(error)}\n${said()}`;
    };
    assert.match(
      await failure(all),
      /\[live\.left-over\]\n( {2}h\d+\.example\.com\. A 192\.0\.2\.\d+ +record \d+\n){10} {2}… and 2 more\n/,
    );
    const text = await failure(secret);
    assert.match(text, /\[live\.left-over\]\n {2}h0.*… and 2 more\n/s);
    assert.doesNotMatch(text, /very-secret/);
  });

  it("reports the number of deleted records and the first names, without secret values", async () => {
    const lab = await start();
    const all = full(hosts(5));
    const secret = full(["s 600 TXT very-secret-text"], { sensitive: true });
    // For a resource with one record, the engine's own line suffices.
    const single = full(["one 600 A 192.0.2.1"], { may: { ...may, single: true } });
    const said: string[] = [];
    for (const each of [all, secret, single]) {
      const { ledger } = await up(lab, each);
      const process = processOf(lab);
      await process.reconciler.release(each, ledger);
      said.push(process.said());
    }
    assert.match(
      said[0] ?? "",
      /^example\.com: 5 records removed: h0\.example\.com\. A 192\.0\.2\.0 \(record \d+\); .*; and 2 more$/m,
    );
    assert.match(
      said[1] ?? "",
      /^example\.com: 1 record removed: s\.example\.com\. TXT (?!.*very-secret)\S+ \(record \d+\)$/m,
    );
    assert.deepEqual([said[2], lab.lines()], ["", []]);
  });

  it("of adopted records needs no deletion and no help in documented mode", async () => {
    const lab = await start(live(3), { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "false" });
    const all = declare("example.com", hosts(3));
    const { ledger } = await up(lab, all);
    const { reconciler, said } = processOf(lab);
    await reconciler.release(all, ledger);
    assert.match(said(), /\[live\.adopted\]\n.*h2\.example\.com\. A 192\.0\.2\.2 +record \d+/s);
  });

  it("leaves an adopted record that the stack has changed since, in its place or under the same name", async () => {
    const lab = await start();
    lab.add("www 600 A 192.0.2.1");
    lab.add("api 600 A 192.0.2.2");
    const first = await up(lab, full(["www 600 A 192.0.2.1", "api 600 A 192.0.2.2", "own 600 A 192.0.2.3"]));
    const edited = full(["www 300 A 192.0.2.1", "api 600 A 192.0.2.8", "own 600 A 192.0.2.9"]);
    await destroy(lab, edited, await up(lab, edited, first));
    assert.deepEqual(lab.lines(), ["api A 192.0.2.8 600", "www A 192.0.2.1 300"]);
  });

  it("of more than maxChangeShare of a zone is refused, until the domain is named", async () => {
    const lab = await start(live(20));
    const made = full(hosts(10, 20));
    const { ledger } = await up(lab, made);
    await assert.rejects(
      destroy(lab, made, { ledger }),
      /\[zone\.gated\]\n {2}10 to delete, 0 to update, 30 live: 33 %.*LEGACYDNS_CONFIRMED_DOMAINS=example\.com pulumi destroy/s,
    );
    // No environment variable reaches an explicit Provider.
    await assert.rejects(
      processOf(lab, { explicit: true }).reconciler.release(made, ledger),
      /help: if it is meant: add it to confirmedDomains on the Provider, then run `pulumi up` and `pulumi destroy`$/,
    );
    assert.equal(lab.lines().length, 30);
    await processOf(lab, { confirmed: true }).reconciler.release(made, ledger);
    assert.equal(lab.lines().length, 20);
  });

  it("of several domains is confirmed by one command, which contains the confirmed ones", async () => {
    const domains = ["example.com", "example.net", "example.org"];
    const lab = await start({ domains });
    const made = full(hosts(10), {}, domains);
    const { ledger } = await up(lab, made);
    const commands = async (confirmed: boolean): Promise<string[]> => {
      const refused = processOf(lab, { confirmed }).reconciler.release(made, ledger);
      const [ended] = await Promise.allSettled([refused]);
      return String(ended.status === "rejected" ? ended.reason : "").match(/LEGACYDNS_CONFIRMED\S+/g) ?? [];
    };
    const all = `LEGACYDNS_CONFIRMED_DOMAINS=${domains.join()}`;
    assert.deepEqual(
      [await commands(false), await commands(true)],
      [
        [all, all, all],
        [all, all],
      ],
    );
  });

  it("of single records says how many deletions had begun before their share was reached", async () => {
    const lab = await start();
    const singles = hosts(20).map((line) => full([line], { may: { ...may, single: true } }));
    const { ledger } = await up(lab, full(hosts(20)));
    /** Concurrent deletions, as from the engine. @returns those that were refused, with the reasons */
    const deletions = async (
      reconciler: Reconciler,
      of: Declaration[],
    ): Promise<[Declaration[], string[]]> => {
      const [refused, reasons]: [Declaration[], string[]] = [[], []];
      for (let i = 0; i < of.length; i += 4) {
        const wave = of.slice(i, i + 4);
        const ended = await Promise.allSettled(wave.map((each) => reconciler.release(each, ledger)));
        refused.push(...wave.filter((_, at) => ended[at]?.status === "rejected"));
        reasons.push(...ended.flatMap((each) => (each.status === "rejected" ? [String(each.reason)] : [])));
      }
      return [refused, reasons];
    };
    const [left, reasons] = await deletions(processOf(lab).reconciler, singles);
    assert.equal(lab.lines().length, 16);
    assert.match(
      reasons[0] ?? "",
      /8 to delete, 0 to update, 20 live: 40 % +maxChangeShare 30 %\n {2}already begun: 4\n/,
    );
    await deletions(processOf(lab, { confirmed: true }).reconciler, left);
    assert.deepEqual(lab.lines(), []);
  });

  it("deletes a record that one resource created and another took over, in the same run or the next", async () => {
    const lab = await start();
    const all = full(hosts(2));
    const made = await up(lab, all);
    // A renamed resource: the new one adopts, then the old one is deleted, in one process.
    const { reconciler: rename } = processOf(lab, { programRan: true });
    rename.siblings.declare(() => all.records, false);
    const taken = await lab.up(all, fresh, rename);
    await rename.release(all, made.ledger);
    assert.equal(lab.lines().length, 2);
    rename.close();
    await processOf(lab, { project: "another" }).reconciler.release(all, saved(taken));
    assert.equal(lab.lines().length, 2, "another project's stack did not make them");
    await destroy(lab, all, { ledger: saved(taken) });
    assert.deepEqual(lab.lines(), []);
    // A record that the console made again is not owned, even if it is equal.
    lab.add("h0 600 A 192.0.2.0");
    const again = full(hosts(1));
    await destroy(lab, again, await up(lab, again));
    assert.deepEqual(lab.lines(), ["h0 A 192.0.2.0 600"]);
  });

  it("keeps a record that another resource declares while the deletion waits", async () => {
    const lab = await start();
    const all = full(hosts(2));
    const { ledger } = await up(lab, all);
    const others = full(hosts(1));
    let waits = 0;
    const { reconciler, said } = lab.process({
      settings: { ...lab.settings, confirmedDomains: ["example.com"] },
      clock: {
        ...lab.clock,
        sleep: (ms, signal) => {
          if ((waits += 1) === 1)
            reconciler.siblings.declare(() => others.records, false, { resource: 'Record "taker"' });
          return lab.clock.sleep(ms, signal);
        },
      },
      programRan: () => Promise.resolve(true),
      project: "zones",
    });
    await reconciler.release(all, ledger);
    assert.deepEqual(lab.lines(), ["h0 A 192.0.2.0 600"]);
    assert.match(
      said(),
      /^1 record taken over by Record "taker": h0\.example\.com\. A 192\.0\.2\.0 \(record \d+\)$/m,
    );
  });

  for (const [project, kept] of [
    ["another", 2],
    ["zones", 0],
  ] as const)
    it(`knows a killed run's records by its project: ${kept} of ${project} stay`, async () => {
      const lab = await start();
      const all = full(hosts(2));
      // Killed: it is never closed, and its ledger is lost.
      await lab.up(all, fresh, processOf(lab, { project }).reconciler);
      await destroy(lab, all, await up(lab, all));
      assert.equal(lab.lines().length, kept);
    });
});

describe("the message about records that stay under retain", () => {
  const start = labs();
  const a = "a 600 A 192.0.2.1";

  it("lists the live data and earlier stale records, but not refused records", async () => {
    const lab = await start();
    const first = await lab.up(declare("example.com", [a, "b 600 A 192.0.2.2", "gone 600 A 192.0.2.3"]));
    const [b] = lab.admin.zone("example.com").filter(({ name }) => name === "b");
    lab.admin.set({ refuse: [{ name: "bad", message: "Refused for the test" }] });
    const two = declare("example.com", [a, "gone 600 A 192.0.2.3", "bad 600 A 192.0.2.9"]);
    const second = await lab.up(two, first);
    assert.ok(second.failures.length > 0);
    lab.admin.removeRecord("example.com", { name: "gone", type: "A" });
    // The listing may lack a record that was made in the last second.
    const clock = {
      ...lab.clock,
      now: () => lab.clock.now() + 2_000,
      wall: () => lab.clock.wall() + 2_000,
    };
    const { reconciler, said } = lab.process({ clock });
    await reconciler.release({ ...two, removal: "retain" }, second.ledger);
    assert.match(
      said(),
      new RegExp(
        `\\[live\\.retained\\]\\n {2}a\\.example\\.com\\. A 192\\.0\\.2\\.1 +record \\d+\\n {2}b\\.example\\.com\\. A 192\\.0\\.2\\.2 +record ${b?.id}`,
      ),
    );
    assert.doesNotMatch(said(), /bad|gone/);
  });

  it("is in the preview, even if another zone cannot be read", async () => {
    const lab = await start();
    const one = declare("example.com", [a], { removal: "retain" });
    const before = await lab.up(declare("example.com", [a, "b 600 A 192.0.2.2"]));
    const { ledger, records } = await lab.up(declare("example.com", [a]), before);
    const leftOver = [...ledger.stale, { domain: "lost.example", id: "1", made: true }];
    const { plan, refusals } = await lab.reconciler().preview(one, records, { ...ledger, stale: leftOver });
    assert.deepEqual(
      [refusals, plan.stale.map(({ key }) => key)],
      [[], ["example.com b.example.com. A 192.0.2.2"]],
    );
  });

  it("names ten of 40 records and counts the rest", async () => {
    const lab = await start();
    const all = declare("example.com", hosts(40), { removal: "retain" });
    const { ledger } = await lab.up(all);
    const { reconciler, said } = lab.process();
    await reconciler.release(all, ledger);
    assert.match(
      said(),
      /\[live\.retained\]\n( {2}h\d\.example\.com\. A \S+ +record \d+\n){10} {2}… and 30 more$/m,
    );
  });
});
