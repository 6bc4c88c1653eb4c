/**
 * Records with names and values from another resource: a certificate's validation record, in previews and
 * updates.
 */
import assert from "node:assert/strict";
import { writesOf, zoneLines } from "../support/service";
import { byBothFrontEnds, noStack, says, story, type Story, must, fails } from "../support/story";

const certificate = (name: string, value = "x1.acme.example.org."): string => `
  class Certificate extends pulumi.dynamic.Resource {
    constructor(name, validationName = ${JSON.stringify(name)}) {
      super({ create: async () => ({ id: "1", outs: { validationName, validationValue: ${JSON.stringify(value)} } }) }, name, { validationName: undefined, validationValue: undefined });
    }
  }
  const cert = new Certificate("cert");
`;
const record = (more = ""): string => `
  const validation = new dns.Record("validation", { domain: "example.com", name: cert.validationName, type: "CNAME", value: cert.validationValue, ttl: 600 });
  exports.fqdn = validation.fqdn;
  exports.recordId = validation.recordId;${more}`;

async function previews({ stack, emulator }: Story, ...texts: string[]): Promise<void> {
  const run = await must(stack.preview("--diff"));
  noStack(run);
  says(run, ...texts);
  assert.doesNotMatch(run.output, /04da6b54/);
  assert.equal(writesOf(emulator), 0);
}

describe("a record whose name and value are known later", () => {
  it("is created in the update, with an absolute, a dotless or a relative name", () => {
    const others = ["_DEF.www.example.com", "_ghi.www"].map(
      (name, index) => `
      const other${index} = new Certificate("cert${index}", ${JSON.stringify(name)});
      new dns.Record("other${index}", { domain: "example.com", name: other${index}.validationName, type: "CNAME", value: other${index}.validationValue, ttl: 600 });`,
    );
    return story(
      { program: certificate("_abc.www.example.com.") + record() + others.join("") },
      async (told) => {
        const { stack, emulator, up, quietUp } = told;
        await previews(
          told,
          "example.com: 1 record not known before the update:",
          "+ (known after the update).example.com. 600 CNAME (known after the update)",
        );
        await up();
        const cname = (name: string): string => `${name}.www CNAME x1.acme.example.org. 600`;
        assert.deepEqual(zoneLines(emulator, "example.com"), [cname("_abc"), cname("_def"), cname("_ghi")]);
        const outputs = await stack.outputs();
        const [made] = emulator.admin
          .zone("example.com", { hold: false })
          .filter(({ name }) => name === "_abc.www");
        assert.deepEqual(outputs, { fqdn: "_abc.www.example.com", recordId: String(made?.id) });
        await quietUp();
      },
    );
  });

  byBothFrontEnds(
    "is previewed and created in a batch and a zone, as a name, spec, line or list",
    (frontEnd) => {
      const program = `${certificate("_abc.example.com.")}
      const spec = (tag) => pulumi.all([cert.validationName, cert.validationValue]).apply(([name, value]) => ({ name: name.replace("abc", tag), type: "CNAME", value, ttl: 600 }));
      const batch = new dns.RecordBatch("batch", { domains: "example.com", records: [
        { name: cert.validationName, type: "CNAME", value: cert.validationValue, ttl: 600 },
        { name: cert.validationName.apply((name) => name.replace("abc", "dotless").slice(0, -1)), type: "TXT", value: "here", ttl: 60 },
        spec("spec"),
        cert.validationName.apply((name) => "line." + name + " 600 A 192.0.2.1"),
        "www 600 A 192.0.2.1",
      ] });
      new dns.Zone("example.net", { domain: "example.net", records: pulumi.output(spec("zone")).apply(({ name, ...rest }) => [{ ...rest, name: name.replace(".com", ".net") }]) });
      exports.names = batch.entries.apply((all) => all.map(({ name }) => name).join(" "));`;
      return story({ frontEnd, program }, async (told) => {
        await previews(
          told,
          "example.com: 4 records not known before the update:\n",
          "+ (known after the update).example.com. 600 CNAME (known after the update)",
          '+ (known after the update).example.com. 60 TXT "here"',
          "+ (a record known after the update)",
          "example.net: records not known before the update:\n",
          "+ (records known after the update)",
        );
        await told.up();
        assert.deepEqual(zoneLines(told.emulator, "example.com"), [
          "_abc CNAME x1.acme.example.org. 600",
          "_dotless TXT here 60",
          "_spec CNAME x1.acme.example.org. 600",
          "line._abc A 192.0.2.1 600",
          "www A 192.0.2.1 600",
        ]);
        assert.deepEqual(zoneLines(told.emulator, "example.net"), ["_zone CNAME x1.acme.example.org. 600"]);
        says(await told.stack.must("stack", "output", "names"), "_abc line._abc _dotless _spec www");
        await told.quietUp();
        // The certificate changes, so the value is unknown again and may equal the live one.
        told.stack.program(program.replaceAll("x1.acme", "x2.acme"));
        const again = await must(told.stack.preview("--diff"));
        says(
          again,
          "example.com: 4 compared at the update, 1 unchanged\n",
          "example.net: 1 compared at the update\n",
        );
        assert.doesNotMatch(again.output, /no longer declared|to delete/);
      });
    },
  );
});

describe("a name that is wrong in the update", () => {
  it("is one error that names it, and nothing is written", () => {
    const program = `${certificate("_abc.example.org.")} new dns.RecordBatch("batch", { domains: "example.com", records: ["www A 192.0.2.1", { name: cert.validationName, type: "CNAME", value: cert.validationValue }] });`;
    return story({ program }, async ({ stack, emulator }) => {
      const run = await fails(stack.upWithPreview("--suppress-progress"));
      says(run, "Updating (test)");
      noStack(run);
      const diagnostics = run.output.split("Diagnostics:").at(-1) ?? "";
      const named = /_abc\.example\.org\..* is outside example\.com \[name\.outside\]/g;
      assert.deepEqual(
        [diagnostics.match(named)?.length, diagnostics.match(/error: /g)?.length],
        [1, 1],
        run.output,
      );
      assert.equal(writesOf(emulator), 0);
    });
  });
});
