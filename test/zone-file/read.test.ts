import { deepEqual, equal, ok } from "node:assert/strict";
import type { ZoneFileResult } from "../../provider/dns/zone-file";
import { fixture, messages, notes, read, shown } from "./support";

const clean = (result: ZoneFileResult) => {
  deepEqual(messages(result), []);
  return shown(result);
};

describe("a master file", () => {
  it("reads in the style of RFC 1035", () => {
    const result = read(fixture("classic.zone"));
    deepEqual(clean(result), [
      "5400 example.com. MX 10 mail.example.com.",
      "3600 example.com. MX 20 mail.backup.example.com.",
      '5400 example.com. TXT "v=spf1 mx -all"',
      "5400 ns1.example.com. A 192.0.2.1",
      "600 mail.example.com. A 192.0.2.2",
      "600 mail.example.com. AAAA 2001:db8::2",
      "5400 www.example.com. CNAME example.com.",
      "5400 ftp.example.com. CNAME www.example.com.",
      "5400 _sip._tcp.example.com. SRV 10 5 5060 sip.example.com.",
      "129600 sip.example.com. A 192.0.2.5",
      '5400 example.com. CAA 0 issue "letsencrypt.org"',
      "5400 *.dev.example.com. A 192.0.2.6",
      '5400 s1._domainkey.example.com. TXT "v=DKIM1; k=rsa; p=AAAABBBB=\\"\\\\"',
      "5400 esc-aped.example.com. A 192.0.2.7",
      "5400 sub.example.com. NS ns.sub.example.com.",
      "5400 ns.sub.example.com. A 192.0.2.8",
      "5400 host.sub2.example.com. A 192.0.2.9",
      "5400 root.example.com. A 192.0.2.10",
      "5400 xn--bcher-kva.example.com. A 192.0.2.11",
    ]);
    deepEqual(notes(result), [
      "a.zone:4:1: the SOA record is passed over: the service makes it itself",
      "a.zone:10:2: the NS record ns1 of the apex is passed over: the service keeps its own; apexNs: true declares it",
      "a.zone:11:2: the NS record ns2.example.net. of the apex is passed over: the service keeps its own; apexNs: true declares it",
    ]);
    deepEqual(result.records.at(3)?.position, { file: "a.zone", line: 16, column: 1 });
  });

  it("declares the NS records of the apex with apexNs", () => {
    const result = read("@ NS ns1\n@ NS ns2.example.net.", { apexNs: true });
    deepEqual(clean(result), [
      "default example.com. NS ns1.example.com.",
      "default example.com. NS ns2.example.net.",
    ]);
    deepEqual(notes(result), []);
  });

  it("reads with a byte order mark and the line ends of Windows", () => {
    const text = fixture("windows.zone");
    ok(text.startsWith("\ufeff") && text.endsWith("\r\n"));
    deepEqual(clean(read(text)), [
      "600 www.example.com. A 192.0.2.1 [电信]",
      "600 www.example.com. A 192.0.2.2",
      '600 txt.example.com. TXT "a"',
    ]);
  });

  describe("TTLs", () => {
    const ttls = (text: string) => read(text).records.map(({ ttl }) => ttl);
    it("come from the record, else $TTL, else the record before, else the default", () => {
      deepEqual(
        ttls(
          "a A 192.0.2.1\nb 60 A 192.0.2.1\nc A 192.0.2.1\n$TTL 300\nd A 192.0.2.1\ne 9 A 192.0.2.1\nf A 192.0.2.1",
        ),
        ["default", 60, 60, 300, 9, 300],
      );
    });
    it("never come from the minimum of the SOA record (RFC 2308 §4)", () => {
      deepEqual(ttls("@ SOA ns admin 1 2 3 4 77\na A 192.0.2.1"), ["default"]);
    });
    it("have units, and stand before or after the class", () => {
      deepEqual(
        ttls("a 1w2d3h4m5s IN A 192.0.2.1\nb IN 1H30M A 192.0.2.1\n$TTL 2d\nc in a 192.0.2.1"),
        [788645, 5400, 172800],
      );
    });
  });

  describe("names", () => {
    it("below a domain that they repeat are relative, with a warning", () => {
      const result = read("www.example.com A 192.0.2.1\n@ MX 10 mail.example.com");
      deepEqual(shown(result), [
        "default www.example.com.example.com. A 192.0.2.1",
        "default example.com. MX 10 mail.example.com.example.com.",
      ]);
      deepEqual(messages(result), [
        'a.zone:1:1: name.no-dot "www.example.com" www.example.com.example.com www.example.com',
        'a.zone:2:9: name.no-dot "mail.example.com" mail.example.com.example.com mail.example.com',
      ]);
    });
    it("of mail servers and services may be the root, which means none", () => {
      deepEqual(shown(read("@ MX 0 .\n_x._tcp SRV 0 0 0 .")), [
        "default example.com. MX 0 .",
        "default _x._tcp.example.com. SRV 0 0 0 .",
      ]);
    });
  });

  describe("texts", () => {
    const text = (data: string) => read(`a TXT ${data}`).records[0]?.value;
    const table: [string, string][] = [
      ['"a;b" ; c', "a;b"],
      ['"a" "b""c"', "abc"],
      ['"\\228\\184" "\\173"', "中"],
      ['"中"', "中"],
      ["plain", "plain"],
      ['""', ""],
      ['"a\\;b\\065\\\\\\""', 'a;bA\\"'],
      ["a\\ b", "a b"],
      ['("a"\n"b")', "ab"],
      ['"( no group )"', "( no group )"],
    ];
    for (const [data, value] of table)
      it(`${JSON.stringify(data)} is ${JSON.stringify(value)}`, () => equal(text(data), value));
  });

  describe("lines of the service", () => {
    const line = (comment: string) => read(`a A 192.0.2.1 ${comment}`).records[0]?.line;
    const table: [string, string | undefined][] = [
      ["; line=电信", "电信"],
      ["; line=North America ; the west too", "North America"],
      ["; moved in May ; line=电信", "电信"],
      ['; Line = "a;b\\"c"', 'a;b"c'],
      ["; line=默认", undefined],
      ["; the line=x", undefined],
      ["; online=x", undefined],
    ];
    for (const [comment, name] of table)
      it(`${comment} declares ${name ?? "the default line"}`, () => equal(line(comment), name));
    it("hold in the parentheses of a record too", () => {
      deepEqual(clean(read('a TXT ( "x" ; line=电信\n "y" )')), ['default a.example.com. TXT "xy" [电信]']);
    });
  });

  it("passes on types that it does not know byte for byte, and only makes relative names absolute", () => {
    const lines = [
      ["1 PTR Host", "Host.example.com."],
      ["2 PTR Host.Example.NET.", "Host.Example.NET."],
      ["3 PTR Bücher.example.", "Bücher.example."],
      ["4 DNAME @", "example.com."],
      ["5 RP Admin.Example.NET. .", "Admin.Example.NET. ."],
      ["6 PTR 192.0.2.1", "192.0.2.1"],
      ['@ HTTPS 1 . alpn="h2,h3" ; new', '1 . alpn="h2,h3"'],
      ['h HINFO "a b" c', '"a b" c'],
    ] as const;
    const result = read(lines.map(([line]) => line).join("\n"));
    deepEqual(
      result.records.map(({ value }) => value),
      lines.map(([, value]) => value),
    );
    deepEqual(
      result.problems.map(({ code, parts }) => [code, parts]),
      ["PTR", "DNAME", "RP", "HTTPS", "HINFO"].map((given) => ["type.unchecked", { given }]),
    );
  });
});
