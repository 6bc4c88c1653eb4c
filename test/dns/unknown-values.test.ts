/** Values that the engine does not know yet. */
import { deepEqual, equal } from "node:assert/strict";
import { expandRecord, expandSpecs, recordText, zoneText, type ExpandOptions } from "../../provider/dns";
import { problemLine } from "../support/problems";
import { defaultLine } from "./arbitraries";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const options: ExpandOptions = { defaultLine, unknown };

const expand = (records: unknown, more: Partial<ExpandOptions> = {}) =>
  expandSpecs("example.com", records, { ...options, ...more });

describe("unknown values", () => {
  const specs = [
    { name: "www", type: "A", value: unknown },
    { name: "www", type: "A", value: [unknown, "192.0.2.1"], line: "电信" },
    { name: "www", type: "A", value: unknown },
    { type: "MX", value: "mx1.example.com", priority: unknown },
    { type: "MX", value: unknown, priority: 10 },
    { name: "b", type: "A", value: "192.0.2.1", ttl: unknown },
  ];
  const expected = [
    ["www.example.com. A", undefined, "value"],
    ["www.example.com. A", "电信", "value"],
    ["www.example.com. A", undefined, "value"],
    ["example.com. MX", undefined, "priority"],
    ["example.com. MX", undefined, "value"],
    ["b.example.com. A 192.0.2.1", undefined, "ttl"],
  ];

  it("an unknown value is an unknown record in every domain", () => {
    const { unknowns, records, problems } = expand(specs);
    deepEqual(problems, []);
    deepEqual(
      unknowns.map((each) =>
        "record" in each
          ? [
              recordText(each.record)
                .replace(/ \[.*\]$/, "")
                .trim(),
              each.record.line,
              each.what,
            ]
          : [],
      ),
      expected,
    );
    deepEqual(records.map(recordText), ["www.example.com. A 192.0.2.1 [电信]"]);
    equal(expandSpecs(["example.com", "example.net"], specs, options).unknowns.length, 12);
  });

  it("an unknown name, spec or list is an unknown record", () => {
    const named = [
      { name: unknown, type: "CNAME", value: unknown },
      { name: ["www", unknown], type: "A", value: "192.0.2.1", ttl: 60 },
    ];
    const found = expandSpecs(["example.com", "example.net"], named, options);
    deepEqual(found.problems, []);
    deepEqual(zoneText({ records: found.records, unknowns: found.unknowns }).split("\n"), [
      "; ttl=default",
      "www.example.com. 60 A 192.0.2.1",
      "; (known after the update).example.com. 60 A 192.0.2.1",
      "; (known after the update).example.com. CNAME (known after the update)",
      "www.example.net. 60 A 192.0.2.1",
      "; (known after the update).example.net. 60 A 192.0.2.1",
      "; (known after the update).example.net. CNAME (known after the update)",
      "",
    ]);
    const specs = expand([
      "a A 192.0.2.1",
      unknown,
      { name: "b", type: unknown, value: "x" },
      { name: "c", type: "A", value: "192.0.2.1", line: unknown },
    ]);
    deepEqual(specs.problems, []);
    equal(
      zoneText(specs),
      "; ttl=default\na.example.com. A 192.0.2.1\n" + "; (a record known after the update)\n".repeat(3),
    );
    equal(zoneText(expand(unknown)), "; (records known after the update)\n");
    deepEqual(expandRecord({ domain: unknown, name: "www", type: "A", value: "192.0.2.1" }, options), {
      unknown: { what: "spec" },
      problems: [],
    });
  });

  it("an unknown value hides no other problem, and a batch's domains must be known", () => {
    const { problems } = expand([
      { name: unknown, type: "A", value: "x" },
      { name: "-a", type: unknown, value: "x" },
      { name: unknown, typo: 1, type: "A", value: unknown },
    ]);
    deepEqual(
      problems.map(({ path }) => path),
      ["records[0].value", "records[1].name", "records[2].typo"],
    );
    equal(expandSpecs(["example.com", unknown], [], options).problems[0]?.code, "domain.unknown");
  });

  it("a computed name may be absolute without the dot, and a written one may not", () => {
    const specs = [
      { name: "_a.example.com", type: "A", value: "192.0.2.1" },
      { name: ["_b.example.com.", "example.com", "c"], type: "A", value: "192.0.2.2" },
      { name: "_d.example.com", type: "A", value: "192.0.2.3" },
    ];
    const { records, problems } = expand(specs, { computed: new Set([0, 1]) });
    deepEqual(
      records.map(({ name }) => name),
      ["_a", "_b", "@", "c"],
    );
    deepEqual(
      problems.map(({ path }) => path),
      ["records[2].name"],
    );
  });

  it("a record with an unknown value takes part in conflicts", () => {
    const { problems } = expand([
      { name: "www", type: "CNAME", value: unknown },
      "www A 192.0.2.1",
      specs[5],
      "b A 192.0.2.1",
    ]);
    deepEqual(problems.map(problemLine), [
      "records[3]: record.twice b.example.com. A 192.0.2.1 at records[2]",
      "records[0]: cname.beside www.example.com. www.example.com. A 192.0.2.1",
    ]);
  });

  it("a single record with an unknown value is an unknown record", () => {
    deepEqual(expandRecord({ domain: "example.com", name: "www", type: "A", value: unknown }, options), {
      unknown: {
        record: { domain: "example.com", name: "www", type: "A", value: "" },
        ttl: "default",
        what: "value",
      },
      problems: [],
    });
  });

  it("an unknown priority hides no wrong value", () => {
    const { problems } = expand([
      { type: "MX", value: "web", priority: unknown },
      { type: "A", value: "x", ttl: unknown },
    ]);
    deepEqual(
      problems.map(({ path }) => path),
      ["records[0].value", "records[1].value"],
    );
  });
});
