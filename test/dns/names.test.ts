import { deepEqual, equal, match } from "node:assert/strict";
import fc from "fast-check";
import { canonicalDomain, nearest, zoneText } from "../../provider/dns";
import { anyCharacter, forAll } from "./arbitraries";
import { expand } from "./expand";

describe("canonicalDomain", () => {
  const table: [string, string][] = [
    ["Example.COM.", "example.com"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["中文.中国", "xn--fiq228c.xn--fiqs8s"],
    ["中文。中国", "xn--fiq228c.xn--fiqs8s"],
    ["xn--fiq228c.example", "xn--fiq228c.example"],
    ["_a_b.Bücher.example", "_a_b.xn--bcher-kva.example"],
    ["ｅxample.com", "example.com"],
    ["１.com", "1.com"],
    [`${"a".repeat(63)}.com`, `${"a".repeat(63)}.com`],
  ];
  for (const [input, domain] of table)
    it(`reads ${input} as ${domain}`, () => deepEqual(canonicalDomain(input), { domain }));

  const refused = {
    "name.number": ["192.0.2", "example.123.", "example.0x7f"],
    "label.unfit": [
      ...["xn--.example", "a.xn--zzzzzz99999999.example", "XN--A.example", "xn--_foo.example"],
      "-a.example",
    ],
  };
  for (const [code, inputs] of Object.entries(refused))
    for (const input of inputs)
      it(`refuses ${input} with ${code}`, () => {
        const read = canonicalDomain(input);
        equal("problem" in read && read.problem.code, code);
      });

  it("keeps a canonical domain, and never throws", () => {
    forAll(
      100,
      fc.oneof(
        fc.domain(),
        fc.string({ unit: anyCharacter }),
        fc.tuple(fc.string({ unit: "grapheme" }), fc.domain()).map((parts) => parts.join(".")),
      ),
      (input) => {
        const read = canonicalDomain(input);
        if ("problem" in read) return;
        deepEqual(canonicalDomain(read.domain), read);
        match(read.domain, /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/);
      },
    );
  });
});

describe("nearest", () => {
  const names = ["name", "type", "value", "ttl", "priority", "line"];
  const table: [string, string | undefined][] = [
    ["vlaue", "value"],
    ["Values", "value"],
    ["prio", "priority"],
    ["tll", "ttl"],
    ["lines", "line"],
    ["colour", undefined],
    ["tax", undefined],
    ["", undefined],
  ];
  for (const [word, name] of table)
    it(`finds ${name ?? "nothing"} for "${word}"`, () => equal(nearest(word, names), name));
});

describe("zoneText", () => {
  it("sorts the apex first, then by names from the right, types and texts", () => {
    const order = [
      "a.example. 1 A 192.0.2.1",
      'a.example. 1 TXT "x"',
      "*.a.example. 1 A 192.0.2.1",
      "www.a.example. 1 A 192.0.2.1",
      "www.a.example. 1 A 192.0.2.2",
      'www.a.example. 1 TXT "x"',
      "x.www.a.example. 1 A 192.0.2.1",
      "www-2.a.example. 1 A 192.0.2.1",
      "b.example. 1 A 192.0.2.1",
    ];
    const { records } = expand(order.toReversed(), { absolute: true }, ["b.example", "a.example"]);
    deepEqual(zoneText({ records, unknowns: [] }).trimEnd().split("\n"), order);
  });
});
