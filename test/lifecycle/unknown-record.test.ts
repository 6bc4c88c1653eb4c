import { unknownValue } from "../../provider/lifecycle/lifecycle";
import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import { recordForm } from "../../provider/lifecycle/record";
import { isError } from "../../provider/problems";
import type { Observed } from "../../provider/reconcile/reconciler";
import { parseSettings } from "../../provider/settings";

const settings = parseSettings({
  config: { "legacydns:baseUrl": "http://127.0.0.1:1", "legacydns:loginToken": "1,a" },
  env: {},
  explicit: true,
});
type Props = Record<string, unknown>;
const checked = (news: Props) => {
  const [given, olds] = [recordForm.inputs(news), recordForm.inputs({})];
  const { inputs, problems } = recordForm.check(given, { settings, olds });
  deepEqual(problems.filter(isError), []);
  return inputs.props;
};

const data = fc.constantFrom<Props>(
  { type: "a", value: "192.0.2.1" },
  { type: "AAAA", value: "2001:DB8:0::1" },
  { type: "cname", value: "WWW.example.net" },
  { type: "mx", value: "10 MX1.example.net" },
  { type: "MX", value: "MX1.example.net", priority: 10 },
  { type: "TXT", value: '"a" "b"' },
);
const record = fc
  .record({
    domain: fc.constantFrom("example.com", "Example.COM."),
    name: fc.constantFrom(undefined, "@", "WWW", "bücher", "a.example.com."),
    ttl: fc.constantFrom(undefined, "default", 600, "1h", "1D12h"),
    line: fc.constantFrom(undefined, "默认", "电信"),
    removal: fc.constantFrom(undefined, "retain"),
  })
  .chain((rest) => data.map((of) => ({ ...rest, ...of })));
const fields = ["domain", "name", "type", "value", "ttl", "line"];

it("a record with an unknown value has everything else in canonical form", () => {
  fc.assert(
    fc.property(record, fc.subarray(fields, { minLength: 1 }), (news, later) => {
      const unknown = Object.fromEntries(later.map((field) => [field, unknownValue]));
      const [whole, partly] = [checked(news), checked({ ...news, ...unknown })];
      // An absolute name depends on the domain, a value on the type. An MX record's priority is in either.
      const hanging = new Set([
        ...(later.includes("domain") && news["name"] === "a.example.com." ? ["name"] : []),
        ...(later.includes("type") ? ["value"] : []),
        ...(later.includes("type") || later.includes("value") ? ["priority"] : []),
      ]);
      for (const field of later) equal(partly[field], unknownValue, field);
      for (const field of [...fields, "priority", "removal"])
        if (!later.includes(field) && !hanging.has(field)) deepEqual(partly[field], whole[field], field);
    }),
    { numRuns: 300 },
  );
});

it("a record that was changed in the console shows the live TTL only if it declares one", () => {
  const [record, live] = ["192.0.2.1", "203.0.113.9"].map((value) => ({
    domain: "example.com",
    name: "www",
    type: "A",
    value,
  }));
  const ttlOf = (ttl: unknown, enabled = true) => {
    const observed = {
      findings: [{ state: "missing", record }],
      strays: [{ record: live, ttl: 1200, enabled }],
    } as unknown as Observed;
    return recordForm.live(recordForm.inputs({ ...record, ttl }), observed)?.fields.ttl;
  };
  deepEqual([ttlOf(600), ttlOf("default")], ["1200 (drifted)", "default"]);
  deepEqual([ttlOf(600, false), ttlOf("default", false)], ["1200 (disabled)", "default (disabled)"]);
});
