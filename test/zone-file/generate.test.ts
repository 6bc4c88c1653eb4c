import assert from "node:assert/strict";
import type { ZoneFileResult } from "../../provider/dns/zone-file";
import { errors, messages, read, shown } from "./support";

const clean = (result: ZoneFileResult): string[] => {
  assert.deepEqual(messages(result), []);
  return shown(result);
};
const warned = (result: ZoneFileResult): string[] => {
  assert.deepEqual(errors(result), []);
  return shown(result);
};

describe("$GENERATE", () => {
  it("counts", () => {
    assert.deepEqual(
      clean(read("$GENERATE 1-5/2 h$ 60 A 192.0.2.${10}\n$GENERATE 9-11 n${-9,3,d} CNAME x${0,2,x}.y")),
      [
        "60 h1.example.com. A 192.0.2.11",
        "60 h3.example.com. A 192.0.2.13",
        "60 h5.example.com. A 192.0.2.15",
        "60 n000.example.com. CNAME x09.y.example.com.",
        "60 n001.example.com. CNAME x0a.y.example.com.",
        "60 n002.example.com. CNAME x0b.y.example.com.",
      ],
    );
  });
  const wrong: readonly (readonly [string, string])[] = [
    ["$GENERATE 5-1 h$ A 192.0.2.$", 'a.zone:1:11: value.unfit "5-1" a range 0-100/2'],
    ["$GENERATE 0-99999 h$ A 192.0.2.1", "a.zone:1:11: file.generated 65536 records"],
    [
      "$GENERATE 1-2 h${x} A 192.0.2.1",
      "a.zone:1:15: value.unfit ${x} a modifier of this number ${0,3,d}, with a result from 0",
    ],
    [
      "$GENERATE 1-2 h${-2} A 192.0.2.1",
      "a.zone:1:15: value.unfit ${-2} a modifier of this number ${0,3,d}, with a result from 0",
    ],
    ["$GENERATE 250-300 h$ A 192.0.2.$", 'a.zone:1:24: address.unfit "192.0.2.256" 4 "192.0.2.1"'],
    ["$GENERATE 1-2", 'a.zone:1:1: value.unfit this a valid $GENERATE "$GENERATE 1-9 host$ A 192.0.2.$"'],
  ];
  for (const [text, message] of wrong)
    it(`reports the problem of ${text}`, () => assert.deepEqual(messages(read(text)), [message]));

  it("has offsets with a sign, alone and with a width and a base", () => {
    const text =
      "$GENERATE 1-2 h${+10} A 192.0.2.${+100,3,d}\n$GENERATE 5-5 x${-1,4} AAAA 2001:db8::${+5,+3,X}\n$GENERATE 9-9 o${+1,3,o} A 192.0.2.1";
    assert.deepEqual(clean(read(text)), [
      "default h11.example.com. A 192.0.2.101",
      "default h12.example.com. A 192.0.2.102",
      "default x0004.example.com. AAAA 2001:db8::a",
      "default o012.example.com. A 192.0.2.1",
    ]);
  });

  it("names no owner for the lines that follow: that is still the name before, as in BIND", () => {
    assert.deepEqual(clean(read("www A 192.0.2.1\n$GENERATE 1-2 h$ A 192.0.2.$\n A 192.0.2.9")), [
      "default www.example.com. A 192.0.2.1",
      "default h1.example.com. A 192.0.2.1",
      "default h2.example.com. A 192.0.2.2",
      "default www.example.com. A 192.0.2.9",
    ]);
    assert.deepEqual(messages(read("$GENERATE 1-2 h$ A 192.0.2.$\n A 192.0.2.9")), [
      "a.zone:2:2: line.indented",
    ]);
  });

  it("takes the quotes off data that is one quoted word, as BIND does", () => {
    assert.deepEqual(
      clean(
        read(
          '$GENERATE 1-1 h$ 60 IN MX "10 mail$"\n$GENERATE 2-2 s SRV "1 2 $ t"\n$GENERATE 3-3 c CAA "0 issue \\"ca$.example\\""',
        ),
      ),
      [
        "60 h1.example.com. MX 10 mail1.example.com.",
        "60 s.example.com. SRV 1 2 2 t.example.com.",
        '60 c.example.com. CAA 0 issue "ca3.example"',
      ],
    );
    assert.deepEqual(warned(read('$GENERATE 1-1 h$ HINFO "\\"a b\\" c$"')), [
      'default h1.example.com. HINFO "\\"a b\\" c1"',
    ]);
    assert.deepEqual(messages(read('$GENERATE 1-2 h$ MX "10 ( mail$"')), ["a.zone:1:21: parenthesis.alone"]);
  });

  it("reads a TXT in quotes as one text, and in quotes within quotes as the text that BIND reads", () => {
    assert.deepEqual(clean(read('$GENERATE 1-1 t 60 TXT "\\$ $$ $"')), ['60 t.example.com. TXT "$ $ 1"']);
    assert.deepEqual(clean(read('$GENERATE 1-1 t TXT "\\"a b $\\""\n$GENERATE 1-1 u TXT "a$"')), [
      'default t.example.com. TXT "a b 1"',
      'default u.example.com. TXT "a1"',
    ]);
  });

  it("makes at most 65,536 records in a zone, with all lines and included files together", () => {
    const lines =
      "$GENERATE 1-30000 a$ A 192.0.2.1\n$GENERATE 1-30000 b$ A 192.0.2.1\n$GENERATE 1-5537 c$ A 192.0.2.1\n$GENERATE 1-5536 d$ A 192.0.2.1";
    assert.deepEqual(messages(read(lines)), ["a.zone:3:11: file.generated 65536 records"]);
    const included = read("$INCLUDE b\n$INCLUDE b", {
      include: () => ({ file: "b.zone", text: "$GENERATE 1-40000 @ TXT $" }),
    });
    assert.equal(messages(included)[0], "b.zone:1:11: file.generated 65536 records");
  }).timeout(60_000);

  it("makes at most 32 Mi characters", () => {
    const long = "x".repeat(200_000);
    assert.deepEqual(messages(read(`$GENERATE 1-200 t$ TXT ${long}`)), [
      "a.zone:1:11: file.generated 33554432 characters",
    ]);
    assert.deepEqual(messages(read(`$GENERATE 1-2 t TXT ${"${0,999}".repeat(50_000)}`)), [
      "a.zone:1:21: file.generated 33554432 characters",
    ]);
  });

  it("reports an open brace", () => {
    assert.deepEqual(messages(read("$GENERATE 1-2 h${1 A 192.0.2.1")), [
      "a.zone:1:15: value.unfit ${1 a modifier of this number ${0,3,d}, with a result from 0",
    ]);
  });
});
