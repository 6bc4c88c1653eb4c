import assert from "node:assert/strict";
import { recordKey, type DnsRecord } from "../../provider/dns";
import { commandsOf, renderAll, type Command, type How } from "../../provider/problems";
import type { Obstacle } from "../../provider/reconcile/plan/plan";
import { staleReasons, obstacleReason, type Wording } from "../../provider/reconcile/wording";
import type { LiveEntry } from "../../provider/reconcile/zones/zone";

const record: DnsRecord = { domain: "example.com", name: "www", type: "A", value: "192.0.2.1" };
const live = entryOf(record, "7");
const limited: Wording = {
  how: { removalSetBy: "stack", change: false, full: false },
  hides: () => false,
  hidesForeign: () => false,
};
const having = (how: Partial<How>): Wording => ({ ...limited, how: { ...limited.how, ...how } });

function entryOf(of: DnsRecord, id: string): LiveEntry {
  return { domain: of.domain, record: of, key: recordKey(of), id, ttl: 60, enabled: true, hold: false };
}

const staleTexts = (entries: readonly LiveEntry[], wording = limited): string[] =>
  renderAll(staleReasons(entries, wording, "up"));
const reasonOf = (given: Partial<Obstacle>, wording = limited) =>
  obstacleReason({ kind: "ttl", record: { ...record, ttl: 600 }, live: [live], ...given }, wording);

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
  it("is one for each domain, with all of its records", () => {
    const other = entryOf({ ...record, domain: "example.net" }, "8");
    assert.deepEqual(
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

  it("shows no secret data, and names the disabled record", () => {
    const [text = ""] = staleTexts([{ ...live, enabled: false }], { ...limited, hides: () => true });
    assert.match(text, /\n {2}www\.example\.com\. A #\S{8} {2}record 7, disabled\n/);
  });
});

describe("a blocked record's diagnostic", () => {
  const alias = { ...record, type: "CNAME", value: "a.example.org.", ttl: 600 } as const;
  const full = having({ change: true, full: true });
  const cases: readonly (readonly [code: string, given: Partial<Obstacle>, wording?: Wording])[] = [
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
    assert.deepEqual(
      cases.map(([, given, wording]) => reasonOf(given, wording).code),
      cases.map(([code]) => code),
    );
  });

  it("merges with others of its domain and code", () => {
    const reasons = ["1", "2"].map((id) => reasonOf({ kind: "disabled", live: [{ ...live, id }] }));
    assert.equal(renderAll(reasons).length, 1);
  });
});
