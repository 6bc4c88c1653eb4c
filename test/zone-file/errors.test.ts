import { deepEqual, equal, ok } from "node:assert/strict";
import { messages, read, shown } from "./support";

/** A record, so that the text reads as a zone file. */
const another = "\nz A 192.0.2.9";

/** Group → texts of the file a.zone, and the place and the data of their problem. */
const table: Record<string, [text: string, problem: string][]> = {
  "the form of entries": [
    ['a TXT "open\nb A 192.0.2.1', "1:7: quote.unclosed"],
    ["a A 192.0.2.1 )", "1:15: parenthesis.alone"],
    ["a A ( 192.0.2.1\nb A 192.0.2.2", "1:5: parenthesis.alone"],
    ['a TXT "\\99"', "1:8: escape.unfit"],
    ['a TXT "\\256"', "1:8: escape.unfit"],
    ["a TXT b\\\nc A 192.0.2.1", "1:8: escape.unfit"],
    ["a" + another, "1:1: line.parts"],
    ["a 60 IN" + another, "1:6: line.parts"],
  ],
  names: [
    ["www.example.org. A 192.0.2.1", '1:1: "www.example.org." name.outside example.com'],
    [
      "$ORIGIN example.org.\nwww A 192.0.2.1\n A 192.0.2.2",
      '2:1: "www" is www.example.org., which name.outside example.com',
    ],
    ["notexample.com. A 192.0.2.1", '1:1: "notexample.com." name.outside example.com'],
    [" A 192.0.2.1\n A 192.0.2.2", "1:2: line.indented"],
    ["a..b A 192.0.2.1", '1:1: "a..b" label.unfit 2'],
    ["-a A 192.0.2.1", '1:1: "-a" label.unfit 1'],
    ["a\\.b A 192.0.2.1", '1:1: "a\\\\.b" label.unfit 1'],
    ...['"a b c"' + another, 'a TXT "a"\n "b c" "d"'].map((text, i): [string, string] => [
      text,
      `${i + 1}:${i + 1}: text.alone`,
    ]),
    ['"www" A 192.0.2.1', '1:1: word.quoted "www"'],
    [`${"a".repeat(64)} A 192.0.2.1`, '1:1: "aaaaaaaaaaaaaaaaaaaaa..." name.long'],
  ],
  "TTL, class and type": [
    ["a 0 A 192.0.2.1", '1:3: ttl.unfit "0"'],
    ["a 99999999999999999999w A 192.0.2.1", '1:3: ttl.unfit "99999999999999999999w"'],
    [`a ${"9".repeat(400)} A 192.0.2.1`, `1:3: ttl.unfit "${"9".repeat(57)}..."`],
    ["a CH A 192.0.2.1", "1:3: value.unfit CH a class of the service IN, or no class"],
    ["a IN CNMAE b" + another, '1:6: "CNMAE" type.unknown did you mean CNAME?'],
    ...["显性URL", "URL"].map((type): [string, string] => [
      `a ${type} https://example.net/${another}`,
      `1:3: "${type}" type.unknown zone files have A, AAAA, CNAME, MX, NS, TXT, SRV, CAA; a Record may have another`,
    ]),
    ["a TYPE65280 \\# 1 00" + another, "1:3: data.generic TYPE65280"],
    ["a A 192.0.2.1\n www A 192.0.2.2", "2:2: line.indented"],
    ["www SOA a b 1 2 3 4 5", "1:5: soa.place"],
    ['a "A" 192.0.2.1' + another, '1:3: word.quoted "A"'],
  ],
  data: [
    ["a A 1.2.3", '1:5: address.unfit "1.2.3" 4 "192.0.2.1"'],
    ["a CNAME 192.0.2.", '1:9: "192.0.2." is not a host name: it name.number'],
    ["a CNAME 192.0.2.1", '1:9: host.address "192.0.2.1" CNAME A'],
    ["a A", "1:3: the data is field.missing an address, such as 192.0.2.1"],
    ["a A 192.0.2.1 192.0.2.2", '1:15: data.form "192.0.2.1 192.0.2.2" A an address, such as 192.0.2.1'],
    ["a MX mail", '1:3: data.form "mail" MX a priority and a host, such as 10 mx1.example.com.'],
    ["a SRV 1 2 99999 b", '1:7: the port: number.unfit "99999" 0 65535'],
    ["a A \\# 4 c0000201", "1:5: data.generic \\#"],
    ['a A "192.0.2.1"', '1:5: word.quoted "192.0.2.1"'],
    ['a TXT "\\255"', "1:7: text.octets"],
    ['a TXT ""', "1:7: value.unusual an empty text"],
    ["a TXT v=DKIM1; k=rsa", "1:7: text.unquoted"],
    ["a TXT v=spf1 -all", "1:14: text.unquoted"],
    ['a TXT "b" " c "', "1:7: text.changed"],
    ["a MX 10 b-.example.net.", '1:6: "b-.example.net." is not a host name: it label.unfit 1'],
    ["a PTR -b.example.net.", "1:3: type.unchecked PTR"],
    ["a MX 99 b", '1:6: value.unusual the priority "99"'],
  ],
  lines: [
    ["a A 192.0.2.1 ; line=", "1:15: line.name"],
    ['a A 192.0.2.1 ; line="x', "1:15: line.name"],
    ['a TXT ( "x" ; line=b\n) ; line=c', "2:3: line.two"],
    ["; line=b", "1:1: line.stray"],
  ],
  directives: [
    ["$ORIGN example.com." + another, '1:1: word.unknown "$ORIGN" did you mean $ORIGIN?'],
    ["$DATE 1" + another, '1:1: word.unknown "$DATE" zone files have $ORIGIN, $TTL, $INCLUDE'],
    [
      "$GENERATE 1-9 h$ A 192.0.2.$" + another,
      '1:1: word.unknown "$GENERATE" not supported: write the records themselves, for example with named-compilezone',
    ],
    [" $TTL 60", "1:2: line.indented"],
    ["$TTL soon", '1:6: value.unfit "soon" a time seconds, or units such as 1h30m (w, d, h, m, s)'],
    ["$TTL", "1:1: value.unfit this a valid $TTL $TTL 1h"],
    ["$ORIGIN a b", "1:11: value.unfit this a valid $ORIGIN $ORIGIN example.com."],
    ["$ORIGIN a..b\nwww A 192.0.2.1", '1:9: "a..b" label.unfit 2'],
    [
      "$ORIGIN sub.example.com",
      '1:9: name.no-dot "sub.example.com" sub.example.com.example.com sub.example.com',
    ],
    ["$INCLUDE b.zone", "1:1: include.unfit"],
  ],
  "records beside each other": [
    [
      "a A 192.0.2.1\nb A 192.0.2.1\na A 192.0.2.1",
      "3:1: record.twice a.example.com. A 192.0.2.1 at a.zone:1:1",
    ],
    ["a CNAME b\na A 192.0.2.1", "1:1: cname.beside a.example.com. a.example.com. A 192.0.2.1"],
  ],
};

describe("a problem in a zone file", () => {
  for (const [group, cases] of Object.entries(table)) {
    describe(`in ${group}`, () => {
      for (const [text, problem] of cases)
        it(JSON.stringify(text), () => deepEqual(messages(read(text)), [`a.zone:${problem}`]));
    });
  }

  it("is reported with all others, and stops no other line", () => {
    const text = [
      "www A 1.2.3",
      "good A 192.0.2.1",
      'key TXT "open',
      "mx MX mail",
      "last CH TXT x",
      "fine A 192.0.2.4",
      "list ( A",
    ].join("\n");
    const result = read(text);
    deepEqual(
      result.problems.map(({ position }) => `${position.line}:${position.column}`),
      ["1:7", "3:9", "4:4", "5:6", "7:6"],
    );
    deepEqual(shown(result), [
      "default good.example.com. A 192.0.2.1",
      "default fine.example.com. A 192.0.2.4",
    ]);
    for (const { path, position } of result.problems)
      equal(path, `a.zone:${position.line}:${position.column}`);
  });

  it("lists the first 100 problems and 100 warnings of a file, then their number", () => {
    const lines = Array.from({ length: 3_000 }, (_, i) => `w CNMA${i} b\nw${i}.example.com A 192.0.2.1`);
    const { problems } = read(lines.join("\n"));
    const codes = problems.map(({ code }) => code);
    equal(codes.filter((code) => code === "type.unknown").length, 100);
    equal(codes.filter((code) => code === "name.no-dot").length, 100);
    deepEqual(
      problems.slice(200).map(({ code, parts, path }) => ({ code, parts, path })),
      [
        { code: "file.more-problems", parts: { count: 2_900 }, path: "a.zone:201:3" },
        { code: "file.more-warnings", parts: { count: 2_900 }, path: "a.zone:202:1" },
      ],
    );
  });

  it("takes time in proportion to the number of bad lines", () => {
    const spent = (lines: number) => {
      const text = Array.from({ length: lines }, (_, i) => `w CNMA${i} b`).join("\n");
      const before = process.cpuUsage();
      read(text);
      return process.cpuUsage(before).user / 1000;
    };
    spent(1_000);
    // A guess for each wrong type took 55 ms for 1,000 lines.
    ok(spent(10_000) < Math.max(20, spent(1_000)) * 20);
  });
});
