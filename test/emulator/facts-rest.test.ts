import { deepEqual, equal, notEqual, rejects } from "node:assert/strict";
import { each, facts, get, inLab, list, pick } from "./lab";

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
      const records = list(await lab.call("Record.List"), "records");
      deepEqual(
        records.map((record) => get(record, "monitor_status")),
        monitors,
      );
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
