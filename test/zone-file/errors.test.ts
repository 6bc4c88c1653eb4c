import assert from "node:assert/strict";
import { messages, read, readYaml, shown } from "./support";

const hyphen =
  "has a label that begins or ends with a hyphen, which the service refuses (RFC 1123 §2.1); take that hyphen away";

/** A master file, and everything that is wrong with it. */
const table: Readonly<Record<string, readonly (readonly [string, ...string[]])[]>> = {
  "the form of entries": [
    [
      'a TXT "open\nb A 192.0.2.1',
      'a.zone:1:7: this quote is never closed; a quoted text ends on its own line, and a quote inside it is written \\"',
    ],
    ["a A 192.0.2.1 )", 'a.zone:1:15: a ")" closes nothing; open it before, or take it out'],
    [
      "a A ( 192.0.2.1\nb A 192.0.2.2",
      'a.zone:1:5: this "(" is never closed; write ")" after the last word of the record',
    ],
    [
      'a TXT "\\99"',
      "a.zone:1:8: a backslash before a digit begins an octet of three digits, \\000 to \\255 (RFC 1035 §5.1)",
    ],
    [
      'a TXT "\\256"',
      "a.zone:1:8: a backslash before a digit begins an octet of three digits, \\000 to \\255 (RFC 1035 §5.1)",
    ],
    [
      "a TXT b\\\nc A 192.0.2.1",
      "a.zone:1:8: a backslash ends the line; take it out: parentheses carry a record over lines",
    ],
    ["a", 'a.zone:1:1: a name, a type and data are needed; write a record such as "www 600 IN A 192.0.2.1"'],
    [
      "a 60 IN",
      'a.zone:1:6: a name, a type and data are needed; write a record such as "www 600 IN A 192.0.2.1"',
    ],
  ],
  names: [
    [
      "www.example.org. A 192.0.2.1",
      'a.zone:1:1: "www.example.org." does not lie in example.com; declare it in the file of its own zone, or take it out',
    ],
    [
      "$ORIGIN example.org.\nwww A 192.0.2.1\n A 192.0.2.2",
      'a.zone:2:1: "www" is www.example.org., which does not lie in example.com; declare it in the file of its own zone, or take it out',
    ],
    [
      "notexample.com. A 192.0.2.1",
      'a.zone:1:1: "notexample.com." does not lie in example.com; declare it in the file of its own zone, or take it out',
    ],
    [
      " A 192.0.2.1\n A 192.0.2.2",
      "a.zone:1:2: the record begins with white space, so its name is that of the record above, but there is none; write the name",
    ],
    ["a..b A 192.0.2.1", 'a.zone:1:1: "a..b" has an empty label; write one dot between two labels'],
    [
      "-a A 192.0.2.1",
      'a.zone:1:1: "-a" has a label that begins or ends with a hyphen, which the service refuses (RFC 1123 §2.1); take that hyphen away',
    ],
    ["a\\.b A 192.0.2.1", 'a.zone:1:1: "a\\\\.b" has an escaped character that no name of the service holds'],
    ...['"a b c"', 'a TXT "a"\n "b c" "d"'].map((text, i): [string, string] => [
      text,
      `a.zone:${i + 1}:${i + 1}: text in quotes alone is no record; write one such as "www 600 IN A 192.0.2.1", or, where it goes on with the record above, put all texts of that one into parentheses: ( "one" "two" )`,
    ]),
    ['"www" A 192.0.2.1', 'a.zone:1:1: "www" is in quotes, but a name is needed; take them away'],
    [
      `${"a".repeat(64)} A 192.0.2.1`,
      `a.zone:1:1: "${"a".repeat(21)}..." has 64 octets in label 1; a label holds at most 63 (RFC 1035 §2.3.4)`,
    ],
  ],
  "TTL, class and type": [
    [
      "a 0 A 192.0.2.1",
      "a.zone:1:3: 0 is no TTL that the service keeps; write seconds from 1, or leave the TTL out",
    ],
    [
      "a 99999w A 192.0.2.1",
      'a.zone:1:3: "99999w" is too long; a TTL is at most 2147483647 seconds (RFC 2181 §8)',
    ],
    [
      "a 99999999999999999999w A 192.0.2.1",
      'a.zone:1:3: "99999999999999999999w" is too long; a TTL is at most 2147483647 seconds (RFC 2181 §8)',
    ],
    [
      `a ${"9".repeat(400)} A 192.0.2.1`,
      `a.zone:1:3: "${"9".repeat(57)}..." is too long; a TTL is at most 2147483647 seconds (RFC 2181 §8)`,
    ],
    [
      "a CH A 192.0.2.1",
      "a.zone:1:3: CH is a class that the service does not have; write IN, or leave the class out",
    ],
    ["a IN CNMAE b", 'a.zone:1:6: "CNMAE" is no type that zone files have; did you mean CNAME?'],
    [
      "a 显性URL https://example.net/",
      'a.zone:1:3: "显性URL" is no type that zone files have; write one such as A, AAAA, CNAME, MX, NS, TXT, SRV, CAA, and a type of the service\'s own in a YAML file',
    ],
    [
      "a URL https://example.net/",
      'a.zone:1:3: "URL" is no type that zone files have; write one such as A, AAAA, CNAME, MX, NS, TXT, SRV, CAA, and a type of the service\'s own in a YAML file',
    ],
    [
      "a TYPE65280 \\# 1 00",
      "a.zone:1:3: TYPE65280 is a type by its number (RFC 3597), which the service does not take; write the type's name, such as A",
    ],
    [
      "a A 192.0.2.1\n www A 192.0.2.2",
      'a.zone:2:2: "www" is no record type; take the white space before it away where it is the record\'s name',
    ],
    ["www SOA a b 1 2 3 4 5", "a.zone:1:5: an SOA record stands at the apex of a zone only; take it out"],
    ['a "A" 192.0.2.1', 'a.zone:1:3: "A" is in quotes, but a type is needed; take them away'],
  ],
  data: [
    ["a A 1.2.3", 'a.zone:1:5: "1.2.3" is no IPv4 address; write one such as "192.0.2.1"'],
    [
      "a CNAME 192.0.2.",
      'a.zone:1:9: "192.0.2." is no host name: it ends in a number, as no name in DNS does; write the whole address or the whole name',
    ],
    ["a AAAA 192.0.2.1", 'a.zone:1:8: "192.0.2.1" is an IPv4 address; use type A'],
    [
      "a CNAME 192.0.2.1",
      'a.zone:1:9: "192.0.2.1" is an IPv4 address, but a record of type CNAME points to a host name; use type A, or name a host that has such a record',
    ],
    ["a A", "a.zone:1:3: the data is missing; a record of type A needs an address, such as 192.0.2.1"],
    [
      "a A 192.0.2.1 192.0.2.2",
      "a.zone:1:15: a record of type A has 2 words here; write an address, such as 192.0.2.1; look for a missing word or parenthesis",
    ],
    [
      "a MX mail",
      "a.zone:1:3: a record of type MX has 1 words here; write a priority and a host, such as 10 mx1.example.com.; look for a missing word or parenthesis",
    ],
    [
      "a MX ten mail",
      'a.zone:1:6: "ten" is no priority; write a whole number from 0 to 65535 before the host',
    ],
    ["a SRV 1 2 99999 b", 'a.zone:1:11: "99999" is no SRV port; write a whole number from 0 to 65535'],
    [
      "a CAA 0 is-sue x",
      'a.zone:1:9: "is-sue" is no CAA tag; write letters and digits, such as issue (RFC 8659 §4.1)',
    ],
    [
      "a A \\# 4 c0000201",
      "a.zone:1:5: \\# begins data in hexadecimal digits (RFC 3597), which the service does not take; write it as A data",
    ],
    ['a A "192.0.2.1"', 'a.zone:1:5: "192.0.2.1" is in quotes, but quotes are for text; take them away'],
    [
      'a TXT "\\255"',
      "a.zone:1:7: the octets of the escapes are no UTF-8 text, and the service keeps text only",
    ],
    [
      'a TXT ""',
      "warning a.zone:1:7: the text is empty: no document of the service says that it takes an empty TXT, and it may refuse this one",
    ],
    [
      "a TXT v=DKIM1; k=rsa",
      'warning a.zone:1:7: the text ends before the ";", which begins a comment here; write the text in quotes where it is meant',
    ],
    [
      "a TXT v=spf1 -all",
      "warning a.zone:1:14: words without quotes are joined without spaces (RFC 1035 §3.3.14); write the text in quotes where they are meant",
    ],
    [
      'a TXT "\\"b\\""',
      "a.zone:1:7: the text begins and ends with quotes of its own, which the service takes for quoting: its record could not be told from that of the text without them; leave them out",
    ],
    [
      'a TXT "b" " c "',
      "a.zone:1:7: the text begins or ends with white space, which the service takes away: it would list another text than the declared one; leave the white space out",
    ],
    ["a CNAME -b", `a.zone:1:9: "-b.example.com." is no host name: it ${hyphen}`],
    ["a MX 10 b-.example.net.", `a.zone:1:9: "b-.example.net." is no host name: it ${hyphen}`],
    [
      "a PTR -b.example.net.",
      "warning a.zone:1:3: PTR is a type that this provider does not know: relative names in its values are made absolute, and the values go to the service unchecked, byte for byte",
    ],
    [
      "a MX 99 b",
      'warning a.zone:1:6: "99" lies outside 1-20, and the service may refuse it as an MX priority',
    ],
  ],
  lines: [
    [
      "a A 192.0.2.1 ; line=",
      'a.zone:1:15: the line\'s name is missing; write it after "line=", or take the comment out',
    ],
    [
      'a A 192.0.2.1 ; line="x',
      'a.zone:1:15: "\\"x" is no line\'s name; put the whole name into quotes, and write quotes inside it as \\"',
    ],
    [
      'a TXT ( "x" ; line=b\n) ; line=c',
      'a.zone:2:3: the record is on line "b" already; write a record for each line',
    ],
    [
      "; line=b",
      "warning a.zone:1:1: this comment declares a line, but stands on no record; write it behind the record's data",
    ],
  ],
  directives: [
    ["$ORIGN example.com.", 'a.zone:1:1: "$ORIGN" is no directive; did you mean $ORIGIN?'],
    ["$DATE 1", 'a.zone:1:1: "$DATE" is no directive; zone files have $ORIGIN, $TTL, $INCLUDE, $GENERATE'],
    [" $TTL 60", "a.zone:1:2: $TTL begins with white space; write it at the start of its line"],
    ["$TTL soon", 'a.zone:1:6: "soon" is no time; write seconds, or units such as 1h30m (w, d, h, m, s)'],
    ["$TTL", 'a.zone:1:1: $TTL needs a time, such as "$TTL 600" or "$TTL 1h"'],
    ["$ORIGIN a b", 'a.zone:1:11: $ORIGIN needs a name, such as "$ORIGIN example.com."'],
    [
      "$ORIGIN a..b\nwww A 192.0.2.1",
      'a.zone:1:9: "a..b" has an empty label; write one dot between two labels',
    ],
    [
      "$ORIGIN sub.example.com",
      'warning a.zone:1:9: "sub.example.com" has no dot at the end, so it is sub.example.com.example.com.; write "sub.example.com." where that is meant',
    ],
    [
      "$INCLUDE b.zone",
      "a.zone:1:1: $INCLUDE needs files, and there is only this text; put the records of the other file here",
    ],
  ],
  "records beside each other": [
    [
      "a A 192.0.2.1\nb A 192.0.2.1\na A 192.0.2.1",
      "a.zone:3:1: a.example.com. A 192.0.2.1 is declared at a.zone:1:1 already; declare it once",
    ],
    [
      "a CNAME b\na A 192.0.2.1",
      "a.zone:1:1: the CNAME of a.example.com. excludes other data at the same name; a.example.com. A 192.0.2.1 (a.zone:2:1); take the CNAME or the other data out",
    ],
  ],
};

describe("a problem in a master file", () => {
  for (const [group, cases] of Object.entries(table)) {
    describe(`in ${group}`, () => {
      for (const [text, ...expected] of cases) {
        it(JSON.stringify(text), () => assert.deepEqual(messages(read(text)), expected));
      }
    });
  }

  it("is reported with all others, and stops no other line", () => {
    const text = [
      "www A 1.2.3",
      "good A 192.0.2.1",
      'key TXT "open',
      "mx MX mail",
      "list ( A",
      "  192.0.2.2",
      "other A 192.0.2.3",
      "last CH TXT x",
      "fine A 192.0.2.4",
    ].join("\n");
    const result = read(text);
    assert.deepEqual(
      result.problems.map(({ position }) => `${position.line}:${position.column}`),
      ["1:7", "3:9", "4:4", "5:6", "8:6"],
    );
    assert.deepEqual(shown(result), [
      "default good.example.com. A 192.0.2.1",
      "default other.example.com. A 192.0.2.3",
      "default fine.example.com. A 192.0.2.4",
    ]);
    for (const { path, position } of result.problems)
      assert.equal(path, `a.zone:${position.line}:${position.column}`);
  });

  it("lists the first 100 problems and 100 warnings of a file, then their number", () => {
    const lines = Array.from({ length: 30_000 }, (_, i) => `w CNMA${i} b\nw${i}.example.com A 192.0.2.1`);
    const { problems } = read(lines.join("\n"));
    const codes = problems.map(({ code }) => code);
    assert.equal(codes.filter((code) => code === "type.unlisted").length, 100);
    assert.equal(codes.filter((code) => code === "name.no-dot").length, 100);
    assert.deepEqual(
      problems.slice(200).map(({ code, parts, path }) => ({ code, parts, path })),
      [
        { code: "file.more-problems", parts: { count: 29_900 }, path: "a.zone:201:3" },
        { code: "file.more-warnings", parts: { count: 29_900 }, path: "a.zone:202:1" },
      ],
    );
  });

  it("takes time in proportion to the number of bad lines", () => {
    const spent = (lines: number): number => {
      const text = Array.from({ length: lines }, (_, i) => `w CNMA${i} b`).join("\n");
      const before = process.cpuUsage();
      read(text);
      return process.cpuUsage(before).user / 1000;
    };
    spent(1_000);
    // A guess for each wrong type took 55 ms for 1,000 lines.
    assert.ok(spent(30_000) < Math.max(20, spent(1_000)) * 60);
  });

  it("keeps a hostile file from taking long", () => {
    const start = performance.now();
    read("a A ( 192.0.2.1\n".repeat(20_000));
    read("(".repeat(200_000));
    read('"'.repeat(200_001));
    read("\\".repeat(200_001));
    read(`a TXT x ; ${" line =".repeat(20_000)}`);
    read(`a A 192.0.2.1 ;${";line=".repeat(3)}${" ".repeat(100_000)}x`);
    read("$GENERATE 0-65535 h$ HINFO a b\n");
    assert.ok(performance.now() - start < 15_000);
  }).timeout(30_000);
});

const yaml: readonly (readonly [string, ...string[]])[] = [
  ["- a", 'a.yaml:1:1: a list is no zone; write "records:" and below it a list of records'],
  ["", 'a.yaml:1:1: nothing is no zone; write "records:" and below it a list of records'],
  ["domain: example.com", 'a.yaml:1:1: records is missing; write "records:" and below it a list of records'],
  [
    "domain: example.org\nrecords: []",
    "a.yaml:1:9: the file is for example.org, but the zone is example.com; correct one of them",
  ],
  [
    "domain: [a]\nrecords: []",
    "a.yaml:1:9: a list is no domain; write the zone's name, such as example.com, or leave the field out",
  ],
  ["recrods: []\nrecords: []", 'a.yaml:1:1: unknown field "recrods"; did you mean records?'],
  ["records: 5", "a.yaml:1:10: a number is no list of records; write each record after a dash"],
  [
    "records:\n  - 5",
    'a.yaml:2:5: a number is no record; write { name: "www", type: "A", value: "192.0.2.1" } or a line such as "www A 192.0.2.1"',
  ],
  [
    "records:\n  - { name: www, typ: A, type: A, value: 192.0.2.1 }",
    "a.yaml:2:18: typ: unknown field; did you mean type?",
  ],
  [
    "records:\n  - name: www\n    type: A\n    value: [192.0.2.1, 1.2.3]\n    ttl: 0",
    "a.yaml:5:10: ttl: 0 is no TTL that the service keeps; write seconds from 1, or leave the TTL out",
    'a.yaml:4:24: value: "1.2.3" is no IPv4 address; write one such as "192.0.2.1"',
  ],
  [
    "records:\n  - { name: a, type: TXT, value: 5 }",
    "a.yaml:2:34: value: a number is no value; write the record's data as text",
  ],
  ["records:\n  - { name: a, type: A }", "a.yaml:2:5: value: missing; write the record's data as text"],
  [
    "records:\n  - { name: a, type: A, value: }",
    "a.yaml:2:32: value: null is no value; write the record's data as text",
  ],
  ["records:\n  - www A 1.2.3", 'a.yaml:2:5: "1.2.3" is no IPv4 address; write one such as "192.0.2.1"'],
  [
    "records: |\n  www A 192.0.2.1\n  b A 1.2.3",
    'a.yaml:3:1: "1.2.3" is no IPv4 address; write one such as "192.0.2.1"',
  ],
  [
    "records:\n  - { name: @, type: A, value: 192.0.2.1 }",
    'a.yaml:2:13: this is no YAML: Plain value cannot start with reserved character @; put texts with special characters into quotes, such as "@" for the apex',
  ],
  [
    "records:\n  - name: *.dev\n    type: A\n    value: 192.0.2.1",
    'a.yaml:2:11: *.dev is an alias in YAML; write what it stands for, and a wildcard in quotes: "*.dev"',
  ],
  [
    "records:\n  - { name: *, type: A, value: 192.0.2.1 }",
    'a.yaml:2:13: * is an alias in YAML; write what it stands for, and a wildcard in quotes: "*"',
  ],
  [
    "records:\n  - &a { name: a, type: A, value: 192.0.2.1 }\n  - *a",
    'a.yaml:3:5: *a is an alias in YAML; write what it stands for, and a wildcard in quotes: "*a"',
  ],
  [
    "records:\n  - !run { name: a, type: A, value: 192.0.2.1 }",
    "a.yaml:2:5: !run is a tag in YAML, and tags mean nothing in a zone; take it away",
  ],
  [
    "records:\n  - { name: a, name: b, type: A, value: 192.0.2.1 }",
    'a.yaml:2:16: this is no YAML: Map keys must be unique; put texts with special characters into quotes, such as "@" for the apex',
  ],
  [
    "records: []\n---\nrecords: []",
    "a.yaml:2:1: a second document begins here; a zone is one document, without lines of three dashes",
  ],
  [
    "records:\n  - { name: a, type: A, value: 192.0.2.1 }\n  - a A 192.0.2.1",
    "a.yaml:3:5: a.example.com. A 192.0.2.1 is declared at a.yaml:2:5 already; declare it once",
  ],
];

describe("a problem in a YAML zone", () => {
  for (const [text, ...expected] of yaml)
    it(JSON.stringify(text), () => assert.deepEqual(messages(readYaml(text)), expected));

  it("is no way to exhaust the reader", () => {
    const deep = "lists and maps are nested too deeply; write a plain list of records";
    assert.deepEqual(messages(readYaml(`records: ${"[".repeat(50_000)}`)), [`a.yaml:1:30: ${deep}`]);
    assert.deepEqual(messages(readYaml("- ".repeat(20_000))), [`a.yaml:1:43: ${deep}`]);
    assert.deepEqual(messages(readYaml(`records: {${"a: 1,".repeat(20_000)}}`)), [
      "a.yaml:1:10: a map has more than 100 keys; a record has six",
    ]);
    const bomb = [
      "a: &a [x,x,x,x,x,x,x,x,x]",
      ...[..."bcdefgh"].map(
        (name, index) =>
          `${name}: &${name} [${Array(9)
            .fill(`*${"abcdefg"[index] ?? ""}`)
            .join(",")}]`,
      ),
    ];
    assert.equal(readYaml(`${bomb.join("\n")}\nrecords: *h`).records.length, 0);
  }).timeout(30_000);
});
