import assert from "node:assert/strict";
import { facts, type Fact } from "./facts";
import { code, friend, friendToken, get, ids, list, owner, token, type Lab } from "./lab";

const info = (lab: Lab, params: Record<string, string> = { domain: "example.com" }): Promise<unknown> =>
  lab.call("Domain.Info", params);
const listing = (lab: Lab, params: Record<string, string> = {}): Promise<unknown> =>
  lab.call("Domain.List", params);
const names = (answer: unknown): unknown[] => list(answer, "domains").map((domain) => get(domain, "name"));

facts("the service and its envelope", [
  {
    says: "All operations use HTTP POST to {base_url}/<Operation.Name>; a GET is code 2",
    check: async (lab) => {
      const response = await fetch(`${lab.emulator.url}/Domain.List?format=json`, {
        headers: { "user-agent": "x/1 (a@b.c)" },
      });
      assert.match(await response.text(), /<code>2<\/code>/);
      assert.equal(code(await listing(lab)), "1");
    },
  },
  {
    says: "The parameters are sent form-encoded in the request body, not in the URL",
    check: async (lab) => {
      const response = await lab.raw(
        `Domain.List?login_token=${token}&format=json`,
        {},
        { body: "format=json" },
      );
      assert.equal(code(await response.json()), "-1");
    },
  },
  {
    says: "Every response is a JSON object (when format=json) with a status envelope; XML without it",
    check: async (lab) => {
      const response = await lab.raw("Domain.Info", { format: "", domain: "example.com" });
      const text = await response.text();
      assert.match(text, /^<\?xml/);
      assert.match(text, /<status><code>1<\/code>/);
    },
  },
  {
    says: "An answer is HTTP 200, errors too",
    check: async (lab) => {
      for (const domain of ["example.com", "nowhere.example"])
        assert.equal((await lab.raw("Domain.Info", { domain })).status, 200);
    },
  },
  {
    says: 'status.code is a string, "1" means success; created_at is YYYY-MM-DD HH:MM:SS in UTC+8',
    check: async (lab) => {
      assert.deepEqual(get(await info(lab), "status"), {
        code: "1",
        message: "Action completed successful",
        created_at: "2026-03-01 20:00:00",
      });
    },
  },
  {
    says: "An error carries the envelope alone",
    check: async (lab) =>
      assert.deepEqual(Object.keys((await info(lab, { domain: "nowhere.example" })) as object), ["status"]),
  },
  {
    says: "A domain is identified by domain_id or domain; one of the two must be sent, either is enough",
    check: async (lab) => {
      assert.equal(get(await info(lab, { domain_id: String(ids.example) }), "domain.name"), "example.com");
      assert.equal(get(await info(lab, { domain: "example.com" }), "domain.id"), String(ids.example));
      assert.equal(code(await info(lab, {})), "6");
    },
  },
  {
    says: "An operation that does not exist is an error in the envelope",
    check: async (lab) => assert.equal(code(await lab.call("Record.Create", { domain: "example.com" })), "3"),
  },
]);

facts("authentication", [
  {
    says: "Every call carries the form parameter login_token",
    check: async (lab) => {
      assert.equal(code(await lab.call("Domain.List", { login_token: "" })), "-1");
      assert.equal(code(await lab.call("Domain.List", { login_token: "shapeless" })), "10001");
      assert.equal(code(await lab.call("Domain.List", { login_token: "99999,nobody" })), "10002");
      assert.equal(code(await lab.call("Domain.List", { login_token: "11111,wrong" })), "-1");
    },
  },
  {
    says: "Only the main account may call the interface; sub-accounts cannot",
    check: async (lab) =>
      assert.equal(
        code(await lab.call("Domain.List", { login_token: "11111,sub0000000000000000000000000000ab" })),
        "-7",
      ),
  },
  {
    says: "A caller who is not the owner of the domain gets error code 7",
    check: async (lab) => {
      for (const operation of [
        "Domain.Info",
        "Domain.Purview",
        "Record.List",
        "Record.Info",
        "Custom.Line.List",
        "Domainshare.Modify",
      ]) {
        assert.equal(
          code(await lab.call(operation, { domain: "foreign.example", email: friend })),
          "7",
          operation,
        );
        assert.equal(
          code(await lab.call(operation, { domain: "shared.example", email: friend })),
          "7",
          operation,
        );
      }
    },
  },
  {
    says: "Notes: more than 30 failed logins in 5 minutes ban for an hour, and the right token with them",
    check: async (lab) => {
      for (let tries = 0; tries < 31; tries += 1)
        await lab.call("Domain.List", { login_token: "11111,wrong" });
      assert.equal(code(await listing(lab)), "-8");
      lab.tick(59 * 60_000);
      assert.equal(code(await listing(lab)), "-8");
      lab.tick(2 * 60_000);
      assert.equal(code(await listing(lab)), "1");
    },
  },
  {
    says: "Notes: 30 failed logins, or more of them over a longer time, ban nobody",
    check: async (lab) => {
      for (let tries = 0; tries < 60; tries += 1) {
        await lab.call("Domain.List", { login_token: "11111,wrong" });
        lab.tick(10_100);
      }
      assert.equal(code(await listing(lab)), "1");
    },
  },
  {
    says: "Notes: a User-Agent must look like Name/Version (contact); a browser's or none can be refused",
    options: { settings: { userAgent: "refuse" } },
    check: async (lab) => {
      assert.equal(code(await listing(lab)), "1");
      const named = await lab.raw(
        "Domain.List",
        {},
        { headers: { "user-agent": "MJJ DDNS Client/1.0.0 (me@example.com)" } },
      );
      assert.equal(code(await named.json()), "1", "the documented example has blanks in its name");
      const browser = await lab.raw(
        "Domain.List",
        {},
        { headers: { "user-agent": "Mozilla/5.0 (X11; Linux)" } },
      );
      assert.equal(code(await browser.json()), "-8");
      const bare = await lab.raw("Domain.List", {}, { headers: { "user-agent": "curl/8.5" } });
      assert.equal(code(await bare.json()), "-8");
    },
  },
]);

const infoFact = (says: string, path: string, value: unknown, domain = "example.com"): Fact => ({
  says: `Domain.Info: ${says}`,
  check: async (lab) => assert.deepEqual(get(await info(lab, { domain }), `domain.${path}`), value),
});

facts("Domain.Info", [
  infoFact("id is a string", "id", String(ids.example)),
  infoFact("name", "name", "example.com"),
  infoFact("punycode", "punycode", "example.com"),
  infoFact("grade is a plan level of the enumeration", "grade", "DP_Ultra", "plan.example"),
  infoFact("grade_title is a localized text", "grade_title", "企业旗舰版", "plan.example"),
  infoFact("status pause", "status", "pause", "other.example"),
  infoFact("status spam", "status", "spam", "banned.example"),
  infoFact("status lock", "status", "lock", "locked.example"),
  infoFact("ext_status notexist", "ext_status", "notexist", "unregistered.example"),
  infoFact("ext_status dnserror", "ext_status", "dnserror", "astray.example"),
  infoFact("ext_status is empty when all is well", "ext_status", ""),
  infoFact("records is a string, the service's own NS records included", "records", "9"),
  infoFact("group_id is a string", "group_id", "7", "other.example"),
  infoFact("is_mark yes or no", "is_mark", "yes", "other.example"),
  infoFact("remark is a string", "remark", "second", "other.example"),
  infoFact("remark is false when there is none", "remark", false),
  infoFact("is_vip yes", "is_vip", "yes", "plan.example"),
  infoFact("is_vip no", "is_vip", "no"),
  infoFact("vip_start_at as yyyy-mm-dd", "vip_start_at", "2026-01-01", "plan.example"),
  infoFact("vip_end_at as yyyy-mm-dd", "vip_end_at", "2026-03-20", "plan.example"),
  infoFact("vip_auto_renew", "vip_auto_renew", "yes", "plan.example"),
  infoFact("vip_start_at only when is_vip is yes", "vip_start_at", undefined),
  infoFact("searchengine_push", "searchengine_push", "yes"),
  infoFact("cname_speedup", "cname_speedup", "disable"),
  infoFact("ttl is a string, the domain's default", "ttl", "600"),
  infoFact("owner is an e-mail address", "owner", owner),
  infoFact("service_ns is an array of strings", "service_ns", [
    "ns1.dns-host.example",
    "ns2.dns-host.example",
  ]),
  infoFact("is_beian", "is_beian", "yes"),
  {
    says: "Domain.Info: user_id, created_on and updated_on are there, as strings",
    check: async (lab) => {
      const answer = await info(lab);
      assert.match(String(get(answer, "domain.user_id")), /^\d+$/);
      for (const key of ["created_on", "updated_on"]) {
        assert.match(String(get(answer, `domain.${key}`)), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      }
    },
  },
  {
    says: "Notes: the name-server list's key differs by service and ends in _ns",
    options: { settings: { nsKey: "house_ns" } },
    check: async (lab) => {
      const answer = await info(lab);
      assert.equal(list(answer, "domain.house_ns").length, 2);
      assert.equal(get(answer, "domain.service_ns"), undefined);
    },
  },
  {
    says: "Domain.Info: 6 domain ID wrong, of one that no domain has too; 7 not the domain owner, 13 domain wrong",
    check: async (lab) => {
      assert.equal(code(await info(lab, { domain_id: "x" })), "6");
      assert.equal(code(await info(lab, { domain: "foreign.example" })), "7");
      assert.equal(code(await info(lab, { domain_id: "999999999" })), "6");
      assert.equal(code(await info(lab, { domain: "nowhere.example" })), "13");
    },
  },
  {
    says: "Notes: a domain matches by name or by punycode",
    options: { domains: ["bücher.example"] },
    check: async (lab) => {
      for (const domain of ["bücher.example", "xn--bcher-kva.example"]) {
        assert.equal(get(await info(lab, { domain }), "domain.punycode"), "xn--bcher-kva.example");
      }
    },
  },
]);

facts("Domain.List", [
  {
    says: "id is an integer, as all info counters are",
    check: async (lab) => {
      const answer = await listing(lab);
      assert.equal(get(answer, "domains.0.id"), ids.example);
      assert.deepEqual(get(answer, "info"), {
        domain_total: 9,
        all_total: 9,
        mine_total: 8,
        share_total: 1,
        vip_total: 1,
        ismark_total: 1,
        pause_total: 1,
        error_total: 2,
        lock_total: 1,
        spam_total: 1,
        vip_expire: 1,
        share_out_total: 1,
      });
    },
  },
  {
    says: "grade_ns has the same meaning as service_ns and is used here",
    check: async (lab) => {
      const answer = await listing(lab);
      assert.deepEqual(get(answer, "domains.0.grade_ns"), ["ns1.dns-host.example", "ns2.dns-host.example"]);
      assert.equal(get(answer, "domains.0.service_ns"), undefined);
    },
  },
  {
    says: "auth_to_security appears in one element only; vip times carry the time of day",
    check: async (lab) => {
      const domains = list(await listing(lab), "domains");
      assert.equal(domains.filter((domain) => get(domain, "auth_to_security") === true).length, 1);
      const vip = domains.find((domain) => get(domain, "name") === "plan.example");
      assert.equal(get(vip, "vip_end_at"), "2026-03-20 08:00:00");
    },
  },
  {
    says: "Notes: extra keys, and group_id a string or an integer",
    check: async (lab) => {
      const [first, second] = list(await listing(lab), "domains");
      assert.equal(get(first, "group_id"), "1");
      assert.equal(get(second, "group_id"), 7);
      for (const key of ["src_flag", "grade_level", "tag_list", "server", "is_grace_period"]) {
        assert.notEqual(get(first, key), undefined, key);
      }
    },
  },
  ...Object.entries({
    all: 9,
    mine: 8,
    share: 1,
    ismark: 1,
    pause: 1,
    vip: 1,
    share_out: 1,
  }).map(([type, count]): Fact => ({
    says: `type=${type}`,
    check: async (lab) => {
      const answer = await listing(lab, { type });
      assert.equal(list(answer, "domains").length, count);
      assert.equal(get(answer, "info.domain_total"), count);
      assert.equal(get(answer, "info.all_total"), 9);
    },
  })),
  {
    says: "type=recent lists recently operated domains",
    check: async (lab) => {
      assert.equal(code(await listing(lab, { type: "recent" })), "9");
      await lab.batch(String(ids.example), [{ sub_domain: "new", record_type: "A", value: "192.0.2.77" }]);
      assert.deepEqual(names(await listing(lab, { type: "recent" })), ["example.com"]);
    },
  },
  {
    says: "group_id: only domains of this group",
    check: async (lab) => assert.deepEqual(names(await listing(lab, { group_id: "7" })), ["other.example"]),
  },
  {
    says: "keyword: only domains matching the keyword",
    check: async (lab) =>
      assert.deepEqual(names(await listing(lab, { keyword: "banned" })), ["banned.example"]),
  },
  {
    says: "offset is the start, the first is 0; length is the number to get",
    check: async (lab) => {
      assert.deepEqual(names(await listing(lab, { offset: "1", length: "1" })), ["other.example"]);
      assert.deepEqual(names(await listing(lab, { offset: "0", length: "1" })), ["example.com"]);
    },
  },
  {
    says: "6 start offset invalid, 7 requested number of domains invalid",
    check: async (lab) => {
      assert.equal(code(await listing(lab, { offset: "-1" })), "6");
      assert.equal(code(await listing(lab, { length: "many" })), "7");
    },
  },
  {
    says: "9 no domains at all",
    options: { accounts: [], domains: [] },
    check: async (lab) => {
      const answer = await listing(lab);
      assert.equal(code(answer), "9");
      assert.equal(get(answer, "domains"), undefined);
    },
  },
  {
    says: "shared domains are listed to whom they are shared",
    check: async (lab) => {
      const answer = await listing(lab, { login_token: friendToken });
      assert.deepEqual(names(answer), ["example.com", "foreign.example", "shared.example"]);
      assert.equal(get(answer, "info.share_total"), 1);
    },
  },
  {
    says: "When the account holds more than 3000 domains only the first 3000 are returned",
    options: { domains: Array.from({ length: 3005 }, (_, index) => `d${index}.example`) },
    check: async (lab) => {
      const answer = await listing(lab);
      assert.equal(list(answer, "domains").length, 3000);
      assert.equal(get(answer, "info.domain_total"), 3005);
      assert.equal(list(await listing(lab, { offset: "3000", length: "3000" }), "domains").length, 5);
    },
  },
]);

facts("Domain.Purview", [
  {
    says: "purview is an array of {name, value}; counts are integers, flags the strings yes or no; names are localized",
    check: async (lab) => {
      const entries = list(await lab.call("Domain.Purview", { domain: "example.com" }), "purview");
      assert.equal(entries.length, 15);
      assert.deepEqual(entries[0], { name: "URL转发条数", value: 20 });
      assert.deepEqual(entries[1], { name: "NS记录条数", value: 99999 });
      assert.deepEqual(entries[10], { name: "记录TTL最低", value: 60 });
      assert.deepEqual(entries[11], { name: "混合泛解析支持", value: "no" });
      for (const entry of entries.slice(0, 11)) assert.equal(typeof get(entry, "value"), "number");
      for (const entry of entries.slice(11)) assert.match(String(get(entry, "value")), /^(yes|no)$/);
    },
  },
  {
    says: "-15 domain banned, 21 domain locked, 6, 7, 8, 13 as elsewhere, 9 remark too long",
    check: async (lab) => {
      const purview = async (params: Record<string, string>): Promise<unknown> =>
        code(await lab.call("Domain.Purview", params));
      assert.equal(await purview({ domain: "banned.example" }), "-15");
      assert.equal(await purview({ domain: "locked.example" }), "21");
      assert.equal(await purview({ domain_id: "x" }), "6");
      assert.equal(await purview({ domain: "foreign.example" }), "7");
      assert.equal(await purview({ domain_id: "999999999" }), "8");
      assert.equal(await purview({ domain: "example.com", remark: "x".repeat(300) }), "9");
      assert.equal(await purview({ domain: "nowhere.example" }), "13");
    },
  },
]);
