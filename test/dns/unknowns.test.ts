import { deepEqual } from "node:assert/strict";
import { unknownsLiveAs, type DnsRecord, type UnknownRecord } from "../../provider/dns";

const of = (text: string): DnsRecord => {
  const [name = "", type = "", value = "", priority] = text.replaceAll("?", "").split(" ");
  return {
    domain: "example.com",
    name,
    type,
    value,
    ...(priority === undefined ? {} : { priority: Number(priority) }),
  };
};
const unknown = (text: string): UnknownRecord => {
  if (text === "spec") return { what: text };
  const what = text.startsWith("?") ? "name" : text.includes("?") ? "value" : "ttl";
  return { record: of(text), ttl: 600, what };
};

function found(unknowns: readonly string[], live: readonly string[]) {
  const entries = live.map((text) => ({ text, record: of(text) }));
  return [...unknownsLiveAs(unknowns.map(unknown), entries)].map(([{ text }, i]) => `${text}: ${i}`).sort();
}

describe("unknownsLiveAs", () => {
  const rows: [says: string, unknowns: string[], live: string[], expected: string[]][] = [
    ["with its name and type", ["www A ?"], ["www A 192.0.2.1"], ["www A 192.0.2.1: 0"]],
    ["if it has the same name", ["www A ?"], ["api A 192.0.2.1"], []],
    ["if it has the same type", ["www A ?"], ["www TXT one"], []],
    [
      "once each",
      ["www A ?", "www A ?"],
      ["www A 192.0.2.1", "www A 192.0.2.2", "www A 192.0.2.3"],
      ["www A 192.0.2.1: 0", "www A 192.0.2.2: 1"],
    ],
    [
      "with equal data first, if only the TTL is unknown",
      ["www A ?", "www A 192.0.2.2"],
      ["www A 192.0.2.2", "www A 192.0.2.1"],
      ["www A 192.0.2.1: 0", "www A 192.0.2.2: 1"],
    ],
    ["if it has the same priority", ["@ MX mx.example.com. 5"], ["@ MX mx.example.com. 10"], []],
    [
      "with any name, if the name is unknown",
      ["? CNAME ?"],
      ["_a CNAME x.example.net.", "www A 192.0.2.1"],
      ["_a CNAME x.example.net.: 0"],
    ],
    [
      "by its data, if only the name is unknown",
      ["? CNAME ?", "? CNAME y.example.net."],
      ["_a CNAME y.example.net.", "_b CNAME x.example.net."],
      ["_a CNAME y.example.net.: 1", "_b CNAME x.example.net.: 0"],
    ],
    [
      "of an unknown spec, with any data",
      ["www A ?", "spec"],
      ["api TXT one", "www A 192.0.2.1", "x A 192.0.2.2"],
      ["api TXT one: 1", "www A 192.0.2.1: 0", "x A 192.0.2.2: 1"],
    ],
    ["only if some are unknown", [], ["www A 192.0.2.1"], []],
  ];
  for (const [says, unknowns, live, expected] of rows)
    it(`a live record may be an unknown one ${says}`, () => deepEqual(found(unknowns, live), expected));
});
