import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { limitLabels, recordText } from "../../provider/dns";
import { codesOf, commonChecks } from "../../provider/dns/checks";
import { knownTypes, recordTypes, registeredTypes } from "../../provider/dns/types";
import { checkCodes } from "../../provider/problems";
import type { KnownType } from "../../provider";
import { recordIn } from "./arbitraries";
import { readAsFile } from "./state-text";

/** Type → data as people write it, and its canonical form. The compiler requires every type. */
const data: Record<KnownType, [written: string, canonical: string]> = {
  A: ["192.0.2.1", "192.0.2.1"],
  AAAA: ["2001:DB8::0:1", "2001:db8::1"],
  CNAME: ["WWW.Example.Net.", "www.example.net."],
  MX: ["10 MX1.example.net.", "10 mx1.example.net."],
  NS: ["ns1.Example.net.", "ns1.example.net."],
  TXT: ['"v=spf1 " "-all"', '"v=spf1 -all"'],
  SRV: ["010 5 5060 sip.example.net.", "10 5 5060 sip.example.net."],
  CAA: ["0 ISSUE ca.example", '0 issue "ca.example"'],
};

describe("a record type's object", () => {
  it("a type's object has a codec, fields with a form, and checks that exist", () => {
    deepEqual([...knownTypes].sort(), Object.keys(data).sort());
    for (const { name, fields, form, checks, ...type } of recordTypes) {
      ok(fields.length > 0 && form !== "" && checks.every((code) => checkCodes.includes(code)), name);
      const { limit } = type;
      ok(limit === undefined || limitLabels.some(([, key]) => key === limit), name);
      if (type.priority !== undefined) equal(fields[0], "number");
      ok(!registeredTypes.has(name), `${name} is known and passes unchanged`);
    }
  });

  for (const { name, fields } of recordTypes)
    it(`the codec of ${name} makes data canonical, and its fields are the words of the data`, () => {
      const [written, canonical] = data[name];
      for (const text of [written, canonical]) {
        const { records } = readAsFile(`www ${name} ${text}\n`);
        deepEqual(records.map(recordText), [`www.example.com. ${name} ${canonical}`]);
      }
      if (fields !== "strings") equal(written.split(" ").length, fields.length);
    });

  it("a type's checks are its own or those of all types", () => {
    const own = new Set(knownTypes.flatMap(codesOf));
    deepEqual([...own].sort(), [...checkCodes].sort());
    deepEqual(codesOf("HINFO"), commonChecks);
    deepEqual(commonChecks, [
      "name-unusual",
      "name-occluded",
      "wildcard-idle",
      "wildcard-hidden",
      "ttl-long",
      "ttl-differs",
      "spf-type",
    ]);
  });

  it("the generators of the property tests make records of every type", () => {
    const made = fc.sample(recordIn("example.com"), { numRuns: 2000, seed: 1 }).map(({ type }) => type);
    for (const type of knownTypes) ok(made.includes(type), type);
  });
});
