import { deepEqual, equal, match, ok } from "node:assert/strict";
import {
  code,
  facts,
  friendToken,
  get,
  heldId,
  ids,
  on,
  pick,
  refusals,
  slow,
  statuses,
  type Fact,
  type Lab,
  type Params,
} from "./lab";

const change = (lab: Lab, record_id: string, field: string, to: string, more: Params = {}) =>
  lab.call("Batch.Record.Modify", { record_id, change: field, change_to: to, ...more });
const changed = async (...args: Parameters<typeof change>) => args[0].finished(await change(...args));
const errorOf = (answer: unknown, n: number) => String(get(answer, `detail.0.records.${n}.err_msg`));

const fieldFact = (field: string, to: string, id: string, after: string, more: Params = {}): Fact => [
  `change=${field}: ${after}`,
  async (lab) => {
    equal(statuses(await changed(lab, id, field, to, more)), "ok: ok");
    const lines = lab.admin.zoneText("example.com");
    ok(lines.includes(after), lines.join("\n"));
  },
  on(),
];

facts("Batch.Record.Modify", [
  [
    "job_id is a string; detail echoes the records as they are, waiting, operation edit",
    async (lab) => {
      const [id, detail] = pick(await change(lab, "501,503", "ttl", "900"), "job_id", "detail");
      equal(typeof id, "string");
      match(String(id), /^\d+$/);
      const waiting = { err_msg: null, status: "waiting" };
      const record = {
        sub_domain: "@",
        area: "默认",
        ttl: "600",
        enabled: "1",
        ...waiting,
        operation: "edit",
      };
      deepEqual(detail, [
        {
          id: 0,
          domain_id: ids.example,
          domain: "example.com",
          domain_grade: "DP_Plus",
          ...waiting,
          operation: null,
          records: [
            { ...record, id: 0, record_id: "501", record_type: "A", value: "192.0.2.1" },
            { ...record, id: 1, record_id: "503", record_type: "MX", value: "mx1.example.com.", mx: "5" },
          ],
        },
      ]);
    },
    on(),
  ],
  [
    "Batch.Detail: type record_modify, operation edit, record_id an integer, ttl a string",
    async (lab) => {
      const answer = await changed(lab, "503", "mx", "9");
      const seen = pick(answer, "type", "total", "success", "detail.0.operation");
      deepEqual(seen, ["record_modify", 2, 2, "edit"]);
      deepEqual(get(answer, "detail.0.records.0"), {
        id: 0,
        sub_domain: "@",
        record_type: "MX",
        area: "默认",
        value: "mx1.example.com.",
        ttl: "600",
        mx: "9",
        err_msg: null,
        status: "ok",
        operation: "edit",
        record_id: 503,
      });
    },
    on(),
  ],
  fieldFact("sub_domain", "moved", "501", "moved 600 A 192.0.2.1"),
  fieldFact("sub_domain", "", "507", "@ 600 TXT v=spf1 -all"),
  fieldFact("record_type", "CNAME", "504", "old 600 CNAME example.org. (disabled)", { value: "example.org" }),
  fieldFact("record_type", "MX", "501", "@ 600 MX 7 mx2.example.com.", { value: "mx2.example.com", mx: "7" }),
  fieldFact("area", "联通", "506", "geo 600 A 192.0.2.21 [联通]"),
  fieldFact("value", "192.0.2.2", "501", "@ 600 A 192.0.2.2"),
  fieldFact("value", "mx2.example.com", "503", "@ 600 MX 5 mx2.example.com."),
  fieldFact("mx", "20", "503", "@ 600 MX 20 mx1.example.com."),
  fieldFact("ttl", "900", "506", "geo 900 A 192.0.2.21 [电信]"),
  fieldFact("status", "disable", "502", "www 600 CNAME example.com. (disabled)"),
  fieldFact("status", "enable", "504", "old 600 A 192.0.2.9"),
  [
    "each record is judged on its own; err_msg holds the text, and the domain's entry fails where nothing went well",
    async (lab) => {
      const answer = await changed(lab, `501,502,${heldId(lab)},504`, "sub_domain", "geo");
      equal(statuses(answer), "ok: ok error error ok");
      match(errorOf(answer, 1), /CNAME conflicts/);
      match(errorOf(answer, 2), /own NS record/);
      deepEqual(pick(answer, "total", "success", "fail"), [5, 3, 2]);
      const same = await changed(lab, "505", "value", "192.0.2.1");
      equal(statuses(same), "error: error");
      match(String(get(same, "detail.0.err_msg")), /^Domain record already exists$/);
    },
    on(),
  ],
  [
    "Record.List lags behind it by the same delay, from the moment of each record's turn",
    async (lab) => {
      await change(lab, "505", "ttl", "900");
      lab.tick(31_000);
      equal((await lab.listed("geo"))[0], "600 A 192.0.2.20");
      lab.tick(1_000);
      equal((await lab.listed("geo"))[0], "900 A 192.0.2.20");
    },
    on({ ...slow.settings, indexDelay: 30 }),
  ],
  [
    "a record that has the value already is ok, and counts towards its lock together with Record.Modify",
    async (lab) => {
      for (let turn = 0; turn < 3; turn += 1)
        equal(statuses(await changed(lab, "501", "status", "enable")), "ok: ok");
      for (let turn = 0; turn < 3; turn += 1) equal(code(await lab.modify({})), "1");
      const answer = await changed(lab, "501,505", "ttl", "900");
      equal(statuses(answer), "ok: error ok");
      match(errorOf(answer, 0), /locked/);
      equal(code(await lab.modify({ ttl: "900" })), "21");
    },
    on(),
  ],
  [
    "has a code for each refusal of a whole call, which queues nothing",
    refusals(
      "Batch.Record.Modify",
      [
        ["8", { record_id: "" }],
        ["8", { record_id: "501,x" }],
        ["8", { record_id: "501,999" }],
        ["34", { change: "" }],
        ["34", { change: "weight" }],
        ["34", { change_to: "" }],
        ["34", { change: "status", change_to: "off" }],
        ["34", { change: "record_type", change_to: "CNAME" }],
        ["7", { login_token: friendToken }],
      ],
      { record_id: "501", change: "ttl", change_to: "900" },
    ),
    on(),
  ],
]);
