/** Transforms of a program see the documented inputs, and their changes are declared. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { must, pluginSettings, story, type Story, zoneLines } from "../support/story";

/**
 * The program. `ofAll` registers a transform of all resources if the engine supports it, followed by `{
 * transforms }`.
 */
const program = (ofAll: string, ofZone: string): string => `
  const www = { domain: "example.com", name: "www", type: "A", value: "192.0.2.1", ttl: 600 };
  const transform = (args) => {
    require("fs").appendFileSync("seen.txt", args.name + ": " + Object.keys(args.props).sort().join(" ") + "\\n");
    if (!args.type.endsWith(":RecordBatch")) return undefined;
    return { props: { ...args.props, records: ["AAA 1m A 192.0.2.9", { name: "mail", type: "MX", value: "10 mx.example.net" }], removal: "retain" }, opts: args.opts };
  };
  ${ofAll}
  new dns.Record("www", www, { transforms: [(args) => ({ props: { ...args.props, ttl: 60, value: "192.0.2.2" }, opts: args.opts })] });
  new dns.Zone("example.net", { domain: "example.net", records: ["www 600 A 192.0.2.3"] }, ${ofZone});`;

async function changed({ emulator, stack }: Story): Promise<void> {
  assert.deepEqual(zoneLines(emulator, "example.com"), ["www A 192.0.2.2 60"]);
  assert.deepEqual(zoneLines(emulator, "example.net"), [
    "aaa A 192.0.2.9 60",
    "mail MX 10 mx.example.net. 600",
  ]);
  const { output } = await stack.shell("cat seen.txt");
  assert.match(output, /^example\.net: __program (__provider )?domains records$/m);
}

describe("a transform", () => {
  it("of a resource or a zone sees and sets the documented inputs", () =>
    story({ program: program("", "{ transforms: [transform] }") }, async (told) => {
      await told.up();
      await changed(told);
      for (const { inputs, outputs } of told.stack.resources())
        assert.ok(!("__program" in { ...inputs, ...outputs }));
      await told.quietUp();
    }));

  it("of a whole program sees and sets the documented inputs", () =>
    story({}, async (told) => {
      // Through the Automation API: the language host of these tests is older than the engine, and knows no such transform.
      writeFileSync(
        join(told.stack.folder, "inline.js"),
        `
        const pulumi = require("@pulumi/pulumi");
        const { LocalWorkspace } = require("@pulumi/pulumi/automation");
        const dns = require("pulumi-legacydns");
        const program = async () => { ${program("pulumi.runtime.registerResourceTransform(transform);", "{}")} };
        const projectSettings = { name: "inline", runtime: "nodejs", main: __dirname, ...${JSON.stringify(pluginSettings)} };
        LocalWorkspace.createOrSelectStack({ stackName: "inline", projectName: "inline", program }, { projectSettings })
          .then((stack) => stack.up({ onOutput: process.stdout.write.bind(process.stdout) })).catch((error) => { console.error(error.message); process.exitCode = 1; });`,
      );
      await must(told.stack.shell("node inline.js"));
      await changed(told);
      assert.match(
        (await told.stack.shell("cat seen.txt")).output,
        /^www: __program (__provider )?domain name ttl type value$/m,
      );
    }));
});
