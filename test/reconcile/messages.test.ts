import assert from "node:assert/strict";
import { recordKey, type DnsRecord } from "../../provider/dns";
import { reason, textOf, type How } from "../../provider/problems";
import { leftOverReason, obstacleReason, stillLiveReason, type Wording } from "../../provider/reconcile/wording";
import type { LiveEntry } from "../../provider/reconcile/zones/zone";

const record: DnsRecord = { domain: "example.com", name: "www", type: "A", value: "192.0.2.1" };
const live: LiveEntry = { domain: record.domain, record, key: recordKey(record), id: "7", ttl: 60, enabled: true, hold: false };
const limited: Wording = { how: { removalSetBy: "stack", change: false, full: false, unproven: false }, hides: () => false, hidesOfAnybody: () => false };

/** As the text that is shown. */
const leftOverMessage = (entries: readonly LiveEntry[], wording: Wording, command: "up" | "delete", declared?: readonly DnsRecord[]): string => textOf(leftOverReason(entries, wording, "live.left-over", command, declared));
const obstacleMessage = (...given: Parameters<typeof obstacleReason>): string => textOf(obstacleReason(...given));
const having = (how: Partial<How>): Wording => ({ ...limited, how: { ...limited.how, ...how } });

describe("the way to leave a record where it is", () => {
  it("is where the removal is set now: the environment reaches neither a Provider nor a resource's own option", () => {
    const way = (removalSetBy: How["removalSetBy"], command: "up" | "delete"): string => textOf(reason("zone.unreadable", { said: "", removalSetBy, command })).replace(/^.*To let go of them: /, "");
    assert.equal(way("stack", "up"), "`LEGACYDNS_REMOVAL=retain pulumi up`");
    assert.match(way("provider", "up"), /^set `removal: "retain"` on the Provider, or on this resource, and run/);
    assert.match(way("resource", "up"), /^set `removal: "retain"` on this resource, which has a `removal` of its own, and run/);
    assert.match(way("stack", "delete"), /LEGACYDNS_REMOVAL=retain pulumi destroy/);
    for (const setBy of ["provider", "resource"] as const) assert.match(way(setBy, "delete"), /^declare the resource once more with `removal: "retain"`/);
    // A destroy reads what is configured only after an up.
    assert.match(leftOverMessage([live], having({ removalSetBy: "stack" }), "delete"), /let the provider remove it: put LEGACYDNS_UNDOCUMENTED_OPERATIONS=true before the same command/);
  });
});

describe("a record that is left over", () => {
  it("is removed in the console, or stays, where the interface removes nothing", () => {
    assert.equal(
      leftOverMessage([live], limited, "up"),
      "www.example.com. A 192.0.2.1 (record 7) still live, though not declared; the documented interface can neither change nor remove a record. Meanwhile it is still answered. Ways out: remove it in the service's console and run `pulumi up` again; or declare it; or leave it where it is: `LEGACYDNS_REMOVAL=retain pulumi up`; or let the provider remove it: `pulumi config set legacydns:undocumentedOperations true` (see node_modules/pulumi-legacydns/docs/full.md)",
    );
  });

  it("is told with what resolvers get meanwhile: old and new, where another value is declared in its place", () => {
    const other: DnsRecord = { ...record, value: "192.0.2.2" };
    assert.match(leftOverMessage([live], limited, "up", [other]), /Meanwhile it is still answered, old and new beside each other/);
    assert.match(leftOverMessage([{ ...live, enabled: false }], limited, "up", [other]), /Meanwhile it is disabled, and not answered\./);
    const off: LiveEntry = { ...live, id: "8", enabled: false };
    assert.match(leftOverMessage([live, off], limited, "up"), /Meanwhile the enabled one is still answered, and what is disabled is not\. /);
    assert.match(textOf(leftOverReason([live, off], limited, "live.left-over-next", "up", [other], [live])), /or change the one that was changed there back in the service's console; or declare them; or leave/);
    assert.match(leftOverMessage([live], having({ removalSetBy: "provider" }), "up"), /set `undocumentedOperations: true` on the Provider/);
  });

  it("can be removed where the operations for it are on, and `removal` alone is in the way", () => {
    assert.equal(
      leftOverMessage([live], having({ change: true }), "up"),
      "www.example.com. A 192.0.2.1 (record 7) still live, though not declared; `removal` is verify, under which nothing is removed. Meanwhile it is still answered. Ways out: have it removed: `LEGACYDNS_REMOVAL=delete pulumi up`; or leave it where it is: `LEGACYDNS_REMOVAL=retain pulumi up`",
    );
    assert.match(leftOverMessage([live], having({ change: true, removalSetBy: "resource" }), "delete"), /have it removed: declare the resource once more with `removal: "delete"`/);
  });
});

describe("a record that a destroy leaves live", () => {
  it("is not called undeclared: in a destroy nothing is declared", () => {
    const text = textOf(stillLiveReason([live], [], undefined, limited, "destroy"));
    assert.match(text, /^www\.example\.com\. A 192\.0\.2\.1 \(record 7\) still live, and not removed; the documented interface can neither .* run the same command again; or .*--continue-on-error/);
    assert.doesNotMatch(text, /declare/);
    assert.match(textOf(stillLiveReason([live], [], undefined, limited, "delete")), /still live, though not declared; /);
  });
});

describe("a record that is live otherwise than declared", () => {
  it("is changed in the console, or by the next up where that can be", () => {
    const ttl = { kind: "ttl", record: { ...record, ttl: 600 }, live: [live], drift: true } as const;
    const off = { ...ttl, kind: "disabled", live: [{ ...live, enabled: false }] } as const;
    assert.match(obstacleMessage(ttl, limited), /Meanwhile it is answered with TTL 60\. Ways out: set its TTL to 600 in the service's console; or declare ttl 60; or let the provider change it: `pulumi config set legacydns:undocumentedOperations true` \(see node_modules\/pulumi-legacydns\/docs\/full\.md\)$/);
    assert.match(obstacleMessage(off, limited), /Meanwhile it is not answered\. Ways out: enable it in the service's console; or take it out of the program; or let the provider enable it: /);
    assert.match(obstacleMessage(ttl, having({ change: true })), /it came while this run was at work\. `pulumi up` changes it$/);
    assert.match(obstacleMessage(off, having({ change: true })), /it came while this run was at work\. `pulumi up` enables it$/);
  });

  it("never has a CNAME's live target removed first without saying that the name then does not resolve", () => {
    const alias = (value: string): DnsRecord => ({ domain: "example.com", name: "www", type: "CNAME", value });
    const old: LiveEntry = { ...live, record: alias("old.example.net."), key: "" };
    const blocked = { kind: "blocked", record: { ...alias("new.example.net."), ttl: 600 }, live: [old], drift: false } as const;
    for (const wording of [limited, having({ change: true, full: true })]) {
      assert.match(obstacleMessage(blocked, wording), /first, (the name does not resolve|it would leave the name without an answer) until the next `pulumi up`/);
    }
    assert.match(obstacleMessage(blocked, having({ change: true, full: true })), /first move it as it is live, with its old data, run `pulumi up`, then declare the new data, `pulumi up`; or /);
    assert.match(obstacleMessage(blocked, limited), /remove a record; meanwhile the old target is still answered\. Ways out: /);
    assert.match(obstacleMessage({ ...blocked, live: [{ ...old, enabled: false }] }, limited), /; meanwhile it is disabled, and not answered\. Ways out: /);
    assert.match(obstacleMessage({ ...blocked, live: [live, { ...live, id: "8", enabled: false }] }, limited), /; meanwhile what is enabled of them is still answered\. /);
    for (const wording of [limited, having({ change: true, full: true })]) assert.equal(obstacleMessage(blocked, wording).match(/\. [A-Z][a-z]/g)?.length, 2, "three sentences");
    assert.match(obstacleMessage(blocked, limited), /^www\.example\.com\. CNAME new\.example\.net\.: a record at the same name and line excludes it .*change it into what is declared, in one step, in the service's console; or declare the target that is live; or let the provider change it/);
  });
});
