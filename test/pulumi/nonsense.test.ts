import assert from "node:assert/strict";
import { settingsOf, startService, writesOf } from "../support/service";
import { Stack } from "../support/stack";
import { byBothFrontEnds, noStack, problem, says, story, fails } from "../support/story";

describe("wrong arguments", () => {
  byBothFrontEnds("are problems with their paths, for every resource at once", async (frontEnd) => {
    const service = await startService();
    const stack = await Stack.create({ frontEnd, program: "", env: settingsOf(service) });
    try {
      stack.program(`
        new dns.Record("null", null);
        new dns.RecordBatch("nothing");
        new dns.RecordBatch("bigint", { domains: "example.com", records: [{ type: "A", value: 10n }] });
        new dns.Zone("number", { domain: 7, file: "x.zone" });
        new dns.Zone("path", { domain: "example.com", file: 7, shares: 7 });
        new dns.Zone("none", null);
        new dns.DomainShare("none");
        new dns.DomainShare("bigint", { domain: "example.com", email: "a@example.org", mode: 10n });
        new dns.Record("outputs", pulumi.output({ domain: "example.com" }));
        new dns.Zone("shares", { domain: "example.com", records: [], shares: [null] });
        ${frontEnd === "dynamic" ? 'new dns.Provider("nothing");' : ""}
        new dns.RecordBatch("ignore", { domains: "example.com", records: [], ignore: "_acme*" });
        new dns.Record("a", { domain: "example.com", name: "www", type: "A", value: "192.0.2.1", removal: "keep" });
        new dns.Record("c", { domain: "example.com", name: "www", type: "CNAME", value: "x.example.org" });`);
      const { code, output } = await stack.preview();
      assert.notEqual(code, 0);
      assert.doesNotMatch(output, /^ {4}at |TypeError|RangeError/m);
      for (const resource of [
        'Record "null"',
        'RecordBatch "nothing"',
        'RecordBatch "bigint"',
        'Zone "none"',
      ])
        assert.match(output, problem(resource, ""));
      assert.match(output, problem('Zone "number"', ".*domain"));
      assert.match(output, problem('Zone "path"', ".*file"));
      assert.match(
        output,
        problem(
          'DomainShare "none"',
          "3 problems:\\s+- domain: [^]*\\s+- email: nothing is no [^]*\\s+- mode: nothing is not one of ",
        ),
      );
      assert.match(output, problem('DomainShare "bigint"', "mode: a bigint is not one of"));
      assert.match(output, problem('Record "outputs"', ".*an Output is no object"));
      assert.match(output, /Zone "shares" shares\[0\]: 2 problems/);
      assert.match(output, problem('Record "a"', 'removal: "keep" is not one of'));
      assert.match(
        output,
        problem('Record "c"', "the CNAME of www\\.example\\.com\\. excludes other data at the same name"),
      );
      assert.deepEqual(service.admin.counts(), {});
    } finally {
      stack.dispose();
      await service.close();
    }
  });

  it("that are unknown fields are refused with the nearest one, for every resource at once", () =>
    story({}, async ({ stack, emulator }) => {
      stack.program(`
        const known = new dns.Record("known", { domain: "example.com", name: "known", type: "A", value: "192.0.2.1" });
        new dns.Record("apex", { domain: "example.com", nmae: "www", type: "A", value: "192.0.2.1", __defaults: [] });
        new dns.Record("several", { domain: "example.com", nmae: "www", type: "A", value: "192.0.2", ttl: -1 });
        new dns.Record("later", { domain: "example.com", name: "later", type: "TXT", value: known.recordId, removl: "retain" });
        new dns.RecordBatch("batch", { domains: "example.com", records: [], undeclred: "report" });
        new dns.Zone("zone", { domain: "example.net", records: [], apexNS: true, shares: [{ email: "a@example.org", mode: "rw", subdomain: "shop" }] });
        new dns.DomainShare("share", { domain: known.recordId, email: "agency@example.org", mode: "rw", subdomain: "shop" });`);
      const run = await fails(stack.preview());
      noStack(run);
      for (const [resource, wrong, meant] of [
        ['Record "apex"', "nmae", "name"],
        ['Record "later"', "removl", "removal"],
        ['RecordBatch "batch"', "undeclred", "undeclared"],
        ['Zone "zone"', "apexNS", "apexNs"],
        ['DomainShare "share"', "subdomain", "subDomain"],
      ] as const)
        says(
          run,
          problem(resource, `${wrong}: unknown field \\[field.unknown\\]\\s+help: did you mean ${meant}\\?`),
        );
      says(
        run,
        problem('Record "several"', "3 problems:.*nmae: .*ttl: -1 is no TTL.*value: .* is no IPv4 address"),
      );
      says(run, 'Zone "zone" shares[0]: subdomain: unknown field [field.unknown]');
      assert.doesNotMatch(run.output, /__defaults/);
      assert.equal(writesOf(emulator), 0);
    }));
});
