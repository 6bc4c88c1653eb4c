/** Programs that declare in several steps: no update removes what the program declares later. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { idsOf, zoneLines } from "../support/service";
import { pluginSettings } from "../support/stack";
import { says, story, type Story, type StoryOptions } from "../support/story";

const full = {
  service: { settings: { undocumented: true } },
  env: { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" },
};

const batch = (name: string, lines: readonly string[], more = ""): string =>
  `new dns.RecordBatch(${JSON.stringify(name)}, { domains: "example.com", records: ${JSON.stringify(lines)}${more} });`;
const zone = (name: string, lines: readonly string[]): string =>
  `new dns.Zone(${JSON.stringify(name)}, { domain: "example.com", records: ${JSON.stringify(lines)} });`;
/** A program in steps, between which it waits for longer than any quiet window, and looks something up. */
const steps = (...parts: string[]): string =>
  `module.exports = async () => {\n${parts.join("\nawait dns.getDomains();\nawait new Promise((done) => setTimeout(done, 6000));\n")}\n};`;

const both = ["api 600 A 192.0.2.1", "www 600 A 192.0.2.2"];
const [api = "", www = ""] = both;

/** The second program moves records within the zone: no id changes, and nothing is made or removed. */
async function moves(options: Partial<StoryOptions>, first: string, second: string): Promise<void> {
  await story({ ...full, ...options, program: first }, async (told) => {
    const { emulator, deploy, up } = told;
    await up();
    const ids = idsOf(emulator, "example.com");
    const run = await deploy(second);
    assert.deepEqual(idsOf(emulator, "example.com"), ids, run.output);
    const {
      "Record.Remove": removed = 0,
      "Batch.Record.Create": made = 0,
      "Record.Modify": changed = 0,
    } = emulator.admin.counts();
    assert.deepEqual([removed, made, changed], [0, 0, 0], run.output);
    const quiet = await told.up();
    assert.doesNotMatch(quiet.output, /\d+ (created|updated|deleted|replaced)/);
  });
}

describe("a program that awaits between its batches, under `removal: delete`", () => {
  it("keeps a record that moves from the first batch into a later one", () =>
    moves({}, batch("a", both), steps(batch("a", [www]), batch("b", [api]))));

  it("keeps it in zones as well, and in components of the program's own", () =>
    moves(
      {},
      zone("a", both),
      steps(
        `class Team extends pulumi.ComponentResource { constructor(name, make) { super("test:index:Team", name); make(this); } }\n${zone("a", [www])}`,
        `new Team("team", (parent) => new dns.Zone("b", { domain: "example.com", records: ${JSON.stringify([api])} }, { parent }));`,
      ),
    ));

  it("keeps a record that a single Record takes over later", () =>
    moves(
      {},
      batch("a", both),
      steps(
        batch("a", [www]),
        `new dns.Record("b", { domain: "example.com", name: "api", type: "A", value: "192.0.2.1", ttl: 600 });`,
      ),
    ));

  it("keeps it in a program of three steps, without an exported function, and where outputs of a batch are exported", () =>
    moves(
      {},
      batch("a", both),
      `const a = ${batch("a", [])}\nexports.texts = a.records;\n(async () => {\n${steps(
        "",
        batch("c", [www]),
        batch("b", [api]),
      )
        .replace("module.exports = async () => {", "")
        .replace(/};$/, "")}})();`,
    ));

  it("removes what nobody declares, at the end of the same update", () =>
    story({ ...full, program: batch("a", both) }, async ({ emulator, deploy }) => {
      await deploy(steps(batch("a", both), batch("b", ["ftp 600 A 192.0.2.3"])));
      await deploy(steps(batch("a", [www]), batch("b", ["ftp 600 A 192.0.2.4"])));
      assert.deepEqual(zoneLines(emulator, "example.com"), ["ftp A 192.0.2.4 600", "www A 192.0.2.2 600"]);
    }));

  it("`undeclared: remove` takes nothing that is declared later", () =>
    story(
      {
        ...full,
        service: {
          domains: [
            {
              name: "example.com",
              records: [
                { name: "stray", type: "A", value: "192.0.2.66", ttl: 600 },
                { name: "new", type: "A", value: "192.0.2.67", ttl: 600 },
              ],
            },
          ],
          settings: { undocumented: true },
        },
        program: batch("a", [www], ', undeclared: "remove"'),
      },
      async ({ emulator, up, deploy }) => {
        await up();
        const kept = emulator.admin
          .zone("example.com", { hold: false })
          .find((record) => record.name === "new")?.id;
        const run = await deploy(
          steps(batch("a", [www], ', undeclared: "remove"'), batch("b", ["new 600 A 192.0.2.67"])),
          "--refresh",
        );
        assert.deepEqual(
          zoneLines(emulator, "example.com"),
          ["new A 192.0.2.67 600", "www A 192.0.2.2 600"],
          run.output,
        );
        assert.ok(idsOf(emulator, "example.com").includes(kept ?? 0), "it was never away");
      },
    ));

  it("ends where it awaits outputs of its own batch, which declares what it declares", () =>
    story({ ...full, program: batch("a", both) }, async ({ emulator, up, deploy }) => {
      await up();
      const ids = idsOf(emulator, "example.com");
      await deploy(`module.exports = async () => {
        const a = ${batch("a", both)}
        await new Promise((done) => a.records.apply(done));
        ${batch("b", ["late 600 A 192.0.2.9"])}
        return { texts: a.records };
      };`);
      assert.deepEqual(zoneLines(emulator, "example.com"), [
        "api A 192.0.2.1 600",
        "late A 192.0.2.9 600",
        "www A 192.0.2.2 600",
      ]);
      assert.ok(ids.every((id) => idsOf(emulator, "example.com").includes(id)));
    }));

  it("that says so by `declareAll` loses nothing though it awaits outputs of its own batch: the update ends with the way out", () =>
    story({ ...full, program: batch("a", both) }, async ({ emulator, up, stack, failing }) => {
      await up();
      const ids = idsOf(emulator, "example.com");
      stack.program(`module.exports = dns.declareAll(async () => {
        const a = ${batch("a", [www])}
        await new Promise((done) => a.records.apply(done));
        ${batch("b", [api])}
      });`);
      says(
        await failing(),
        "not proven that the program has declared everything",
        "declare all resources before an output of a batch is awaited",
      );
      assert.deepEqual(idsOf(emulator, "example.com"), ids);
    }));

  it("that fails half-way removes nothing, since what it did not reach may declare it", () =>
    story({ ...full, program: batch("a", both) }, async ({ emulator, up, stack }) => {
      await up();
      const ids = idsOf(emulator, "example.com");
      // Of one line: Node 20.20 takes a minute to show the whole stack trace (docs/faults.md).
      stack.program(
        `Error.stackTraceLimit = 1;\n${steps(batch("a", [www]), 'throw new Error("no such host");', batch("b", [api]))}`,
      );
      // The engine shows where the program's own error was thrown.
      says(await stack.up(), "no such host", "not proven that the program has declared everything");
      assert.deepEqual(idsOf(emulator, "example.com"), ids);
    }));
});

describe("an inline program of the Automation API, under `removal: delete`", () => {
  /** Runs an `up` of the stack's folder with an inline program in place of its own. */
  const inline = async (
    told: Story,
    program: string,
  ): Promise<{ readonly code: number | null; readonly output: string }> => {
    const { stack } = told;
    mkdirSync(join(stack.folder, "inline"), { recursive: true });
    writeFileSync(
      join(stack.folder, "inline.js"),
      `
      const pulumi = require("@pulumi/pulumi");
      const { LocalWorkspace } = require("@pulumi/pulumi/automation");
      const dns = require("pulumi-legacydns");
      const program = ${program};
      (async () => {
        const stack = await LocalWorkspace.createOrSelectStack({ stackName: "inline", projectName: "zones", program }, {
          projectSettings: { name: "zones", runtime: "nodejs", main: __dirname, backend: { url: process.env.PULUMI_BACKEND_URL }, ...${JSON.stringify(pluginSettings)} },
        });
        await stack.up({ onOutput: (text) => process.stdout.write(text) });
      })().catch((error) => { console.log(String(error.message ?? error)); process.exitCode = 1; });`,
    );
    told.emulator.admin.clearCalls();
    return stack.shell("node inline.js");
  };
  const first = `async () => { ${batch("a", both)} }`;
  const second = `async () => { ${batch("a", [www])}\nawait new Promise((done) => setTimeout(done, 6000));\n${batch("b", [api])} }`;

  it("loses nothing where it is wrapped in `declareAll`, and removes what nobody declares", () =>
    story(full, async (told) => {
      const { emulator } = told;
      const made = await inline(told, first);
      assert.equal(made.code, 0, made.output);
      const ids = idsOf(emulator, "example.com");
      const moved = await inline(told, `dns.declareAll(${second})`);
      assert.equal(moved.code, 0, moved.output);
      assert.deepEqual(idsOf(emulator, "example.com"), ids, moved.output);
      const gone = await inline(
        told,
        `dns.declareAll(async () => { ${batch("a", [www])}\n${batch("b", ["new 600 A 192.0.2.9"])} })`,
      );
      assert.equal(gone.code, 0, gone.output);
      assert.deepEqual(zoneLines(emulator, "example.com"), ["new A 192.0.2.9 600", "www A 192.0.2.2 600"]);
    }));

  it("loses nothing without it either: what would go is named, with the way out", () =>
    story(full, async (told) => {
      const { emulator } = told;
      const made = await inline(told, first);
      assert.equal(made.code, 0, made.output);
      const ids = idsOf(emulator, "example.com");
      const moved = await inline(told, second);
      assert.deepEqual(idsOf(emulator, "example.com"), ids, moved.output);
      says(moved, "wrap an inline program in `declareAll`");
    }));
});
