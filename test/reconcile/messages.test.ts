import assert from "node:assert/strict";
import { recordKey, type DnsRecord } from "../../provider/dns";
import { commandsOf, renderAll, type Command, type How } from "../../provider/problems";
import type { Obstacle } from "../../provider/reconcile/plan/plan";
import { leftOverReasons, obstacleReason, type Wording } from "../../provider/reconcile/wording";
import type { LiveEntry } from "../../provider/reconcile/zones/zone";

const record: DnsRecord = { domain: "example.com", name: "www", type: "A", value: "192.0.2.1" };
const live = entryOf(record, "7");
const limited: Wording = {
  how: { removalSetBy: "stack", change: false, full: false },
  hides: () => false,
  hidesOfAnybody: () => false,
};
const having = (how: Partial<How>): Wording => ({ ...limited, how: { ...limited.how, ...how } });

function entryOf(of: DnsRecord, id: string): LiveEntry {
  return { domain: of.domain, record: of, key: recordKey(of), id, ttl: 60, enabled: true, hold: false };
}

const leftOver = (entries: readonly LiveEntry[], wording = limited, command: Command = "up"): string[] =>
  renderAll(leftOverReasons(entries, wording, command));
const obstacle = (given: Partial<Obstacle>, wording = limited): string =>
  renderAll([
    obstacleReason({ kind: "ttl", record: { ...record, ttl: 600 }, live: [live], ...given }, wording),
  ]).join();

describe("the commands of help lines", () => {
  const ways = (how: Partial<How>, command: Command) =>
    commandsOf({ removalSetBy: "stack", change: false, full: false, ...how }, command);

  it("name the environment for a setting of the stack", () => {
    assert.equal(ways({}, "up").retain, "LEGACYDNS_REMOVAL=retain pulumi up");
    assert.equal(ways({}, "destroy").retain, "LEGACYDNS_REMOVAL=retain pulumi destroy");
    assert.equal(ways({}, "up").allow, "pulumi config set legacydns:undocumentedOperations true");
    // A destroy reads a new setting only after an up.
    assert.equal(ways({}, "destroy").allow, "LEGACYDNS_UNDOCUMENTED_OPERATIONS=true pulumi destroy");
  });

  it("name the Provider or the resource that has the setting", () => {
    const { allow, retain } = ways({ removalSetBy: "provider" }, "up");
    assert.equal(retain, 'set removal: "retain" on the Provider, then run `pulumi up`');
    assert.equal(allow, "set undocumentedOperations: true on the Provider, then run `pulumi up`");
    const own = ways({ removalSetBy: "resource" }, "up");
    assert.equal(own.retain, 'set removal: "retain" on the resource, then run `pulumi up`');
    assert.match(own.allow, /undocumentedOperations true; and set removal: "delete" on the resource/);
  });

  it("declare a deleted resource once more, unless another replaces it", () => {
    const how = { removalSetBy: "resource", change: true } as const;
    assert.match(ways(how, "delete").allow, /^declare it again with removal: "delete"/);
    assert.match(
      ways({ ...how, isReplaced: true }, "delete").allow,
      /^set removal: "delete" on the resource/,
    );
  });

  it("need only another removal if the operations are on", () => {
    assert.equal(ways({ change: true }, "up").allow, "LEGACYDNS_REMOVAL=delete pulumi up");
  });
});

describe("a stale record's diagnostic", () => {
  it("has a title, the record, the reason and three actions", () => {
    assert.deepEqual(leftOver([live]), [
      [
        "example.com: no longer declared, but live [live.left-over]",
        "  www.example.com. A 192.0.2.1  record 7",
        "  The documented API cannot change or delete records, so the update ends with an error.",
        "  help: delete them in the service's console, then run `pulumi up` again",
        "  help: stop tracking them: LEGACYDNS_REMOVAL=retain pulumi up",
        "  help: allow it: pulumi config set legacydns:undocumentedOperations true",
      ].join("\n"),
    ]);
  });

  it("is the same for any number of records, apart from the list", () => {
    const many = Array.from({ length: 300 }, (_, n) => ({ ...live, id: String(n) }));
    const [one = ""] = leftOver([live]);
    const [all = ""] = leftOver(many);
    const withoutList = (text: string): string[] =>
      text.split("\n").filter((line) => !/record \d|…/.test(line));
    assert.deepEqual(withoutList(all), withoutList(one));
    assert.match(all, /\n {2}… and 290 more\n/);
  });

  it("is one for each domain", () => {
    const other = entryOf({ ...record, domain: "example.net" }, "8");
    assert.deepEqual(
      leftOver([live, other, { ...live, id: "9" }]).map((text) => text.split(":")[0]),
      ["example.com", "example.net"],
    );
  });

  it("shows no secret data, and names the disabled record", () => {
    const [text = ""] = leftOver([{ ...live, enabled: false }], { ...limited, hides: () => true });
    assert.match(text, /\n {2}www\.example\.com\. A #\S{8} {2}record 7, disabled\n/);
  });
});

describe("a blocked record's diagnostic", () => {
  it("names both TTLs", () => {
    assert.match(
      obstacle({}),
      /^example\.com: the live TTL differs .* \[live\.ttl\]\n.*TTL 60 live, 600 declared, record 7\n/,
    );
  });

  it("has a code for each cause", () => {
    const hold: LiveEntry = { ...live, hold: true };
    const full = having({ change: true, full: true });
    const alias = { ...record, type: "CNAME", value: "a.example.org.", ttl: 600 } as const;
    const codes = [
      obstacle({ kind: "disabled" }),
      obstacle({ kind: "exists" }),
      obstacle({ kind: "blocked", record: alias }),
      obstacle({ kind: "blocked", record: alias }, full),
      obstacle({ kind: "blocked", record: alias, ours: true }, full),
      obstacle({ live: [hold] }),
      obstacle({}, full),
    ].map((text) => /\[([\w.-]+)\]/.exec(text)?.[1]);
    assert.deepEqual(codes, [
      "live.disabled",
      "live.exists",
      "live.blocked",
      "live.in-the-way",
      "live.blocked",
      "live.own",
      "live.changed",
    ]);
  });

  it("lists the declared record and the live ones in its way", () => {
    const alias = { ...record, type: "CNAME", value: "a.example.org.", ttl: 600 } as const;
    assert.match(
      obstacle({ kind: "blocked", record: alias }),
      /CNAME a\.example\.org\. {2}declared\n {2}www\.example\.com\. A 192\.0\.2\.1 +live, record 7\n/,
    );
  });

  it("takes in others of its domain and code", () => {
    const reasons = ["1", "2"].map((id) =>
      obstacleReason({ kind: "disabled", record: { ...record, ttl: 600 }, live: [{ ...live, id }] }, limited),
    );
    assert.equal(renderAll(reasons).length, 1);
  });
});
