import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import fs from "node:fs";
import { join } from "node:path";
import { mock } from "node:test";
import { Stamps } from "../../provider/support/clock";
import { recordKey, type DnsRecord } from "../../provider/dns";
import { digestOf } from "../../provider/reconcile/memory/ledger";
import { collectingReporter } from "../support/reporter";
import { Journal } from "../../provider/reconcile/memory/journal";
import { appendPrivate, readPrivateJson } from "../../provider/support/private-file";
import { Secret } from "../../provider/settings";
import { create, fresh, full, fullService, fullSettings, labTests, of, warningsOf, wwwLine } from "./lab";
import { until } from "../support/processes";
import { edit, filesOf, journalOf, textOf } from "./journal-files";

const www = of(wwwLine);
const two = of(wwwLine, "api 600 A 192.0.2.2");
const never = () => 0;

const recordsOf = (name: string, domain = "example.com") => [{ domain, name, type: "A", value: "192.0.2.1" }];
const [a, b] = [recordsOf("a"), recordsOf("b")];
/** The number of the journal's news about these records, for a zone that was never read. */
const newsIn = (journal: Journal, records = a) => journal.othersOf(records, never).length;
const entryOf = (record: DnsRecord) => ({ domain: record.domain, id: "1", key: recordKey(record) });

const { it, start } = labTests({ settings: { identical: "accept" } }, { jobTimeout: 3 });

describe("the journal", () => {
  it("notes its write on the disk, file and folders, before the request leaves", async (lab) => {
    let flushes = 0;
    const flush = mock.method(fs, "fsyncSync", () => (flushes += 1));
    try {
      lab.admin.addFault({ operation: create, kind: "slow", ms: 300, count: 1 });
      const applying = lab.up(www);
      await until("the job", () => lab.calls(create) > 0);
      // The journal's folder in its own; the file, and that it is in its folder.
      ok(flushes >= 3, `${flushes} flushes before the request arrived`);
      await applying;
    } finally {
      flush.mock.restore();
    }
  });

  it("the journal holds digests only, under a key of the login token, and its file is for this user alone", async (lab) => {
    const secret = of("s 600 TXT top-secret-value");
    await lab.up(secret);
    for (const file of filesOf(lab)) equal(fs.statSync(file).mode & 0o777, 0o600);
    for (const text of ["top-secret", ...secret.records.map(digestOf)]) ok(!textOf(lab).includes(text));
    ok(!fs.readdirSync(lab.settings.stateDir).some((name) => name.includes("key")));
    journalOf(lab, 0, { loginToken: new Secret("2,another") }).begin(secret.records);
    const marks = [...textOf(lab).matchAll(/"digests":"(.*?)"/g)].map(([, mark]) => mark);
    equal(new Set(marks).size, 2);
  });

  it("has news for a zone that was read before a write ended, and none for one that was read later", async (lab) => {
    const written = recordsOf("a", "one.example");
    journalOf(lab).begin(written).ended(written.map(entryOf));
    const journal = journalOf(lab);
    const wanted = [...written, ...recordsOf("b", "two.example")];
    const later = lab.clock.wall() + 10_000;
    const news = (one: number, others: number) =>
      journal.othersOf(wanted, (domain) => (domain === "one.example" ? one : others)).length;
    deepEqual([news(later, 0), news(0, later)], [0, 1]);
  });

  it("has news again of a write whose job number is noted after the search for it", async (lab) => {
    const entry = journalOf(lab).begin(a);
    const journal = journalOf(lab);
    const news = () => journal.othersOf(a, never);
    for (const each of news()) journal.foundOut(each, each.records);
    const before = news().length;
    entry.accepted("1");
    deepEqual([before, news().map(({ job }) => job)], [0, ["1"]]);
  });

  it("under another login token may mean every record of its domains, and no others", async (lab) => {
    journalOf(lab, 0, { loginToken: new Secret("1,before") }).begin(a);
    const journal = journalOf(lab);
    equal(newsIn(journal, b), 1);
    equal(newsIn(journal, recordsOf("b", "example.net")), 0);
  });

  it("of another service has no news, and none of the records that a killed run created", (lab) => {
    journalOf(lab, 0, { baseUrl: "https://dns.example.net" }).begin(a);
    const journal = journalOf(lab);
    deepEqual([newsIn(journal), journal.created.among(a.map(entryOf)).size], [0, 0]);
  });

  it("reads the stamps of others correctly after this machine's clock was set", () => {
    let [now, ahead] = [1_000_000_000, 0];
    const sleep = () => Promise.resolve();
    const stamps = new Stamps({ now: () => now, wall: () => now + ahead, sleep });
    equal(stamps.read(now - 10_000), now - 10_000);
    ahead = 86_400_000;
    equal(stamps.stored(now), now + ahead);
    equal(stamps.read(now - 10_000), now - 10_000, "stored before the clock was set");
    equal(stamps.read(now + ahead - 10_000), now - 10_000, "stored after");
    ahead = -86_400_000;
    now += 5_000;
    equal(stamps.read(now + ahead - 1_000), now - 1_000);
    equal(stamps.read(now + 10 * 86_400_000), now, "of the future");
  });

  it("loses the file of a process that ended well once no process can work from an older zone", async (lab, by) => {
    await by.up(www);
    by.close();
    const after = (ms: number, read = 0) => journalOf(lab, ms).othersOf(www.records, () => read).length;
    deepEqual([after(59_000), after(61_000)], [1, 0]);
    equal(after(599_000, 1), 1, "a zone that was read before");
    after(601_000);
    deepEqual(filesOf(lab), []);
  });

  it("keeps the file of a process for an hour, and a killed run's creations for a month", async (lab) => {
    journalOf(lab).begin(a, "remove");
    journalOf(lab).begin(a);
    const kept = [3_590_000, 4_000_000, 31 * 86_400_000].map((ms) => {
      newsIn(journalOf(lab, ms));
      return filesOf(lab).length;
    });
    deepEqual(kept, [2, 1, 0]);
  });

  it("names either of two equal records, of which one may be a killed run's", (lab) => {
    journalOf(lab).begin(a);
    const twins = a.flatMap((record) => ["1", "2"].map((id) => ({ ...entryOf(record), id })));
    const named = () => journalOf(lab).created.among(twins).size;
    deepEqual([named(), named()], [2, 2]);
  });

  it("names no equal record of a killed run once another process has made the record", (lab) => {
    journalOf(lab).begin(a);
    const next = journalOf(lab);
    next.begin(a).ended(a.map(entryOf));
    next.close();
    const equalOnes = a.map((record) => ({ ...entryOf(record), id: "2" }));
    equal(journalOf(lab).created.among(equalOnes).size, 0);
  });

  it("reads another process's file once, and then as far as it grew", async (lab) => {
    const others = journalOf(lab);
    for (let i = 0; i < 20; i += 1) others.begin(recordsOf(`h${i}`));
    const journal = journalOf(lab);
    const ask = (name: string) => newsIn(journal, recordsOf(name));
    const read = mock.method(fs, "readSync");
    try {
      deepEqual([ask("h1"), ask("h2"), ask("new")], [1, 1, 0]);
      others.begin(recordsOf("new"));
      equal(ask("new"), 1);
      const [first = 0, second = 0, ...more] = read.mock.calls.map(({ result }) => Number(result));
      ok(more.length === 0 && first > 10 * second, `${first} and ${second} bytes`);
    } finally {
      read.mock.restore();
    }
  });

  for (const [damaged, damage] of [
    ["cut in its last line", (text: string) => text.slice(0, text.indexOf("digests") + 12)],
    ["emptied", () => ""],
    ["overwritten in its first line", (text: string) => `garbage${text.slice(7)}`],
  ] as const)
    it(`a journal file that was ${damaged} is reported once, and its write is waited for as after a kill`, async () => {
      const lab = await start({ settings: { jobStartMs: 1_500 } }, { jobTimeout: 10 });
      const killed = lab.up(two);
      await until("the job's number in the journal", () => textOf(lab).includes('"job":'));
      const path = edit(lab, damage);
      const aMomentAgo = Date.now() / 1000 - 2;
      fs.utimesSync(path, aMomentAgo, aMomentAgo);
      const next = lab.process();
      const { held } = await next.must(two);
      deepEqual([held.length, lab.calls(create)], [2, 1]);
      await killed;
      const isAboutIt = (text: string) => text.includes(path) && text.includes("is damaged");
      deepEqual(warningsOf(next).map(isAboutIt), [true]);
    });

  const give = (path: string) => fs.chownSync(path, 12_345, 12_345);
  const isRoot = process.getuid?.() === 0;
  const strangers: [what: string, change: (path: string) => void, reason: RegExp][] = [
    ["in whose place is a folder", (path) => (fs.rmSync(path), fs.mkdirSync(path)), /jsonl is not a file\./],
    ["of another user", give, /jsonl belongs to another user, 12345\./],
  ];
  for (const [what, change, reason] of isRoot ? strangers : strangers.slice(0, 1))
    it(`a journal file ${what} is reported once with that reason, and may have any record's write`, async (lab) => {
      journalOf(lab).begin(b);
      change(filesOf(lab)[0] ?? "");
      const reporter = collectingReporter();
      const journal = journalOf(lab, 0, {}, reporter);
      deepEqual([newsIn(journal), newsIn(journal)], [1, 1]);
      deepEqual(
        reporter.lines.map(({ text }) => [reason.test(text), text.includes("empty")]),
        [[true, false]],
      );
    });

  it("keeps no file of an up in full mode for more than ten minutes", async () => {
    const lab = await start(fullService, fullSettings);
    let [ahead, state] = [0, fresh];
    const clock = lab.clockAhead(() => ahead);
    const counts: number[] = [];
    for (let ttl = 600; ttl < 615; ttl += 1) {
      const by = lab.process({ clock });
      state = await by.must(full([`www ${ttl} A 192.0.2.1`]), state);
      by.close();
      counts.push(filesOf(lab).length);
      ahead += 60_000;
    }
    ok(Math.max(...counts) <= 11, String(counts));
  });

  it("keeps the file of a killed run for a day if its job of changes has no known end", (lab) => {
    const hour = 3_600_000;
    journalOf(lab).begin(a, "change", a).accepted("1");
    for (const [hours, files] of [
      [23, 1],
      [25, 0],
    ] as const) {
      newsIn(journalOf(lab, hours * hour));
      equal(filesOf(lab).length, files);
    }
  });

  it("keeps the file of a record that left a resource for a month", async (lab) => {
    const day = 86_400_000;
    const journal = journalOf(lab);
    journal.created.noteReleased(a.map(entryOf));
    journal.close();
    for (const [days, files] of [
      [29, 1],
      [31, 0],
    ] as const) {
      journalOf(lab, days * day).othersOf(a, never);
      equal(filesOf(lab).length, files);
    }
  });

  it("takes a line that another process is writing for no damage", async (lab) => {
    journalOf(lab).begin(a);
    let whole = "";
    const path = edit(lab, (text) => (whole = text).slice(0, -10));
    const now = () => fs.statSync(path).mtimeMs + 500;
    const reporter = collectingReporter();
    const journal = new Journal(lab.settings, { ...lab.clock, now, wall: now }, reporter);
    equal(newsIn(journal), 0);
    fs.writeFileSync(path, whole);
    equal(newsIn(journal), 1);
    deepEqual(reporter.lines, []);
  });

  const made = (name: string, change: (path: string) => void) => (stateDir: string) => {
    fs.mkdirSync(join(stateDir, name, "journal"), { recursive: true });
    change(join(stateDir, name, "journal"));
    return join(stateDir, name);
  };
  const places: [where: string, folder: (stateDir: string) => string][] = [
    ["below a file", (stateDir) => join(stateDir, "file")],
    ["in procfs, which has no folder for it", () => "/proc/nothing/here"],
    ["in a folder that others can write to", made("open", (path) => fs.chmodSync(path, 0o777))],
    ["in another user's folder", made("other", give)],
  ];
  for (const [where, folder] of isRoot ? places : places.slice(0, 3))
    it(`the journal cannot be written ${where}: the run goes on, with one warning that names the setting`, async (lab) => {
      const reporter = collectingReporter();
      fs.writeFileSync(join(lab.settings.stateDir, "file"), "");
      const journal = journalOf(lab, 0, { stateDir: folder(lab.settings.stateDir) }, reporter);
      journal.begin(a).accepted("1");
      journal.begin(b).notDone();
      const [warning, ...more] = reporter.lines;
      deepEqual(more, []);
      match(warning?.text ?? "", /the journal \S+\.jsonl cannot be written: .*LEGACYDNS_STATE_DIR/);
    });

  it("neither reads nor writes through a link in the state folder", async () => {
    const { settings } = await start();
    const [target, link] = [join(settings.stateDir, "target"), join(settings.stateDir, "link")];
    fs.writeFileSync(target, "{}");
    fs.symlinkSync(target, link);
    equal(readPrivateJson(link), undefined);
    throws(() => appendPrivate(link, "more", { flush: false }), /ELOOP/);
    equal(fs.readFileSync(target, "utf8"), "{}");
  });
});
