/**
 * The records that a destroy deletes and keeps, below the engine. A run with a program is an update, one
 * without a program a destroy.
 */
import { deepEqual, doesNotMatch, equal, match, ok, rejects } from "node:assert/strict";
import type { Clock } from "../../provider/support/clock";
import { createOnly, type Declaration } from "../../provider/reconcile/declaration";
import { digestOf } from "../../provider/reconcile/memory/ledger";
import {
  declare,
  fresh,
  full,
  fullService,
  hosts,
  labTests,
  may,
  of,
  partOf,
  refusing,
  saidIn,
  saved,
  www,
  wwwLine,
  type Lab,
  type LabSettings,
  type Process,
  type Update,
} from "./lab";

const { it, start } = labTests(fullService, { undocumentedOperations: true });
const single = { may: { ...may, single: true } };
const holding = (n: number, settings: LabSettings = {}) => {
  const records = Array.from({ length: n }, (_, i) => ({ name: `h${i}`, type: "A", value: `10.0.0.${i}` }));
  return start({ domains: [{ name: "example.com", records }] }, settings);
};

interface Given {
  readonly programRan?: boolean;
  readonly confirmed?: boolean;
  readonly explicit?: boolean;
  readonly project?: string;
  readonly clock?: Clock;
}

function processOf(lab: Lab, given: Given = {}) {
  const {
    programRan = false,
    confirmed = false,
    explicit = false,
    project = "zones",
    clock = lab.clock,
  } = given;
  const confirmedDomains = confirmed ? ["example.com"] : [];
  return lab.process({
    settings: { ...lab.settings, explicit, confirmedDomains },
    programRan: () => Promise.resolve(programRan),
    project,
    clock,
  });
}

/** An update that ends well, as the state keeps it. */
async function up(lab: Lab, declaration: Declaration, before = fresh) {
  const by = processOf(lab, { confirmed: true });
  const done = await by.must(declaration, before);
  by.close();
  return saved(done);
}

async function destroy(lab: Lab, declaration: Declaration, before?: Update, given: Given = {}) {
  const made = before ?? (await up(lab, declaration));
  const by = processOf(lab, given);
  await by.release(declaration, made);
  return by.said();
}

describe("a destroy", () => {
  it("fails during a job, even if the console has made an equal record meanwhile", async () => {
    const lab = await start({ settings: { stickAfter: 0 } }, { jobTimeout: 1 });
    const first = await processOf(lab).up(www);
    lab.add("www 300 A 192.0.2.1");
    await rejects(
      destroy(lab, www, first),
      /\[job\.unfinished\]\n {2}www\.example\.com\. A 192\.0\.2\.1 +job \d+ had done /,
    );
  });

  it("keeps adopted records, lists all of them, and deletes created ones", async () => {
    const lab = await holding(30);
    const said = await destroy(lab, full([...hosts(30), "new 600 A 192.0.2.99"]));
    equal(lab.size, 30);
    ok(!lab.lines().some((line) => line.startsWith("new ")));
    match(said, /\[live\.adopted\]\n( {2}h\d+\.example\.com\. A 10\.0\.0\.\d+ +record \d+\n?){30}$/m);
  });

  it("that cannot delete created records lists ten of them, without secret values", async (lab) => {
    const limited = { removal: "verify", may: createOnly } as const;
    const failure = async (declaration: Declaration) => {
      const made = await up(lab, declaration);
      const by = processOf(lab);
      const error = await by.release(declaration, made).catch(String);
      return `${String(error)}\n${by.said()}`;
    };
    match(
      await failure(full(hosts(12), limited)),
      /\[live\.left-over\]\n( {2}h\d+\.example\.com\. A 10\.0\.0\.\d+ +record \d+\n){10} {2}… and 2 more\n.* so the destroy ends with an error\./,
    );
    const hidden = hosts(12).map((line) => line.replace("A 10.0.0.", "TXT very-secret-"));
    const text = await failure(full(hidden, { ...limited, sensitive: true }));
    match(text, /\[live\.left-over\]\n {2}h0.*… and 2 more\n/s);
    doesNotMatch(text, /very-secret/);
  });

  it("reports the number of deleted records and the first names, without secret values", async (lab) => {
    match(
      await destroy(lab, full(hosts(5))),
      /^example\.com: 5 records removed: h0\.example\.com\. A 10\.0\.0\.0 \(record \d+\); .*; and 2 more$/m,
    );
    match(
      await destroy(lab, full(["s 600 TXT very-secret-text"], { sensitive: true })),
      /^example\.com: 1 record removed: s\.example\.com\. TXT (?!.*very-secret)\S+ \(record \d+\)$/m,
    );
    equal(await destroy(lab, full([wwwLine], single)), "");
    lab.has();
  });

  it("of adopted records needs no deletion and no help in documented mode", async () => {
    const lab = await holding(3, { undocumentedOperations: false });
    const said = await destroy(lab, of(...hosts(3)));
    match(said, /\[live\.adopted\]\n.*h2\.example\.com\. A 10\.0\.0\.2 +record \d+/s);
  });

  it("leaves an adopted record that the stack has changed since, in its place or under the same name", async (lab) => {
    lab.add(wwwLine);
    lab.add("api 600 A 192.0.2.2");
    const first = await up(lab, full([wwwLine, "api 600 A 192.0.2.2", "own 600 A 192.0.2.3"]));
    const edited = full(["www 300 A 192.0.2.1", "api 600 A 192.0.2.8", "own 600 A 192.0.2.9"]);
    await destroy(lab, edited, await up(lab, edited, first));
    lab.has("api A 192.0.2.8 600", "www A 192.0.2.1 300");
  });

  it("of more than maxChangeShare of a zone is refused, until the domain is named", async () => {
    const lab = await holding(20);
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
    equal(lab.size, 30);
    await destroy(lab, all, made, { confirmed: true });
    equal(lab.size, 20);
  });

  it("of several domains is confirmed by one command, which contains the confirmed ones", async () => {
    const domains = ["example.com", "example.net", "example.org"];
    const lab = await start({ domains });
    const all = full(hosts(10), {}, domains);
    const made = await up(lab, all);
    const command = `LEGACYDNS_CONFIRMED_DOMAINS=${domains.join()}`;
    for (const confirmed of [false, true]) {
      const error = await destroy(lab, all, made, { confirmed }).catch(String);
      const commands = Array.from({ length: confirmed ? 2 : 3 }, () => command);
      deepEqual(error.match(/LEGACYDNS_CONFIRMED\S+/g), commands);
    }
  });

  it("of single records counts those deleted at the same time and before", async (lab) => {
    const singles = hosts(20).map((line) => full([line], single));
    const made = await up(lab, full(hosts(20)));
    const refusals = async (confirmed: boolean, those: Declaration[]) => {
      const by = processOf(lab, { confirmed });
      const reasons: unknown[] = [];
      for (let i = 0; i < those.length; i += 4)
        await Promise.all(
          those
            .slice(i, i + 4)
            .map((each) => by.release(each, partOf(made, each)).catch((why) => reasons.push(why))),
        );
      return reasons;
    };
    const reasons = await refusals(false, singles);
    deepEqual([reasons.length, lab.size], [16, 16]);
    match(String(reasons[0]), /8 to delete, 0 to update, 20 live: at least 40 % +maxChangeShare 30 %/);
    deepEqual(await refusals(true, singles.slice(4)), []);
    lab.has();
  });

  it("deletes a record that one resource created and another took over, in the same run or the next", async (lab) => {
    const all = full(hosts(2));
    const made = await up(lab, all);
    // A renamed resource: the new one adopts, then the old one is deleted, in one process.
    const rename = processOf(lab, { programRan: true }).declares(all);
    const taken = saved(await rename.up(all));
    await rename.release(all, made);
    equal(lab.size, 2);
    rename.close();
    await destroy(lab, all, taken, { project: "another" });
    equal(lab.size, 2, "another project's stack did not make them");
    await destroy(lab, all, taken);
    lab.has();
    lab.add("h0 600 A 10.0.0.0");
    await destroy(lab, full(hosts(1)));
    lab.has("h0 A 10.0.0.0 600");
  });

  it("deletes both of two equal records that one resource created and another took over", async () => {
    const lab = await start({ settings: { identical: "accept" } });
    const made = await up(lab, www);
    // The removal of a second one has failed, so the ledger ends with it.
    const twin = lab.add(wwwLine);
    const held = made.held.flatMap((each) => [each, { ...each, id: twin }]);
    const rename = processOf(lab, { programRan: true, confirmed: true }).declares(www);
    await rename.release(www, { ledger: { ...made.ledger, held } });
    for (const { id } of held) match(rename.said(), new RegExp(`\\(record ${id}\\)`));
    rename.close();
    const adopted = { ...made.ledger, held: held.map((each) => ({ ...each, made: false })) };
    await destroy(lab, www, { ...made, ledger: adopted }, { confirmed: true });
    lab.has();
  });

  it("keeps a record that another resource declares while the deletion waits", async (lab) => {
    const all = full(hosts(2));
    const made = await up(lab, all);
    const others = full(hosts(1));
    let waits = 0;
    const by: Process = processOf(lab, {
      confirmed: true,
      programRan: true,
      clock: {
        ...lab.clock,
        sleep: (ms, signal) => {
          if ((waits += 1) === 1)
            by.siblings.declared.add(() => others.records, { resource: 'Record "taker"' });
          return lab.clock.sleep(ms, signal);
        },
      },
    });
    await by.release(all, made);
    lab.has("h0 A 10.0.0.0 600");
    match(
      by.said(),
      /^1 record taken over by Record "taker": h0\.example\.com\. A 10\.0\.0\.0 \(record \d+\)$/m,
    );
  });

  it("lists all records that it leaves to a resource that the engine has not checked", async (lab) => {
    const all = full(hosts(5));
    const made = await up(lab, all);
    const by = processOf(lab, { programRan: true });
    // With `--target`, only the program's own digests name the resource that takes them over.
    for (const record of all.records)
      by.siblings.declared.addClaim(digestOf(record), { domain: record.domain, role: "other" });
    await by.release(all, made);
    equal(lab.size, 5);
    match(
      by.said(),
      /^5 records taken over by .*:\n( {2}h\d\.example\.com\. A 10\.0\.0\.\d \(record \d+\)\n?){5}$/m,
    );
  });

  for (const [project, kept] of [
    ["another", 2],
    ["zones", 0],
  ] as const)
    it(`knows a killed run's records by its project: ${kept} of ${project} stay`, async (lab) => {
      const all = full(hosts(2));
      // Killed: it is never closed, and its ledger is lost.
      await processOf(lab, { project }).up(all);
      await destroy(lab, all);
      equal(lab.size, kept);
    });
});

const idOf = (lab: Lab, name: string, domain = "example.com") =>
  lab.admin.zone(domain).find((each) => each.name === name)?.id;

describe("the message about records that stay under retain", () => {
  const { it, start } = labTests();
  const [a, b] = ["a 600 A 192.0.2.1", "b 600 A 192.0.2.2"] as const;
  const retained = (declaration: Declaration): Declaration => ({ ...declaration, removal: "retain" });

  it("lists the live data and earlier stale records, but not refused records", async (lab) => {
    const first = await lab.up(of(a, b, "gone 600 A 192.0.2.3"));
    const kept = idOf(lab, "b");
    lab.admin.set(refusing("bad").settings);
    const declared = of(a, "gone 600 A 192.0.2.3", "bad 600 A 192.0.2.9");
    const second = await lab.up(declared, first);
    ok(second.failures.length > 0);
    lab.erase("gone");
    // The listing may lack a record that was made in the last second.
    const by = lab.process({ clock: lab.clockAhead(() => 2_000) });
    await by.release(retained(declared), second);
    match(
      by.said(),
      new RegExp(
        `\\[live\\.retained\\]\\n {2}a\\.example\\.com\\. A 192\\.0\\.2\\.1 +record \\d+\\n {2}b\\.example\\.com\\. A 192\\.0\\.2\\.2 +record ${kept}`,
      ),
    );
    doesNotMatch(by.said(), /bad|gone/);
  });

  for (const [count, how, infos] of [
    [3, "read by id", 5],
    [12, "waited for", 0],
  ] as const)
    it(`lists each record of all domains with its number, however young (${count}, ${how})`, async () => {
      const domains = ["one.example", "two.example"];
      const lab = await start({ domains }, { indexDelay: 5 });
      const all = retained(declare(domains, hosts(count + 2)));
      const less = retained(declare("one.example", hosts(count)));
      const first = lab.process();
      const made = await first.must(less, await lab.must(all));
      equal(lab.calls("Record.Info"), infos);
      const said = `${first.said()}\n${await saidIn(lab, (by) => by.release(less, made))}`;
      const line = " {2}h\\d+\\.one\\.example\\. A 10\\.0\\.0\\.\\d+ +record \\d+\\n?";
      match(said, new RegExp(`\\[live\\.retained\\]\\n(${line}){${count}}$`, "m"));
      for (const { name, domain, value } of all.records) {
        match(said, new RegExp(`\\b${name}\\.${domain}\\. A ${value} +record ${idOf(lab, name, domain)}\\b`));
      }
    });

  it("lists both of two equal records that the resource holds", async () => {
    const lab = await start({ settings: { identical: "accept" } });
    const made = await lab.up(of(a));
    const id = lab.add(a);
    const held = made.held.flatMap((each) => [each, { ...each, id }]);
    const said = await saidIn(lab, (by) => by.release(retained(of(a)), { ledger: { ...made.ledger, held } }));
    for (const each of held) match(said, new RegExp(`record ${each.id}$`, "m"));
  });

  it("is in the preview, even if another zone cannot be read", async (lab) => {
    const second = await lab.up(of(a), await lab.up(of(a, b)));
    const lost = { digest: "former", domain: "lost.example", id: "1", since: 0, made: true };
    const before = { ...second, ledger: { ...second.ledger, held: [...second.held, lost] } };
    const { plan, refusals } = await lab.preview(retained(of(a)), before);
    deepEqual([refusals, plan.stale.map(({ key }) => key)], [[], ["example.com b.example.com. A 192.0.2.2"]]);
  });
});
