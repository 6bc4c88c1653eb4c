import assert from "node:assert/strict";
import { facts, type Fact } from "./facts";
import { a, code, friendToken, get, ids, inLab, list, type Lab } from "./lab";

const both = `${ids.example},${ids.foreign}`;
const create = (lab: Lab, records: unknown, params: Record<string, string> = {}): Promise<unknown> =>
  lab.call("Batch.Record.Create", {
    domain_id: String(ids.example),
    records: typeof records === "string" ? records : JSON.stringify(records),
    ...params,
  });
const detail = (lab: Lab, created: unknown): Promise<unknown> =>
  lab.call("Batch.Detail", { job_id: String(get(created, "job_id")) });
const slow = { settings: { jobStartMs: 1_000, jobMs: 1_000, indexDelay: 0 } };
const statuses = (answer: unknown): string =>
  list(answer, "detail")
    .map((item) => `${String(get(item, "status"))}: ${list(item, "records").map((record) => String(get(record, "status"))).join(" ")}`)
    .join(" | ");

facts("Batch.Record.Create", [
  {
    says: "job_id is a string; detail echoes the input with waiting status; its mx is filled even for A (notes)",
    check: async (lab) => {
      const answer = await create(lab, [a("www2")]);
      assert.match(String(get(answer, "job_id")), /^\d+$/);
      assert.equal(typeof get(answer, "job_id"), "string");
      assert.deepEqual(get(answer, "detail"), [
        {
          id: 1,
          domain_id: String(ids.example),
          domain: "example.com",
          domain_grade: "DP_Plus",
          err_msg: null,
          status: "waiting",
          operation: null,
          records: [
            {
              id: 1,
              sub_domain: "www2",
              record_type: "A",
              area: "默认",
              value: "192.0.2.50",
              mx: "10",
              ttl: "600",
              err_msg: null,
              status: "waiting",
              operation: "plus",
            },
          ],
        },
      ]);
    },
  },
  {
    says: "domain_id: one or several ids; sub_domain: one or several labels; each object goes to each label and domain",
    check: async (lab) => {
      lab.emulator.admin.addDomain({ name: "third.example", id: 1007 });
      await lab.batch(`${ids.example},1007`, [a("x,y"), a("z", "192.0.2.51")]);
      const zone = ["x 600 A 192.0.2.50", "y 600 A 192.0.2.50", "z 600 A 192.0.2.51"];
      assert.deepEqual(lab.emulator.admin.zoneText("third.example"), zone);
      for (const line of zone) assert.ok(lab.emulator.admin.zoneText("example.com").includes(line));
    },
  },
  {
    says: "an empty sub_domain stands for the apex, @ too; answers say @",
    check: async (lab) => {
      const answer = await lab.batch(String(ids.example), [a("", "192.0.2.60"), a("@", "192.0.2.61")]);
      assert.deepEqual(
        list(answer, "detail.0.records").map((record) => [get(record, "sub_domain"), get(record, "status")]),
        [["@", "ok"], ["@", "ok"]],
      );
    },
  },
  {
    says: "MX priority is the key MX of the record object",
    check: async (lab) => {
      await lab.batch(String(ids.example), [a("m", "mail.example.com", { record_type: "MX", MX: 15 })]);
      assert.ok(lab.emulator.admin.zoneText("example.com").includes("m 600 MX 15 mail.example.com."));
    },
  },
  ...(
    [
      ["a domain id that is none", "6", { domain_id: "x" }],
      ["no domain id", "6", { domain_id: "" }],
      ["a domain that is not the caller's, though another is", "7", { domain_id: both }],
      ["a domain that is only shared", "7", { domain_id: String(ids.shared) }],
      ["a domain that does not exist", "8", { domain_id: "999999999" }],
      ["a banned domain", "-15", { domain_id: String(ids.banned) }],
      ["a locked domain", "21", { domain_id: String(ids.locked) }],
      ["records that are missing", "34", { records: "" }],
      ["records that are no JSON", "34", { records: "[{" }],
      ["records that are no list", "34", { records: "{}" }],
      ["an empty list of records", "34", { records: "[]" }],
      ["a record without a value", "34", { records: '[{"sub_domain":"x","record_type":"A"}]' }],
    ] as const
  ).map(([says, refused, params]): Fact => ({
    says: `the whole call is refused for ${says}; the text is in message, and nothing is queued`,
    check: async (lab) => {
      const answer = await create(lab, [a("x")], params);
      assert.equal(code(answer), refused);
      assert.ok(String(get(answer, "status.message")).length > 5);
      assert.equal(get(answer, "job_id"), undefined);
      assert.deepEqual(lab.emulator.admin.jobs(), []);
    },
  })),
  {
    says: "where shared domains are allowed, one shared for reading cannot be written",
    options: { settings: { sharedDomains: "allow" } },
    check: async (lab) => {
      assert.equal(code(await create(lab, [a("x")], { domain_id: String(ids.shared) })), "1");
      assert.equal(code(await create(lab, [a("x")], { login_token: friendToken })), "7");
    },
  },
  {
    says: "successor's limits, as switches: jobs at once, records a job",
    options: { settings: { maxJobs: 1, maxRecordsPerJob: 2, jobStartMs: 1_000 } },
    check: async (lab) => {
      assert.equal(code(await create(lab, [a("x,y,z")])), "34");
      assert.equal(code(await create(lab, [a("x,y")])), "1");
      assert.equal(code(await create(lab, [a("z")])), "-2");
      lab.tick(5_000);
      assert.equal(code(await create(lab, [a("z")])), "1");
    },
  },
]);

facts("Batch.Detail", [
  {
    says: "the fields of a job: ttl integer, mx null, record_id an integer, operation plus, created_at",
    check: async (lab) => {
      const answer = await lab.batch(String(ids.example), [a("www2")]);
      const id = get(answer, "detail.0.records.0.record_id");
      assert.equal(typeof id, "number");
      assert.deepEqual(answer, {
        status: get(answer, "status"),
        detail: [
          {
            id: 1,
            domain_id: ids.example,
            domain: "example.com",
            domain_grade: "DP_Plus",
            err_msg: null,
            status: "ok",
            operation: "plus",
            records: [
              {
                id: 1,
                sub_domain: "www2",
                record_type: "A",
                area: "默认",
                value: "192.0.2.50",
                ttl: 600,
                mx: null,
                err_msg: null,
                status: "ok",
                operation: "plus",
                record_id: id,
              },
            ],
          },
        ],
        total: 2,
        success: 2,
        fail: 0,
        type: "record_add",
        created_at: "2026-03-01 20:00:00",
      });
    },
  },
  {
    says: "Notes: total counts domains and records, 2 domains and 4 records make 6; mx of an MX is a string",
    check: async (lab) => {
      lab.emulator.admin.addDomain({ name: "third.example", id: 1007 });
      const answer = await lab.batch(`${ids.example},1007`, [a("x"), a("x", "mx.example.com", { record_type: "MX", MX: 10 })]);
      assert.deepEqual([get(answer, "total"), get(answer, "success"), get(answer, "fail")], [6, 6, 0]);
      assert.equal(get(answer, "detail.1.records.1.mx"), "10");
    },
  },
  {
    says: "waiting, running, ok: record by record over time, and each is live as it is executed",
    options: slow,
    check: async (lab) => {
      const created = await create(lab, [a("x"), a("y")]);
      const seen: string[] = [];
      for (let second = 0; second < 4; second += 1) {
        seen.push(`${statuses(await detail(lab, created))}, live ${lab.emulator.admin.zone("example.com").length}`);
        lab.tick(1_000);
      }
      assert.deepEqual(seen, [
        "waiting: waiting waiting, live 7",
        "running: running waiting, live 7",
        "running: ok running, live 8",
        "ok: ok ok, live 9",
      ]);
    },
  },
  {
    says: "total counts executed entries while the job runs",
    options: slow,
    check: async (lab) => {
      const created = await create(lab, [a("x"), a("y")]);
      const totals: unknown[] = [];
      for (let second = 0; second < 4; second += 1) {
        totals.push(get(await detail(lab, created), "total"));
        lab.tick(1_000);
      }
      assert.deepEqual(totals, [0, 0, 1, 3]);
    },
  },
  {
    says: "error: err_msg holds the text; the others go on, and the domain's own entry is ok",
    check: async (lab) => {
      const answer = await lab.batch(String(ids.example), [a("x"), a("y", "not-an-address"), a("z")]);
      assert.equal(statuses(answer), "ok: ok error ok");
      assert.match(String(get(answer, "detail.0.records.1.err_msg")), /value/);
      assert.equal(get(answer, "detail.0.records.1.record_id"), undefined);
      assert.deepEqual([get(answer, "total"), get(answer, "success"), get(answer, "fail")], [4, 3, 1]);
    },
  },
  {
    says: "a domain's entry is an error where nothing of it went well",
    check: async (lab) => {
      const answer = await lab.batch(String(ids.example), [a("y", "not-an-address")]);
      assert.equal(statuses(answer), "error: error");
      assert.notEqual(get(answer, "detail.0.err_msg"), null);
    },
  },
  {
    says: "8 no data; the job was not found, or is another account's",
    check: async (lab) => {
      const created = await create(lab, [a("x")]);
      assert.equal(code(await lab.call("Batch.Detail", { job_id: "1" })), "8");
      assert.equal(code(await lab.call("Batch.Detail")), "8");
      const foreign = await lab.call("Batch.Detail", { job_id: String(get(created, "job_id")), login_token: friendToken });
      assert.equal(code(foreign), "8");
    },
  },
  {
    says: "type is domain, record_add or record_modify",
    check: async (lab) => {
      const { admin } = lab.emulator;
      const record = { name: "www", type: "A", value: "192.0.2.1", recordId: 501 };
      const modified = admin.addJob({ type: "record_modify", items: [{ domain: "example.com", records: [record] }] });
      const added = admin.addJob({ type: "domain", items: [{ domain: "brand-new.example" }, { domain: "bad", error: "not a domain" }] });
      const first = await lab.call("Batch.Detail", { job_id: String(modified) });
      assert.equal(get(first, "type"), "record_modify");
      assert.equal(get(first, "detail.0.records.0.operation"), "edit");
      assert.equal(get(first, "detail.0.records.0.ttl"), "600");
      const second = await lab.call("Batch.Detail", { job_id: String(added) });
      assert.deepEqual([get(second, "type"), get(second, "total"), get(second, "fail")], ["domain", 2, 1]);
    },
  },
]);

describe("emulator jobs under control", () => {
  it("sticks after a number of records, goes on when released", () =>
    inLab({ settings: { stickAfter: 1, jobMs: 100, jobStartMs: 0 } }, async (lab) => {
      const created = await create(lab, [a("x"), a("y"), a("z")]);
      lab.tick(3_600_000);
      assert.equal(statuses(await detail(lab, created)), "running: ok running waiting");
      lab.emulator.admin.resumeJob(Number(get(created, "job_id")));
      lab.tick(150);
      assert.equal(statuses(await detail(lab, created)), "running: ok ok running");
      lab.tick(100);
      assert.equal(statuses(await detail(lab, created)), "ok: ok ok ok");
    }));

  it("never begins when it sticks at once, and is finished by hand", () =>
    inLab({ settings: { stickAfter: 0 } }, async (lab) => {
      const created = await create(lab, [a("x")]);
      lab.tick(3_600_000);
      assert.equal(statuses(await detail(lab, created)), "waiting: waiting");
      lab.emulator.admin.finishJob(Number(get(created, "job_id")));
      assert.equal(statuses(await detail(lab, created)), "ok: ok");
    }));

  it("is held and released while it runs", () =>
    inLab(slow, async (lab) => {
      const created = await create(lab, [a("x"), a("y")]);
      lab.tick(2_500);
      lab.emulator.admin.pauseJob(Number(get(created, "job_id")));
      lab.tick(60_000);
      assert.equal(statuses(await detail(lab, created)), "running: ok running");
      assert.equal(lab.emulator.admin.jobs()[0]?.stuck, true);
    }));

  it("executes jobs side by side in the order of their times", () =>
    inLab(slow, async (lab) => {
      const first = await create(lab, [a("x"), a("y"), a("z")]);
      lab.tick(500);
      const second = await create(lab, [a("y")]);
      lab.tick(2_700);
      // y of the second job was due at 2.5 s, before y of the first at 3 s: the first meets an identical record.
      assert.equal(statuses(await detail(lab, second)), "ok: ok");
      assert.equal(statuses(await detail(lab, first)), "running: ok error running");
    }));

  it("meets the console's edits that came in between", () =>
    inLab(slow, async (lab) => {
      const created = await create(lab, [a("x"), a("y")]);
      lab.tick(2_100);
      lab.emulator.admin.setDomain("example.com", { status: "lock" });
      lab.tick(5_000);
      const answer = await detail(lab, created);
      assert.equal(statuses(answer), "ok: ok error");
      assert.match(String(get(answer, "detail.0.records.1.err_msg")), /locked/);
    }));
});

/** One record after another into one zone; the last one's error text, or `ok`. */
type RuleRow = readonly [says: string, records: readonly object[], expected: RegExp | "ok", purview?: object];
const cname = { record_type: "CNAME" };
const line = { record_line: "电信" };
const rules: readonly RuleRow[] = [
  ["an address that is none", [a("x", "192.0.2.256")], /not valid for A/],
  ["an A with an IPv6 address", [a("x", "2001:db8::1")], /not valid for A/],
  ["an AAAA", [a("x", "2001:db8::1", { record_type: "AAAA" })], "ok"],
  ["a CNAME to an address with a space", [a("x", "a b", cname)], /not valid for CNAME/],
  ["an MX without a priority", [a("x", "mx.example.com", { record_type: "MX" })], /between 1 and 20/],
  ["an MX of priority 21", [a("x", "mx.example.com", { record_type: "MX", MX: 21 })], /between 1 and 20/],
  ["an MX of priority 20", [a("x", "mx.example.com", { record_type: "MX", MX: 20 })], "ok"],
  ["an SRV", [a("_sip._tcp", "10 5 5060 sip.example.com", { record_type: "SRV" })], "ok"],
  ["an SRV with three fields", [a("x", "10 5 sip.example.com", { record_type: "SRV" })], /not valid for SRV/],
  ["a CAA", [a("x", '0 issue "ca.example"', { record_type: "CAA" })], "ok"],
  ["a CAA without a tag", [a("x", "0", { record_type: "CAA" })], /not valid for CAA/],
  ["a URL forward", [a("x", "https://example.org/", { record_type: "显性URL" })], "ok"],
  ["a type that is not known", [a("x", "1", { record_type: "NOPE" })], /type NOPE is not known/],
  ["a line that is not known", [a("x", "192.0.2.1", { record_line: "火星" })], /Line 火星/],
  ["a line that the plan lacks", [a("x"), a("x", "192.0.2.2", { record_line: "广东电信" })], /does not support the line/],
  ["another line with no default-line record first", [a("x", "192.0.2.2", line)], /default line/],
  ["another line after the default line's record", [a("x"), a("x", "192.0.2.2", line)], "ok"],
  ["a host label with a bad character", [a("a b")], /Host label/],
  ["a host label that begins with a hyphen", [a("-x")], /Host label/],
  ["a label with an underscore", [a("_dmarc", "v=DMARC1", { record_type: "TXT" })], "ok"],
  ["a label of 64 characters", [a("x".repeat(64))], /Host label/],
  ["a wildcard", [a("*")], "ok"],
  ["a wildcard that is not the first label", [a("x.*")], /Host label/],
  ["a mixed wildcard", [a("x*")], /mixed wildcards/],
  ["a mixed wildcard that the plan has", [a("x*")], "ok", { mixedWildcards: true }],
  ["too many subdomain levels", [a("a.b.c")], /Subdomain levels/, { subdomainLevels: 2 }],
  ["too many wildcard levels", [a("*.b.c")], /Wildcard levels/, { wildcardLevels: 2 }],
  ["a TTL below the plan's minimum", [a("x", "192.0.2.1", { ttl: 59 })], /minimum of 60/],
  ["a TTL over a week", [a("x", "192.0.2.1", { ttl: 604801 })], /TTL is not valid/],
  ["a CNAME beside an A", [a("x"), a("x", "example.org", cname)], /CNAME conflicts/],
  ["an A beside a CNAME", [a("x", "example.org", cname), a("x")], /CNAME conflicts/],
  ["a second CNAME", [a("x", "example.org", cname), a("x", "example.net", cname)], /CNAME conflicts/],
  ["a CNAME on another line than the A", [a("x"), a("x", "example.org", { ...cname, ...line })], "ok"],
  ["a CNAME beside an MX at the apex", [a("", "example.org", cname)], /CNAME conflicts/],
  ["a record that exists already", [a("x"), a("x")], /exists already/],
  ["the same value with another TTL", [a("x"), a("x", "192.0.2.50", { ttl: 900 })], /exists already/],
  ["an MX of the same host with another priority", [a("x", "m.example.com", { record_type: "MX", MX: 5 }), a("x", "m.example.com", { record_type: "MX", MX: 6 })], "ok"],
  ["one AAAA too many", [a("x,y", "2001:db8::1", { record_type: "AAAA" })], /AAAA records exceeds/, { aaaa: 1 }],
  ["one SRV too many", [a("x,y", "1 1 1 s.example.com", { record_type: "SRV" })], /SRV records exceeds/, { srv: 1 }],
  ["one NS too many", [a("x,y", "ns.example.com", { record_type: "NS" })], /NS records exceeds/, { ns: 1 }],
  ["one URL forward too many", [a("x,y", "http://example.org", { record_type: "隐性URL" })], /URL forwards exceeds/, { urls: 1 }],
  ["one address too many at a name", [a("x"), a("x", "192.0.2.51")], /Load balancing/, { loadBalancing: 1 }],
];

describe("emulator rules: a job refuses, or takes,", () => {
  for (const [says, records, expected, purview] of rules) {
    it(says, () =>
      inLab({}, async (lab) => {
        if (purview !== undefined) lab.emulator.admin.setDomain("example.com", { purview });
        const answer = await lab.batch(String(ids.example), records);
        const last = list(answer, "detail.0.records").at(-1);
        if (expected === "ok") assert.deepEqual([get(last, "status"), get(last, "err_msg")], ["ok", null]);
        else assert.match(String(get(last, "err_msg")), expected);
      }));
  }

  it("an identical record, where it is switched on, as a second one", () =>
    inLab({ settings: { identical: "accept" } }, async (lab) => {
      const answer = await lab.batch(String(ids.example), [a("x"), a("x")]);
      assert.equal(statuses(answer), "ok: ok ok");
      assert.notEqual(get(answer, "detail.0.records.0.record_id"), get(answer, "detail.0.records.1.record_id"));
    }));

  it("a CNAME at the apex beside the service's own NS records", () =>
    inLab({ domains: [{ name: "bare.example", id: 9 }] }, async (lab) =>
      assert.equal(statuses(await lab.batch("9", [a("", "example.org", cname)])), "ok: ok")));

  it("what a test wants refused", () =>
    inLab({ settings: { refuse: [{ name: "y", message: "not today" }] } }, async (lab) =>
      assert.equal(get(await lab.batch(String(ids.example), [a("x,y")]), "detail.0.records.1.err_msg"), "not today")));
});
