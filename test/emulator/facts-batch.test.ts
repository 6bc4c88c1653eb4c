import { deepEqual, equal, match, ok } from "node:assert/strict";
import {
  a,
  code,
  each,
  example,
  facts,
  friendToken,
  get,
  inLab,
  ids,
  list,
  pick,
  refusals,
  slow,
  statuses,
} from "./lab";

const item = (own: object, record: object, operation: string | null): object => ({
  id: 0,
  domain_id: example,
  domain: "example.com",
  domain_grade: "DP_Plus",
  err_msg: null,
  operation,
  ...own,
  records: [
    {
      id: 0,
      sub_domain: "www2",
      record_type: "A",
      area: "默认",
      value: "192.0.2.50",
      err_msg: null,
      operation: "plus",
      ...own,
      ...record,
    },
  ],
});

facts("Batch.Record.Create", [
  [
    "job_id is a string; detail echoes the input with waiting status; its mx is filled even for A (notes)",
    async (lab) => {
      const [id, detail] = pick(await lab.create([a("www2")]), "job_id", "detail");
      equal(typeof id, "string");
      match(String(id), /^\d+$/);
      deepEqual(detail, [item({ status: "waiting" }, { mx: "10", ttl: "600" }, null)]);
    },
  ],
  [
    "domain_id: one or several ids; sub_domain: one or several labels; each object goes to each label and domain",
    async (lab) => {
      lab.admin.addDomain({ name: "third.example", id: 1007 });
      await lab.batch([a("x,y"), a("z", "192.0.2.51")], `${example},1007`);
      const zone = ["x 600 A 192.0.2.50", "y 600 A 192.0.2.50", "z 600 A 192.0.2.51"];
      deepEqual(lab.admin.zoneText("third.example"), zone);
      deepEqual(["x", "y", "z"].flatMap(lab.live), zone);
    },
  ],
  [
    "an empty sub_domain stands for the apex, @ too; answers say @",
    async (lab) => {
      const answer = await lab.batch([a("", "192.0.2.60"), a("@", "192.0.2.61")]);
      deepEqual(each(answer, "detail.0.records", "sub_domain"), ["@", "@"]);
      equal(statuses(answer), "ok: ok ok");
    },
  ],
  [
    "MX priority is the key MX of the record object",
    async (lab) => {
      await lab.batch([a("m", "mail.example.com", { record_type: "MX", MX: 15 })]);
      deepEqual(lab.live("m"), ["m 600 MX 15 mail.example.com."]);
    },
  ],
  [
    "has a code for each refusal of a whole call, which queues nothing: domains, and records that are no list of records",
    refusals(
      "Batch.Record.Create",
      [
        ["6", { domain_id: "x" }],
        ["6", { domain_id: "" }],
        ["7", { domain_id: `${example},${ids.foreign}` }],
        ["7", { domain_id: String(ids.shared) }],
        ["8", { domain_id: "999999999" }],
        ["-15", { domain_id: String(ids.banned) }],
        ["21", { domain_id: String(ids.locked) }],
        ["34", { records: "" }],
        ["34", { records: "[{" }],
        ["34", { records: "{}" }],
        ["34", { records: "[]" }],
        ["34", { records: '[{"sub_domain":"x","record_type":"A"}]' }],
      ],
      { domain_id: example, records: JSON.stringify([a("x")]) },
    ),
  ],
  [
    "successor's limits, as switches: jobs at once, records a job",
    async (lab) => {
      equal(code(await lab.create([a("x,y,z")])), "34");
      equal(code(await lab.create([a("x,y")])), "1");
      equal(code(await lab.create([a("z")])), "-2");
      lab.tick(5_000);
      equal(code(await lab.create([a("z")])), "1");
    },
    { settings: { maxJobs: 1, maxRecordsPerJob: 2, jobStartMs: 1_000 } },
  ],
]);

facts("Batch.Detail", [
  [
    "the fields of a job: indexes from 0 and domain_id a text (notes), ttl integer, mx null, record_id an integer, operation plus, created_at",
    async (lab) => {
      const answer = await lab.batch([a("www2")]);
      const id = get(answer, "detail.0.records.0.record_id");
      equal(typeof id, "number");
      deepEqual(answer, {
        status: get(answer, "status"),
        total: 2,
        success: 2,
        fail: 0,
        type: "record_add",
        detail: [item({ status: "ok" }, { ttl: 600, mx: null, record_id: id }, "plus")],
        created_at: "2026-03-01 20:00:00",
      });
    },
  ],
  [
    "Notes: total counts domains and records, 2 domains and 4 records make 6; mx of an MX is a string; indexes count",
    async (lab) => {
      lab.admin.addDomain({ name: "third.example", id: 1007 });
      const answer = await lab.batch(
        [a("x"), a("x", "mx.example.com", { record_type: "MX", MX: 10 })],
        `${example},1007`,
      );
      deepEqual(pick(answer, "total", "success", "fail"), [6, 6, 0]);
      const [first, second] = list(answer, "detail").map((each) => pick(each, "id", "domain_id"));
      deepEqual(
        [first, second],
        [
          [0, example],
          [1, "1007"],
        ],
      );
      deepEqual(pick(answer, "detail.1.records.1.id", "detail.1.records.1.mx"), [1, "10"]);
    },
  ],
  [
    "waiting, running, ok: record by record over time; each is live as it is executed, and total counts it",
    async (lab) => {
      const created = await lab.create([a("x"), a("y")]);
      const seen: string[] = [];
      for (let second = 0; second < 4; second += 1) {
        const answer = await lab.detail(created);
        const live = lab.admin.zone("example.com").length;
        seen.push(`${statuses(answer)}, live ${live}, total ${pick(answer, "total").join()}`);
        lab.tick(1_000);
      }
      deepEqual(seen, [
        "waiting: waiting waiting, live 7, total 0",
        "running: running waiting, live 7, total 0",
        "running: ok running, live 8, total 1",
        "ok: ok ok, live 9, total 3",
      ]);
    },
    slow,
  ],
  [
    "error: err_msg holds the text; the others go on, and the domain's own entry is ok",
    async (lab) => {
      const answer = await lab.batch([a("x"), a("y", "not-an-address"), a("z")]);
      equal(statuses(answer), "ok: ok error ok");
      match(String(get(answer, "detail.0.records.1.err_msg")), /value/);
      deepEqual(pick(answer, "total", "success", "fail", "detail.0.records.1.record_id"), [
        4,
        3,
        1,
        undefined,
      ]);
    },
  ],
  [
    "a domain's entry is an error where nothing of it went well",
    async (lab) => {
      const answer = await lab.batch([a("y", "not-an-address")]);
      equal(statuses(answer), "error: error");
      ok(get(answer, "detail.0.err_msg"));
    },
  ],
  [
    "8 no data; the job was not found, or is another account's",
    async (lab) => {
      const job_id = String(get(await lab.create([a("x")]), "job_id"));
      for (const params of [{ job_id: "1" }, {}, { job_id, login_token: friendToken }])
        equal(await lab.code("Batch.Detail", params), "8");
    },
  ],
]);

describe("an emulator job", () => {
  it("stops after the configured number of records, and continues after its release", () =>
    inLab({ settings: { stickAfter: 1, jobMs: 100, jobStartMs: 0 } }, async (lab) => {
      const created = await lab.create([a("x"), a("y"), a("z")]);
      lab.tick(3_600_000);
      equal(await lab.progress(created), "running: ok running waiting");
      lab.admin.resumeJob(Number(get(created, "job_id")));
      lab.tick(150);
      equal(await lab.progress(created), "running: ok ok running");
      lab.tick(100);
      equal(await lab.progress(created), "ok: ok ok ok");
    }));

  it("does not begin if it stops at 0 records, and can be finished by hand", () =>
    inLab({ settings: { stickAfter: 0 } }, async (lab) => {
      const created = await lab.create([a("x")]);
      lab.tick(3_600_000);
      equal(await lab.progress(created), "waiting: waiting");
      lab.admin.finishJob(Number(get(created, "job_id")));
      equal(await lab.progress(created), "ok: ok");
    }));

  it("can be stopped and released while it runs", () =>
    inLab(slow, async (lab) => {
      const created = await lab.create([a("x"), a("y")]);
      lab.tick(2_500);
      lab.admin.pauseJob(Number(get(created, "job_id")));
      lab.tick(60_000);
      equal(await lab.progress(created), "running: ok running");
      equal(lab.admin.jobs()[0]?.stuck, true);
    }));

  it("runs concurrently with others, in the order of their times", () =>
    inLab(slow, async (lab) => {
      const first = await lab.create([a("x"), a("y"), a("z")]);
      lab.tick(500);
      const second = await lab.create([a("y")]);
      lab.tick(2_700);
      // y of the second job was due at 2.5 s, before y of the first at 3 s: the first meets an identical record.
      equal(await lab.progress(second), "ok: ok");
      equal(await lab.progress(first), "running: ok error running");
    }));

  it("sees edits that the console makes in the meantime", () =>
    inLab(slow, async (lab) => {
      const created = await lab.create([a("x"), a("y")]);
      lab.tick(2_100);
      lab.admin.setDomain("example.com", { status: "lock" });
      lab.tick(5_000);
      const answer = await lab.detail(created);
      equal(statuses(answer), "ok: ok error");
      match(String(get(answer, "detail.0.records.1.err_msg")), /locked/);
    }));
});
