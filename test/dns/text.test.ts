import { deepEqual, doesNotMatch, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import {
  describeRecord,
  digest,
  recordKey,
  recordText,
  shortDataText,
  shortText,
  type DnsRecord,
} from "../../provider/dns";
import { isError } from "../../provider/problems";
import { canBeDeclared, domains, forAll, hostileText, quoted, recordIn } from "./arbitraries";
import { expand } from "./expand";

const at = (name: string, type: string, value: string, more: Partial<DnsRecord> = {}): DnsRecord => ({
  domain: "example.com",
  name,
  type,
  value,
  ...more,
});

function read(line: string, zones: string | string[] = "example.com") {
  const { records, problems } = expand([line], { absolute: true }, zones);
  const errors = problems.filter(isError).map(({ code }) => code);
  const own = records.map(({ ttl: _, ...record }) => record);
  return errors.length > 0 ? errors : own.length === 1 ? own[0] : own;
}

describe("recordText", () => {
  const table: [string, DnsRecord][] = [
    ["example.com. MX 10 mx1.example.com.", at("@", "MX", "mx1.example.com.", { priority: 10 })],
    ["www.example.com. A 192.0.2.7 [电信]", at("www", "A", "192.0.2.7", { line: "电信" })],
    ['a.example.com. TXT "say \\"hi\\" \\\\ [x]\\010y"', at("a", "TXT", 'say "hi" \\ [x]\ny')],
    ['a.example.com. TXT "中文 ü"', at("a", "TXT", "中文 ü")],
    ["go.example.com. 显性URL https://example.net/x", at("go", "显性URL", "https://example.net/x")],
    ['go.example.com. 显性URL "https://example.net/ [x]"', at("go", "显性URL", "https://example.net/ [x]")],
    [
      "www.example.com. A 192.0.2.7 [a [b\\] \\\\ \\009]",
      at("www", "A", "192.0.2.7", { line: "a [b] \\ \t" }),
    ],
  ];
  for (const [text, record] of table)
    it(`writes ${text}, which is a line for the same record`, () => {
      equal(recordText(record), text);
      deepEqual(read(text), record);
    });

  it("writes a line for any record that can be declared", () => {
    fc.assert(
      fc.property(recordIn(...domains).filter(canBeDeclared), (record) => {
        deepEqual(read(recordText(record), record.domain), record);
      }),
      { numRuns: 750, examples: [[at("_", "AAAA", "::", { line: " ;" })]] },
    );
  });

  it("differs for different records of a domain, and has one line", () => {
    forAll(500, fc.tuple(recordIn("example.com"), recordIn("example.com")), ([a, b]) => {
      equal(recordText(a) === recordText(b), JSON.stringify(a) === JSON.stringify(b));
      doesNotMatch(recordText(a), /[\0-\x1f\x7f]/);
    });
  });

  it("quotes any text as RFC 1035 does", () => {
    forAll(100, hostileText, (text) =>
      equal(recordText(at("@", "TXT", text)), `example.com. TXT ${quoted(text)}`),
    );
  });
});

describe("a presentation line", () => {
  const table: [string, unknown][] = [
    ["  WWW \t a   192.0.2.1  ", at("www", "A", "192.0.2.1")],
    ["@ mx 10   Mx1.Example.NET", at("@", "MX", "mx1.example.net.", { priority: 10 })],
    ["bücher cname Bücher.example", at("xn--bcher-kva", "CNAME", "xn--bcher-kva.example.")],
    ["a TXT v=spf1  -all", at("a", "TXT", "v=spf1  -all")],
    ['a TXT "v=spf1 " "-all"', at("a", "TXT", "v=spf1 -all")],
    ['a TXT "v=spf1 ""-all"', at("a", "TXT", "v=spf1 -all")],
    ['a TXT "\\228\\184\\173\\065"', at("a", "TXT", "中A")],
    ["a TXT foo [电信]", at("a", "TXT", "foo", { line: "电信" })],
    ["a TXT foo[1]", at("a", "TXT", "foo[1]")],
    ["a TXT foo [bar] baz [电信]", at("a", "TXT", "foo [bar] baz", { line: "电信" })],
    ["www A 192.0.2.1 []", ["line.name"]],
    ["@ SOA ns1 hostmaster 1 2 3 4 5", ["type.soa"]],
  ];
  for (const text of ['"open', '"a" b', '"a" "b', '"\\300"', '"\\1"', '"\\255"', '"\\'])
    table.push([`a TXT ${text}`, ["text.quotes"]]);
  for (const [line, expected] of table)
    it(`the line ${JSON.stringify(line)} is ${JSON.stringify(expected)}`, () =>
      deepEqual(read(line), expected));

  it("an absolute name belongs to the longest domain at a label boundary", () => {
    const zones = ["example.com", "sub.example.net"];
    const other = { ...at("www", "A", "192.0.2.1"), domain: "sub.example.net" };
    deepEqual(read("www.sub.example.net. A 192.0.2.1", zones), other);
    deepEqual(read("sub.example.com. A 192.0.2.1"), at("sub", "A", "192.0.2.1"));
    deepEqual(read("notexample.com. A 192.0.2.1"), ["name.outside"]);
    deepEqual(read("example.org. A 192.0.2.1", zones), ["name.outside"]);
  });

  it("reading a line never throws", () => {
    const words = fc.array(hostileText, { maxLength: 5 }).map((each) => each.join(" "));
    forAll(100, fc.tuple(words, fc.constantFrom("A", "TXT", "CAA", "SRV", "MX", "X")), ([text, type]) => {
      for (const line of [text, `www ${type} ${text}`]) read(line);
    });
  });
});

describe("names of a record", () => {
  it("recordKey is the domain and the text", () =>
    equal(recordKey(at("www", "A", "192.0.2.1")), "example.com www.example.com. A 192.0.2.1"));

  it("digest is a short hash", () => equal(digest("abc"), "ungWv48Bz-pB"));

  it("describeRecord shortens a long value at a whole character, and does not present the part as data", () => {
    const long = at("k", "CAA", `0 issue "${"a".repeat(300)}"`);
    const part = `0 issue "${"a".repeat(91)}… (310 characters)`;
    equal(describeRecord(long), `k.example.com. CAA ${part}`);
    equal(shortDataText(long), part);
    equal(
      shortDataText(at("k", "TXT", `${"a".repeat(99)}${"😀".repeat(80)}`)),
      `"${"a".repeat(99)}…" (259 characters)`,
    );
    const [one, other] = ["x", "y"].map((end) => at("k", "TXT", `${"😀".repeat(175)}${end}`));
    equal(
      describeRecord(one ?? long, false, other),
      `k.example.com. TXT "…${"😀".repeat(25)}x" (351 characters)`,
    );
  });

  it("describeRecord shortens a name, type or line of the service", () => {
    const long = "x".repeat(60_000);
    const ofLine = at("www", "A", "192.0.2.1", { line: long });
    for (const record of [at(long, "A", "192.0.2.1"), at("www", long, "1"), ofLine])
      for (const isSecret of [false, true]) ok(describeRecord(record, isSecret).length < 200);
    ok(shortText(recordText(ofLine)).length < 200);
  });

  it("shortText shortens a record's text, and its data alone, from the first difference", () => {
    const [one = "", other = ""] = ["x", "y"].map((end) =>
      recordText(at("k", "TXT", `${"a".repeat(300)}${end}`)),
    );
    const part = `"…${"a".repeat(50)}x"`;
    equal(shortText(one, other), `k.example.com. TXT ${part} (301 characters)`);
    equal(shortText(one.slice("k.example.com. TXT ".length), other), `${part} (301 characters)`);
    equal(shortText(`${one} [电信]`), `k.example.com. TXT "${"a".repeat(100)}…" [电信] (301 characters)`);
  });

  it("describeRecord hides a secret record's value, and shows its place", () => {
    const secret = at("www", "A", "198.51.100.77");
    equal(describeRecord(secret), "www.example.com. A 198.51.100.77");
    const shown = "www.example.com. A (secret)";
    equal(describeRecord(secret, true), shown);
    equal(describeRecord({ ...secret, secret: true }), shown);
    equal(describeRecord({ ...secret, line: "电信" }, true), `${shown} [电信]`);
  });
});
