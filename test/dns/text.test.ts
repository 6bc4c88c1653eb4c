import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import {
  describeRecord,
  digest,
  recordKey,
  recordText,
  shortDataText,
  type DnsRecord,
} from "../../provider/dns";
import { parseRecordText } from "../../provider/dns/text";
import { textOf } from "../../provider/problems";
import { domains, hostileText, quoted, recordIn } from "./arbitraries";

const at = (name: string, type: string, value: string, more: Partial<DnsRecord> = {}): DnsRecord => ({
  domain: "example.com",
  name,
  type,
  value,
  ...more,
});

const read = (text: string, ...zones: string[]): unknown => {
  const parsed = parseRecordText(text, zones.length === 0 ? ["example.com"] : zones);
  return "record" in parsed ? parsed.record : textOf(parsed.problem);
};

describe("the canonical text of a record", () => {
  const table: readonly (readonly [string, DnsRecord])[] = [
    ["www.example.com. A 192.0.2.1", at("www", "A", "192.0.2.1")],
    ["example.com. AAAA 2001:db8::1", at("@", "AAAA", "2001:db8::1")],
    ["*.example.com. CNAME www.example.net.", at("*", "CNAME", "www.example.net.")],
    ["example.com. MX 10 mx1.example.com.", at("@", "MX", "mx1.example.com.", { priority: 10 })],
    ["www.example.com. A 192.0.2.7 [电信]", at("www", "A", "192.0.2.7", { line: "电信" })],
    ['a.example.com. TXT "say \\"hi\\" \\\\ [x]\\010"', at("a", "TXT", 'say "hi" \\ [x]\n')],
    ['a.example.com. TXT "中文 ü"', at("a", "TXT", "中文 ü")],
    [
      "_sip._tcp.example.com. SRV 10 5 5060 sip.example.com.",
      at("_sip._tcp", "SRV", "10 5 5060 sip.example.com."),
    ],
    ['example.com. CAA 0 issue "letsencrypt.org"', at("@", "CAA", '0 issue "letsencrypt.org"')],
    ["go.example.com. 显性URL https://example.net/x", at("go", "显性URL", "https://example.net/x")],
    ['go.example.com. 显性URL "https://example.net/ [x]"', at("go", "显性URL", "https://example.net/ [x]")],
    [
      "www.example.com. A 192.0.2.7 [a [b\\] \\\\ \\009]",
      at("www", "A", "192.0.2.7", { line: "a [b] \\ \t" }),
    ],
  ];
  for (const [text, record] of table) {
    it(`is ${text}, and reads back`, () => {
      assert.equal(recordText(record), text);
      assert.deepEqual(read(text), record);
    });
  }

  it("reads back as the very record, whatever the record", () => {
    fc.assert(
      fc.property(recordIn(...domains), (record) => {
        assert.deepEqual(parseRecordText(recordText(record), [record.domain]), { record });
      }),
      { numRuns: 3000 },
    );
  });

  it("differs between different records of a domain, and stays on one line", () => {
    fc.assert(
      fc.property(recordIn("example.com"), recordIn("example.com"), (a, b) => {
        const same = isSame(a, b);
        assert.equal(recordText(a) === recordText(b), same);
        assert.doesNotMatch(recordText(a), /[\0-\x1f\x7f]/);
      }),
      { numRuns: 2000 },
    );
  });

  it("finds the longest domain at a label boundary", () => {
    const zones = ["example.com", "sub.example.com"];
    assert.deepEqual(read("www.sub.example.com. A 192.0.2.1", ...zones), {
      ...at("www", "A", "192.0.2.1"),
      domain: "sub.example.com",
    });
    assert.deepEqual(read("sub.example.com. A 192.0.2.1", "example.com"), at("sub", "A", "192.0.2.1"));
    assert.equal(
      read("notexample.com. A 192.0.2.1"),
      '"notexample.com." is absolute and does not lie in example.com; declare it with its own domain, or write a relative name',
    );
    assert.equal(
      read("example.org. A 192.0.2.1", ...zones),
      '"example.org." is absolute and does not lie in any of the 2 domains; declare it with its own domain, or write a relative name',
    );
    assert.equal(
      read("www A 192.0.2.1", ...zones),
      '"www" is relative, and there are 2 domains; write the absolute name with the dot',
    );
  });
});

function isSame(a: DnsRecord, b: DnsRecord): boolean {
  const fields = ({ domain, name, type, value, priority, line }: DnsRecord): unknown => [
    domain,
    name,
    type,
    value,
    priority,
    line,
  ];
  return JSON.stringify(fields(a)) === JSON.stringify(fields(b));
}

describe("a text that a person wrote", () => {
  it("may have a relative name, extra white space and small letters", () => {
    assert.deepEqual(read("  WWW \t a   192.0.2.1  "), at("www", "A", "192.0.2.1"));
    assert.deepEqual(read("@ mx 10   Mx1.Example.NET"), at("@", "MX", "mx1.example.net.", { priority: 10 }));
    assert.deepEqual(
      read("bücher cname Bücher.example"),
      at("xn--bcher-kva", "CNAME", "xn--bcher-kva.example."),
    );
  });

  it("may have TXT without quotes, or in several strings", () => {
    assert.deepEqual(read("a TXT v=spf1  -all"), at("a", "TXT", "v=spf1  -all"));
    assert.deepEqual(read('a TXT "v=spf1 " "-all"'), at("a", "TXT", "v=spf1 -all"));
    assert.deepEqual(read('a TXT "v=spf1 ""-all"'), at("a", "TXT", "v=spf1 -all"));
    assert.deepEqual(read('a TXT "\\228\\184\\173\\065"'), at("a", "TXT", "中A"));
    assert.deepEqual(read("a TXT foo [电信]"), at("a", "TXT", "foo", { line: "电信" }));
    assert.deepEqual(read("a TXT foo[1]"), at("a", "TXT", "foo[1]"));
    assert.deepEqual(read("a TXT foo [bar] baz [电信]"), at("a", "TXT", "foo [bar] baz", { line: "电信" }));
  });

  it("says what is wrong with it", () => {
    assert.equal(
      read("www A"),
      '"www A": a name, a type and data are needed; write a line such as "www A 192.0.2.1"',
    );
    assert.equal(
      read("www A 192.0.2.1 []"),
      `"www A 192.0.2.1 []": the line's name in brackets is empty, or has a broken escape`,
    );
    assert.equal(
      read("www 600 A 192.0.2.1"),
      '"600" is no record type; write one such as A, AAAA, CNAME, MX, NS, TXT, SRV, CAA',
    );
    assert.equal(
      read("@ SOA ns1 hostmaster 1 2 3 4 5"),
      "SOA: the service makes this record itself; take it out of the program",
    );
    assert.equal(
      read("@ MX mx1.example.com."),
      'priority is missing: an MX record needs one; write priority: 10, or "10 mx1.example.com." as the value',
    );
    for (const text of ['"open', '"a" b', '"a" "b', '"\\300"', '"\\1"', '"\\255"', '"\\']) {
      assert.equal(
        read(`a TXT ${text}`),
        `${JSON.stringify(text)} is no quoted text; close every quote, and write quotes inside the text as \\"`,
      );
    }
  });

  it("never makes parsing throw", () => {
    fc.assert(
      fc.property(
        fc.array(hostileText, { maxLength: 5 }),
        fc.constantFrom("A", "TXT", "CAA", "SRV", "MX", "X"),
        (words, type) => {
          for (const text of [words.join(" "), `www ${type} ${words.join(" ")}`])
            parseRecordText(text, ["example.com"]);
        },
      ),
    );
  });
});

describe("what names a record", () => {
  it("is its text and its domain as a key", () => {
    assert.equal(recordKey(at("www", "A", "192.0.2.1")), "example.com www.example.com. A 192.0.2.1");
  });

  it("is a short hash in ids and ledgers", () => {
    assert.equal(digest("abc"), "ungWv48Bz-pB");
  });

  it("is shortened for people where its value is long: no part is taken for data, and no character is cut", () => {
    const long = at("k", "CAA", `0 issue "${"a".repeat(300)}"`);
    const part = `0 issue "${"a".repeat(91)}… (310 characters)`;
    assert.equal(describeRecord(long), `k.example.com. CAA ${part}`);
    assert.equal(shortDataText(long), part);
    assert.equal(
      shortDataText(at("k", "TXT", `${"a".repeat(99)}${"😀".repeat(80)}`)),
      `"${"a".repeat(99)}…" (259 characters)`,
    );
    const [one, other] = ["x", "y"].map((end) => at("k", "TXT", `${"😀".repeat(175)}${end}`));
    assert.equal(
      describeRecord(one ?? long, false, other),
      `k.example.com. TXT "…${"😀".repeat(25)}x" (351 characters)`,
    );
  });

  it("is a mark of this process where the text is secret, so that no guess can be tried on what a log keeps", () => {
    const secret = at("www", "A", "198.51.100.77");
    assert.equal(describeRecord(secret), "www.example.com. A 198.51.100.77");
    const shown = describeRecord(secret, true);
    assert.match(shown, /^www\.example\.com\. A #[\w-]{8}$/);
    assert.equal(describeRecord({ ...secret, secret: true }), shown);
    assert.notEqual(describeRecord(at("www", "A", "198.51.100.78"), true), shown);
    const elsewhere = execFileSync(
      process.execPath,
      [
        "-r",
        "ts-node/register/transpile-only",
        "-e",
        `process.stdout.write(require(${JSON.stringify(join(__dirname, "../../provider/dns"))}).describeRecord(${JSON.stringify(secret)}, true))`,
      ],
      { encoding: "utf8" },
    );
    assert.match(elsewhere, /^www\.example\.com\. A #[\w-]{8}$/);
    assert.notEqual(elsewhere, shown);
  });

  it("quotes as RFC 1035 does", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        assert.equal(recordText(at("@", "TXT", text)), `example.com. TXT ${quoted(text)}`);
      }),
    );
  });
});
