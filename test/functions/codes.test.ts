/** The errors of look-ups that the service refuses. test/api/meanings.test.ts has every code. */
import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import {
  getBatchJob,
  getCustomLines,
  getDomain,
  getDomains,
  getMonitorHistory,
  getPurview,
  getRecord,
  getRecords,
} from "../../provider/functions";
import { meaningOf } from "../../provider/api/meanings";
import { errorOf, withService } from "./support";

const example = { domain: "example.com" };

const cases: readonly (readonly [string, string, string, () => Promise<unknown>])[] = [
  ["getDomain", "13", "Domain.Info of example.com", () => getDomain(example)],
  ["getPurview", "21", "Domain.Purview of example.com", () => getPurview(example)],
  ["getRecords", "27", "Record.List of example.com", () => getRecords(example)],
  ["getCustomLines", "801", "Custom.Line.List of example.com", () => getCustomLines(example)],
  ["getDomain", "4711", "Domain.Info of example.com", () => getDomain(example)],
  ["getDomains", "7", "Domain.List", () => getDomains()],
  [
    "getRecord",
    "8",
    "Record.Info of record 17 of example.com",
    () => getRecord({ ...example, recordId: 17 }),
  ],
  [
    "getMonitorHistory",
    "7",
    "Monitor.Gethistory of monitor m-1",
    () => getMonitorHistory({ monitorId: "m-1" }),
  ],
  ["getBatchJob", "8", "Batch.Detail of job 42", () => getBatchJob({ jobId: 42 })],
];

describe("the codes of the service in look-ups", () => {
  for (const [lookup, code, subject, ask] of cases) {
    it(
      `${lookup} rejects with the meaning and the help of code ${code}`,
      withService({}, async (emulator) => {
        const operation = subject.split(" ")[0] ?? "";
        emulator.admin.addFault({ kind: "code", operation, code, message: "Said" });
        const { meaning, help: actions } = meaningOf(operation, code);
        const error = await errorOf(ask());
        const [title = "", ...help] = error.message.split("\n");
        match(title, /^.* \[(?:call\.failed|zone\.refused)\]$/);
        ok(title.startsWith(`${lookup}: ${subject}: ${meaning} (${code} "Said") [`), title);
        ok(help.length > 0 && help.every((line) => line.startsWith("  help: ")));
        deepEqual(
          help.map((line) => line.replace("  help: ", "")),
          actions,
        );
        deepEqual([error.operation, error.code, error.help, error.stack], [operation, code, actions, ""]);
      }),
    );
  }

  it(
    "a failed login is one error for every look-up, and nothing else is sent",
    withService({}, async (emulator) => {
      emulator.admin.addFault({ kind: "code", code: "-1", message: "Said" });
      const first = await errorOf(getDomain(example));
      match(
        first.message,
        /^getDomain: Domain\.Info of example\.com: .* \[login\.failed\]\n.* tries this token for five minutes/s,
      );
      doesNotMatch(first.message, new RegExp(emulator.token));
      equal(await errorOf(getRecords(example)), first);
      deepEqual(emulator.admin.counts(), { "Domain.Info": 1 });
    }),
  );

  it("the codes for an empty list are answers, not errors", async () => {
    await withService({ domains: [{ name: "example.com", defaultNs: false }] }, async () => {
      deepEqual((await getRecords(example)).records, []);
      deepEqual((await getDomains({ keyword: "nothing" })).domains, []);
    })();
  });
});
