/** Values that the engine does not know yet. */
import { deepEqual, equal } from "node:assert/strict";
import { expandRecord, recordText, zoneText } from "../../provider/dns";
import { expand, options, problemsOf, unknown } from "./expand";

describe("unknown values", () => {
  const specs = [
    { name: "www", type: "A", value: unknown },
    { name: "www", type: "A", value: [unknown, "192.0.2.1"], line: "电信" },
    { name: "www", type: "A", value: unknown },
    { type: "MX", value: "mx1.example.com", priority: unknown },
    { type: "MX", value: unknown, priority: 10 },
    { name: "b", type: "A", value: "192.0.2.1", ttl: unknown },
  ];
  const pathsOf = (...given: Parameters<typeof expand>) => expand(...given).problems.map(({ path }) => path);

  it("an unknown value is an unknown record in every domain", () => {
    const { unknowns, records, problems } = expand(specs);
    deepEqual(problems, []);
    deepEqual(
      unknowns.map((each) => ("record" in each ? `${recordText(each.record)}; ${each.what}` : "")),
      [
        "www.example.com. A ; value",
        "www.example.com. A  [电信]; value",
        "www.example.com. A ; value",
        "example.com. MX ; priority",
        "example.com. MX ; value",
        "b.example.com. A 192.0.2.1; ttl",
      ],
    );
    deepEqual(records.map(recordText), ["www.example.com. A 192.0.2.1 [电信]"]);
    equal(expand(specs, {}, ["example.com", "example.net"]).unknowns.length, 12);
  });

  it("an unknown name, spec or list is an unknown record", () => {
    const named = [
      { name: unknown, type: "CNAME", value: unknown },
      { name: ["www", unknown], type: "A", value: "192.0.2.1", ttl: 60 },
    ];
    const found = expand(named, {}, ["example.com", "example.net"]);
    deepEqual([found.problems, found.records.length], [[], 2]);
    deepEqual(
      found.unknowns.map((each) => "record" in each && [each.record.domain, each.record.type, each.what]),
      ["CNAME", "A"].flatMap((type) => ["example.com", "example.net"].map((zone) => [zone, type, "name"])),
    );
    const specs = expand([
      "a A 192.0.2.1",
      unknown,
      { name: "b", type: unknown, value: "x" },
      { name: "c", type: "A", value: "192.0.2.1", line: unknown },
    ]);
    deepEqual([specs.problems, specs.records.length], [[], 1]);
    deepEqual(specs.unknowns, Array(3).fill({ what: "spec" }));
    equal(zoneText(expand(unknown)), "; (records known after the update)\n");
    deepEqual(expandRecord({ domain: unknown, name: "www", type: "A", value: "192.0.2.1" }, options), {
      unknown: { what: "spec" },
      problems: [],
    });
  });

  it("an unknown value hides no other problem", () => {
    const specs = [
      { name: unknown, type: "A", value: "x" },
      { name: "-a", type: unknown, value: "x" },
      { name: unknown, typo: 1, type: "A", value: unknown },
      { type: "MX", value: "web", priority: unknown },
      { type: "A", value: "x", ttl: unknown },
    ];
    const wrong = ["records[0].value", "records[1].name", "records[2].typo", "records[3].value"];
    deepEqual(pathsOf(specs), [...wrong, "records[4].value"]);
  });

  it("a computed name may be absolute without the dot, and a written one may not", () => {
    const specs = [
      { name: "_a.example.com", type: "A", value: "192.0.2.1" },
      { name: ["_b.example.com.", "example.com", "c"], type: "A", value: "192.0.2.2" },
      { name: "_d.example.com", type: "A", value: "192.0.2.3" },
    ];
    const computed = new Set([0, 1]);
    deepEqual(
      expand(specs, { computed }).records.map(({ name }) => name),
      ["_a", "_b", "@", "c"],
    );
    deepEqual(pathsOf(specs, { computed }), ["records[2].name"]);
  });

  it("a record with an unknown value takes part in conflicts", () => {
    const cname = { name: "www", type: "CNAME", value: unknown };
    deepEqual(problemsOf([cname, "www A 192.0.2.1", specs[5], "b A 192.0.2.1"]), [
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
});
