/**
 * Outputs of the engine's commands without an installed package, and of imports with the dynamic provider.
 */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { providerText } from "../../provider/resources/front-end";
import { byDynamicProvider, noStack, problem, says, story, fails } from "../support/story";

const program =
  'new dns.Record("www", { domain: "example.com", name: "www", type: "A", value: "192.0.2.1", ttl: 600 });';
const modules = resolve(__dirname, "../../node_modules");

describe("the provider text", () => {
  it("is a short constant", () => {
    assert.equal(
      providerText("Record"),
      'exports.handler=()=>{try{return require("module").createRequire(process.cwd()+"/")("pulumi-legacydns/runtime").dynamic("Record",1)}catch(e){e.stack="";e.message+="\\nRun npm install";throw e}}',
    );
    for (const type of ["Record", "RecordBatch", "DomainShare"]) assert.ok(providerText(type).length <= 200);
  });
});

describe("without the package in node_modules", () => {
  byDynamicProvider(
    "refresh and destroy name the missing package; without node_modules the engine names its own program",
    async () => {
      const folder = mkdtempSync(join(realpathSync(tmpdir()), "legacydns-bare-"));
      const own = join(folder, "node_modules", "pulumi-legacydns");
      try {
        mkdirSync(join(folder, "node_modules", "@pulumi"), { recursive: true });
        symlinkSync(join(modules, "@pulumi", "pulumi"), join(folder, "node_modules", "@pulumi", "pulumi"));
        symlinkSync(resolve(modules, ".."), own);
        writeFileSync(
          join(folder, "package.json"),
          JSON.stringify({ name: "bare", private: true, main: "index.js" }),
        );
        await story({ folder, program }, async ({ stack, up }) => {
          await up();
          rmSync(own);
          for (const run of [await fails(stack.refresh()), await fails(stack.destroy())]) {
            noStack(run);
            says(run, "Cannot find module 'pulumi-legacydns/runtime'", "Run npm install");
          }
          // Without node_modules the engine's own program is missing, so none of ours runs (docs/errors.md).
          rmSync(join(folder, "node_modules"), { recursive: true });
          for (const run of [await fails(stack.refresh()), await fails(stack.destroy())])
            says(run, "Cannot find module '@pulumi/pulumi/cmd/dynamic-provider'");
        });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});

describe("an import", () => {
  byDynamicProvider("of each type ends with a diagnostic", () => {
    const program = `
      new dns.Record("www", { domain: "example.com", name: "www", type: "A", value: "192.0.2.1" }, { import: "479427847" });
      new dns.RecordBatch("zone", { domains: "example.net", records: ["www A 192.0.2.1"] }, { import: "zone" });
      new dns.DomainShare("agency", { domain: "example.com", email: "agency@example.org", mode: "r" }, { import: "agency" });`;
    return story({ program }, async ({ emulator, stack }) => {
      const run = await fails(stack.preview("--suppress-progress"));
      noStack(run);
      for (const resource of ['Record "www"', 'RecordBatch "zone"', 'DomainShare "agency"'])
        says(run, problem(resource, "import: a dynamic provider cannot import by id \\[import.option\\]"));
      assert.deepEqual(emulator.admin.counts(), {});
    });
  });
});
