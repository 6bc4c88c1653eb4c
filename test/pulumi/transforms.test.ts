/** Transforms of a program see the documented inputs, and their changes are declared. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  byBothFrontEnds,
  fails,
  must,
  noStack,
  pluginSettings,
  says,
  story,
  type Story,
  writesOf,
  zoneLines,
} from "../support/story";

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

  byBothFrontEnds(
    "that drops a record deletes it in full mode, although the program constructs it",
    (frontEnd) => {
      const zones = (transforms: string): string => `
      new dns.RecordBatch("zone", { domains: "example.com", records: ["www 600 A 192.0.2.1", "gone 600 A 192.0.2.2"] }, { transforms: [${transforms}] });
      new dns.RecordBatch("beside", { domains: "example.com", records: ["api 600 A 192.0.2.3"] });`;
      const drop = `(args) => ({ props: { ...args.props, records: args.props.records.split("\\n").filter((line) => !line.startsWith("gone.")).join("\\n") }, opts: args.opts })`;
      const env = { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" };
      const options = { frontEnd, program: zones(""), env, service: { settings: { undocumented: true } } };
      return story(options, async (told) => {
        await told.up();
        const { output } = await told.deploy(zones(drop));
        assert.deepEqual(zoneLines(told.emulator, "example.com"), [
          "api A 192.0.2.3 600",
          "www A 192.0.2.1 600",
        ]);
        assert.doesNotMatch(output, /taken over/);
        await told.quietUp();
      });
    },
  );

  byBothFrontEnds("that edits secret records or writes a wrong line is refused in the preview", (frontEnd) =>
    story({ frontEnd, program: "" }, async ({ stack, emulator }) => {
      const edited = (records: string, more: string): string =>
        `new dns.RecordBatch("zone", { domains: "example.com", records: ${records} }, { transforms: [(args) => ({ props: { ...args.props, records: args.props.records + "${more}\\n" }, opts: args.opts })] });`;
      for (const [program, expected] of [
        [
          edited('["www 600 A 192.0.2.1"]', "x A 192.0.2.300"),
          /records line 2: "192\.0\.2\.300" is not an IPv4 address/,
        ],
        [
          edited('[{ name: "s", type: "TXT", value: pulumi.secret("hush") }]', "x A 192.0.2.3"),
          /records: a transform has edited secret records as text/,
        ],
      ] as const) {
        stack.program(program);
        const run = await fails(stack.preview());
        noStack(run);
        says(run, expected);
        assert.doesNotMatch(run.output, /hush/);
      }
      assert.equal(writesOf(emulator), 0);
    }),
  );
});
