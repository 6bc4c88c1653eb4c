import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { fromLive, readZoneText, recordKey, recordText, type DeclaredEntry } from "../../provider/dns";
import { knownTypes } from "../../provider/dns/types";
import { isError } from "../../provider/problems";
import { canBeDeclared, defaultLine, entryIn, forAll, hostileText, oddTypes } from "./arbitraries";
import { expand } from "./expand";
import { readAsFile, readBack, sorted, text, textOf } from "./state-text";

const zones = ["example.com", "example.net", "xn--fiq228c.example"];
const selector = (entry: DeclaredEntry) => recordKey(entry);
const distinct = fc.uniqueArray(fc.oneof(entryIn(...zones), entryIn("example.com")), {
  maxLength: 12,
  selector,
});

describe("the text of the state", () => {
  it("zoneText writes a line for each record: owner, TTL, type, data", () => {
    equal(
      text([
        "www 600 A 192.0.2.2",
        "www 600 A 192.0.2.1",
        "www 60 A 192.0.2.1 [a; b]",
        "@ 3600 MX 10 mx1.example.org",
        '@ 60 TXT v=spf1 -all; "x"',
        "_sip._tcp 60 SRV 10 5 5060 sip.example.org",
        '@ 60 CAA 0 issue "ca.example; x=1"',
        "*.Bücher 60 CNAME www.example.com",
      ]),
      [
        'example.com. 60 CAA 0 issue "ca.example; x=1"',
        "example.com. 3600 MX 10 mx1.example.org.",
        'example.com. 60 TXT "v=spf1 -all; \\"x\\""',
        "_sip._tcp.example.com. 60 SRV 10 5 5060 sip.example.org.",
        "www.example.com. 600 A 192.0.2.1",
        'www.example.com. 60 A 192.0.2.1 ; line="a; b"',
        "www.example.com. 600 A 192.0.2.2",
        "*.xn--bcher-kva.example.com. 60 CNAME www.example.com.",
        "",
      ].join("\n"),
    );
  });

  it("zoneText writes the result of a refresh at the end of a line", () => {
    const at = (name: string, more: object): DeclaredEntry => ({
      domain: "example.com",
      name,
      type: "A",
      value: "192.0.2.1",
      ttl: 600,
      ...more,
    });
    const records = [
      at("a", { note: "drifted", liveTtl: 60 }),
      at("b", { note: "disabled", line: "电信" }),
      at("c", { note: "not declared" }),
    ];
    const said = [
      "a.example.com. 60 A 192.0.2.1 ; drifted, declared 600",
      "b.example.com. 600 A 192.0.2.1 ; line=电信; disabled",
      "c.example.com. 600 A 192.0.2.1 ; not declared",
      "",
    ].join("\n");
    equal(textOf(records), said);
    deepEqual(readBack(said).records, records);
  });

  it("readZoneText returns the written records, and zoneText ignores their order", () => {
    forAll(500, distinct, (records) => {
      const once = textOf(records);
      const again = readZoneText(once, { domains: zones, defaultLine });
      deepEqual(sorted(again.records), sorted(records));
      equal(textOf(again.records.toReversed()), once);
      ok(once.split("\n").length <= records.length + 2);
    });
  });

  it("zoneText holds live records that no program can declare", () => {
    const live = fc.record({
      domain: fc.constant("example.com"),
      name: hostileText.filter(
        (name) => name !== "" && name !== "@" && !name.endsWith(".") && !/\p{Surrogate}/u.test(name),
      ),
      type: fc.constantFrom("A", "MX", "CNAME", "CAA", "显性URL", "HTTPS"),
      value: hostileText,
      ttl: fc.constant(600),
    });
    forAll(250, live, (record) => {
      const undeclared = { ...record, note: "not declared" } as const;
      deepEqual(readBack(textOf([undeclared])).records, [undeclared]);
    });
  });

  it("readZoneText returns records of every odd type that a program can declare", () => {
    const refused: string[] = [];
    for (const type of oddTypes) {
      for (const more of [{}, { ttl: 600 }, { line: "电信" }]) {
        const spec = { name: "h", type, value: "data", ...more };
        const { records, problems } = expand([spec]);
        if (problems.some(isError)) refused.push(type);
        deepEqual(readBack(textOf(records)).records, records);
        for (const line of records.map(recordText)) deepEqual(expand([line]).records.map(recordText), [line]);
      }
    }
    ok(["6TO4", "600", "1h", "A\u202e"].every((type) => refused.includes(type)));
    ok(["*", "TYPE1", "显性URL", "drifted"].every((type) => !refused.includes(type)));
  });

  it("readZoneText returns a live record of every odd type", () => {
    for (const type of oddTypes.filter((each) => !/^\d*$/.test(each))) {
      const live = { domain: "example.com", name: "h", type, value: "data", line: "" };
      for (const ttl of [600, "default"] as const) {
        const record = { ...fromLive(live, { defaultLine }), ttl };
        deepEqual(readBack(textOf([record])).records, [record]);
      }
    }
  });

  it("zoneText is a zone file for the same records", () => {
    const ofFiles = (entry: DeclaredEntry) =>
      knownTypes.includes(entry.type) &&
      canBeDeclared(entry) &&
      !/[^A-Z]/.test(entry.type) &&
      !/\p{Surrogate}/u.test(JSON.stringify(entry).replace(/\\u\w{4}/g, "\ud800"));
    forAll(250, fc.uniqueArray(entryIn("example.com"), { maxLength: 6, selector }), (all) => {
      const records = all.filter(ofFiles).map(({ note: _note, liveTtl: _live, ...entry }) => entry);
      const read = readAsFile(textOf(records));
      const wrong = read.problems.filter((problem) => isError(problem) && !/^cname/.test(problem.code));
      deepEqual(wrong, []);
      fc.pre(!read.problems.some(isError));
      deepEqual(sorted(read.records.map(({ position: _position, ...record }) => record)), sorted(records));
    });
  });

  it("zoneText writes invisible characters as octets, which zone files can have", () => {
    const hidden = "\u0085\u061c\u200b\u200e\u202e\u2066\ufeff\u3164\u{e0001}";
    const specs = [
      { name: "@", type: "CAA", value: `0 issue "${hidden}"`, ttl: 60 },
      { name: "a", type: "TXT", value: `ü${hidden}`, ttl: 60, line: `l${hidden}` },
      { name: "b", type: "HINFO", value: `c${hidden}`, ttl: 60 },
    ];
    const { records } = expand(specs);
    const live = { domain: "example.com", name: `n${hidden}`, type: `T${hidden}`, value: "x", ttl: 60 };
    const shown = textOf([...records, live]);
    match(shown, /^[ -~ü\n]*$/);
    match(shown, /^a\.example\.com\. 60 TXT "ü\\194\\133\\216\\156/m);
    deepEqual(sorted(readBack(shown).records), sorted([...records, live]));
    const ofFile = records.filter(({ type }) => type !== "HINFO");
    const read = readAsFile(textOf(ofFile));
    deepEqual(read.problems, []);
    deepEqual(read.records.map(recordText), ofFile.map(recordText));
    for (const record of records) match(recordText(record), /^[ -~ü]*$/);
  });

  it("zoneText divides a long text into strings of at most 255 octets", () => {
    const line = text([{ name: "k", type: "TXT", value: "é".repeat(200), ttl: 60 }]);
    ok([...line.matchAll(/"([^"]*)"/g)].every(([, part = ""]) => Buffer.byteLength(part) <= 255));
    equal(readBack(line).records[0]?.value, "é".repeat(200));
  });

  it("readZoneText omits an undeclared record of another zone", () => {
    const { records } = readBack(
      "a.example.net. 600 A 192.0.2.1 ; not declared\nb.example.com. 600 A 192.0.2.1\n",
    );
    deepEqual(records.map(recordText), ["b.example.com. A 192.0.2.1"]);
  });

  for (const wrong of [
    "; zone 2\n",
    "www.example.com. A\n",
    "www.example.org. 600 A 192.0.2.1\n",
    "www.example.com. 600 A 192.0.2.1 ; strange\n",
    "; www.example.com. 600 A\n",
    "www\n",
  ]) {
    it(`readZoneText names the line of ${JSON.stringify(wrong)} in an error`, () => {
      throws(
        () => readBack(wrong),
        /^Error: line 1 of the records that the state holds cannot be read: .* Deploy with the newest version/,
      );
    });
  }
});
