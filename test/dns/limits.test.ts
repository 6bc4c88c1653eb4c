import { deepEqual, match } from "node:assert/strict";
import { exceededLimits as exceeded, limitsOf, Usage, type DeclaredRecord } from "../../provider/dns";
import { textOf } from "../../provider/problems";

const exceededLimits = (
  pack: Parameters<typeof exceeded>[0],
  coming: readonly DeclaredRecord[],
  live: readonly DeclaredRecord[] = [],
  ttlSent = 600,
) => exceeded(pack, { coming, beside: new Usage(live) }, ttlSent).map(textOf);
const record = (name: string, type = "A", value = "192.0.2.1"): DeclaredRecord => ({
  domain: "example.com",
  name,
  type,
  value,
  ttl: "default",
});
const tooMany = (what: string) =>
  `example.com: 2 ${what} to create and 1 live exceed 2, the limit of free package (DP_Free); declare fewer, or take a larger package`;
const plan = (entries: Parameters<typeof limitsOf>[0]) => ({
  domain: "example.com",
  grade: "DP_Free",
  limits: limitsOf(entries),
});

describe("package limits", () => {
  it("the limit of URL forwards counts both kinds, live and added", () => {
    const forwards = plan([{ name: "URL转发条数", value: 2 }]);
    const forward = (name: string, type: string) => record(name, type, "https://example.net/");
    const live = [forward("a", "显性URL")];
    const added = [forward("b", "隐性URL"), forward("c", "显性URL")];
    deepEqual(exceededLimits(forwards, added.slice(0, 1), live), []);
    deepEqual(exceededLimits(forwards, added, live), [tooMany("URL forwards")]);
  });

  it("a package may refuse mixed wildcards, and counts their levels as wildcard levels", () => {
    const mixed = [record("a*"), record("*-x.dev"), record("*"), record("*.dev"), record("a")];
    const without = plan([{ name: "混合泛解析支持", value: false }]);
    const refused = (name: string) =>
      `example.com: its package, free package (DP_Free), has no mixed wildcards; ${name}.example.com. A 192.0.2.1; write "*" as a whole label`;
    deepEqual(exceededLimits(without, mixed), [refused("a*"), refused("*-x.dev")]);
    deepEqual(exceededLimits(plan([{ name: "混合泛解析支持", value: true }]), mixed), []);
    const levels = plan([
      { name: "混合泛解析支持", value: true },
      { name: "泛解析级数", value: 1 },
      { name: "子域名级数", value: 9 },
    ]);
    match(
      exceededLimits(levels, [record("a*.b")]).join(),
      /has 1 wildcard levels; a\*\.b\.example\.com\. A 192\.0\.2\.1 \(2 levels\);/,
    );
  });

  it("the limit of NS records ignores the label's width and blanks, and the case of types", () => {
    for (const name of ["NS记录条数", "NS 记录条数", "ＮＳ记录条数 ", "NS\u3000记录条数"]) {
      const servers = plan([
        { name, value: 2 },
        { name: "NS记录条数", value: 9 },
      ]);
      deepEqual(servers.limits, { nsRecords: 2 }, name);
      const added = ["a", "b"].map((each) => record(each, "NS", "ns1.example.net."));
      deepEqual(exceededLimits(servers, added), []);
      const live = [record("c", "ns", "ns1.example.net.")];
      deepEqual(exceededLimits(servers, added, live), [tooMany("NS records")]);
    }
  });

  it("unknown labels, the number 99999 and numbers as texts refuse nothing", () => {
    const unknown = plan([
      { name: "记录TTL最低值", value: 86400 },
      { name: "AAAA records", value: 0 },
      { name: "NS记录条数", value: 99999 },
      { name: "SRV记录条数", value: "0" },
    ]);
    deepEqual(unknown.limits, {});
    const added = [record("a", "AAAA"), record("b", "NS"), record("c", "SRV")];
    deepEqual(exceededLimits(unknown, added, [], 1), []);
  });
});
