import { deepEqual, equal, match } from "node:assert/strict";
import { a, each, get, inLab, list, pick, statuses } from "./lab";

type RuleRow = [says: string, records: object[], expected?: RegExp | undefined, purview?: object];
const of = (record_type: string, value: string, more: object = {}) => a("x", value, { record_type, ...more });
const cname = { record_type: "CNAME" };
const line = { record_line: "电信" };
const both = (record_type: string, value: string) => [a("x,y", value, { record_type })];
const rules: RuleRow[] = [
  ["an address that is none", [a("x", "192.0.2.256")], /not valid for A/],
  ["an A with an IPv6 address", [a("x", "2001:db8::1")], /not valid for A/],
  ["an AAAA", [of("AAAA", "2001:db8::1")]],
  ["a CNAME to an address with a space", [a("x", "a b", cname)], /not valid for CNAME/],
  ["an MX without a priority", [of("MX", "mx.example.com")], /between 1 and 20/],
  ["an MX of priority 21", [of("MX", "mx.example.com", { MX: 21 })], /between 1 and 20/],
  ["an MX of priority 20", [of("MX", "mx.example.com", { MX: 20 })]],
  ["an SRV", [of("SRV", "10 5 5060 sip.example.com")]],
  ["an SRV with three fields", [of("SRV", "10 5 sip.example.com")], /not valid for SRV/],
  ["an SRV of four fields with a priority beside it", [of("SRV", "10 5 5060 sip.example.com", { MX: 10 })]],
  ["an SRV with its priority beside three fields", [of("SRV", "5 5060 sip.example.com", { MX: 10 })]],
  ["an SRV with no priority beside three fields", [of("SRV", "5 5060 sip.example.com")], /not valid for SRV/],
  ["a CAA", [of("CAA", '0 issue "ca.example"')]],
  ["a CAA without a tag", [of("CAA", "0")], /not valid for CAA/],
  ["a URL forward", [of("显性URL", "https://example.org/")]],
  ["a type that is not known", [of("NOPE", "1")], /type NOPE is not known/],
  ["a line that is not known", [a("x", "192.0.2.1", { record_line: "火星" })], /^Record line invalid$/],
  [
    "a line that the plan lacks",
    [a("x"), a("x", "192.0.2.2", { record_line: "广东电信" })],
    /^Record line invalid$/,
  ],
  ["another line with no default-line record first", [a("x", "192.0.2.2", line)], /default line/],
  ["another line after the default line's record", [a("x"), a("x", "192.0.2.2", line)]],
  ["a host label with a bad character", [a("a b")], /Host label/],
  ["a host label that begins with a hyphen", [a("-x")], /Host label/],
  ["a label with an underscore", [a("_dmarc")]],
  ["a TXT as long as a record can be", [of("TXT", "x".repeat(65_279))]],
  ["a TXT of one octet more", [of("TXT", "x".repeat(65_280))], /not valid for TXT/],
  ["a TXT of fewer characters and more octets", [of("TXT", "é".repeat(32_640))], /not valid for TXT/],
  ["a label of 64 characters", [a("x".repeat(64))], /Host label/],
  ["a wildcard", [a("*")]],
  ["a wildcard that is not the first label", [a("x.*")], /Host label/],
  ["a mixed wildcard", [a("x*")], /mixed wildcards/],
  ["a mixed wildcard that the package has", [a("x*")], undefined, { mixedWildcards: true }],
  ["too many subdomain levels", [a("a.b.c")], /Subdomain levels/, { subdomainLevels: 2 }],
  ["too many wildcard levels", [a("*.b.c")], /Wildcard levels/, { wildcardLevels: 2 }],
  ["a TTL below the plan's minimum", [a("x", "192.0.2.1", { ttl: 59 })], /minimum of 60/],
  ["a TTL over a week", [a("x", "192.0.2.1", { ttl: 604801 })], /TTL is not valid/],
  ["a CNAME beside an A", [a("x"), a("x", "example.org", cname)], /CNAME conflicts/],
  ["an A beside a CNAME", [a("x", "example.org", cname), a("x")], /CNAME conflicts/],
  ["a second CNAME", [a("x", "example.org", cname), a("x", "example.net", cname)], /CNAME conflicts/],
  ["a CNAME on another line than the A", [a("x"), a("x", "example.org", { ...cname, ...line })]],
  ["a CNAME beside an MX at the apex", [a("", "example.org", cname)], /CNAME conflicts/],
  ["a record that exists already", [a("x"), a("x")], /^Domain record already exists$/],
  [
    "the same value with another TTL",
    [a("x"), a("x", "192.0.2.50", { ttl: 900 })],
    /^Domain record already exists$/,
  ],
  [
    "an MX of the same host with another priority",
    [of("MX", "m.example.com", { MX: 5 }), of("MX", "m.example.com", { MX: 6 })],
  ],
  ["one AAAA too many", both("AAAA", "2001:db8::1"), /AAAA records exceeds/, { aaaa: 1 }],
  ["one SRV too many", both("SRV", "1 1 1 s.example.com"), /SRV records exceeds/, { srv: 1 }],
  ["one NS too many", both("NS", "ns.example.com"), /NS records exceeds/, { ns: 1 }],
  ["one URL forward too many", both("隐性URL", "http://example.org"), /URL forwards exceeds/, { urls: 1 }],
  ["one address too many at a name", [a("x"), a("x", "192.0.2.51")], /Load balancing/, { loadBalancing: 1 }],
];

describe("emulator rules: a job refuses or accepts", () => {
  for (const [says, records, expected, purview] of rules) {
    it(says, () =>
      inLab({}, async (lab) => {
        if (purview !== undefined) lab.admin.setDomain("example.com", { purview });
        const answer = await lab.batch(records);
        const last = list(answer, "detail.0.records").at(-1);
        if (expected === undefined) deepEqual(pick(last, "status", "err_msg"), ["ok", null]);
        else match(String(get(last, "err_msg")), expected);
      }),
    );
  }

  it("an identical record, as the setting `identical` decides", () =>
    inLab({ settings: { identical: "accept" } }, async (lab) => {
      equal(statuses(await lab.batch([a("x"), a("x")])), "ok: ok ok");
      deepEqual(lab.live("x"), Array(2).fill("x 600 A 192.0.2.50"));
    }));

  for (const [form, value, stored] of [
    ["lower", "http://Www.Example.org/A", "http://www.example.org/a"],
    ["escaped", "http://example.org/Ä", "http://example.org/%C3%84"],
  ] as const)
    it(`a value in the form \`${form}\` of the setting \`ownForms\`, which all answers show`, () =>
      inLab({ settings: { indexDelay: 0, ownForms: [{ type: "显性URL", form }] } }, async (lab) => {
        const answer = await lab.batch([of("显性URL", value), of("TXT", value)]);
        deepEqual(each(answer, "detail.0.records", "value"), [stored, value]);
        const listed = await lab.call("Record.List", { sub_domain: "x", record_type: "显性URL" });
        const record_id = String(get(answer, "detail.0.records.0.record_id"));
        const info = await lab.call("Record.Info", { record_id });
        deepEqual([get(listed, "records.0.value"), get(info, "record.value")], [stored, stored]);
      }));

  it("a CNAME at the apex beside the service's own NS records", () =>
    inLab({ domains: [{ name: "bare.example", id: 9 }] }, async (lab) =>
      equal(statuses(await lab.batch([a("", "example.org", cname)], "9")), "ok: ok"),
    ));
});
