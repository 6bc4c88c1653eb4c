import assert from "node:assert/strict";
import { startEmulator } from "../../emulator";
import { facts, type Fact } from "./facts";
import { code, get, ids, list } from "./lab";

const grades = [
  "D_Free",
  "D_Plus",
  "D_Extra",
  "D_Expert",
  "D_Ultra",
  "DP_Free",
  "DP_Plus",
  "DP_Extra",
  "DP_Expert",
  "DP_Ultra",
] as const;

facts("enumerations", [
  ...grades.map((grade): Fact => ({
    says: `grade ${grade} with a localized grade_title`,
    options: { domains: [{ name: "example.com", grade }] },
    check: async (lab) => {
      const answer = await lab.call("Domain.Info", { domain: "example.com" });
      assert.equal(get(answer, "domain.grade"), grade);
      assert.notEqual(get(answer, "domain.grade_title"), grade);
    },
  })),
  ...(["Ok", "Warn", "Down", ""] as const).map((monitorStatus): Fact => ({
    says: `monitor_status '${monitorStatus}'`,
    options: {
      domains: [{ name: "example.com", records: [{ id: 5, type: "A", value: "192.0.2.1", monitorStatus }] }],
    },
    check: async (lab) => {
      const record = await lab.call("Record.Info", { domain: "example.com", record_id: "5" });
      assert.equal(get(record, "record.monitor_status"), monitorStatus);
      assert.equal(
        get(await lab.call("Record.List", { domain: "example.com" }), "records.2.monitor_status"),
        monitorStatus,
      );
    },
  })),
  ...(["yes", "no", "default"] as const).map((autoRenew): Fact => ({
    says: `vip_auto_renew ${autoRenew}`,
    options: {
      domains: [
        {
          name: "example.com",
          vip: { startAt: "2026-01-01T00:00:00Z", endAt: "2027-01-01T00:00:00Z", autoRenew },
        },
      ],
    },
    check: async (lab) => {
      const answer = await lab.call("Domain.List");
      assert.equal(get(answer, "domains.0.vip_auto_renew"), autoRenew);
      assert.equal(get(answer, "info.vip_expire"), 0);
    },
  })),
]);

/** api.md, Errors of Custom.Line.List that belong to the editing of lines: no documented call leads there. */
const lineCodes = ["40603", "40609", "801", "802", "77", "40608", "40607", "400001", "40604", "40606", "81"];
/** service-notes.md, Common return codes that no state of the emulator leads to. */
const commonCodes = ["-2", "-3", "-4", "-7", "-99", "3", "6", "7", "50", "54", "83", "85"];

facts("codes that only a fault can show", [
  ...lineCodes.map((given): Fact => ({
    says: `Custom.Line.List ${given}`,
    check: async (lab) => {
      lab.emulator.admin.addFault({ kind: "code", code: given, operation: "Custom.Line.List" });
      assert.equal(code(await lab.call("Custom.Line.List", { domain: "example.com" })), given);
    },
  })),
  ...commonCodes.map((given): Fact => ({
    says: `common return code ${given}`,
    check: async (lab) => {
      lab.emulator.admin.addFault({ kind: "code", code: given });
      assert.equal(code(await lab.call("Domain.List")), given);
    },
  })),
]);

facts("limits", [
  {
    says: "a custom line's name is at most 17 characters",
    check: async () => {
      const customLines = (length: number) => [{ name: "x".repeat(length), area: "192.0.2.0-192.0.2.1" }];
      await assert.rejects(startEmulator({ domains: [{ name: "a.example", customLines: customLines(18) }] }));
      await (await startEmulator({ domains: [{ name: "a.example", customLines: customLines(17) }] })).close();
    },
  },
  {
    says: "the custom line quota is max_count, and what is left of it available_count",
    options: {
      domains: [
        { name: "a.example", customLineMax: 1, customLines: [{ name: "x", area: "192.0.2.0-192.0.2.1" }] },
      ],
    },
    check: async (lab) => {
      const answer = await lab.call("Custom.Line.List", { domain: "a.example" });
      assert.deepEqual([get(answer, "data.areas.0.max_count"), get(answer, "data.available_count")], [1, 0]);
    },
  },
  {
    says: "a record on a custom line is listed with that line's name",
    check: async (lab) => {
      const records = [
        { sub_domain: "cl", record_type: "A", value: "192.0.2.1" },
        { sub_domain: "cl", record_type: "A", record_line: "office", value: "192.0.2.2" },
      ];
      const answer = await lab.batch(String(ids.example), records);
      assert.equal(get(answer, "success"), 3);
      const listed = await lab.call("Record.List", { domain: "example.com", record_line: "office" });
      assert.deepEqual(
        list(listed, "records").map((record) => get(record, "value")),
        ["192.0.2.2"],
      );
    },
  },
]);
