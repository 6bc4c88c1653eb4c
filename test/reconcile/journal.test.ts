import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import fs from "node:fs";
import { join } from "node:path";
import { mock } from "node:test";
import { Stamps } from "../../provider/support/clock";
import { recordKey, type DnsRecord } from "../../provider/dns";
import { digestOf, emptyLedger } from "../../provider/reconcile/memory/ledger";
import { collectingReporter } from "../support/reporter";
import { Journal } from "../../provider/reconcile/memory/journal";
import { appendPrivate, readPrivateJson } from "../../provider/support/private-file";
import { Secret, type Settings } from "../../provider/settings";
import {
  create,
  declare,
  fresh,
  full,
  fullService,
  fullSettings,
  labs,
  of,
  times,
  type Lab,
} from "../support/lab";
import { until } from "../support/processes";

const www = of("www 600 A 192.0.2.1");
const two = of("www 600 A 192.0.2.1", "api 600 A 192.0.2.2");
const never = (): number => 0;

const recordsOf = (domain: string, name: string): readonly DnsRecord[] =>
  declare(domain, [`${name} 600 A 192.0.2.1`]).records;

const entryOf = (record: DnsRecord) => ({ domain: record.domain, id: "1", key: recordKey(record) });

const folderOf = (lab: Lab) => join(lab.settings.stateDir, "journal");
const filesOf = (lab: Lab) =>
  fs.existsSync(folderOf(lab)) ? fs.readdirSync(folderOf(lab)).map((name) => join(folderOf(lab), name)) : [];
const textOf = (lab: Lab) =>
  filesOf(lab)
    .map((file) => fs.readFileSync(file, "utf8"))
    .join("");
const journalOf = (lab: Lab, ms = 0, settings: Partial<Settings> = {}, reporter = collectingReporter()) =>
  new Journal(
    { ...lab.settings, ...settings },
    lab.clockAhead(() => ms),
    reporter,
  );
const edit = (lab: Lab, change: (text: string) => string) => {
  const [path = ""] = filesOf(lab);
  fs.writeFileSync(path, change(fs.readFileSync(path, "utf8")));
  return path;
};
const withoutEnds = (text: string) =>
  text
    .split("\n")
    .filter((line) => !line.includes('"ended"'))
    .join("\n");

const start = labs({ settings: { identical: "accept" } }, { LEGACYDNS_JOB_TIMEOUT: "3" });

describe("a run that is killed between a write and its saved state", () => {
  it("while its job is at work: the next run waits for the job, and takes over what it made", async () => {
    const lab = await start({ settings: { jobStartMs: 1_500 } });
    const killed = lab.up(two);
    await until("the job", () => lab.calls(create) > 0);
    const { ledger } = await lab.must(two);
    await killed;
    deepEqual([ledger.owned.size, lab.calls(create), lab.lines().length], [2, 1, 2]);
  });

  it("while its answer is on the way: the next run looks before it sends", async () => {
    const lab = await start();
    lab.admin.addFault({ operation: create, kind: "slow", ms: 1_000 / times, count: 1 });
    const killed = lab.up(www);
    await until("the journal", () => fs.existsSync(folderOf(lab)));
    await lab.must(www);
    await killed;
    deepEqual([lab.calls(create), lab.lines().length], [1, 1]);
  });

  it("and whose record a person makes again: adopt: false refuses it, although the journal has an equal one", async () => {
    const lab = await start();
    await lab.up(www);
    lab.erase("www");
    lab.add("www 600 A 192.0.2.1");
    deepEqual((await lab.up({ ...www, adopt: false })).codes, ["live.exists"]);
  });

  it("and whose record a later run has seen: an equal one that a person makes afterwards is adopted", async () => {
    const lab = await start();
    // The answer of its job is lost, so only the text of its record is known.
    await lab.up(www);
    edit(lab, withoutEnds);
    const { ledger } = await lab.must(www);
    deepEqual(
      [...ledger.owned.values()].map(({ made }) => made),
      [true],
    );
    lab.erase("www");
    lab.add("www 600 A 192.0.2.1");
    const later = await lab.must(www);
    deepEqual(
      [...later.ledger.owned.values()].map(({ made }) => made),
      [false],
    );
  });

  it("whose records no later program declares: the next run names them once", async () => {
    const lab = await start();
    await lab.up(two);
    const { reconciler, said } = lab.process();
    await lab.must(of("new 600 A 192.0.2.7"), fresh, reconciler);
    await lab.must(of("other 600 A 192.0.2.8"), fresh, reconciler);
    const named = [...said().matchAll(/^ {2}(\w+)\.example\.com\. A \(secret\) +record \d+$/gm)].map(
      ([, name]) => name,
    );
    deepEqual([said().match(/\[live\.unknown\]/g)?.length, named.sort()], [1, ["api", "www"]]);
  });

  it("with a job that made some records: the next run takes these over, makes the rest, and asks once", async () => {
    const lab = await start({ settings: { refuse: [{ name: "api", message: "Refused for the test" }] } });
    await lab.up(two);
    edit(lab, withoutEnds);
    lab.admin.set({ refuse: [] });
    lab.admin.clearCalls();
    const { ledger } = await lab.must(two);
    deepEqual([ledger.owned.size, lab.calls(create)], [2, 1]);
    ok(lab.calls("Batch.Detail") < 8);
  });

  it("with a job that makes a record after the next run has listed the zone, and sticks: that record is made once", async () => {
    const lab = await start(
      { settings: { jobStartMs: 3_000, stickAfter: 1, identical: "accept" } },
      { LEGACYDNS_JOB_TIMEOUT: "6" },
    );
    const killed = lab.up(two);
    await until("the job", () => lab.calls(create) > 0);
    await lab.must(of("api 600 A 192.0.2.2"));
    await killed;
    deepEqual([lab.calls(create), lab.lines().length], [1, 1]);
  });

  it("with a job whose end a later run sees through the state: no other run asks about it", async () => {
    const lab = await start();
    const first = await lab.up(two);
    const [, job = ""] = /"job":"(\d+)"/.exec(textOf(lab)) ?? [];
    edit(lab, withoutEnds);
    const since = Math.floor(lab.clock.wall() / 1000);
    const uncertain = [{ job, since, digests: [...first.ledger.owned.keys()] }];
    await lab.up(two, { ...first, ledger: { ...emptyLedger, uncertain } });
    lab.erase("www");
    lab.admin.clearCalls();
    await lab.must(two);
    equal(lab.calls(create), 1);
    deepEqual(
      lab.admin.calls("Batch.Detail").filter(({ params }) => params["job_id"] === job),
      [],
    );
  });

  it("with a job that refused a record: no later run takes that record for its own creation", async () => {
    const lab = await start({ settings: { refuse: [{ name: "api", message: "Refused for the test" }] } });
    await lab.up(two);
    edit(lab, withoutEnds);
    await lab.up(two);
    lab.add("api 600 A 192.0.2.2");
    const { ledger } = await lab.must(two);
    deepEqual(
      two.records.map((record) => ledger.owned.get(digestOf(record))?.made),
      [true, false],
    );
  });

  it("after a try that had not left: the time counts from when it did", async () => {
    const lab = await start({ settings: { jobStartMs: 2_000 } });
    // Longer than the 3 s that a job whose number was lost is given.
    const busy = { kind: "http", status: 429, retryAfter: 5, count: 1 } as const;
    lab.admin.addFault({ ...busy, operation: create });
    lab.lose(create, "after");
    const killed = lab.up(www);
    await until("both jobs", () => lab.calls(create) > 1);
    await lab.must(www);
    await killed;
    deepEqual([lab.calls(create), lab.lines().length], [2, 1]);
  });

  it("on a machine whose clock was an hour ahead: nothing waits for that hour", async () => {
    const lab = await start();
    journalOf(lab, 3_600_000).begin(www.records);
    const since = Math.floor((lab.clock.wall() + 3_600_000) / 1000);
    const ledger = {
      ...emptyLedger,
      uncertain: [{ since, digests: www.records.map(digestOf) }],
      removed: [{ domain: "example.com", id: "1", since }],
    };
    await lab.must(www, { records: www.records, ledger });
  });

  it("beside another that begins at the same moment: at most one sends, and a third run makes the record once", async () => {
    const lab = await start();
    const results = await Promise.all([lab.up(www), lab.up(www)]);
    ok(lab.calls(create) <= 1);
    for (const { text } of results.filter(({ failures }) => failures.length > 0))
      match(text, /not sent, because another run began to create some of these records/);
    await lab.must(www);
    equal(lab.lines().length, 1);
  });
});

describe("the journal", () => {
  it("notes its write on the disk, file and folders, before the request leaves", async () => {
    const lab = await start();
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

  it("the journal holds digests only, under a key of the login token, and its file is for this user alone", async () => {
    const lab = await start();
    const { records } = of("s 600 TXT top-secret-value");
    await lab.up(of("s 600 TXT top-secret-value"));
    for (const file of filesOf(lab)) equal(fs.statSync(file).mode & 0o777, 0o600);
    for (const text of ["top-secret", ...records.map(digestOf)]) ok(!textOf(lab).includes(text));
    ok(!fs.readdirSync(lab.settings.stateDir).some((name) => name.includes("key")));
    journalOf(lab, 0, { loginToken: new Secret("2,another") }).begin(records);
    const marks = [...textOf(lab).matchAll(/"digests":"(.*?)"/g)].map(([, mark]) => mark);
    equal(new Set(marks).size, 2);
  });

  it("has news for a zone that was read before a write ended, and none for one that was read later", async () => {
    const lab = await start();
    const written = recordsOf("one.example", "a");
    journalOf(lab).begin(written).ended(written.map(entryOf));
    const journal = journalOf(lab);
    const wanted = [...written, ...recordsOf("two.example", "b")];
    const later = lab.clock.wall() + 10_000;
    const news = (one: number, others: number) =>
      journal.othersOf(wanted, (domain) => (domain === "one.example" ? one : others)).length;
    deepEqual([news(later, 0), news(0, later)], [0, 1]);
  });

  it("has news again of a write whose job number was noted after its outcome had been sought", async () => {
    const lab = await start();
    const written = recordsOf("one.example", "a");
    const entry = journalOf(lab).begin(written);
    const journal = journalOf(lab);
    const news = () => journal.othersOf(written, never);
    for (const each of news()) journal.foundOut(each, each.records);
    const before = news().length;
    entry.accepted("1");
    deepEqual([before, news().map(({ job }) => job)], [0, ["1"]]);
  });

  it("under another login token may mean every record of its domains, and no others", async () => {
    const lab = await start();
    journalOf(lab, 0, { loginToken: new Secret("1,before") }).begin(recordsOf("example.com", "a"));
    const journal = journalOf(lab);
    equal(journal.othersOf(recordsOf("example.com", "b"), never).length, 1);
    equal(journal.othersOf(recordsOf("example.net", "b"), never).length, 0);
  });

  it("reads the stamps of others correctly after this machine's clock was set", () => {
    let [now, ahead] = [1_000_000_000, 0];
    const sleep = () => Promise.resolve();
    const stamps = new Stamps({ now: () => now, wall: () => now + ahead, resumed: () => 0, sleep });
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

  it("loses the file of a process that ended well once no process can work from an older zone", async () => {
    const lab = await start();
    const reconciler = lab.reconciler();
    await lab.up(www, fresh, reconciler);
    reconciler.close();
    const after = (ms: number, read = 0) => journalOf(lab, ms).othersOf(www.records, () => read).length;
    deepEqual([after(59_000), after(61_000)], [1, 0]);
    equal(after(599_000, 1), 1, "a zone that was read before");
    after(601_000);
    deepEqual(filesOf(lab), []);
  });

  it("keeps the file of a process that may live for an hour, and a killed run's creations for a month", async () => {
    const lab = await start();
    const records = recordsOf("example.com", "a");
    journalOf(lab).begin(records, "remove");
    journalOf(lab).begin(records);
    const kept = [3_590_000, 4_000_000, 31 * 86_400_000].map((ms) => {
      journalOf(lab, ms).othersOf(records, never);
      return filesOf(lab).length;
    });
    deepEqual(kept, [2, 1, 0]);
  });

  it("keeps the newest hundred files of killed runs' creations", async () => {
    const lab = await start();
    const records = recordsOf("example.com", "a");
    for (let i = 0; i < 103; i += 1) journalOf(lab).begin(records);
    journalOf(lab, 4_000_000).othersOf(records, never);
    equal(filesOf(lab).length, 100);
  });

  it("reads another process's file once, and then as far as it grew", async () => {
    const lab = await start();
    const others = journalOf(lab);
    for (let i = 0; i < 20; i += 1) others.begin(recordsOf("example.com", `h${i}`));
    const journal = journalOf(lab);
    const ask = (name: string) => journal.othersOf(recordsOf("example.com", name), never).length;
    const read = mock.method(fs, "readSync");
    try {
      deepEqual([ask("h1"), ask("h2"), ask("new")], [1, 1, 0]);
      others.begin(recordsOf("example.com", "new"));
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
      const lab = await start({ settings: { jobStartMs: 1_500 } }, { LEGACYDNS_JOB_TIMEOUT: "10" });
      const killed = lab.up(two);
      await until("the job's number in the journal", () => textOf(lab).includes('"job":'));
      const path = edit(lab, damage);
      const aMomentAgo = Date.now() / 1000 - 2;
      fs.utimesSync(path, aMomentAgo, aMomentAgo);
      const { reconciler, reporter } = lab.process();
      const { ledger } = await lab.must(two, fresh, reconciler);
      deepEqual([ledger.owned.size, lab.calls(create)], [2, 1]);
      await killed;
      const warnings = reporter.lines.filter(({ level }) => level === "warn");
      deepEqual(
        warnings.map(({ text }) => text.includes(path) && text.includes("is damaged")),
        [true],
      );
    });

  const strangers: [what: string, change: (path: string) => void, reason: RegExp][] = [
    ["in whose place is a folder", (path) => (fs.rmSync(path), fs.mkdirSync(path)), /jsonl is not a file\./],
  ];
  if (process.getuid?.() === 0)
    strangers.push([
      "of another user",
      (path) => fs.chownSync(path, 12_345, 12_345),
      /jsonl belongs to another user, 12345\./,
    ]);
  for (const [what, change, reason] of strangers)
    it(`a journal file ${what} is reported once with that reason, and may have any record's write`, async () => {
      const lab = await start();
      const records = recordsOf("example.com", "a");
      journalOf(lab).begin(recordsOf("example.com", "b"));
      change(filesOf(lab)[0] ?? "");
      const reporter = collectingReporter();
      const journal = journalOf(lab, 0, {}, reporter);
      deepEqual(
        [1, 2].map(() => journal.othersOf(records, never).length),
        [1, 1],
      );
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
    for (const ttl of Array.from({ length: 15 }, (_, i) => 600 + i)) {
      const reconciler = lab.reconciler({ clock });
      state = await lab.must(full([`www ${ttl} A 192.0.2.1`]), state, reconciler);
      reconciler.close();
      counts.push(filesOf(lab).length);
      ahead += 60_000;
    }
    ok(Math.max(...counts) <= 11, String(counts));
  });

  it("keeps at most a hundred files of records that left a resource, none for more than a month", async () => {
    const lab = await start();
    const records = recordsOf("example.com", "a");
    const [hour, processes] = [3_600_000, 150];
    const counts = Array.from({ length: processes }, (_, i) => {
      const journal = journalOf(lab, i * hour);
      journal.othersOf(records, never);
      journal.noteReleased(records.map(entryOf));
      journal.close();
      return filesOf(lab).length;
    });
    ok(Math.max(...counts) <= 101, String(counts));
    journalOf(lab, (processes + 31 * 24) * hour).othersOf(records, never);
    deepEqual(filesOf(lab), []);
  });

  it("takes a line that another process is writing for no damage", async () => {
    const lab = await start();
    const records = recordsOf("example.com", "a");
    journalOf(lab).begin(records);
    let whole = "";
    const path = edit(lab, (text) => (whole = text).slice(0, -10));
    const now = () => fs.statSync(path).mtimeMs + 500;
    const reporter = collectingReporter();
    const journal = new Journal(lab.settings, { ...lab.clock, now, wall: now }, reporter);
    deepEqual(journal.othersOf(records, never), []);
    fs.writeFileSync(path, whole);
    equal(journal.othersOf(records, never).length, 1);
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
  ];
  if (process.getuid?.() === 0)
    places.push(["in another user's folder", made("other", (path) => fs.chownSync(path, 12_345, 12_345))]);
  for (const [where, folder] of places)
    it(`the journal cannot be written ${where}: the run goes on, with one warning that names the setting`, async () => {
      const lab = await start();
      const reporter = collectingReporter();
      fs.writeFileSync(join(lab.settings.stateDir, "file"), "");
      const journal = journalOf(lab, 0, { stateDir: folder(lab.settings.stateDir) }, reporter);
      journal.begin(recordsOf("example.com", "a")).accepted("1");
      journal.begin(recordsOf("example.com", "b")).notDone();
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
