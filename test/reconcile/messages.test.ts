import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import type { DnsRecord } from "../../provider/dns";
import { commandsOf, isOf, renderAll, textOf, type Command, type How } from "../../provider/problems";
import type { Obstacle } from "../../provider/reconcile/plan/plan";
import { domainReasons, obstacleReason, type Wording } from "../../provider/reconcile/wording";
import type { LiveEntry } from "../../provider/reconcile/zones/zone";
import { liveEntry } from "../support/live";
import { journalOf } from "./journal-files";
import { create, hosts, labTests, of, pendingUp, saidIn, wwwLine, type Process } from "./lab";

const record: DnsRecord = { domain: "example.com", name: "www", type: "A", value: "192.0.2.1" };
const live = liveEntry(record, "7", 60);
const stackHow: How = { removalSetBy: "stack", change: false, full: false };
const limited: Wording = { how: stackHow, hides: () => false, hidesForeign: () => false };
const having = (how: Partial<How>) => ({ ...limited, how: { ...stackHow, ...how } });

const staleTexts = (entries: readonly LiveEntry[], wording = limited) =>
  renderAll(domainReasons("live.left-over", entries, wording));
const reasonOf = (given: Partial<Obstacle>, wording = limited) =>
  obstacleReason({ kind: "ttl", record: { ...record, ttl: 600 }, live: [live], ...given }, wording);

describe("the commands of help lines", () => {
  const ways = (how: Partial<How>, command: Command) => commandsOf({ ...stackHow, ...how }, command);

  it("name the environment for a setting of the stack", () => {
    equal(ways({}, "up").retain, "LEGACYDNS_REMOVAL=retain pulumi up");
    equal(ways({}, "destroy").retain, "LEGACYDNS_REMOVAL=retain pulumi destroy");
    equal(ways({}, "up").allow, "pulumi config set legacydns:undocumentedOperations true");
    // A destroy reads a new setting only after an up.
    equal(ways({}, "destroy").allow, "LEGACYDNS_UNDOCUMENTED_OPERATIONS=true pulumi destroy");
  });

  it("name the Provider or the resource that has the setting", () => {
    const { allow, retain } = ways({ removalSetBy: "provider" }, "up");
    equal(retain, 'set removal: "retain" on the Provider, then run `pulumi up`');
    equal(allow, "set undocumentedOperations: true on the Provider, then run `pulumi up`");
    const own = ways({ removalSetBy: "resource" }, "up");
    equal(own.retain, 'set removal: "retain" on the resource, then run `pulumi up`');
    match(own.allow, /undocumentedOperations true; and set removal: "delete" on the resource/);
  });

  it("declare a deleted resource once more, unless another replaces it", () => {
    const how = { removalSetBy: "resource", change: true } as const;
    match(ways(how, "delete").allow, /^declare it again with removal: "delete"/);
    match(ways({ ...how, isReplaced: true }, "delete").allow, /^set removal: "delete" on the resource/);
  });

  it("need only another removal if the operations are on", () => {
    equal(ways({ change: true }, "up").allow, "LEGACYDNS_REMOVAL=delete pulumi up");
  });
});

describe("a stale record's diagnostic", () => {
  it("is one for each domain, with all of its records", () => {
    const other = liveEntry({ ...record, domain: "example.net" }, "8");
    deepEqual(
      staleTexts([live, other, { ...live, id: "9" }]).map((text) => [
        text.split(":")[0],
        [...text.matchAll(/record (\d+)/g)].map(([, id]) => id),
      ]),
      [
        ["example.com", ["7", "9"]],
        ["example.net", ["8"]],
      ],
    );
  });

  it("says that it may be edited, because the data of a secret does not show that", () => {
    const [text = ""] = staleTexts([live], { ...limited, hides: () => true });
    match(text, /^example\.com: live, but edited or no longer declared \[/);
  });

  it("shows no secret data, and names the disabled record", () => {
    const [text = ""] = staleTexts([{ ...live, enabled: false }], { ...limited, hides: () => true });
    match(text, /\n {2}www\.example\.com\. A \(secret\) {2}record 7, disabled\n/);
  });
});

describe("a blocked record's diagnostic", () => {
  const alias = { ...record, type: "CNAME", value: "a.example.org.", ttl: 600 } as const;
  const full = having({ change: true, full: true });
  const cases: [code: string, given: Partial<Obstacle>, wording?: Wording][] = [
    ["live.ttl", {}],
    ["live.disabled", { kind: "disabled" }],
    ["live.exists", { kind: "exists" }],
    ["live.blocked", { kind: "blocked", record: alias }],
    ["live.in-the-way", { kind: "blocked", record: alias }, full],
    ["live.blocked", { kind: "blocked", record: alias, owned: true }, full],
    ["live.own", { live: [{ ...live, hold: true }] }],
    ["live.changed", {}, full],
  ];
  it("has a code for each cause", () => {
    deepEqual(
      cases.map(([, given, wording]) => reasonOf(given, wording).code),
      cases.map(([code]) => code),
    );
  });

  it("names in full mode the resource's option that deletes what is in the way", () => {
    const blocked = { kind: "blocked", record: alias } as const;
    const remedy = (how: Partial<How>) => {
      const why = reasonOf(blocked, having({ change: true, full: true, ...how }));
      return isOf(why, "live.in-the-way") ? String(why.parts.remove) : "";
    };
    match(remedy({}), /: set undeclared: "remove", then run `pulumi up --refresh`$/);
    match(remedy({ single: true }), /: declare it in a RecordBatch with undeclared: "remove", then run/);
    match(remedy({ removesUndeclared: true }), /domain: run `pulumi up --refresh`$/);
  });

  it("names no other resource type to a batch or a zone", () => {
    for (const [, given, wording] of cases) doesNotMatch(textOf(reasonOf(given, wording)), /RecordBatch/);
  });

  it("that is disabled and has another TTL shows both", () => {
    const why = reasonOf({ kind: "disabled", live: [{ ...live, enabled: false, ttl: 300 }] });
    match(textOf(why), /\(disabled, TTL 300 live, 600 declared, record 7\)/);
  });

  it("merges with others of its domain and code", () => {
    const reasons = ["1", "2"].map((id) => reasonOf({ kind: "disabled", live: [{ ...live, id }] }));
    equal(renderAll(reasons).length, 1);
  });
});

describe("the messages of a lost or unfinished write", () => {
  const { it, start } = labTests({}, { jobTimeout: 3 });
  const waits = ({ reporter }: Process) =>
    reporter.lines.flatMap(({ level, text }) => (level === "info" ? [text] : []));
  const www = of(wwwLine);

  it("announce each wait of an update and a refresh once, with its bound and its settings", async (lab) => {
    lab.loseUnread(create);
    const [first, refresh, second] = [lab.process(), lab.process(), lab.process()];
    const lost = await first.up(www);
    deepEqual(lost.codes, ["write.uncertain"]);
    lab.clearFaults();
    await refresh.observe(www, lost);
    await second.must(www, lost);
    ok(waits(first).length > 0);
    for (const process of [first, refresh, second]) {
      const lines = waits(process).filter((text) => !/to create|created/.test(text));
      deepEqual([...new Set(lines)], lines);
      for (const line of lines)
        match(line, /^example\.com: waiting up to [1-9]\d* s for .+ \(.*(indexDelay|jobTimeout).*$/);
    }
    doesNotMatch(`${lost.text}\n${second.said()}`, /\b0 s\b|Its own words/);
  });

  it("count only the records that the other run shares", async (lab) => {
    journalOf(lab).begin(of(...hosts(20)).records);
    const said = await saidIn(lab, (by) => by.must(of(...hosts(20, 600, 0, 10))));
    match(said, /^example\.com: waiting up to \d+ s for 10 records of another run \(/m);
    doesNotMatch(said, /20 records of/);
  });

  it("list the records of a job that has not ended", async () => {
    const { failures } = await pendingUp(await start(), 0, www);
    match(
      renderAll(failures).join("\n"),
      /^example\.com: job \d+ has not ended.* \[job\.pending\]\n {2}www\.example\.com\. A 192\.0\.2\.1\n.*had done 0 of 1 records/,
    );
  });
});
