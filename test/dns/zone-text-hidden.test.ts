/** Unknown and secret records in the text of the state: comments in their place. */
import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { readZoneText, recordText, secretMarks, zoneText } from "../../provider/dns";
import { expand, unknown } from "./expand";
import { readAsFile, readBack, sorted, text } from "./state-text";

describe("unknown records in the text of the state", () => {
  const specs = [
    { name: "www", type: "A", value: [unknown, "192.0.2.1"], ttl: 600, line: "电信" },
    { name: "www", type: "A", value: unknown },
    { type: "MX", value: "mx1.example.com", priority: unknown },
    { name: "b", type: "A", value: "192.0.2.1", ttl: unknown },
    { name: unknown, type: "TXT", value: 'a (known after the update) "b"', ttl: 60 },
    { name: unknown, type: "MX", value: "mx1.example.com", priority: 5, line: "电信" },
    { name: unknown, type: "CNAME", value: unknown },
    unknown,
  ];
  const expected = [
    "; ttl=default",
    "; example.com. MX (known after the update)",
    "; b.example.com. (TTL known after the update) A 192.0.2.1",
    "www.example.com. 600 A 192.0.2.1 ; line=电信",
    "; www.example.com. A (known after the update)",
    "; www.example.com. 600 A (known after the update) ; line=电信",
    "; (known after the update).example.com. CNAME (known after the update)",
    "; (known after the update).example.com. MX 5 mx1.example.com. ; line=电信",
    '; (known after the update).example.com. 60 TXT "a (known after the update) \\"b\\""',
    "; (a record known after the update)",
    "",
  ].join("\n");

  it("an unknown record is a comment in its place", () => equal(text(specs), expected));

  it("a text with unknown records reads back", () => equal(zoneText(readBack(expected)), expected));

  it("an unknown record declares nothing in a zone file", () => {
    const { records, problems } = readAsFile(expected);
    deepEqual(problems, []);
    deepEqual(records.map(recordText), ["www.example.com. A 192.0.2.1 [电信]"]);
  });
});

describe("secret records in the text of the state", () => {
  const specs = ["a 600 A 192.0.2.1", "a 60 TXT hush", "a MX 7 mx.example.org [电信]", "a 600 A 192.0.2.0"];
  const expansion = expand(specs, { secrets: new Set([1, 2, 3]) });
  const marked = zoneText(expansion, (_record, index) => `m${index}`);

  it("a secret record is a comment with a mark, and other lines stay", () => {
    deepEqual(marked.split("\n"), [
      "; ttl=default",
      "a.example.com. 600 A 192.0.2.1",
      "; a.example.com. 600 A (secret m0)",
      "; a.example.com. MX (secret m1) ; line=电信",
      "; a.example.com. 60 TXT (secret m2)",
      "",
    ]);
    for (const value of ["hush", "192.0.2.0", "mx.example.org"]) ok(!marked.includes(value));
  });

  it("secretMarks changes marks only, and a secret record reads back", () => {
    const values = new Map([
      ["m0", "192.0.2.0"],
      ["m1", "7 mx.example.org."],
      ["m2", '"hush"'],
    ]);
    const again = secretMarks(
      marked,
      ["example.com"],
      (mark) => values.get(mark),
      (record) => `${record.type.toLowerCase()}!`,
    );
    equal(again, marked.replace("m0", "a!").replace("m1", "mx!").replace("m2", "txt!"));
    const read = readZoneText(marked, { domains: ["example.com"], secret: (mark) => values.get(mark) });
    deepEqual(sorted(read.records), sorted(expansion.records));
    deepEqual(readBack(marked).records.map(recordText), ["a.example.com. A 192.0.2.1"]);
    const unread = () => undefined;
    throws(() => secretMarks(marked, ["example.com"], unread, () => "x"), /line 1/);
  });
});
