/** Facts of the operations for limits, monitors and lines. */
import { deepEqual, equal, match } from "node:assert/strict";
import { example, facts, get, list, refusals, unwritable } from "./lab";

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
    refusals("Domain.Purview", [
      ...unwritable,
      ["6", { domain_id: "x" }],
      ["8", { domain_id: "999999999" }],
      ["9", { remark: "x".repeat(300) }],
      ["13", { domain: "nowhere.example" }],
    ]),
  ],
]);

facts("Monitor.Gethistory", [
  [
    "domain, record and monitor_history with point, data.message, data.code and data.data",
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
    "Custom.Line.List",
    {},
    {
      "data.areas": [
        { domain_id: example, name: "office", area: "192.0.2.0-192.0.2.255", use_count: 2, max_count: 10 },
      ],
      "data.available_count": 9,
    },
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
