/** Programs of the Automation API: transforms and an `onError` hook. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { inlineUp } from "../support/inline";
import { batch } from "../support/programs";
import { type Story, byBothFrontEnds, says, story } from "../support/story";

/**
 * The program. `ofAll` registers a transform of all resources if the engine supports it, followed by `{
 * transforms }`.
 */
const program = (ofAll: string, ofZone: string) => `
  const www = { domain: "example.com", name: "www", type: "A", value: "192.0.2.1", ttl: 600 };
  const transform = (args) => {
    require("fs").appendFileSync("seen.txt", args.name + ": " + Object.keys(args.props).sort().join(" ") + "\\n");
    if (!args.type.endsWith(":RecordBatch")) return undefined;
    return { props: { ...args.props, records: ["AAA 1m A 192.0.2.9", { name: "mail", type: "MX", value: "10 mx.example.net" }], removal: "retain" }, opts: args.opts };
  };
  ${ofAll}
  new dns.Record("www", www, { transforms: [(args) => ({ props: { ...args.props, ttl: 60, value: "192.0.2.2" }, opts: args.opts })] });
  new dns.Zone("example.net", { domain: "example.net", records: ["www 600 A 192.0.2.3"] }, ${ofZone});`;

async function changed({ stack, lines }: Story, ...seen: RegExp[]): Promise<void> {
  deepEqual(lines(), ["www A 192.0.2.2 60"]);
  deepEqual(lines("example.net"), ["aaa A 192.0.2.9 60", "mail MX 10 mx.example.net. 600"]);
  says(
    await stack.shell("cat seen.txt"),
    /^example\.net: __program (__provider )?domains records$/m,
    ...seen,
  );
}

describe("a transform", () => {
  it("of a resource or a zone sees and sets the documented inputs", () =>
    story({ program: program("", "{ transforms: [transform] }") }, async (told) => {
      await told.up();
      await changed(told);
      for (const { inputs, outputs } of told.stack.resources())
        ok(!("__program" in { ...inputs, ...outputs }));
      await told.quietUp();
    }));

  it("of a whole program sees and sets the documented inputs", () =>
    story({}, async (told) => {
      await inlineUp(told.stack, program("pulumi.runtime.registerResourceTransform(transform);", "{}"));
      await changed(told, /^www: __program (__provider )?domain name ttl type value$/m);
    }));
});

const domains = ["example.com", "example.net"];
const repeating = `
  const again = async ({ failedOperation }) => {
    console.log("hook: " + failedOperation);
    await fetch(process.env.CLEAR, { method: "POST", body: "{}" });
    return true;
  };
  const onError = [new pulumi.ErrorHook("again", again)];
  ${batch("web", ["www 600 A 192.0.2.1"], { domains }, "{ hooks: { onError } }")}`;

describe("an onError hook", () => {
  byBothFrontEnds(
    "repeats a Create whose answer was lost, and each record is made once",
    { env: { LEGACYDNS_JOB_TIMEOUT: "2" }, service: { settings: { identical: "accept" } } },
    async ({ emulator, admin, stack, lines }) => {
      // The first answer is lost, and the zones cannot be read until the hook has run.
      admin.addFault({ kind: "dropped", operation: "Batch.Record.Create", when: "after", count: 1 });
      for (const [operation, skip] of [
        ["Record.List", 2],
        ["Record.Info", 0],
      ] as const)
        admin.addFault({ kind: "http", status: 404, operation, skip });
      const env = { CLEAR: `${emulator.adminUrl}/faults/clear` };
      const { output } = await inlineUp(stack, repeating, env);
      equal(output.match(/^hook: create$/gm)?.length, 1, output);
      for (const domain of domains) deepEqual(lines(domain), ["www A 192.0.2.1 600"]);
    },
  );
});
