/** Every shape of answers on record, through the real engine: nothing but the account's address and token is set. */
import assert from "node:assert/strict";
import { idsOf, settingsOf, startService, writesOf } from "../support/service";
import { Stack } from "../support/stack";

const program = `
new dns.RecordBatch("zone", { domains: "example.com", undeclared: "report", records: ["@ 600 MX 10 mx.example.net.", "www 600 A 192.0.2.1", "office 600 A 192.0.2.2", "office 600 A 192.0.2.3 [电信]"] });
new dns.Record("named", { domain: "example.com", name: "named", type: "A", value: "192.0.2.4", line: "Default" });
exports.lines = dns.getRecords({ domain: "example.com", name: "www" }).then(({ records }) => records.map(({ line }) => line));
`;
const shapes = ["english", "2016", "2017", "2018", "documented"] as const;

describe("A service that answers in the shape of", () => {
  for (const shape of shapes) {
    for (const hold of [true, false]) {
      if (!hold && shape !== "english" && shape !== "documented") continue;
      it(`${shape}, ${hold ? "with" : "without"} marks on its own NS records: records are adopted, made once, and found as declared`, async () => {
        const service = await startService({ settings: { answers: shape, hold } });
        service.admin.addRecord(
          "example.com",
          { name: "www", type: "A", value: "192.0.2.1", ttl: 600 },
          { indexed: true },
        );
        const { LEGACYDNS_INDEX_DELAY: _delay, ...env } = settingsOf(service);
        const records = shape === "english" ? program.replace("电信", "China Telecom") : program;
        const stack = await Stack.create({ program: records, env: { ...env, LEGACYDNS_INDEX_DELAY: "0" } });
        try {
          const up = await stack.up();
          assert.equal(up.code, 0, up.output);
          const ids = idsOf(service, "example.com");
          assert.equal(ids.length, 5);
          service.admin.clearCalls();
          const again = await stack.up("--refresh");
          assert.equal(again.code, 0, again.output);
          assert.doesNotMatch(`${up.output}${again.output}`, /warning:|nobody declares/);
          assert.match(again.output, /3 unchanged/, again.output);
          assert.equal(writesOf(service), 0);
          assert.deepEqual(idsOf(service, "example.com"), ids);
        } finally {
          await stack.dispose();
          await service.close();
        }
      });
    }
  }
});
