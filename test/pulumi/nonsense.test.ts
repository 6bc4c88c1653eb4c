import assert from "node:assert/strict";
import { settingsOf, startService } from "../support/service";
import { Stack } from "../support/stack";

describe("arguments that make no sense, through the real engine", () => {
  it("are problems with their paths, never exceptions, for every resource at once", async () => {
    const service = await startService();
    const stack = await Stack.create({ program: "", env: settingsOf(service) });
    try {
      stack.program(`
        new dns.Record("null", null);
        new dns.RecordBatch("nothing");
        new dns.RecordBatch("bigint", { domains: "example.com", records: [{ type: "A", value: 10n }] });
        new dns.Zone("number", { domain: 7, file: "x.zone" });
        new dns.Zone("path", { domain: "example.com", file: 7, shares: 7 });
        new dns.Zone("none", null);
        new dns.RecordBatch("ignore", { domains: "example.com", records: [], ignore: "_acme*" });
        new dns.Record("a", { domain: "example.com", name: "www", type: "A", value: "192.0.2.1" });
        new dns.Record("c", { domain: "example.com", name: "www", type: "CNAME", value: "x.example.org" });`);
      const { code, output } = await stack.preview();
      assert.notEqual(code, 0);
      assert.doesNotMatch(output, /^ {4}at |TypeError|RangeError/m);
      for (const said of [/Record "null"/, /RecordBatch "nothing"/, /RecordBatch "bigint"/, /Zone "number".*domain/s, /Zone "path".*file/s, /Zone "none"/]) {
        assert.match(output, said);
      }
      assert.match(output, /Record "c": www\.example\.com\. CNAME x\.example\.org\. cannot stand beside www\.example\.com\. A 192\.0\.2\.1 of Record "a"/);
      assert.deepEqual(service.admin.counts(), {});
    } finally {
      stack.dispose();
      await service.close();
    }
  });
});
