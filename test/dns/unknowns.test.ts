/** Which live records what a preview does not know yet may be. */
import assert from "node:assert/strict";
import { unknownsLiveAs, type DnsRecord, type UnknownRecord } from "../../provider/dns";

const of = (text: string): DnsRecord => {
  const [name = "", type = "", value = "", priority] = text.split(" ");
  return {
    domain: "example.com",
    name: name === "?" ? "" : name,
    type,
    value: value === "?" ? "" : value,
    ...(priority === undefined ? {} : { priority: Number(priority) }),
  };
};
const unknown = (text: string): UnknownRecord => ({
  record: of(text),
  ttl: 600,
  what: text.startsWith("?") ? "name" : text.includes("?") ? "value" : "ttl",
});

/** What may be which, as `www A 192.0.2.1: 0`. */
function found(unknowns: readonly (string | "spec" | "specs")[], live: readonly string[]): string[] {
  const entries = live.map((text) => ({ text, record: of(text) }));
  const list = unknowns.map((text): UnknownRecord =>
    text === "spec" || text === "specs" ? { what: text } : unknown(text),
  );
  return [...unknownsLiveAs(list, entries)].map(([{ text }, i]) => `${text}: ${i}`).sort();
}

describe("a live record may be one that is not known yet", () => {
  const rows: readonly (readonly [
    says: string,
    unknowns: readonly string[],
    live: readonly string[],
    expected: readonly string[],
  ])[] = [
    ["with its name and type", ["www A ?"], ["www A 192.0.2.1"], ["www A 192.0.2.1: 0"]],
    ["not with another name", ["www A ?"], ["api A 192.0.2.1"], []],
    ["not with another type", ["www A ?"], ["www TXT one"], []],
    [
      "one for each",
      ["www A ?", "www A ?"],
      ["www A 192.0.2.1", "www A 192.0.2.2", "www A 192.0.2.3"],
      ["www A 192.0.2.1: 0", "www A 192.0.2.2: 1"],
    ],
    [
      "the same first, where the TTL alone is not known",
      ["www A ?", "www A 192.0.2.2"],
      ["www A 192.0.2.2", "www A 192.0.2.1"],
      ["www A 192.0.2.1: 0", "www A 192.0.2.2: 1"],
    ],
    ["with another priority no more", ["@ MX mx.example.com. 5"], ["@ MX mx.example.com. 10"], []],
    [
      "with any name, where that is not known",
      ["? CNAME ?"],
      ["_a CNAME x.example.net.", "www A 192.0.2.1"],
      ["_a CNAME x.example.net.: 0"],
    ],
    [
      "by its data, where the name alone is not known",
      ["? CNAME ?", "? CNAME y.example.net."],
      ["_a CNAME y.example.net.", "_b CNAME x.example.net."],
      ["_a CNAME y.example.net.: 1", "_b CNAME x.example.net.: 0"],
    ],
    [
      "whatever it is, where a spec is not known",
      ["www A ?", "spec"],
      ["api TXT one", "www A 192.0.2.1", "x A 192.0.2.2"],
      ["api TXT one: 1", "www A 192.0.2.1: 0", "x A 192.0.2.2: 1"],
    ],
    ["not at all, where all is known", [], ["www A 192.0.2.1"], []],
  ];
  for (const [says, unknowns, live, expected] of rows)
    it(says, () => assert.deepEqual(found(unknowns, live), expected));
});
