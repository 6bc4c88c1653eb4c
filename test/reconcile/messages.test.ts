import assert from "node:assert/strict";
import { recordKey, type DnsRecord } from "../../provider/dns";
import { leftOverMessage, obstacleMessage, removalWay, type Wording } from "../../provider/reconcile/messages";
import type { LiveEntry } from "../../provider/reconcile/zones";

const record: DnsRecord = { domain: "example.com", name: "www", type: "A", value: "192.0.2.1" };
const live: LiveEntry = { record, key: recordKey(record), id: "7", ttl: 60, enabled: true, hold: false };
const limited: Wording = { sensitive: false, removalSetBy: "stack", secrets: new Set(), isKnown: () => true, change: false, full: false };

describe("the way to leave a record where it is", () => {
  it("is where the removal is set now: the environment reaches neither a Provider nor a resource's own option", () => {
    assert.equal(removalWay("retain", "stack", "up"), "`LEGACYDNS_REMOVAL=retain pulumi up`");
    assert.match(removalWay("retain", "provider", "up"), /^set `removal: "retain"` on the Provider, or on this resource, and run/);
    assert.match(removalWay("retain", "resource", "up"), /^set `removal: "retain"` on this resource, which has a `removal` of its own, and run/);
    assert.match(removalWay("retain", "stack", "delete"), /LEGACYDNS_REMOVAL=retain pulumi destroy/);
    for (const setBy of ["provider", "resource"] as const) assert.match(removalWay("retain", setBy, "delete"), /^declare the resource once more with `removal: "retain"`/);
  });
});

describe("a record that is left over", () => {
  it("is removed in the console, or stays, where the interface removes nothing", () => {
    assert.equal(
      leftOverMessage([live], limited, "up"),
      "www.example.com. A 192.0.2.1 (record 7) still live, though not declared; the documented interface can neither change nor remove a record. Ways out: remove it in the service's console and run `pulumi up` again; or leave it where it is: `LEGACYDNS_REMOVAL=retain pulumi up`",
    );
  });

  it("can be removed where the operations for it are on, and `removal` alone is in the way", () => {
    assert.equal(
      leftOverMessage([live], { ...limited, change: true }, "up"),
      "www.example.com. A 192.0.2.1 (record 7) still live, though not declared; `removal` is verify, under which nothing is removed. Ways out: have it removed: `LEGACYDNS_REMOVAL=delete pulumi up`; or leave it where it is: `LEGACYDNS_REMOVAL=retain pulumi up`",
    );
    assert.match(leftOverMessage([live], { ...limited, change: true, removalSetBy: "resource" }, "delete"), /have it removed: declare the resource once more with `removal: "delete"`/);
  });
});

describe("a record that is live otherwise than declared", () => {
  it("is changed in the console, or by the next up where that can be", () => {
    const ttl = { kind: "ttl", record: { ...record, ttl: 600 }, live: [live], drift: true } as const;
    const off = { ...ttl, kind: "disabled", live: [{ ...live, enabled: false }] } as const;
    assert.match(obstacleMessage(ttl, limited), /Set its TTL to 600 in the service's console, or declare ttl 60$/);
    assert.match(obstacleMessage(off, limited), /Enable it in the service's console, or take it out of the program$/);
    assert.match(obstacleMessage(ttl, { ...limited, change: true }), /it came while this run was at work\. `pulumi up` changes it$/);
    assert.match(obstacleMessage(off, { ...limited, change: true }), /it came while this run was at work\. `pulumi up` enables it$/);
  });
});
