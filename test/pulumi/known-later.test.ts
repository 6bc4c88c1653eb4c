/**
 * Records with names and values from another resource: a certificate's validation record, in previews and
 * updates.
 */
import { deepEqual, doesNotMatch, equal } from "node:assert/strict";
import { byBothFrontEnds, fails, must, noStack, says, story } from "../support/story";

const certificate = `
  class Certificate extends pulumi.dynamic.Resource {
    constructor(name) {
      super({ create: async () => ({ id: "1", outs: { validationName: "_abc.example.com.", validationValue: "x1.acme.example.org." } }) }, name, { validationName: undefined, validationValue: undefined });
    }
  }
  const cert = new Certificate("cert");
`;
const forms = `${certificate}
const spec = (tag) => pulumi.all([cert.validationName, cert.validationValue]).apply(([name, value]) => ({ name: name.replace("abc", tag), type: "CNAME", value, ttl: 600 }));
const batch = new dns.RecordBatch("batch", { domains: "example.com", records: [
  { name: cert.validationName, type: "CNAME", value: cert.validationValue, ttl: 600 },
  { name: cert.validationName.apply((name) => name.replace("abc", "dotless").slice(0, -1)), type: "TXT", value: "here", ttl: 60 },
  spec("spec"),
  cert.validationName.apply((name) => "line." + name + " 600 A 192.0.2.1"),
  "www 600 A 192.0.2.1",
] });
new dns.Zone("example.net", { domain: "example.net", records: pulumi.output(spec("zone")).apply(({ name, ...rest }) => [{ ...rest, name: name.replace(".com", ".net") }]) });
const made = new dns.Record("made", { domain: "example.com", name: cert.validationName.apply((name) => name.replace("abc", "made")), type: "CNAME", value: cert.validationValue, ttl: 600 });
exports.made = pulumi.all([made.fqdn, made.recordId]).apply((outputs) => outputs.join(" "));
exports.names = batch.entries.apply((all) => all.map(({ name }) => name).join(" "));`;

describe("a record whose name and value are known later", () => {
  byBothFrontEnds(
    "is previewed and created in a batch and a zone, as a name, spec, line or list",
    { program: forms },
    async ({ admin, stack, up, quietUp, lines, writes }) => {
      const preview = await must(stack.preview("--diff"));
      noStack(preview);
      says(
        preview,
        "example.com: 1 to create, 4 compared at the update\n",
        "  + (known after the update).example.com. 600 CNAME (known after the update)\n",
        "example.net: 1 compared at the update\n  + (records known after the update)\n",
      );
      doesNotMatch(preview.output, /04da6b54/);
      equal(writes(), 0);
      await up();
      deepEqual(lines(), [
        "_abc CNAME x1.acme.example.org. 600",
        "_dotless TXT here 60",
        "_made CNAME x1.acme.example.org. 600",
        "_spec CNAME x1.acme.example.org. 600",
        "line._abc A 192.0.2.1 600",
        "www A 192.0.2.1 600",
      ]);
      deepEqual(lines("example.net"), ["_zone CNAME x1.acme.example.org. 600"]);
      says(await stack.must("stack", "output", "names"), "_abc line._abc _dotless _spec www");
      const zone = admin.zone("example.com", { hold: false });
      const id = zone.find(({ name }) => name === "_made")?.id;
      equal((await stack.outputs())["made"], `_made.example.com ${id}`);
      await quietUp();
      // The certificate changes, so the value is unknown again and may equal the live one.
      stack.program(forms.replaceAll("x1.acme", "x2.acme"));
      const again = await must(stack.preview("--diff"));
      says(
        again,
        "example.com: 4 compared at the update, 1 unchanged\n",
        "example.net: 1 compared at the update\n",
      );
      doesNotMatch(again.output, /live\.left-over|to delete/);
    },
  );

  it("is one error that names it if the name is wrong in the update, and nothing is written", () => {
    const program = `${certificate.replace("example.com", "example.org")} new dns.RecordBatch("batch", { domains: "example.com", records: ["www A 192.0.2.1", { name: cert.validationName, type: "CNAME", value: cert.validationValue }] });`;
    return story({ program }, async ({ stack, writes }) => {
      const run = await fails(stack.upWithPreview("--suppress-progress"));
      says(run, "Updating (test)");
      noStack(run);
      const errors = (run.output.split("Diagnostics:").at(-1) ?? "").match(/error: |\[name\.outside\]/g);
      deepEqual(errors, ["error: ", "[name.outside]"], run.output);
      says(run, '"_abc.example.org." is outside example.com [name.outside]');
      equal(writes(), 0);
    });
  });
});
