/**
 * The records that a destroy deletes and keeps, below the engine. A run with a program is an update, one
 * without a program a destroy.
 */
import { deepEqual, doesNotMatch, equal, match, ok, rejects } from "node:assert/strict";
import { createOnly, type Declaration } from "../../provider/reconcile/declaration";
import { digestOf, formatLedger, parseLedger } from "../../provider/reconcile/memory/ledger";
import {
  fresh,
  full,
  fullService,
  hosts,
  labs,
  may,
  of,
  type Lab,
  type Process,
  type Update,
  partOf,
} from "../support/lab";

const live = (n: number) => {
  const records = Array.from({ length: n }, (_, i) => ({ name: `h${i}`, type: "A", value: `10.0.0.${i}` }));
  return { domains: [{ name: "example.com", records }] };
};

const start = labs(fullService, { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" });

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

const saved = (done: Update): Update => ({ ...done, ledger: parseLedger(formatLedger(done.ledger)) });

/** An update that ends well, as the state keeps it. */
async function up(lab: Lab, declaration: Declaration, before = fresh): Promise<Update> {
  const { reconciler } = processOf(lab, { confirmed: true });
  const done = await lab.must(declaration, before, reconciler);
  reconciler.close();
  return saved(done);
}

async function destroy(lab: Lab, declaration: Declaration, before: Update, more = {}): Promise<string> {
  const { reconciler, said } = processOf(lab, more);
  await lab.release(declaration, before, reconciler);
  return said();
}

describe("a destroy", () => {
  it("fails during a job, even if the console has made a record of the same identity meanwhile", async () => {
    const lab = await start({ settings: { stickAfter: 0 } }, { LEGACYDNS_JOB_TIMEOUT: "1" });
    const www = full(["www 600 A 192.0.2.1"]);
    const first = await lab.up(www, fresh, processOf(lab).reconciler);
    lab.add("www 300 A 192.0.2.1");
    await rejects(
      destroy(lab, www, first),
      /\[job\.unfinished\]\n {2}www\.example\.com\. A 192\.0\.2\.1 +job \d+ had done /,
    );
  });

  it("keeps adopted records, lists all of them, and deletes created ones", async () => {
    const lab = await start(live(30));
    const all = full([...hosts(30), "new 600 A 192.0.2.99"]);
    const said = await destroy(lab, all, await up(lab, all));
    equal(lab.lines().length, 30);
    ok(!lab.lines().some((line) => line.startsWith("new ")));
    match(said, /\[live\.adopted\]\n( {2}h\d+\.example\.com\. A 10\.0\.0\.\d+ +record \d+\n?){30}$/m);
  });

  it("that cannot delete created records lists ten of them, without secret values", async () => {
    const lab = await start();
    const limited = { removal: "verify", may: createOnly } as const;
    const all = full(hosts(12), limited);
    const hidden = hosts(12).map((line) => line.replace("A 10.0.0.", "TXT very-secret-"));
    const secret = full(hidden, { ...limited, sensitive: true });
    const failure = async (declaration: Declaration): Promise<string> => {
      const made = await up(lab, declaration);
      const { reconciler, said } = processOf(lab);
      const error: unknown = await lab
        .release(declaration, made, reconciler)
        .catch((reason: unknown) => reason);
      return `${String(error)}\n${said()}`;
    };
    match(
      await failure(all),
      /\[live\.left-over\]\n( {2}h\d+\.example\.com\. A 10\.0\.0\.\d+ +record \d+\n){10} {2}… and 2 more\n.* so the destroy ends with an error\./,
    );
    const text = await failure(secret);
    match(text, /\[live\.left-over\]\n {2}h0.*… and 2 more\n/s);
    doesNotMatch(text, /very-secret/);
  });

  it("reports the number of deleted records and the first names, without secret values", async () => {
    const lab = await start();
    const all = full(hosts(5));
    const secret = full(["s 600 TXT very-secret-text"], { sensitive: true });
    const single = full(["one 600 A 192.0.2.1"], { may: { ...may, single: true } });
    const said: string[] = [];
    for (const each of [all, secret, single]) said.push(await destroy(lab, each, await up(lab, each)));
    match(
      said[0] ?? "",
      /^example\.com: 5 records removed: h0\.example\.com\. A 10\.0\.0\.0 \(record \d+\); .*; and 2 more$/m,
    );
    match(
      said[1] ?? "",
      /^example\.com: 1 record removed: s\.example\.com\. TXT (?!.*very-secret)\S+ \(record \d+\)$/m,
    );
    deepEqual([said[2], lab.lines()], ["", []]);
  });

  it("of adopted records needs no deletion and no help in documented mode", async () => {
    const lab = await start(live(3), { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "false" });
    const all = of(...hosts(3));
    const said = await destroy(lab, all, await up(lab, all));
    match(said, /\[live\.adopted\]\n.*h2\.example\.com\. A 10\.0\.0\.2 +record \d+/s);
  });

  it("leaves an adopted record that the stack has changed since, in its place or under the same name", async () => {
    const lab = await start();
    lab.add("www 600 A 192.0.2.1");
    lab.add("api 600 A 192.0.2.2");
    const first = await up(lab, full(["www 600 A 192.0.2.1", "api 600 A 192.0.2.2", "own 600 A 192.0.2.3"]));
    const edited = full(["www 300 A 192.0.2.1", "api 600 A 192.0.2.8", "own 600 A 192.0.2.9"]);
    await destroy(lab, edited, await up(lab, edited, first));
    lab.has("api A 192.0.2.8 600", "www A 192.0.2.1 300");
  });

  it("of more than maxChangeShare of a zone is refused, until the domain is named", async () => {
    const lab = await start(live(20));
    const all = full(hosts(10, 600, 0, 20));
    const made = await up(lab, all);
    await rejects(
      destroy(lab, all, made),
      /\[zone\.gated\]\n {2}10 to delete, 0 to update, 30 live: at least 33 %.*\n {2}- h20\.example\.com\. A 10\.0\.0\.20 +record \d+\n.*LEGACYDNS_CONFIRMED_DOMAINS=example\.com pulumi destroy/s,
    );
    // No environment variable reaches an explicit Provider.
    await rejects(
      destroy(lab, all, made, { explicit: true }),
      /help: if it is meant: add it to confirmedDomains on the Provider, then run `pulumi up` and `pulumi destroy`$/,
    );
    equal(lab.lines().length, 30);
    await destroy(lab, all, made, { confirmed: true });
    equal(lab.lines().length, 20);
  });

  it("of several domains is confirmed by one command, which contains the confirmed ones", async () => {
    const domains = ["example.com", "example.net", "example.org"];
    const lab = await start({ domains });
    const all = full(hosts(10), {}, domains);
    const made = await up(lab, all);
    const commands = async (confirmed: boolean): Promise<string[]> => {
      const [ended] = await Promise.allSettled([destroy(lab, all, made, { confirmed })]);
      return String(ended.status === "rejected" ? ended.reason : "").match(/LEGACYDNS_CONFIRMED\S+/g) ?? [];
    };
    const command = `LEGACYDNS_CONFIRMED_DOMAINS=${domains.join()}`;
    deepEqual(await commands(false), [command, command, command]);
    deepEqual(await commands(true), [command, command]);
  });

  it("of single records counts those that the engine asks for at once and those already deleted", async () => {
    const lab = await start();
    const singles = hosts(20).map((line) => full([line], { may: { ...may, single: true } }));
    const made = await up(lab, full(hosts(20)));
    const deletions = async (confirmed: boolean, those: Declaration[]): Promise<unknown[]> => {
      const { reconciler } = processOf(lab, { confirmed });
      const ended: PromiseSettledResult<unknown>[] = [];
      for (let i = 0; i < those.length; i += 4) {
        const wave = those.slice(i, i + 4).map((each) => lab.release(each, partOf(made, each), reconciler));
        ended.push(...(await Promise.allSettled(wave)));
      }
      return ended.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    };
    const reasons = await deletions(false, singles);
    deepEqual([reasons.length, lab.lines().length], [16, 16]);
    match(String(reasons[0]), /8 to delete, 0 to update, 20 live: at least 40 % +maxChangeShare 30 %/);
    deepEqual(await deletions(true, singles.slice(4)), []);
    lab.has();
  });

  it("deletes a record that one resource created and another took over, in the same run or the next", async () => {
    const lab = await start();
    const all = full(hosts(2));
    const made = await up(lab, all);
    // A renamed resource: the new one adopts, then the old one is deleted, in one process.
    const { reconciler: rename } = processOf(lab, { programRan: true });
    rename.siblings.declared.add(() => all.records);
    const taken = await lab.up(all, fresh, rename);
    await lab.release(all, made, rename);
    equal(lab.lines().length, 2);
    rename.close();
    await destroy(lab, all, saved(taken), { project: "another" });
    equal(lab.lines().length, 2, "another project's stack did not make them");
    await destroy(lab, all, saved(taken));
    lab.has();
    lab.add("h0 600 A 10.0.0.0");
    const again = full(hosts(1));
    await destroy(lab, again, await up(lab, again));
    lab.has("h0 A 10.0.0.0 600");
  });

  it("deletes both of two equal records that one resource created and another took over", async () => {
    const lab = await start({ settings: { identical: "accept" } });
    const www = full(["www 600 A 192.0.2.1"]);
    const made = await up(lab, www);
    // The removal of a second one has failed, so the ledger ends with it.
    const twin = lab.add("www 600 A 192.0.2.1");
    const held = made.ledger.held.flatMap((each) => [each, { ...each, id: twin }]);
    const { reconciler: rename, said } = processOf(lab, { programRan: true, confirmed: true });
    rename.siblings.declared.add(() => www.records);
    await lab.release(www, { ledger: { ...made.ledger, held } }, rename);
    for (const { id } of held) match(said(), new RegExp(`\\(record ${id}\\)`));
    rename.close();
    const adopted = { ...made.ledger, held: held.map((each) => ({ ...each, made: false })) };
    await destroy(lab, www, { ...made, ledger: adopted }, { confirmed: true });
    lab.has();
  });

  it("keeps a record that another resource declares while the deletion waits", async () => {
    const lab = await start();
    const all = full(hosts(2));
    const made = await up(lab, all);
    const others = full(hosts(1));
    let waits = 0;
    const { reconciler, said } = lab.process({
      settings: { ...lab.settings, confirmedDomains: ["example.com"] },
      clock: {
        ...lab.clock,
        sleep: (ms, signal) => {
          if ((waits += 1) === 1)
            reconciler.siblings.declared.add(() => others.records, { resource: 'Record "taker"' });
          return lab.clock.sleep(ms, signal);
        },
      },
      programRan: () => Promise.resolve(true),
      project: "zones",
    });
    await lab.release(all, made, reconciler);
    lab.has("h0 A 10.0.0.0 600");
    match(
      said(),
      /^1 record taken over by Record "taker": h0\.example\.com\. A 10\.0\.0\.0 \(record \d+\)$/m,
    );
  });

  it("lists all records that it leaves to a resource that the engine has not checked", async () => {
    const lab = await start();
    const all = full(hosts(5));
    const made = await up(lab, all);
    const { reconciler, said } = processOf(lab, { programRan: true });
    // With `--target`, only the program's own digests name the resource that takes them over.
    for (const record of all.records)
      reconciler.siblings.declared.addClaim(digestOf(record), { domain: record.domain, role: "other" });
    await lab.release(all, made, reconciler);
    equal(lab.lines().length, 5);
    match(
      said(),
      /^5 records taken over by .*:\n( {2}h\d\.example\.com\. A 10\.0\.0\.\d \(record \d+\)\n?){5}$/m,
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
      equal(lab.lines().length, kept);
    });
});

describe("the message about records that stay under retain", () => {
  const start = labs();
  const [a, b] = ["a 600 A 192.0.2.1", "b 600 A 192.0.2.2"] as const;

  it("lists the live data and earlier stale records, but not refused records", async () => {
    const lab = await start();
    const first = await lab.up(of(a, b, "gone 600 A 192.0.2.3"));
    const kept = lab.admin.zone("example.com").find(({ name }) => name === "b");
    lab.admin.set({ refuse: [{ name: "bad", message: "Refused for the test" }] });
    const two = of(a, "gone 600 A 192.0.2.3", "bad 600 A 192.0.2.9");
    const second = await lab.up(two, first);
    ok(second.failures.length > 0);
    lab.erase("gone");
    // The listing may lack a record that was made in the last second.
    const { reconciler, said } = lab.process({ clock: lab.clockAhead(() => 2_000) });
    await lab.release({ ...two, removal: "retain" }, second, reconciler);
    match(
      said(),
      new RegExp(
        `\\[live\\.retained\\]\\n {2}a\\.example\\.com\\. A 192\\.0\\.2\\.1 +record \\d+\\n {2}b\\.example\\.com\\. A 192\\.0\\.2\\.2 +record ${kept?.id}`,
      ),
    );
    doesNotMatch(said(), /bad|gone/);
  });

  it("lists all records, because no state has them any more", async () => {
    const lab = await start();
    const all = of(...hosts(12));
    const made = await lab.up(all);
    const { reconciler, said } = lab.process();
    await lab.release({ ...all, removal: "retain" }, made, reconciler);
    match(said(), /\[live\.retained\]\n( {2}h\d+\.example\.com\. A 10\.0\.0\.\d+ +record \d+\n?){12}$/m);
  });

  it("lists both of two equal records that the resource holds", async () => {
    const lab = await start({ settings: { identical: "accept" } });
    const made = await lab.up(of(a));
    const id = lab.add(a);
    const held = made.ledger.held.flatMap((each) => [each, { ...each, id }]);
    const { reconciler, said } = lab.process();
    await lab.release({ ...of(a), removal: "retain" }, { ledger: { ...made.ledger, held } }, reconciler);
    for (const each of held) match(said(), new RegExp(`record ${each.id}$`, "m"));
  });

  it("is in the preview, even if another zone cannot be read", async () => {
    const lab = await start();
    const second = await lab.up(of(a), await lab.up(of(a, b)));
    const lost = { digest: "former", domain: "lost.example", id: "1", since: 0, made: true };
    const before = { ...second, ledger: { ...second.ledger, held: [...second.ledger.held, lost] } };
    const { plan, refusals } = await lab.preview({ ...of(a), removal: "retain" }, before);
    deepEqual([refusals, plan.stale.map(({ key }) => key)], [[], ["example.com b.example.com. A 192.0.2.2"]]);
  });
});
