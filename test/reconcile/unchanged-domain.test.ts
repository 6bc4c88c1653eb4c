/** A job that changes one of its domains not at all. */
import { deepEqual, ok } from "node:assert/strict";
import type { JobDetail } from "../../provider/api";
import { declare, fresh, fullSettings, labs } from "../support/lab";
import { service } from "./own-form-lab";

const start = labs(service, fullSettings);

describe("a domain that a job could not change at all", () => {
  const refused = (text: string, records: object[]) => (job: JobDetail) => ({
    ...job,
    items: job.items.map((item) =>
      item.domain === "example.com" ? { ...item, status: "error", error: text, records } : item,
    ),
  });
  const lines = ["a 600 显性URL http://A.example.net", "a 600 显性URL http://B.example.net"];
  const named = { name: "a", type: "显性URL", line: "默认", status: "error", error: "not known here" };

  for (const [how, records] of [
    ["no record", []],
    ["the records in another form", ["x", "y"].map((value) => ({ ...named, value }))],
  ] as const)
    it(`is a refusal if its answer names ${how}`, async () => {
      const lab = await start({ settings: { refuse: [{ domain: "example.com", message: "no" }] } });
      const client = lab.clientWith(async (operation, call) => {
        const answer = await call();
        const change = refused("Type is not known", [...records]);
        return operation === "Batch.Detail" ? (change(answer as JobDetail) as typeof answer) : answer;
      });
      const begun = lab.clock.now();
      const declaration = declare(["example.com", "example.net"], lines);
      const { failures, ledger } = await lab.up(declaration, fresh, lab.reconciler({ client }));
      deepEqual(
        new Set(failures.map(({ code, why }) => `${code} ${String(why)}`)),
        new Set(["write.refused Type is not known"]),
      );
      deepEqual([ledger.held.length, ledger.openWrites.length], [2, 0]);
      ok(lab.clock.now() - begun < 5_000);
    });
});
