import { deepEqual, equal, match, notEqual } from "node:assert/strict";
import {
  a,
  code,
  each,
  example,
  facts,
  friend,
  friendToken,
  get,
  ids,
  list,
  owner,
  pick,
  refusals,
  service_ns,
  token,
  type Lab,
  type Params,
  answers,
} from "./lab";

const info = (lab: Lab, params: Params = {}) => lab.call("Domain.Info", params);
const listing = (lab: Lab, params: Params = {}) => lab.call("Domain.List", params);
const names = (answer: unknown) => each(answer, "domains", "name");

facts("the service and its envelope", [
  [
    "All operations use HTTP POST to {base_url}/<Operation.Name>; a GET is code 2",
    async (lab) => {
      const response = await fetch(`${lab.emulator.url}/Domain.List?format=json`, {
        headers: { "user-agent": "x/1 (a@b.c)" },
      });
      match(await response.text(), /<code>2<\/code>/);
      equal(await lab.code("Domain.List"), "1");
    },
  ],
  [
    "The parameters are sent form-encoded in the request body, not in the URL",
    async (lab) => {
      const inUrl = `Domain.List?login_token=${token}&format=json`;
      const response = await lab.raw(inUrl, {}, { body: "format=json" });
      equal(code(await response.json()), "-1");
    },
  ],
  [
    "Every response is a JSON object (when format=json) with a status envelope; XML without it",
    async (lab) => {
      const response = await lab.raw("Domain.Info", { format: "" });
      match(await response.text(), /^<\?xml[^]*<status><code>1<\/code>/);
    },
  ],
  [
    "An answer is HTTP 200, errors too",
    async (lab) => {
      for (const domain of ["example.com", "nowhere.example"])
        equal((await lab.raw("Domain.Info", { domain })).status, 200);
    },
  ],
  [
    'status.code is a string, "1" means success; created_at is YYYY-MM-DD HH:MM:SS in UTC+8',
    answers(
      "Domain.Info",
      {},
      { status: { code: "1", message: "Action completed successful", created_at: "2026-03-01 20:00:00" } },
    ),
  ],
  [
    "A domain is identified by domain_id or domain; one of the two must be sent, either is enough",
    async (lab) => {
      equal(get(await info(lab, { domain_id: example }), "domain.name"), "example.com");
      equal(get(await info(lab, { domain: "example.com" }), "domain.id"), example);
      equal(await lab.code("Domain.Info", { domain: "" }), "6");
    },
  ],
  [
    "An operation that does not exist is an error in the envelope",
    answers("Record.Create", {}, { "status.code": "3" }),
  ],
]);

facts("authentication", [
  [
    "Every call carries the form parameter login_token; a sub-account's is refused",
    refusals(
      "Domain.List",
      Object.entries({
        "": "-1",
        shapeless: "10001",
        "99999,nobody": "10002",
        "11111,wrong": "-1",
        "11111,sub0000000000000000000000000000ab": "-7",
      }).map(([login_token, expected]) => [expected, { login_token }]),
    ),
  ],
  [
    "A caller who is not the owner of the domain gets error code 7",
    async (lab) => {
      for (const operation of [
        "Domain.Info",
        "Domain.Purview",
        "Record.List",
        "Record.Info",
        "Custom.Line.List",
        "Domainshare.Modify",
      ])
        await refusals(operation, [["7", { domain: "shared.example", email: friend }]])(lab);
    },
  ],
  [
    "Notes: more than 30 failed logins in 5 minutes ban for an hour, and the right token with them",
    async (lab) => {
      for (let tries = 0; tries < 31; tries += 1)
        await lab.call("Domain.List", { login_token: "11111,wrong" });
      equal(await lab.code("Domain.List"), "-8");
      lab.tick(59 * 60_000);
      equal(await lab.code("Domain.List"), "-8");
      lab.tick(2 * 60_000);
      equal(await lab.code("Domain.List"), "1");
    },
  ],
  [
    "Notes: 30 failed logins, or more of them over a longer time, ban nobody",
    async (lab) => {
      for (let tries = 0; tries < 60; tries += 1) {
        await lab.call("Domain.List", { login_token: "11111,wrong" });
        lab.tick(10_100);
      }
      equal(await lab.code("Domain.List"), "1");
    },
  ],
  [
    "Notes: a User-Agent must look like Name/Version (contact); a browser's or none can be refused",
    async (lab) => {
      equal(await lab.code("Domain.List"), "1");
      for (const [agent, expected] of [
        // The documented example has blanks in its name.
        ["MJJ DDNS Client/1.0.0 (me@example.com)", "1"],
        ["Mozilla/5.0 (X11; Linux)", "-8"],
        ["curl/8.5", "-8"],
      ] as const) {
        const response = await lab.raw("Domain.List", {}, { headers: { "user-agent": agent } });
        equal(code(await response.json()), expected, agent);
      }
    },
    { settings: { userAgent: "refuse" } },
  ],
]);

facts("Domain.Info", [
  [
    "the fields of a domain: counters and ids are strings, remark is false if there is none",
    async (lab) => {
      const { user_id, ...rest } = get(await info(lab), "domain") as Params;
      match(String(user_id), /^\d+$/);
      deepEqual(rest, {
        id: example,
        name: "example.com",
        punycode: "example.com",
        owner,
        grade: "DP_Plus",
        grade_title: "个人专业版",
        status: "enable",
        ext_status: "",
        records: "9",
        group_id: "1",
        is_mark: "no",
        remark: false,
        is_vip: "no",
        is_beian: "yes",
        searchengine_push: "yes",
        created_on: "2025-01-25 20:00:00",
        updated_on: "2025-01-25 20:00:00",
        ttl: "600",
        cname_speedup: "disable",
        service_ns,
      });
    },
  ],
  [
    "a paid domain has the package's dates as yyyy-mm-dd",
    answers(
      "Domain.Info",
      { domain: "plan.example" },
      {
        "domain.grade": "DP_Ultra",
        "domain.grade_title": "企业旗舰版",
        "domain.is_vip": "yes",
        "domain.vip_start_at": "2026-01-01",
        "domain.vip_end_at": "2026-03-20",
        "domain.vip_auto_renew": "yes",
      },
    ),
  ],
  [
    "status, ext_status, group_id, is_mark and remark of other domains",
    async (lab) => {
      for (const [domain, field, value] of [
        ["other.example", "status", "pause"],
        ["banned.example", "status", "spam"],
        ["locked.example", "status", "lock"],
        ["unregistered.example", "ext_status", "notexist"],
        ["astray.example", "ext_status", "dnserror"],
        ["other.example", "group_id", "7"],
        ["other.example", "is_mark", "yes"],
        ["other.example", "remark", "second"],
      ] as const)
        equal(get(await info(lab, { domain }), `domain.${field}`), value, `${domain} ${field}`);
    },
  ],
  [
    "Notes: the name-server list's key differs by service and ends in _ns",
    answers("Domain.Info", {}, { "domain.house_ns.length": 2, "domain.service_ns": undefined }),
    { settings: { nsKey: "house_ns" } },
  ],
  [
    "6 domain ID wrong, of one that no domain has too; 7 not the domain owner, 13 domain wrong",
    refusals("Domain.Info", [
      ["6", { domain_id: "x" }],
      ["7", { domain: "foreign.example" }],
      ["6", { domain_id: "999999999" }],
      ["13", { domain: "nowhere.example" }],
    ]),
  ],
  [
    "Notes: a domain matches by name or by punycode",
    async (lab) => {
      for (const domain of ["bücher.example", "xn--bcher-kva.example"])
        equal(get(await info(lab, { domain }), "domain.punycode"), "xn--bcher-kva.example");
    },
    { domains: ["example.com", "bücher.example"] },
  ],
]);

facts("Domain.List", [
  [
    "id is an integer, as all info counters are; grade_ns stands for service_ns",
    answers(
      "Domain.List",
      {},
      {
        "domains.0.id": ids.example,
        "domains.0.grade_ns": service_ns,
        "domains.0.service_ns": undefined,
        info: {
          domain_total: 9,
          all_total: 9,
          mine_total: 8,
          share_total: 1,
          vip_total: 1,
          ismark_total: 1,
          ...{
            pause_total: 1,
            error_total: 2,
            lock_total: 1,
            spam_total: 1,
            vip_expire: 1,
            share_out_total: 1,
          },
        },
      },
    ),
  ],
  [
    "auth_to_security is in one element only; vip times have the time of day; notes: extra keys, group_id of both types",
    async (lab) => {
      const domains = list(await listing(lab), "domains");
      equal(domains.filter((domain) => get(domain, "auth_to_security") === true).length, 1);
      const vip = domains.find((domain) => get(domain, "name") === "plan.example");
      equal(get(vip, "vip_end_at"), "2026-03-20 08:00:00");
      deepEqual(
        domains.slice(0, 2).map((domain) => get(domain, "group_id")),
        ["1", 7],
      );
      for (const key of ["src_flag", "grade_level", "tag_list", "server", "is_grace_period"])
        notEqual(get(domains[0], key), undefined, key);
    },
  ],
  [
    "type filters, and domain_total counts the matches",
    async (lab) => {
      const counts = { all: 9, mine: 8, share: 1, ismark: 1, pause: 1, vip: 1, share_out: 1 };
      for (const [type, count] of Object.entries(counts)) {
        const answer = await listing(lab, { type });
        const seen = pick(answer, "domains.length", "info.domain_total", "info.all_total");
        deepEqual(seen, [count, count, 9], type);
      }
    },
  ],
  [
    "type=recent lists recently operated domains",
    async (lab) => {
      equal(code(await listing(lab, { type: "recent" })), "9");
      await lab.batch([a("new")]);
      deepEqual(names(await listing(lab, { type: "recent" })), ["example.com"]);
    },
  ],
  [
    "group_id and keyword filter; offset is the start from 0, and length the number",
    async (lab) => {
      for (const [params, name] of [
        [{ group_id: "7" }, "other.example"],
        [{ keyword: "banned" }, "banned.example"],
        [{ offset: "1", length: "1" }, "other.example"],
        [{ offset: "0", length: "1" }, "example.com"],
      ] as const)
        deepEqual(names(await listing(lab, params)), [name]);
    },
  ],
  [
    "6 start offset invalid, 7 requested number of domains invalid",
    refusals("Domain.List", [
      ["6", { offset: "-1" }],
      ["7", { length: "many" }],
    ]),
  ],
  [
    "9 no domains at all",
    refusals("Domain.List", [["9", {}]]),
    { domains: [{ name: "example.com", owner: friend }], accounts: [{ email: owner }, { email: friend }] },
  ],
  [
    "shared domains are listed to whom they are shared",
    async (lab) => {
      const answer = await listing(lab, { login_token: friendToken });
      deepEqual(names(answer), ["example.com", "foreign.example", "shared.example"]);
      equal(get(answer, "info.share_total"), 1);
    },
  ],
  [
    "with more than 3000 domains, only the first 3000 are returned",
    async (lab) => {
      deepEqual(pick(await listing(lab), "domains.length", "info.domain_total"), [3000, 3005]);
      equal(get(await listing(lab, { offset: "3000", length: "3000" }), "domains.length"), 5);
    },
    { domains: ["example.com", ...Array.from({ length: 3004 }, (_, index) => `d${index}.example`)] },
  ],
]);
