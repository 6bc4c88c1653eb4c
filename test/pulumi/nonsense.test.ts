import assert from "node:assert/strict";
import type { StackPlan } from "../../cli/plan/report";
import { bare } from "../support/native";
import { byBothFrontEnds, fails, ours, problem, says, story, type FrontEnd } from "../support/story";

const program = (frontEnd: FrontEnd | undefined) => `
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
  new dns.Record("a", { domain: "example.com", name: "www", type: "A", value: "192.0.2.1", removal: "keep" });
  new dns.Record("c", { domain: "example.com", name: "www", type: "CNAME", value: "x.example.org" });
  const known = new dns.Record("known", { domain: "example.com", name: "known", type: "A", value: "192.0.2.1" });
  new dns.Record("apex", { domain: "example.com", nmae: "www", type: "A", value: "192.0.2.1", __defaults: [] });
  new dns.Record("several", { domain: "example.com", nmae: "www", type: "A", value: "192.0.2", ttl: -1 });
  new dns.Record("later", { domain: "example.com", name: "later", type: "TXT", value: known.recordId, removl: "retain" });
  new dns.RecordBatch("batch", { domains: "example.com", records: [], undeclred: "report" });
  new dns.Zone("zone", { domain: "example.net", records: [], apexNS: true, shares: [{ email: "a@example.org", mode: "rw", subdomain: "shop" }] });
  new dns.DomainShare("share", { domain: known.recordId, email: "agency@example.org", mode: "rw", subdomain: "shop" });`;

/** A resource, and a pattern of its problem. */
const wrong = [
  ['Record "null"', ""],
  ['RecordBatch "nothing"', ""],
  ['RecordBatch "bigint"', ""],
  ['Zone "none"', ""],
  ['Zone "number"', ".*domain"],
  ['Zone "path"', ".*file"],
  [
    'DomainShare "none"',
    "domain: [^]*: email: nothing is not an e-mail address[^]*: mode: nothing is not valid",
  ],
  ['DomainShare "bigint"', "mode: a bigint is not valid"],
  ['Record "outputs"', ".*an Output is not an object"],
  ['Record "a"', 'removal: "keep" is not valid'],
  ['Record "c"', "the CNAME of www\\.example\\.com\\. excludes other data at the same name"],
] as const;

/** A resource, its unknown field, and the field that was meant. */
const unknown = [
  ['Record "apex"', "nmae", "name"],
  ['Record "later"', "removl", "removal"],
  ['RecordBatch "batch"', "undeclred", "undeclared"],
  ['Zone "zone"', "apexNS", "apexNs"],
  ['DomainShare "share"', "subdomain", "subDomain"],
] as const;

describe("wrong arguments", () => {
  byBothFrontEnds(
    "are problems with their paths, and unknown fields have the nearest one, for every resource at once",
    {},
    async ({ admin, stack, frontEnd }) => {
      stack.program(program(frontEnd));
      const run = await fails(stack.preview());
      assert.doesNotMatch(run.output, /^ {4}at |TypeError|RangeError/m);
      for (const [resource, text] of wrong) says(run, problem(resource, text));
      assert.equal(run.output.match(/^ +error: .*Zone "shares" shares\[0\]: /gm)?.length, 2, run.output);
      for (const [resource, field, meant] of unknown)
        says(
          run,
          problem(resource, `${field}: unknown field \\[field.unknown\\]\\s+help: did you mean ${meant}\\?`),
        );
      says(
        run,
        problem('Record "several"', "nmae: .*ttl: -1 is not a TTL.*value: .* is not an IPv4 address"),
      );
      says(run, 'Zone "zone" shares[0]: subdomain: unknown field [field.unknown]');
      assert.doesNotMatch(run.output, /__defaults/);
      assert.deepEqual(admin.counts(), {});
    },
  );

  it("of a program in another language end the preview at the first resource, and a plan lists them all", () =>
    story({ plugin: true }, async (told) => {
      const record = (name: string, more: object) =>
        `new Record("${name}", ${JSON.stringify({ domain: "example.com", name, type: "A", value: "192.0.2.1", ...more })});`;
      told.stack.program(
        [bare, record("a", { ttl: [1] }), record("b", { value: 7 }), record("c", { nmae: "c" })].join("\n"),
      );
      const { output } = await fails(told.stack.preview());
      assert.equal(new Set(output.match(/Record resource '\w' has a problem/g)).size, 1, output);
      const { out } = await ours(told, "plan", "--json");
      const { errors } = JSON.parse(out) as StackPlan;
      assert.deepEqual(
        errors.map(({ code, text }) => `${/^Record "\w"/.exec(text)?.[0]} ${code}`),
        ['Record "a" ttl.unfit', 'Record "b" field.kind', 'Record "c" field.unknown'],
      );
    }));
});
