import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import { fromLive, recordText, toWire, type DnsRecord, type LiveData } from "../../provider/dns";
import { canBeDeclared, defaultLine, domains, forAll, hostileText, quoted, recordIn } from "./arbitraries";
import { expand } from "./expand";

const domain = "example.com";
const live = (type: string, value: string, more: Partial<LiveData> = {}) =>
  fromLive({ domain, name: "www", type, value, priority: 0, line: defaultLine, ...more }, { defaultLine });

/** The listed forms of a sent record (service-notes.md, Records). */
function listings(record: DnsRecord): LiveData[] {
  const { subDomain, type, value, priority } = toWire(record);
  const bare = /\w\.$/.test(value) && ["CNAME", "MX", "NS", "SRV"].includes(type);
  const values = [
    value,
    ...(bare ? [value.slice(0, -1)] : []),
    ...(type === "TXT" ? [quoted(record.value)] : []),
  ];
  const names = subDomain === "" ? ["", "@"] : [subDomain, subDomain.toUpperCase()];
  return values.flatMap((value) =>
    names.map((name) => ({
      domain: record.domain,
      name,
      type,
      value,
      priority: priority ?? 0,
      line: record.line ?? defaultLine,
    })),
  );
}

describe("fromLive", () => {
  it("returns the sent record, with or without dots and quotes", () => {
    forAll(500, recordIn(...domains).filter(canBeDeclared), (record) => {
      for (const listed of listings(record)) deepEqual(fromLive(listed, { defaultLine }), record);
    });
  });

  it("an accepted TXT is found again, though the service removes white space and quotes", () => {
    forAll(
      500,
      fc.oneof(
        hostileText,
        hostileText.map((inner) => `"${inner}"`),
        fc.constant('"a" and "b"'),
      ),
      (value) => {
        for (const records of [[{ type: "TXT", value: value || "x" }], [`@ TXT ${quoted(value)}`]]) {
          const { records: found, problems } = expand(records);
          const [record] = found;
          if (record === undefined || problems.length > 0) continue;
          const bare = toWire(record)
            .value.trim()
            .replace(/^"([^]*)"$/, "$1");
          equal(recordText(live("TXT", bare, { name: "@" })), recordText(record));
        }
      },
    );
  });

  it("fromLive and a program read a type in any case", () => {
    for (const [listed, type] of [
      ["ptr", "PTR"],
      ["Spf", "SPF"],
      ["dsYnc", "DSYNC"],
      ["显性url", "显性URL"],
      ["myType", "MYTYPE"],
    ] as const) {
      equal(recordText(live(listed, "x y")), `www.example.com. ${type} x y`);
      const { records } = expand([{ name: "www", type: listed, value: "x y" }]);
      deepEqual(records.map(recordText), [`www.example.com. ${type} x y`]);
    }
    // The dotless ı is no i, and the long ſ no s: only ASCII has a case.
    equal(live("uRı", "x").type, "URı");
    equal(live("ſPF", "x").type, "ſPF");
  });

  it("reads forms of types, lines and names that nobody sends", () => {
    const rows: [string, string, Partial<LiveData>, string][] = [
      ["cname", "A.Example.NET", {}, "www.example.com. CNAME a.example.net."],
      ["MX", "10 mx1.example.net", { priority: undefined }, "www.example.com. MX 10 mx1.example.net."],
      ["TXT", '"a" "b"', {}, 'www.example.com. TXT "ab"'],
      ["SRV", "2 3 a.example.net.", { priority: 1 }, "www.example.com. SRV 1 2 3 a.example.net."],
      ["srv", "1 2 3 a.example.net.", { priority: 1 }, "www.example.com. SRV 1 2 3 a.example.net."],
      ["CAA", "0 Issue ca.example", {}, 'www.example.com. CAA 0 issue "ca.example"'],
      ["AAAA", "2001:DB8:0::1", {}, "www.example.com. AAAA 2001:db8::1"],
      ["A", "192.0.2.1", { line: "" }, "www.example.com. A 192.0.2.1"],
      ["A", "192.0.2.1", { name: "Bücher" }, "xn--bcher-kva.example.com. A 192.0.2.1"],
      ["A", "192.0.2.1", { name: "Www.Example.com." }, "www.example.com. A 192.0.2.1"],
      ["A", "192.0.2.1", { name: "example.com." }, "example.com. A 192.0.2.1"],
    ];
    for (const [type, value, more, text] of rows) equal(recordText(live(type, value, more)), text);
  });

  it("keeps unreadable data byte for byte", () => {
    equal(live("A", " 192.0.2 ").value, " 192.0.2 ");
    equal(live("SOA", "x").type, "SOA");
    equal(live("A", "192.0.2.1", { name: "a b" }).name, "a b");
    const { value, priority } = live("MX", "mx1.example.net", { priority: undefined });
    deepEqual([value, priority], ["mx1.example.net.", undefined]);
    deepEqual(live("MX", "web", { priority: 5 }), {
      domain,
      name: "www",
      type: "MX",
      value: "web",
      priority: 5,
    });
  });

  it("never throws", () => {
    const anything = fc.record({
      domain: fc.constant(domain),
      name: hostileText,
      type: fc.oneof(
        hostileText,
        fc.constantFrom("A", "AAAA", "MX", "SRV", "CAA", "TXT", "CNAME", "NS", "SOA"),
      ),
      value: hostileText,
      priority: fc.oneof(fc.constant(undefined), fc.integer(), fc.double()),
      line: hostileText,
    });
    forAll(100, anything, (listed) => typeof recordText(fromLive(listed, { defaultLine })) === "string");
  });
});

describe("toWire", () => {
  it("sends an empty name for the apex, and a priority for MX only", () => {
    const mx = { type: "MX", value: "mx1.example.net.", priority: 10 };
    deepEqual(toWire({ domain, name: "@", ...mx }), { subDomain: "", ...mx });
    const address = { type: "A", value: "192.0.2.1" };
    deepEqual(toWire({ domain, name: "www", ...address }), { subDomain: "www", ...address });
  });

  it("sends an SRV's priority apart if the service keeps it so", () => {
    const name = "_sip._tcp";
    const whole = { type: "SRV", value: "10 5 5060 sip.example.net." };
    const apart = { type: "SRV", value: "5 5060 sip.example.net.", priority: 10 };
    deepEqual(toWire({ domain, name, ...whole }), { subDomain: name, ...whole });
    deepEqual(toWire({ domain, name, ...whole }, true), { subDomain: name, ...apart });
    deepEqual(live("SRV", apart.value, { name, priority: apart.priority }), { domain, name, ...whole });
  });

  it("sends a TXT unchanged", () => {
    for (const value of ['v="1"', '"a" and "b"'])
      equal(toWire({ domain, name: "t", type: "TXT", value }).value, value);
  });
});
