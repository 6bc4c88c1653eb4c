import assert from "node:assert/strict";
import nodeFs from "node:fs";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { mock } from "node:test";
import { Stamps } from "../../provider/support/clock";
import { digest, recordKey, type DnsRecord } from "../../provider/dns";
import { digestOf, emptyLedger } from "../../provider/reconcile/memory/ledger";
import { collectingReporter } from "../support/reporter";
import { Journal } from "../../provider/reconcile/memory/journal";
import { Reconciler } from "../../provider/reconcile/reconciler";
import { textOf } from "../../provider/problems";
import { appendPrivate, readPrivateJson } from "../../provider/support/private-file";
import { Secret } from "../../provider/settings";
import { declare, startLab, type Lab } from "../support/lab";
import { until } from "../support/processes";
import { times } from "../support/quick-clock";

const settings = { LEGACYDNS_JOB_TIMEOUT: "3" };

function recordsOf(domain: string, name: string): readonly DnsRecord[] {
  return declare(domain, [`${name} 600 A 192.0.2.1`]).records;
}

describe("a run that is killed between a write and its saved state", () => {
  let lab: Lab;
  const files = (): string[] => readdirSync(join(lab.settings.stateDir, "journal"));
  /** In how many lines of the journal such a field stands. */
  const noted = (field: string): number =>
    (existsSync(join(lab.settings.stateDir, "journal")) ? files() : []).flatMap((file) =>
      readFileSync(join(lab.settings.stateDir, "journal", file), "utf8")
        .split(`"${field}":`)
        .slice(1),
    ).length;
  const creates = (): number => lab.service.admin.counts()["Batch.Record.Create"] ?? 0;
  afterEach(() => lab.close());

  it("while its job is at work: the next run waits for the job, and takes over what it made", async () => {
    lab = await startLab({ settings: { jobStartMs: 1_500, identical: "accept" } }, settings);
    const declaration = declare("example.com", ["www 600 A 192.0.2.1", "api 600 A 192.0.2.2"]);
    const killed = lab.reconciler().apply(declaration, [], emptyLedger);
    await until("the job", () => creates() > 0);
    const { ledger, failures } = await lab.reconciler().apply(declaration, [], emptyLedger);
    assert.deepEqual(failures, []);
    assert.equal(ledger.owned.size, 2);
    assert.equal(creates(), 1);
    await killed;
    assert.equal(lab.service.admin.zone("example.com").length, 2);
  });

  it("while its answer is on the way: the next run looks before it sends", async () => {
    lab = await startLab({ settings: { identical: "accept" } }, settings);
    lab.service.admin.addFault({
      operation: "Batch.Record.Create",
      kind: "slow",
      when: "before",
      ms: 1_000 / times,
      count: 1,
    });
    const declaration = declare("example.com", ["www 600 A 192.0.2.1"]);
    const killed = lab.reconciler().apply(declaration, [], emptyLedger);
    await until("the journal", () => existsSync(join(lab.settings.stateDir, "journal")));
    const { failures } = await lab.reconciler().apply(declaration, [], emptyLedger);
    assert.deepEqual(failures, []);
    await killed;
    assert.equal(creates(), 1);
    assert.equal(lab.service.admin.zone("example.com").length, 1);
  });

  it("with a job that sticks: the next run makes all other records, and its state keeps the job", async () => {
    lab = await startLab(
      { settings: { stickAfter: 0, identical: "accept" } },
      { LEGACYDNS_JOB_TIMEOUT: "1" },
    );
    const killed = lab.reconciler().apply(declare("example.com", ["www 600 A 192.0.2.1"]), [], emptyLedger);
    await until("the job's number in the journal", () => noted("job") === 1);
    await killed;
    lab.service.admin.set({ stickAfter: null });
    const declaration = declare("example.com", ["www 600 A 192.0.2.1", "api 600 A 192.0.2.2"]);
    const { failures, ledger } = await lab.reconciler().apply(declaration, [], emptyLedger);
    assert.deepEqual(
      failures.map(({ code }) => code),
      ["job.pending"],
    );
    assert.deepEqual(
      ledger.uncertain.flatMap(({ digests }) => digests),
      recordsOf("example.com", "www").map(digestOf),
    );
    assert.deepEqual(lab.service.admin.zoneText("example.com"), ["api 600 A 192.0.2.2"]);
    for (const { id } of lab.service.admin.jobs()) lab.service.admin.finishJob(id);
    const settled = await lab.reconciler().apply(declaration, declaration.records, ledger);
    assert.deepEqual(settled.failures, []);
    assert.equal(lab.service.admin.zone("example.com").length, 2);
    assert.equal(creates(), 2);
  });

  it("with a job that made a part of its records: the next run takes that over and makes the rest, and asks once", async () => {
    lab = await startLab(
      { settings: { refuse: [{ name: "api", message: "Refused for the test" }] } },
      settings,
    );
    const declaration = declare("example.com", ["www 600 A 192.0.2.1", "api 600 A 192.0.2.2"]);
    await lab.reconciler().apply(declaration, [], emptyLedger);
    const [file = ""] = files();
    const path = join(lab.settings.stateDir, "journal", file);
    // Killed before it saw the job's end.
    writeFileSync(
      path,
      readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => !line.includes('"ended"'))
        .join("\n"),
    );
    lab.service.admin.set({ refuse: [] });
    lab.service.admin.clearCalls();
    const { failures, ledger } = await lab.reconciler().apply(declaration, [], emptyLedger);
    assert.deepEqual(failures, []);
    assert.equal(ledger.owned.size, 2);
    assert.equal(creates(), 1);
    assert.ok((lab.service.admin.counts()["Batch.Detail"] ?? 0) < 8);
  });

  it("with a job whose end a later run sees through the state: no run after that asks about it", async () => {
    lab = await startLab({}, settings);
    const declaration = declare("example.com", ["www 600 A 192.0.2.1", "api 600 A 192.0.2.2"]);
    const first = await lab.reconciler().apply(declaration, [], emptyLedger);
    const [file = ""] = files();
    const path = join(lab.settings.stateDir, "journal", file);
    const lines = readFileSync(path, "utf8").split("\n");
    writeFileSync(path, lines.filter((line) => !line.includes('"ended"')).join("\n"));
    const [job = ""] = lines.flatMap((line) => /"job":"(\d+)"/.exec(line)?.[1] ?? []);
    const pending = {
      ...emptyLedger,
      uncertain: [
        { job, since: Math.floor(lab.clock.wall() / 1000), digests: [...first.ledger.owned.keys()] },
      ],
    };
    await lab.reconciler().apply(declaration, declaration.records, pending);
    lab.service.admin.removeRecord("example.com", { name: "www", type: "A" });
    lab.service.admin.clearCalls();
    const { failures } = await lab.reconciler().apply(declaration, [], emptyLedger);
    assert.deepEqual(failures, []);
    assert.equal(creates(), 1);
    const asked = lab.service.admin
      .calls()
      .filter(({ operation, params }) => operation === "Batch.Detail" && params["job_id"] === job);
    assert.deepEqual(asked, []);
  });

  it("after a try that had not left: the time counts from when it did", async () => {
    lab = await startLab({ settings: { identical: "accept", jobStartMs: 2_000 } }, settings);
    const { admin } = lab.service;
    // Longer than the 3 s that a job whose number was lost is given.
    admin.addFault({
      kind: "http",
      status: 429,
      retryAfter: 5,
      operation: "Batch.Record.Create",
      when: "before",
      count: 1,
    });
    admin.addFault({ kind: "dropped", operation: "Batch.Record.Create", when: "after", count: 1 });
    const declaration = declare("example.com", ["www 600 A 192.0.2.1"]);
    const killed = lab.reconciler().apply(declaration, [], emptyLedger);
    await until("both jobs", () => creates() > 1);
    const { failures } = await lab.reconciler().apply(declaration, [], emptyLedger);
    assert.deepEqual(failures, []);
    await killed;
    assert.equal(creates(), 2);
    assert.equal(admin.zone("example.com").length, 1);
  });

  it("on a machine whose clock was an hour ahead: nothing waits for that hour", async () => {
    lab = await startLab({}, settings);
    const declaration = declare("example.com", ["www 600 A 192.0.2.1"]);
    const digests = declaration.records.map(digestOf);
    const ahead = lab.clock.wall() + 3_600_000;
    const clock = { ...lab.clock, now: () => ahead, wall: () => ahead };
    new Journal(lab.settings, clock, collectingReporter()).begin(declaration.records);
    const seconds = Math.floor(ahead / 1000);
    const ledger = {
      ...emptyLedger,
      uncertain: [{ since: seconds, digests }],
      removed: [{ domain: "example.com", id: "1", since: seconds }],
    };
    const { failures } = await lab.reconciler().apply(declaration, declaration.records, ledger);
    assert.deepEqual(failures, []);
  }).timeout(20_000);

  it("beside another that begins at the same moment: of the two one at most sends, and a third run finds nothing to do or makes the record once", async () => {
    lab = await startLab({ settings: { identical: "accept" } }, settings);
    const declaration = declare("example.com", ["www 600 A 192.0.2.1"]);
    const results = await Promise.all([1, 2].map(() => lab.reconciler().apply(declaration, [], emptyLedger)));
    assert.ok(creates() <= 1, `${creates()} sent`);
    for (const { failures } of results.filter(({ failures: own }) => own.length > 0))
      assert.match(
        failures.map(textOf).join(),
        /not sent, because another run began to create some of these records/,
      );
    const { failures } = await lab.reconciler().apply(declaration, [], emptyLedger);
    assert.deepEqual(failures, []);
    assert.equal(lab.service.admin.zone("example.com").length, 1);
  });

  it("notes its write on the disk, file and folders, before the request leaves", async () => {
    lab = await startLab({}, settings);
    const events: string[] = [];
    const flush = mock.method(nodeFs, "fsyncSync", () => events.push("flush"));
    try {
      lab.service.admin.addFault({
        operation: "Batch.Record.Create",
        kind: "slow",
        when: "before",
        ms: 300,
        count: 1,
      });
      const applying = lab
        .reconciler()
        .apply(declare("example.com", ["www 600 A 192.0.2.1"]), [], emptyLedger);
      await until("the job", () => creates() > 0);
      // The journal's folder in its own; the file, and that it is in its folder.
      assert.ok(events.length >= 3, `${events.length} flushes before the request arrived`);
      await applying;
    } finally {
      flush.mock.restore();
    }
  });

  it("marks records under a key of the login token, which is in no file: an address cannot be guessed from one", async () => {
    lab = await startLab({}, settings);
    const declaration = declare("example.com", ["www 600 A 192.0.2.1"]);
    await lab.reconciler().apply(declaration, [], emptyLedger);
    const [file = ""] = files();
    const text = readFileSync(join(lab.settings.stateDir, "journal", file), "utf8");
    for (const each of declaration.records) assert.ok(!text.includes(digest(recordKey(each))));
    assert.deepEqual(
      readdirSync(lab.settings.stateDir).filter((name) => /key/.test(name)),
      [],
    );
    const another = { ...lab.settings, loginToken: new Secret("2,another") };
    new Journal(another, lab.clock, collectingReporter()).begin(declaration.records);
    const marks = files().map(
      (each) =>
        readFileSync(join(lab.settings.stateDir, "journal", each), "utf8").match(/"digests":"(.*?)"/)?.[1],
    );
    assert.equal(new Set(marks).size, 2);
  });

  it("is news to a zone that was read before it ended, and not for another one that was read still earlier", async () => {
    lab = await startLab({}, settings);
    const entry = new Journal(lab.settings, lab.clock, collectingReporter()).begin(
      recordsOf("one.example", "a"),
    );
    entry.ended(recordsOf("one.example", "a").map((record) => digest(recordKey(record))));
    const journal = new Journal(lab.settings, lab.clock, collectingReporter());
    const wanted = [...recordsOf("one.example", "a"), ...recordsOf("two.example", "b")];
    const later = lab.clock.wall() + 10_000;
    assert.deepEqual(
      journal.othersOf(wanted, (domain) => (domain === "one.example" ? later : 0)),
      [],
    );
    assert.equal(journal.othersOf(wanted, (domain) => (domain === "one.example" ? 0 : later)).length, 1);
  });

  it("under another login token may mean every record of its domains, and no others", async () => {
    lab = await startLab({}, settings);
    const before = { ...lab.settings, loginToken: new Secret("1,before") };
    new Journal(before, lab.clock, collectingReporter()).begin(recordsOf("example.com", "a"));
    const journal = new Journal(lab.settings, lab.clock, collectingReporter());
    assert.equal(journal.othersOf(recordsOf("example.com", "b"), () => 0).length, 1);
    assert.equal(journal.othersOf(recordsOf("example.net", "b"), () => 0).length, 0);
  });

  it("and a machine's clock that is set forward while this process runs: what others noted a moment before is not old", () => {
    let [now, ahead] = [1_000_000_000, 0];
    const clock = {
      now: () => now,
      wall: () => now + ahead,
      resumed: () => 0,
      sleep: () => Promise.resolve(),
    };
    const stamps = new Stamps(clock);
    assert.equal(stamps.read(now - 10_000), now - 10_000);
    ahead = 86_400_000;
    assert.equal(stamps.stored(now), now + ahead);
    assert.equal(stamps.read(now - 10_000), now - 10_000, "stored before the clock was set");
    assert.equal(stamps.read(now + ahead - 10_000), now - 10_000, "stored after");
    ahead = -86_400_000;
    now += 5_000;
    assert.equal(stamps.read(now + ahead - 1_000), now - 1_000);
    assert.equal(stamps.read(now + 10 * 86_400_000), now, "of the future");
  });

  it("the journal holds digests only, and its file is for this user alone", async () => {
    lab = await startLab({}, settings);
    await lab.reconciler().apply(declare("example.com", ["s 600 TXT top-secret-value"]), [], emptyLedger);
    const [file = ""] = files();
    const path = join(lab.settings.stateDir, "journal", file);
    assert.doesNotMatch(readFileSync(path, "utf8"), /top-secret/);
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  /** Another process's journal, so many milliseconds later. */
  const journalAfter = (ms: number): Journal => {
    const now = (): number => lab.clock.wall() + ms;
    return new Journal(lab.settings, { ...lab.clock, now, wall: now }, collectingReporter());
  };

  it("a file whose process ended well is removed once no process can work from an older zone", async () => {
    lab = await startLab({}, settings);
    const reconciler = lab.reconciler();
    const { records } = declare("example.com", ["www 600 A 192.0.2.1"]);
    await reconciler.apply(declare("example.com", ["www 600 A 192.0.2.1"]), [], emptyLedger);
    reconciler.close();
    assert.equal(journalAfter(59_000).othersOf(records, () => 0).length, 1);
    // The index delay is 0 here.
    assert.deepEqual(
      journalAfter(61_000).othersOf(records, () => 0),
      [],
    );
    assert.equal(journalAfter(599_000).othersOf(records, () => 1).length, 1, "a zone that was read before");
    journalAfter(601_000).othersOf(records, () => 0);
    assert.deepEqual(files(), []);
  });

  it("a file whose process may live is kept for an hour, and one that names what a killed run made for a month", async () => {
    lab = await startLab({}, settings);
    const records = recordsOf("example.com", "a");
    new Journal(lab.settings, lab.clock, collectingReporter()).begin(records, "remove");
    new Journal(lab.settings, lab.clock, collectingReporter()).begin(records);
    journalAfter(3_590_000).othersOf(records, () => 0);
    assert.equal(files().length, 2);
    journalAfter(4_000_000).othersOf(records, () => 0);
    assert.equal(files().length, 1);
    journalAfter(31 * 86_400_000).othersOf(records, () => 0);
    assert.deepEqual(files(), []);
  });

  it("of the files that only name what killed runs made, the newest hundred are kept", async () => {
    lab = await startLab({}, settings);
    const records = recordsOf("example.com", "a");
    for (let i = 0; i < 103; i += 1)
      new Journal(lab.settings, lab.clock, collectingReporter()).begin(records);
    journalAfter(4_000_000).othersOf(records, () => 0);
    assert.equal(files().length, 100);
  });

  it("another process's file is read once, and then as far as it grew", async () => {
    lab = await startLab({}, settings);
    const others = new Journal(lab.settings, lab.clock, collectingReporter());
    for (let i = 0; i < 20; i += 1) others.begin(recordsOf("example.com", `h${i}`));
    const journal = new Journal(lab.settings, lab.clock, collectingReporter());
    const ask = (name: string): number => journal.othersOf(recordsOf("example.com", name), () => 0).length;
    const read = mock.method(nodeFs, "readSync");
    try {
      assert.deepEqual([ask("h1"), ask("h2"), ask("new")], [1, 1, 0]);
      assert.equal(read.mock.callCount(), 1);
      others.begin(recordsOf("example.com", "new"));
      assert.equal(ask("new"), 1);
      assert.equal(read.mock.callCount(), 2);
      const [first, second] = read.mock.calls.map(({ result }) => Number(result));
      assert.ok(Number(first) > 10 * Number(second), `${first} and ${second} bytes`);
    } finally {
      read.mock.restore();
    }
  });

  for (const [what, damage] of [
    ["cut in its last line", (text: string) => text.slice(0, text.indexOf("digests") + 12)],
    ["emptied", () => ""],
    ["overwritten in its first line", (text: string) => `garbage${text.slice(7)}`],
  ] as const) {
    it(`a journal file that was ${what} is reported once, and its write is waited for as after a kill`, async () => {
      lab = await startLab(
        { settings: { identical: "accept", jobStartMs: 1_500 } },
        { LEGACYDNS_JOB_TIMEOUT: "10" },
      );
      const declaration = declare("example.com", ["www 600 A 192.0.2.1", "api 600 A 192.0.2.2"]);
      const killed = lab.reconciler().apply(declaration, [], emptyLedger);
      await until("the job's number in the journal", () => noted("job") === 1);
      const path = join(lab.settings.stateDir, "journal", files()[0] ?? "");
      writeFileSync(path, damage(readFileSync(path, "utf8")));
      const aMomentAgo = Date.now() / 1000 - 2;
      utimesSync(path, aMomentAgo, aMomentAgo);
      const reporter = collectingReporter();
      const second = new Reconciler({ ...lab, reporter });
      const { failures, ledger } = await second.apply(declaration, [], emptyLedger);
      assert.deepEqual([failures, ledger.owned.size, creates()], [[], 2, 1]);
      await killed;
      const warnings = reporter.lines.filter(({ level }) => level === "warn");
      assert.deepEqual(
        warnings.map(({ text }) => text.includes(path) && text.includes("is damaged")),
        [true],
      );
      const later = collectingReporter();
      new Journal(lab.settings, lab.clock, later).othersOf(declaration.records, () => 0);
      assert.deepEqual(later.lines, []);
    });
  }

  it("a line that another process is writing at this moment is no damage", async () => {
    lab = await startLab({}, settings);
    const records = recordsOf("example.com", "a");
    new Journal(lab.settings, lab.clock, collectingReporter()).begin(records);
    const path = join(lab.settings.stateDir, "journal", files()[0] ?? "");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.slice(0, -10));
    const now = (): number => statSync(path).mtimeMs + 500;
    const reporter = collectingReporter();
    const journal = new Journal(lab.settings, { ...lab.clock, now, wall: now }, reporter);
    assert.deepEqual(
      journal.othersOf(records, () => 0),
      [],
    );
    writeFileSync(path, text);
    assert.equal(journal.othersOf(records, () => 0).length, 1);
    assert.deepEqual(reporter.lines, []);
  });

  for (const [where, folder] of [
    ["below a file", (stateDir: string) => join(stateDir, "file")],
    ["in procfs, which has no folder for it", () => "/proc/nothing/here"],
    [
      "in a folder that others can write to",
      (stateDir: string) => {
        mkdirSync(join(stateDir, "open", "journal"), { recursive: true });
        chmodSync(join(stateDir, "open", "journal"), 0o777);
        return join(stateDir, "open");
      },
    ],
    ...(process.getuid?.() === 0
      ? [
          [
            "in another user's folder",
            (stateDir: string) => {
              mkdirSync(join(stateDir, "other", "journal"), { recursive: true });
              chownSync(join(stateDir, "other", "journal"), 12_345, 12_345);
              return join(stateDir, "other");
            },
          ] as const,
        ]
      : []),
  ] as const) {
    it(`the journal cannot be written ${where}: the run goes on, with one warning that names the setting`, async () => {
      lab = await startLab({}, settings);
      const reporter = collectingReporter();
      writeFileSync(join(lab.settings.stateDir, "file"), "");
      const journal = new Journal(
        { ...lab.settings, stateDir: folder(lab.settings.stateDir) },
        lab.clock,
        reporter,
      );
      journal.begin(recordsOf("example.com", "a")).accepted("1");
      journal.begin(recordsOf("example.com", "b")).notDone();
      assert.equal(reporter.lines.length, 1);
      assert.match(
        reporter.lines[0]?.text ?? "",
        /the journal \S+\.jsonl cannot be written: .*LEGACYDNS_STATE_DIR/,
      );
    });
  }

  it("a link in the state folder is neither read nor written", async () => {
    lab = await startLab({}, settings);
    const [target, link] = [join(lab.settings.stateDir, "target"), join(lab.settings.stateDir, "link")];
    writeFileSync(target, "{}");
    symlinkSync(target, link);
    assert.equal(readPrivateJson(link), undefined);
    assert.throws(() => appendPrivate(link, "more", { flush: false }), /ELOOP/);
    assert.equal(readFileSync(target, "utf8"), "{}");
  });
});
