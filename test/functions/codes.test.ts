/** The errors of look-ups that the service refuses. test/api/meanings.test.ts has every code. */
import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import { getDomains, getRecords } from "../../provider/functions";
import { meaningOf } from "../../provider/api/meanings";
import { errorFrom, withService } from "./support";

const example = { domain: "example.com" };

const cases: readonly (readonly [lookup: string, code: string, subject: string, args?: object])[] = [
  ["getDomain", "13", "Domain.Info of example.com", example],
  ["getPurview", "21", "Domain.Purview of example.com", example],
  ["getRecords", "27", "Record.List of example.com", example],
  ["getCustomLines", "801", "Custom.Line.List of example.com", example],
  ["getDomain", "4711", "Domain.Info of example.com", example],
  ["getDomains", "7", "Domain.List"],
  ["getRecord", "8", "Record.Info of record 17 of example.com", { ...example, recordId: 17 }],
  ["getMonitorHistory", "7", "Monitor.Gethistory of monitor m-1", { monitorId: "m-1" }],
  ["getBatchJob", "8", "Batch.Detail of job 42", { jobId: 42 }],
];

describe("the codes of the service in look-ups", () => {
  for (const [lookup, code, subject, args] of cases) {
    it(
      `${lookup} rejects with the meaning and the help of code ${code}`,
      withService({}, async (emulator) => {
        const operation = subject.split(" ")[0] ?? "";
        emulator.admin.addFault({ kind: "code", operation, code, message: "Said" });
        const { meaning, help: actions } = meaningOf(operation, code);
        const error = await errorFrom(lookup, args);
        const [title = "", ...help] = error.message.split("\n");
        match(title, /^.* \[(?:call\.failed|zone\.refused)\]$/);
        ok(title.startsWith(`${lookup}: ${subject}: ${meaning} (${code} "Said") [`), title);
        ok(actions.length > 0);
        deepEqual(
          help,
          actions.map((action) => `  help: ${action}`),
        );
        deepEqual([error.operation, error.code, error.help, error.stack], [operation, code, actions, ""]);
      }),
    );
  }

  it(
    "a failed login is one error for every look-up, and nothing else is sent",
    withService({}, async (emulator) => {
      emulator.admin.addFault({ kind: "code", code: "-1", message: "Said" });
      const first = await errorFrom("getDomain", example);
      match(
        first.message,
        /^getDomain: Domain\.Info of example\.com: .* \[login\.failed\]\n.* tries this token for five minutes/s,
      );
      doesNotMatch(first.message, new RegExp(emulator.token));
      equal(await errorFrom("getRecords", example), first);
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
