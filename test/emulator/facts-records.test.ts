import { deepEqual, equal, match } from "node:assert/strict";
import {
  a,
  code,
  example,
  facts,
  get,
  ids,
  list,
  noSuchDomain,
  owner,
  pick,
  refusals,
  service_ns,
  type Lab,
  type Params,
  answers,
} from "./lab";

const listing = (lab: Lab, params: Params = {}) => lab.call("Record.List", params);
const shown = (answer: unknown) =>
  list(answer, "records").map((record) => pick(record, "name", "type", "value").join(" "));
const find = (answer: unknown, id: string) =>
  list(answer, "records").find((record) => get(record, "id") === id);
const info = (lab: Lab, params: Params) => lab.call("Record.Info", params);

const hosts = Array.from({ length: 3500 }, (_, n) => ({ name: `h${n}`, type: "A", value: "192.0.2.1" }));
const many = { domains: [{ name: "example.com", records: hosts }] };

const first = {
  id: "501",
  value: "192.0.2.1",
  weight: null,
  mx: "0",
  ttl: "600",
  enabled: "1",
  monitor_status: "",
  remark: "",
};

function hasFields(record: unknown, own: object) {
  const { updated_on, ...rest } = record as Params;
  match(String(updated_on), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  deepEqual(rest, { ...first, ...own });
}

facts("Record.List", [
  [
    "domain holds id, name, punycode, grade, owner, ext_status, ttl and service_ns, and the notes' extra keys",
    answers(
      "Record.List",
      {},
      {
        domain: {
          id: example,
          name: "example.com",
          punycode: "example.com",
          owner,
          grade: "DP_Plus",
          ext_status: "",
          ttl: "600",
          min_ttl: 60,
          status: "enable",
          can_handle_at_ns: false,
          service_ns,
        },
      },
    ),
  ],
  [
    "Notes: domain.id is a number when domain_id was sent, a string when domain was",
    async (lab) => {
      equal(get(await listing(lab, { domain_id: example }), "domain.id"), ids.example);
      equal(get(await listing(lab), "domain.id"), example);
    },
  ],
  [
    "info holds sub_domains (all), record_total (matching) and records_num (returned)",
    async (lab) => {
      const counts = async (params?: Params) =>
        pick(get(await listing(lab, params), "info"), "sub_domains", "record_total", "records_num");
      deepEqual(await counts(), ["9", "9", "9"]);
      deepEqual(await counts({ record_type: "A", length: "1" }), ["9", 4, "1"]);
    },
  ],
  [
    "a record's fields: texts, weight null or a number, mx 0 for other types than MX, no monitor or security center",
    async (lab) => {
      const answer = await listing(lab);
      const own = { name: "@", line: "默认", line_id: "0", type: "A", status: "enabled", use_aqb: "no" };
      hasFields(find(answer, "501"), own);
      for (const [id, field, value] of [
        ["506", "line_id", "10=0"],
        ["502", "value", "example.com."],
        ["503", "value", "mx1.example.com."],
        ["507", "value", "v=spf1 -all"],
        ["506", "weight", 3],
        ["503", "mx", "5"],
        ["504", "enabled", "0"],
        ["504", "status", "disabled"],
        ["502", "remark", "front desk"],
      ] as const)
        equal(get(find(answer, id), field), value, `${id} ${field}`);
    },
  ],
  [
    "the list contains the system's default NS records: at the apex, hold, TTL 86400",
    async (lab) => {
      const held = list(await listing(lab), "records").filter((record) => get(record, "hold") === "hold");
      deepEqual(
        held.map((record) => pick(record, "name", "type", "ttl", "value").join(" ")),
        ["@ NS 86400 ns1.dns-host.example.", "@ NS 86400 ns2.dns-host.example."],
      );
    },
  ],
  [
    "filters by sub_domain, record_type and line add up; record_line_id wins; keyword excludes the others",
    async (lab) => {
      const nonsense = { sub_domain: "www", record_type: "A", record_line: "?", record_line_id: "9=9" };
      for (const [params, record] of [
        [{ sub_domain: "www" }, "www CNAME example.com."],
        [{ record_type: "MX" }, "@ MX mx1.example.com."],
        [{ record_line: "电信" }, "geo A 192.0.2.21"],
        [{ record_line_id: "10=0" }, "geo A 192.0.2.21"],
        [{ record_line: "默认", record_line_id: "10=0" }, "geo A 192.0.2.21"],
        [{ sub_domain: "geo", record_line: "默认" }, "geo A 192.0.2.20"],
        [{ keyword: "spf1" }, "txt TXT v=spf1 -all"],
        [{ keyword: "spf1", ...nonsense }, "txt TXT v=spf1 -all"],
      ] as const)
        deepEqual(shown(await listing(lab, params)), [record], JSON.stringify(params));
    },
  ],
  [
    "rule 1: with more than 100 records only the first 100 are returned without length",
    answers(
      "Record.List",
      {},
      {
        "records.length": 100,
        info: { sub_domains: "3502", record_total: "3502", records_num: "100" },
      },
    ),
    many,
  ],
  [
    "offset takes effect only when length is sent",
    async (lab) => {
      deepEqual(shown(await listing(lab, { offset: "50" })), shown(await listing(lab)));
      deepEqual(shown(await listing(lab, { offset: "2", length: "2" })), [
        "h0 A 192.0.2.1",
        "h1 A 192.0.2.1",
      ]);
    },
    many,
  ],
  [
    "the first record is 0, and pages by offset and length cover everything once",
    async (lab) => {
      const all: string[] = [];
      for (let offset = 0; offset < 3502; offset += 700)
        all.push(...shown(await listing(lab, { offset: String(offset), length: "700" })));
      deepEqual([all.length, new Set(all).size], [3502, 3502]);
    },
    many,
  ],
  [
    "length is at most 3000",
    async (lab) => {
      for (const [params, length] of [
        [{ length: "3000" }, 3000],
        [{ length: "9999" }, 3000],
        [{ length: "3000", offset: "3000" }, 502],
      ] as const)
        equal(get(await listing(lab, params), "records.length"), length);
    },
    many,
  ],
  [
    "rule 2: a newly added record appears after the indexing delay; Record.Info shows it at once",
    async (lab) => {
      const created = await lab.create([a("fresh")]);
      lab.tick(1_000);
      const record_id = String(get(await lab.detail(created), "detail.0.records.0.record_id"));
      equal(code(await info(lab, { record_id })), "1");
      lab.tick(28_000);
      equal(code(await listing(lab, { sub_domain: "fresh" })), "10");
      lab.tick(1_500);
      deepEqual(shown(await listing(lab, { sub_domain: "fresh" })), ["fresh A 192.0.2.50"]);
    },
  ],
  [
    "Notes: an empty list is code 10 with no domain, info or records keys",
    refusals("Record.List", [
      ["10", { domain: "empty.example" }],
      ["10", { sub_domain: "nothing-here" }],
    ]),
  ],
  [
    "Notes: error_on_empty=no makes an empty list a success",
    answers(
      "Record.List",
      { domain: "empty.example", error_on_empty: "no" },
      { "status.code": "1", records: [] },
    ),
  ],
  [
    "6 domain ID wrong, 7 offset invalid or not the owner, 8 number invalid or domain invalid, 13 domain wrong, 27 line invalid",
    refusals("Record.List", [
      ...noSuchDomain,
      ["6", { domain_id: "1.5" }],
      ["7", { offset: "-1", length: "10" }],
      ["7", { domain: "foreign.example" }],
      ["8", { length: "0" }],
      ["27", { record_line: "nonsense" }],
      ["27", { record_line_id: "99=9" }],
    ]),
  ],
  [
    "Notes: on an account with English names the default line is Default",
    answers("Record.List", {}, { "records.0.line": "Default" }),
    { domains: ["example.com"], settings: { answers: "english" } },
  ],
]);

facts("Record.Info", [
  [
    "a record's fields: texts, weight null, mx 0 for other types than MX",
    async (lab) => {
      const record = async (id: string) => get(await info(lab, { record_id: id }), "record");
      const own = { sub_domain: "@", record_type: "A", record_line: "默认", record_line_id: "0" };
      hasFields(await record("501"), { ...own, domain_id: example });
      for (const [id, field, value] of [
        ["506", "record_line_id", "10=0"],
        ["503", "mx", "5"],
        ["504", "enabled", "0"],
        ["502", "remark", "front desk"],
      ] as const)
        equal(get(await record(id), field), value, `${id} ${field}`);
    },
  ],
  [
    "domain holds id, domain, domain_grade and service_ns; its id a number where domain_id was sent",
    answers(
      "Record.Info",
      { domain_id: example, record_id: "501" },
      {
        domain: { id: ids.example, domain: "example.com", domain_grade: "DP_Plus", service_ns },
        "record.domain_id": example,
      },
    ),
  ],
  [
    "an empty remark removes the domain's remark, and a call without it changes nothing",
    async (lab) => {
      lab.admin.addRecord("other.example", { id: 900, type: "A", value: "192.0.2.1" });
      const remark = async () =>
        get(await lab.call("Domain.Info", { domain: "other.example" }), "domain.remark");
      await info(lab, { domain: "other.example", record_id: "900" });
      equal(await remark(), "second");
      await info(lab, { domain: "other.example", record_id: "900", remark: "" });
      equal(await remark(), false);
    },
  ],
  [
    "6 domain ID wrong, 7 not the owner, 8 domain or record invalid, 13 domain wrong",
    refusals(
      "Record.Info",
      [...noSuchDomain, ["7", { domain: "foreign.example" }], ["8", { record_id: "1" }]],
      { record_id: "501" },
    ),
  ],
]);
