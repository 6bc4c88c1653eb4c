/** Facts of the operations for limits, monitors and lines, and of enumerations. */
import { deepEqual, equal, match, notEqual, rejects } from "node:assert/strict";
import {
  answers,
  each,
  example,
  facts,
  get,
  inLab,
  list,
  noSuchDomain,
  pick,
  refusals,
  unwritable,
} from "./lab";

facts("Domain.Purview", [
  [
    "purview is an array of {name, value}; counts are integers, flags the strings yes or no; names are localized",
    async (lab) => {
      const entries = list(await lab.call("Domain.Purview"), "purview");
      equal(entries.length, 15);
      deepEqual(entries[0], { name: "URL转发条数", value: 20 });
      deepEqual(entries[1], { name: "NS记录条数", value: 99999 });
      deepEqual(entries[10], { name: "记录TTL最低", value: 60 });
      deepEqual(entries[11], { name: "混合泛解析支持", value: "no" });
      for (const entry of entries.slice(0, 11)) equal(typeof get(entry, "value"), "number");
      for (const entry of entries.slice(11)) match(String(get(entry, "value")), /^(yes|no)$/);
    },
  ],
  [
    "-15 domain banned, 21 domain locked, 6, 7, 8, 13 as elsewhere, 9 remark too long",
    refusals("Domain.Purview", [...unwritable, ...noSuchDomain, ["9", { remark: "x".repeat(300) }]]),
  ],
]);

facts("Monitor.Gethistory", [
  [
    "domain, record and monitor_history with point, data.message, data.code and data.data",
    answers(
      "Monitor.Gethistory",
      { monitor_id: "77" },
      {
        domain: { id: example, domain: "example.com", domain_grade: "DP_Plus" },
        record: { id: "501", sub_domain: "@", ip: "192.0.2.1" },
        "monitor_history.length": 1,
        "monitor_history.0.point": "Point 1",
        "monitor_history.0.data": {
          message: "ok",
          code: 1,
          data: [
            { status: "Down", status_code: -3, createtime: "2026-03-01 19:30:00", responsetime: 9000 },
            { status: "Ok", status_code: 200, createtime: "2026-02-28 19:30:00", responsetime: 40 },
          ],
        },
      },
    ),
  ],
  [
    "hours: the history of the last this many hours; 7 monitor ID wrong",
    async (lab) => {
      const answer = await lab.call("Monitor.Gethistory", { monitor_id: "77", hours: "1" });
      equal(list(answer, "monitor_history.0.data.data").length, 1);
      await refusals("Monitor.Gethistory", [
        ["7", { monitor_id: "78" }],
        ["7", {}],
      ])(lab);
    },
  ],
]);

facts("Custom.Line.List", [
  [
    "data.areas with domain_id, name, area, use_count and max_count; available_count is an integer",
    answers(
      "Custom.Line.List",
      {},
      {
        "data.areas": [
          { domain_id: example, name: "office", area: "192.0.2.0-192.0.2.255", use_count: 2, max_count: 10 },
        ],
        "data.available_count": 9,
      },
    ),
  ],
  [
    "7 no permission on the domain, 40601 parameter error",
    refusals("Custom.Line.List", [
      ["7", { domain: "foreign.example" }],
      ["7", { domain: "nowhere.example" }],
      ["40601", { domain: "" }],
      ["40601", { domain_id: "x" }],
    ]),
  ],
]);

const grades = ["Free", "Plus", "Extra", "Expert", "Ultra"].flatMap((name) => [`D_${name}`, `DP_${name}`]);
const monitors = ["Ok", "Warn", "Down", ""] as const;
const renewals = ["yes", "no", "default"] as const;

facts("enumerations", [
  [
    "each grade has a localized grade_title",
    async (lab) => {
      for (const [i, grade] of grades.entries()) {
        const answer = await lab.call("Domain.Info", { domain: `d${i}.example` });
        equal(get(answer, "domain.grade"), grade);
        notEqual(get(answer, "domain.grade_title"), grade);
      }
    },
    { domains: grades.map((grade, i) => ({ name: `d${i}.example`, grade })) },
  ],
  [
    "monitor_status is Ok, Warn, Down or empty, in both answers",
    async (lab) => {
      deepEqual(each(await lab.call("Record.List"), "records", "monitor_status"), monitors);
      for (const [i, status] of monitors.entries()) {
        const answer = await lab.call("Record.Info", { record_id: String(i + 1) });
        equal(get(answer, "record.monitor_status"), status);
      }
    },
    {
      domains: [
        {
          name: "example.com",
          defaultNs: false,
          records: monitors.map((monitorStatus, i) => ({
            id: i + 1,
            name: `h${i}`,
            type: "A",
            value: "192.0.2.1",
            monitorStatus,
          })),
        },
      ],
    },
  ],
  [
    "vip_auto_renew is yes, no or default",
    async (lab) => {
      const answer = await lab.call("Domain.List");
      deepEqual(each(answer, "domains", "vip_auto_renew"), renewals);
      equal(get(answer, "info.vip_expire"), 0);
    },
    {
      domains: renewals.map((autoRenew) => ({
        name: `${autoRenew}.example`,
        vip: { startAt: "2026-01-01T00:00:00Z", endAt: "2027-01-01T00:00:00Z", autoRenew },
      })),
    },
  ],
]);

facts("limits", [
  [
    "a custom line's name is at most 17 characters",
    async () => {
      const withLine = (length: number) => {
        const customLines = [{ name: "x".repeat(length), area: "192.0.2.0-192.0.2.1" }];
        return inLab({ domains: [{ name: "a.example", customLines }] }, () => undefined);
      };
      await rejects(withLine(18));
      await withLine(17);
    },
  ],
  [
    "the custom line quota is max_count, and what is left of it available_count",
    async (lab) => {
      const answer = await lab.call("Custom.Line.List", { domain: "a.example" });
      deepEqual(pick(answer, "data.areas.0.max_count", "data.available_count"), [1, 0]);
    },
    {
      domains: [
        { name: "a.example", customLineMax: 1, customLines: [{ name: "x", area: "192.0.2.0-192.0.2.1" }] },
      ],
    },
  ],
  [
    "a record on a custom line is listed with that line's name",
    async (lab) => {
      const records = [
        { sub_domain: "cl", record_type: "A", value: "192.0.2.1" },
        { sub_domain: "cl", record_type: "A", record_line: "office", value: "192.0.2.2" },
      ];
      const answer = await lab.batch(records);
      equal(get(answer, "success"), 3);
      const listed = await lab.call("Record.List", { record_line: "office" });
      deepEqual(each(listed, "records", "value"), ["192.0.2.2"]);
    },
  ],
]);
