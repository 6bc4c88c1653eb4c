import assert from "node:assert/strict";
import { recordKey, type DnsRecord } from "../../provider/dns";
import { reason, textOf, together, type How } from "../../provider/problems";
import {
  leftOverReason,
  obstacleReason,
  stillLiveReason,
  type Wording,
} from "../../provider/reconcile/wording";
import type { LiveEntry } from "../../provider/reconcile/zones/zone";

const record: DnsRecord = { domain: "example.com", name: "www", type: "A", value: "192.0.2.1" };
const live: LiveEntry = {
  domain: record.domain,
  record,
  key: recordKey(record),
  id: "7",
  ttl: 60,
  enabled: true,
  hold: false,
};
const limited: Wording = {
  how: { removalSetBy: "stack", change: false, full: false },
  hides: () => false,
  hidesOfAnybody: () => false,
  declaresBeside: () => false,
};

/** As the text that is shown. */
const leftOverMessage = (entries: readonly LiveEntry[], wording: Wording, command: "up" | "delete"): string =>
  textOf(leftOverReason(entries, wording, "live.left-over", command));
const obstacleMessage = (...given: Parameters<typeof obstacleReason>): string =>
  textOf(obstacleReason(...given));
const having = (how: Partial<How>): Wording => ({ ...limited, how: { ...limited.how, ...how } });

describe("the way to leave a record where it is", () => {
  it("is where the removal is set now: the environment reaches neither a Provider nor a resource's own option", () => {
    const way = (removalSetBy: How["removalSetBy"], command: "up" | "delete"): string =>
      textOf(reason("zone.unreadable", { said: "", removalSetBy, command })).replace(
        /^.*To let go of them: /,
        "",
      );
    assert.equal(way("stack", "up"), "`LEGACYDNS_REMOVAL=retain pulumi up`");
    assert.match(
      way("provider", "up"),
      /^set `removal: "retain"` on the Provider, or on this resource, and run/,
    );
    assert.match(
      way("resource", "up"),
      /^set `removal: "retain"` on this resource, which has a `removal` of its own, and run/,
    );
    assert.match(way("stack", "delete"), /LEGACYDNS_REMOVAL=retain pulumi destroy/);
    for (const setBy of ["provider", "resource", "resource-of-provider"] as const)
      assert.match(way(setBy, "delete"), /^declare the resource once more with `removal: "retain"`/);
    // A destroy reads a new setting only after an up.
    assert.match(
      leftOverMessage([live], having({ removalSetBy: "stack" }), "delete"),
      /let the provider remove it: put LEGACYDNS_UNDOCUMENTED_OPERATIONS=true before the same command/,
    );
  });
});

describe("a record that is left over", () => {
  it("is removed in the console, or stays, where the interface removes nothing", () => {
    assert.equal(
      leftOverMessage([live], limited, "up"),
      "www.example.com. A 192.0.2.1 (record 7) still live, though not declared; the documented interface can neither change nor remove a record. Meanwhile it is still answered. Ways out: remove it in the service's console and run `pulumi up` again; or declare it; or leave it where it is: `LEGACYDNS_REMOVAL=retain pulumi up`; or let the provider remove it: `pulumi config set legacydns:undocumentedOperations true` (see docs/full.md)",
    );
  });

  it("is one of many that a message names in part: the plan's diff has them all", () => {
    const many = Array.from({ length: 11 }, (_, n): LiveEntry => ({ ...live, id: String(n) }));
    const where = ". The diff of `pulumi-legacydns plan` shows every one, marked !";
    assert.ok(leftOverMessage(many, limited, "up").endsWith(where));
    assert.ok(!leftOverMessage(many.slice(1), limited, "up").includes(where));
  });

  it("is told with what resolvers get meanwhile: old and new, where another value is declared in its place", () => {
    const beside: Wording = { ...limited, declaresBeside: ({ name }) => name === "www" };
    assert.match(
      leftOverMessage([live], beside, "up"),
      /Meanwhile it is still answered, old and new beside each other/,
    );
    assert.match(
      leftOverMessage([{ ...live, enabled: false }], beside, "up"),
      /Meanwhile it is disabled, and not answered\./,
    );
    const off: LiveEntry = { ...live, id: "8", enabled: false };
    assert.match(
      leftOverMessage([live, off], limited, "up"),
      /Meanwhile the enabled one is still answered \(the disabled one is not\)\. /,
    );
    assert.match(
      textOf(leftOverReason([live, off], beside, "live.left-over-next", "up", [live])),
      /or change the one that was changed there back in the service's console; or declare the enabled one; or leave/,
    );
    assert.match(
      leftOverMessage([live], having({ removalSetBy: "provider" }), "up"),
      /set `undocumentedOperations: true` on the Provider/,
    );
    assert.match(
      leftOverMessage([live], having({ removalSetBy: "resource-of-provider" }), "up"),
      /set `undocumentedOperations: true` on the Provider \(see \S+\), and set `removal: "delete"` on this resource, which has a `removal` of its own, and run `pulumi up` again$/,
    );
    assert.match(
      leftOverMessage([live], having({ removalSetBy: "resource" }), "delete"),
      /`pulumi config set legacydns:undocumentedOperations true` \(see \S+\), and declare the resource once more with `removal: "delete"`, run `pulumi up`, then take it out or destroy\. The engine/,
    );
  });

  it("can be removed where the operations for it are on, and `removal` alone is in the way", () => {
    assert.equal(
      leftOverMessage([live], having({ change: true }), "up"),
      "www.example.com. A 192.0.2.1 (record 7) still live, though not declared; `removal` is verify, under which nothing is removed. Meanwhile it is still answered. Ways out: have it removed: `LEGACYDNS_REMOVAL=delete pulumi up`; or remove it in the service's console and run `pulumi up` again; or declare it; or leave it where it is: `LEGACYDNS_REMOVAL=retain pulumi up`",
    );
    assert.match(
      leftOverMessage([live], having({ change: true, removalSetBy: "resource" }), "delete"),
      /have it removed: declare the resource once more with `removal: "delete"`/,
    );
    // A replaced record is released by the record in its place, which is declared.
    assert.match(
      leftOverMessage([live], having({ change: true, removalSetBy: "resource", isReplaced: true }), "delete"),
      /have it removed: set `removal: "delete"` on this resource, which has a `removal` of its own, and run `pulumi up` again/,
    );
  });
});

describe("a record that a destroy leaves live", () => {
  it("is not called undeclared: in a destroy nothing is declared", () => {
    const text = textOf(stillLiveReason([live], [], undefined, limited, "destroy"));
    assert.match(
      text,
      /^www\.example\.com\. A 192\.0\.2\.1 \(record 7\) still live, and not removed; the documented interface can neither .* run the same command again; or .*--continue-on-error/,
    );
    assert.doesNotMatch(text, /declare/);
    const underProvider = textOf(
      stillLiveReason([live], [], undefined, having({ removalSetBy: "provider" }), "destroy"),
    );
    assert.match(
      underProvider,
      /set `undocumentedOperations: true` on the Provider and run `pulumi up`, then destroy again \(see/,
    );
    assert.match(
      underProvider,
      /leave it where it is: set `removal: "retain"` on the Provider, or on this resource, run `pulumi up`, then destroy again; or let/,
    );
    assert.match(
      textOf(stillLiveReason([live], [], undefined, limited, "delete")),
      /still live, though not declared; /,
    );
  });
});

describe("a record that is live otherwise than declared", () => {
  it("is changed in the console, or by the next up where that can be", () => {
    const ttl = { kind: "ttl", record: { ...record, ttl: 600 }, live: [live], drift: true } as const;
    const off = { ...ttl, kind: "disabled", live: [{ ...live, enabled: false }] } as const;
    assert.match(
      obstacleMessage(ttl, limited),
      /Meanwhile it is answered with TTL 60\. Ways out: set its TTL to 600 in the service's console; or declare ttl 60; or let the provider change it: `pulumi config set legacydns:undocumentedOperations true` \(see docs\/full\.md\)$/,
    );
    assert.match(
      obstacleMessage(off, limited),
      /Meanwhile it is not answered\. Ways out: enable it in the service's console; or remove it there, and the next up makes it anew; or take it out of the program; or let the provider enable it: /,
    );
    // An owned record is released under `retain` alone.
    assert.match(
      obstacleMessage({ ...off, ours: true }, limited),
      /; or take it out of the program and leave it disabled: `LEGACYDNS_REMOVAL=retain pulumi up`; or let/,
    );
    assert.match(
      obstacleMessage({ ...off, ours: true }, having({ removalSetBy: "provider" })),
      /; or leave it disabled: set `removal: "retain"` on the Provider, or on this resource, and run `pulumi up` again, then take it out of the program; or let/,
    );
    assert.match(
      obstacleMessage(ttl, having({ change: true })),
      /it came while this run was at work\. `pulumi up` changes it$/,
    );
    assert.match(
      obstacleMessage(off, having({ change: true })),
      /it came while this run was at work\. `pulumi up` enables it$/,
    );
  });

  it("never has a CNAME's live target removed first without saying that the name then does not resolve", () => {
    const alias = (value: string): DnsRecord => ({
      domain: "example.com",
      name: "www",
      type: "CNAME",
      value,
    });
    const old: LiveEntry = { ...live, record: alias("old.example.net."), key: "" };
    const blocked = {
      kind: "blocked",
      record: { ...alias("new.example.net."), ttl: 600 },
      live: [old],
      ours: true,
      drift: false,
    } as const;
    for (const wording of [limited, having({ change: true, full: true })]) {
      assert.match(
        obstacleMessage(blocked, wording),
        /first, (the name does not resolve|it would leave the name without an answer) until the next `pulumi up`/,
      );
    }
    assert.match(
      obstacleMessage(blocked, having({ change: true, full: true })),
      /first move it as it is live, with its old data, run `pulumi up`, then declare the new data, `pulumi up`; or /,
    );
    assert.match(
      obstacleMessage(blocked, limited),
      /remove a record; meanwhile the old target is still answered\. Ways out: /,
    );
    // The console's new record is no old target.
    assert.match(
      obstacleMessage({ ...blocked, drift: true }, limited),
      /remove a record; meanwhile the live target is still answered\. Ways out: /,
    );
    assert.match(
      obstacleMessage({ ...blocked, live: [{ ...old, enabled: false }] }, limited),
      /; meanwhile it is disabled, and not answered\. Ways out: /,
    );
    assert.match(
      obstacleMessage({ ...blocked, live: [live, { ...live, id: "8", enabled: false }] }, limited),
      /; meanwhile what is enabled of them is still answered\. /,
    );
    // The operations are on, and `removal` keeps the resource's records. Another's record must be adopted
    // first.
    const kept = having({ change: true });
    assert.match(
      obstacleMessage(blocked, kept),
      /; no record becomes another unless `removal` is delete; meanwhile the old target is still answered\. Ways out: change it into what is declared, .*; or have it changed: `LEGACYDNS_REMOVAL=delete pulumi up`\. Where it is removed first/,
    );
    assert.match(
      obstacleMessage(blocked, having({ change: true, removalSetBy: "provider" })),
      /; or have it changed: set `removal: "delete"` on the Provider, or on this resource, and run `pulumi up` again\. /,
    );
    for (const wording of [limited, kept])
      assert.doesNotMatch(obstacleMessage(blocked, wording), wording === kept ? /documented/ : /once an up/);
    const theirs = { ...blocked, ours: false } as const;
    assert.match(
      obstacleMessage(theirs, limited),
      /; or let the provider change it: `pulumi config set \S+ true` \(see \S+\), once an up has adopted it as it is live\. Where/,
    );
    assert.match(
      obstacleMessage({ ...theirs, live: [live, { ...live, id: "8" }] }, kept),
      /`LEGACYDNS_REMOVAL=delete pulumi up`, once an up has adopted them as they are live\. Where/,
    );
    assert.match(
      obstacleMessage(blocked, having({ removalSetBy: "resource" })),
      /docs\/full\.md\), and set `removal: "delete"` on this resource, which has a `removal` of its own, and run `pulumi up` again\. /,
    );
    for (const wording of [limited, having({ change: true, full: true })])
      assert.equal(obstacleMessage(blocked, wording).match(/\. [A-Z][a-z]/g)?.length, 2, "three sentences");
    assert.match(
      obstacleMessage(blocked, limited),
      /^www\.example\.com\. CNAME new\.example\.net\.: another target is live at the same name and line, which can have one only: www\.example\.com\. CNAME \S+ \(record 7\); .*change it into what is declared, in one step, in the service's console; or declare the target that is live; or let the provider change it/,
    );
  });
});

describe("records that are live otherwise than declared in the same way", () => {
  const limitedTo = "the documented interface can neither change nor remove a record";
  const change = (what: string): string =>
    `let the provider change ${what}: \`pulumi config set legacydns:undocumentedOperations true\` (see docs/full.md)`;
  const at = (name: string, type: string, value: string): DnsRecord => ({
    domain: "example.com",
    name,
    type,
    value,
  });
  const entry = (id: number, of: DnsRecord): LiveEntry => ({
    ...live,
    id: String(id),
    record: of,
    key: recordKey(of),
  });
  type Obstacle = Parameters<typeof obstacleReason>[0];
  const messages = (obstacles: readonly Obstacle[], wording = limited): string[] =>
    together(obstacles.map((each) => obstacleReason(each, wording))).map(textOf);
  const ttls = (n: number, more: Partial<Obstacle> = {}): Obstacle[] =>
    Array.from({ length: n }, (_, i) => ({
      kind: "ttl",
      record: { ...at(`h${i}`, "A", "192.0.2.1"), ttl: 900 },
      live: [entry(i, at(`h${i}`, "A", "192.0.2.1"))],
      drift: false,
      ...more,
    }));
  const h = (i: number, type = "A 192.0.2.1"): string => `h${i}.example.com. ${type} (record ${i})`;

  it("are one message, which names ten of them and says where the others stand", () => {
    const ten = Array.from({ length: 10 }, (_, i) => h(i)).join("; ");
    const says = (names: string): string =>
      `${names}: live with TTL 60, and 900 is declared; ${limitedTo}. Meanwhile they are answered with TTL 60. Ways out: set their TTL to 900 in the service's console; or declare ttl 60; or ${change("them")}`;
    assert.deepEqual(messages(ttls(163)), [
      `${says(`163 records (${ten}; and 153 more)`)}. The diff of \`pulumi-legacydns plan\` shows every one, marked x`,
    ]);
    assert.deepEqual(messages(ttls(10)), [says(`10 records (${ten})`)]);
    assert.match(
      messages(ttls(11, { drift: true })).join(),
      /The diff of `pulumi-legacydns plan` shows every one$/,
    );
    assert.equal(
      messages(ttls(1)).join(),
      `h0.example.com. A 192.0.2.1: record 0 is live with TTL 60, and 900 is declared; ${limitedTo}. Meanwhile it is answered with TTL 60. Ways out: set its TTL to 900 in the service's console; or declare ttl 60; or ${change("it")}`,
    );
    assert.match(
      messages(ttls(2), having({ change: true })).join(),
      /: live with TTL 60, and 900 is declared: they came while this run was at work\. `pulumi up` changes them$/,
    );
  });

  it("are a message for each TTL that is live, or declared", () => {
    const [first, second, third] = ttls(3);
    assert.ok(first && second && third);
    assert.deepEqual(
      messages([first, { ...second, record: { ...second.record, ttl: 600 } }, third]).map((text) =>
        text.replace(/; the doc.*/, ""),
      ),
      [
        `2 records (${h(0)}; ${h(2)}): live with TTL 60, and 900 is declared`,
        "h1.example.com. A 192.0.2.1: record 1 is live with TTL 60, and 600 is declared",
      ],
    );
  });

  it("are one message where they are disabled, must not be adopted, or are the service's own", () => {
    const names = `2 records (${h(0)}; ${h(1)})`;
    assert.deepEqual(messages(ttls(2, { kind: "disabled" })), [
      `${names}: live but disabled; ${limitedTo}. Meanwhile they are not answered. Ways out: enable them in the service's console; or remove them there, and the next up makes them anew; or take them out of the program; or ${change("them").replace("change", "enable")}`,
    ]);
    assert.deepEqual(messages(ttls(2, { kind: "exists" })), [
      `${names}: live already, and \`adopt\` is false. Allow them to be adopted, or remove them in the service's console`,
    ]);
    const own = (kind: "ttl" | "disabled" | "exists"): string =>
      messages(
        ttls(2, { kind }).map((each) => ({ ...each, live: [{ ...each.live[0], hold: true }] })),
      ).join();
    assert.equal(
      own("ttl"),
      `${names}: the service's own, which nobody can change, and their TTL is 60, not 900. Declare ttl 60, or leave the TTL out`,
    );
    assert.equal(
      own("disabled"),
      `${names}: the service's own, which nobody can change, and they are disabled. Take them out of the program`,
    );
    assert.equal(
      own("exists"),
      `${names}: the service's own, which nobody can change, and \`adopt\` is false. Allow them to be adopted, or take them out of the program`,
    );
  });

  it("are one message where each has another CNAME in its place", () => {
    const targets = Array.from({ length: 29 }, (_, i): Obstacle => ({
      kind: "blocked",
      record: { ...at(`h${i}`, "CNAME", "new.example.net."), ttl: 600 },
      live: [entry(i, at(`h${i}`, "CNAME", "old.example.net."))],
      ours: true,
      drift: false,
    }));
    const pair = (i: number): string =>
      `h${i}.example.com. CNAME new.example.net. in place of ${h(i, "CNAME old.example.net.")}`;
    const ten = Array.from({ length: 10 }, (_, i) => pair(i)).join("; ");
    assert.deepEqual(messages(targets), [
      `29 records (${ten}; and 19 more): another target is live at the same name and line, which can have one only; ${limitedTo}; meanwhile the old targets are still answered. Ways out: change each into what is declared, in one step, in the service's console; or declare the targets that are live; or ${change("them")}. Where they are removed first, the names do not resolve until the next \`pulumi up\` has made the records. The diff of \`pulumi-legacydns plan\` shows every one, marked x`,
    ]);
    assert.match(
      messages(targets.slice(0, 2), having({ change: true, full: true })).join(),
      /^2 records \(h0\.\S+ CNAME \S+ in place of .* \(record 1\)\): what is in their place is live, and a CNAME stands alone; this resource has neither made nor adopted it, so it leaves it alone\. Ways out: .* the records under other names; .* would leave the names without an answer until the next `pulumi up`$/,
    );
    const both = targets.slice(0, 2).map((each): Obstacle => ({
      ...each,
      live: [entry(7, at("a", "A", "192.0.2.1")), entry(8, each.live[0].record)],
    }));
    assert.match(
      messages(both).join(),
      /^2 records \(h0\.\S+ CNAME \S+ in place of \(\S+ A 192\.0\.2\.1 \(record 7\); \S+ CNAME \S+ \(record 8\)\); .*\): 2 records at the same name and line exclude each \(a CNAME stands alone\); .*; meanwhile what is live there is still answered\. Ways out: remove all but one at each name and change that one into what is declared in the service's console; or /,
    );
  });

  it("are one message where one CNAME excludes them: it can become one of them, and not all", () => {
    const addresses = (name: string, n: number, id: number): Obstacle[] =>
      Array.from({ length: n }, (_, i) => ({
        kind: "blocked",
        record: { ...at(name, "A", `192.0.2.${i}`), ttl: 600 },
        live: [entry(id, at(name, "CNAME", "old.example.net."))],
        ours: true,
        drift: false,
      }));
    const says = (names: string, others: string): string =>
      `${names}: a record at the same name and line excludes them (a CNAME stands alone): www.example.com. CNAME old.example.net. (record 7); ${limitedTo}; meanwhile it is still answered. Ways out: change it into one of them, in one step, in the service's console, and the next \`pulumi up\` makes the ${others}; or declare what is live, or the records under another name; or ${change("it")}. Where it is removed first, the name does not resolve until the next \`pulumi up\` has made the records`;
    const www = (n: number): string =>
      `${n} records (${Array.from({ length: n }, (_, i) => `www.example.com. A 192.0.2.${i}`).join("; ")})`;
    assert.deepEqual(messages(addresses("www", 3, 7)), [says(www(3), "others")]);
    assert.deepEqual(messages(addresses("www", 2, 7)), [says(www(2), "other")]);
    assert.match(
      messages(addresses("www", 1, 7)).join(),
      /change it into what is declared, in one step, in the service's console; or/,
    );
    // One message per live record, and together if each excludes one.
    const texts = messages([
      ...addresses("www", 2, 7),
      ...addresses("a", 1, 8),
      ...addresses("mail", 3, 9),
      ...addresses("b", 1, 10),
    ]);
    assert.deepEqual(
      texts.map((text) => text.replace(/^(\d records) \((\S+).*?(?:: a record|; the doc).*/, "$1 $2")),
      ["2 records www.example.com.", "2 records a.example.com.", "3 records mail.example.com."],
    );
    assert.match(
      texts[1] ?? "",
      /^2 records \(a\.\S+ A 192\.0\.2\.0 in place of a\.\S+ CNAME \S+ \(record 8\); b\..* \(record 10\)\): a record at the same name and line excludes each \(a CNAME stands alone\); .*; meanwhile what is live there is still answered\. Ways out: change each into what is declared, in one step, in the service's console; or declare what is live, or the records under other names; or /,
    );
    assert.match(
      messages(addresses("www", 3, 7), having({ change: true, full: true })).join(),
      /\): www\.example\.com\. CNAME \S+ \(record 7\): it is live at the same name and line, .* keep that resource's name for these records, so that one becomes the other/,
    );
  });
});
