/** `pulumi import` cannot work with the dynamic provider: its error, and no change. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { zoneLines } from "../support/service";
import { byDynamicProvider, story } from "../support/story";

const page = readFileSync(resolve(__dirname, "../../docs/moving.md"), "utf8");

const errors = readFileSync(resolve(__dirname, "../../docs/errors.md"), "utf8");

describe("the engine's own import", () => {
  byDynamicProvider(
    "ends in the SDK before any text of this package runs, with the error that docs/moving.md shows, and changes nothing",
    () =>
      story(
        {
          program:
            'new dns.Record("api", { domain: "example.com", name: "api", type: "A", value: "192.0.2.2", ttl: 600 });',
          service: {
            domains: [
              { name: "example.com", records: [{ name: "www", type: "A", value: "192.0.2.1", ttl: 600 }] },
            ],
          },
        },
        async ({ emulator, stack, up, deploy }) => {
          await up();
          const before = stack.resources().map(({ urn }) => urn);
          for (const type of ["Record", "RecordBatch", "DomainShare"]) {
            emulator.admin.clearCalls();
            const run = await stack.run(
              "import",
              `pulumi-nodejs:dynamic/legacydns:${type}`,
              "www",
              "479427872",
              "--yes",
              "--generate-code=false",
            );
            assert.notEqual(run.code, 0, run.output);
            const shown = /^(error: .*)$/m.exec(page)?.[1] ?? assert.fail("docs/moving.md shows the error");
            assert.ok(
              run.output.split("\n").some((line) => line.trim() === shown),
              run.output,
            );
            assert.ok(errors.includes(`\`${shown}\``), "docs/errors.md says what it is");
            // The update omits the text before it.
            const short = await stack.run(
              "import",
              `pulumi-nodejs:dynamic/legacydns:${type}`,
              "www",
              "479427872",
              "--yes",
              "--skip-preview",
              "--generate-code=false",
            );
            assert.ok(
              short.output
                .split("\n")
                .some(
                  (line) => line.trim() === shown.replace("preview failed: step application failed: ", ""),
                ),
              short.output,
            );
            // Once the host runs our text here, it can say what to do, and the page is to be changed.
            assert.match(run.output, /at ResourceProviderService\.read \(.*dynamic-provider/);
            assert.doesNotMatch(run.output, /pulumi-legacydns\/|dist\/provider/);
            assert.deepEqual(emulator.admin.counts(), {});
            assert.deepEqual(
              stack.resources().map(({ urn }) => urn),
              before,
            );
          }
          // What to do in its place.
          await deploy(
            'new dns.Record("www", { domain: "example.com", name: "www", type: "A", value: "192.0.2.1", ttl: 600 }); new dns.Record("api", { domain: "example.com", name: "api", type: "A", value: "192.0.2.2", ttl: 600 });',
          );
          assert.equal(emulator.admin.counts()["Batch.Record.Create"], undefined);
          assert.deepEqual(zoneLines(emulator, "example.com"), [
            "api A 192.0.2.2 600",
            "www A 192.0.2.1 600",
          ]);
        },
      ),
  );
});
