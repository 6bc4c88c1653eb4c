/**
 * Outputs of the engine's commands without an installed package, and of imports with the dynamic provider.
 */
import { deepEqual, equal, ok } from "node:assert/strict";
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { providerText } from "../../provider/resources/front-end";
import { inFolder } from "../cli/run";
import { root } from "../support/page";
import { batch, record, share } from "../support/programs";
import { byDynamicProvider, noStack, problem, says, story, fails } from "../support/story";

const program = record("www", "192.0.2.1");

describe("the provider text", () => {
  it("is a short constant", () => {
    equal(
      providerText("Record"),
      'exports.handler=()=>{try{return require("module").createRequire(process.cwd()+"/")("pulumi-legacydns/runtime").dynamic("Record",1)}catch(e){e.stack="";e.message+="\\nRun npm install";throw e}}',
    );
    for (const type of ["Record", "RecordBatch", "DomainShare"]) ok(providerText(type).length <= 200);
  });
});

describe("without the package in node_modules", () => {
  byDynamicProvider(
    "refresh and destroy name the missing package; without node_modules the engine names its own program",
    () =>
      inFolder(async (temporary) => {
        const folder = join(realpathSync(temporary), "bare");
        const own = join(folder, "node_modules", "pulumi-legacydns");
        mkdirSync(join(folder, "node_modules", "@pulumi"), { recursive: true });
        symlinkSync(
          join(root, "node_modules", "@pulumi", "pulumi"),
          join(folder, "node_modules", "@pulumi", "pulumi"),
        );
        symlinkSync(root, own);
        writeFileSync(
          join(folder, "package.json"),
          '{ "name": "bare", "private": true, "main": "index.js" }',
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
      }),
  );
});

describe("an import", () => {
  byDynamicProvider("of each type ends with a diagnostic", () => {
    const program =
      record("www", "192.0.2.1", {}, '{ import: "479427847" }') +
      batch("zone", ["www A 192.0.2.1"], { domains: "example.net" }, '{ import: "zone" }') +
      share("agency", "agency@example.org", "r", {}, '{ import: "agency" }');
    return story({ program }, async ({ admin, stack }) => {
      const run = await fails(stack.preview("--suppress-progress"));
      noStack(run);
      for (const resource of ['Record "www"', 'RecordBatch "zone"', 'DomainShare "agency"'])
        says(run, problem(resource, "import: a dynamic provider cannot import by id \\[import.option\\]"));
      deepEqual(admin.counts(), {});
    });
  });
});
