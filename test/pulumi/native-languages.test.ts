/** The same zone in TypeScript, Python and Go, through the real engine: inline programs of the Automation API need no language host. */
import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as ts from "typescript";
import { goProgram, pythonWithSdk } from "../support/languages";
import { blocksOf } from "../support/page";
import { pluginFolder, type Run, type Stack } from "../support/stack";
import { countsOf, writesOf, zoneLines } from "../support/service";
import { says, story } from "../support/story";
import type { Emulator } from "../../emulator";

const root = resolve(__dirname, "../..");
const zones = {
  "example.com": ["@ A 192.0.2.1 600", "@ A 192.0.2.2 600", "@ MX 10 mx1.example.org. 600", "@ TXT v=spf1 include:_spf.example.org -all 600", "api A 192.0.2.9 60", "shop CNAME www.example.org. 300", "www A 192.0.2.1 600", "www A 192.0.2.2 600"],
  "example.net": ["@ A 192.0.2.20 600", "www A 192.0.2.20 600"],
} as const;

/** What is live before: the program then declares it as it was imported. */
const imports = [
  { type: "legacydns:index:Record", name: "api", id: "example.com/api/A/192.0.2.9" },
  { type: "legacydns:index:Zone", name: "parked", id: "example.net" },
];

/** Imports, previews, makes the rest, finds drift, and destroys the zone of the examples. @param run a command of the program */
async function wholeWay(emulator: Emulator, stack: Stack, run: (command: string, env?: Record<string, string>) => Promise<Run>): Promise<void> {
  const must = async (command: string, env?: Record<string, string>): Promise<Run> => {
    const done = await run(command, env);
    assert.equal(done.code, 0, done.output);
    return done;
  };
  emulator.admin.addRecord("example.com", { name: "api", type: "A", value: "192.0.2.9", ttl: 60 });
  for (const name of ["@", "www"]) emulator.admin.addRecord("example.net", { name, type: "A", value: "192.0.2.20", ttl: 600 });
  writeFileSync(join(stack.folder, "import.json"), JSON.stringify({ resources: imports }));
  await stack.must("import", "--file", join(stack.folder, "import.json"), "--yes", "--protect=false", "--generate-code=false");
  says(await must("preview"), "+ legacydns:index:RecordBatch: (create)", 'status   : "enable"', "1 to create", "3 unchanged");
  assert.equal(writesOf(emulator), 0);
  await must("up");
  for (const [domain, lines] of Object.entries(zones)) assert.deepEqual(zoneLines(emulator, domain), lines);
  const outputs = JSON.parse((await stack.must("stack", "output", "--json")).output) as Record<string, unknown>;
  assert.match(String(outputs["apiRecord"]), /^\d+$/);

  emulator.admin.clearCalls();
  says(await must("up"), "4 unchanged");
  assert.equal(writesOf(emulator), 0);
  emulator.admin.setRecord("example.com", { name: "shop", type: "CNAME" }, { ttl: 60 });
  says(await must("drift"), "- shop.example.com. 60 CNAME www.example.org. ; drifted, declared 300", "+ shop.example.com. 300 CNAME www.example.org.");
  emulator.admin.setRecord("example.com", { name: "shop", type: "CNAME" }, { ttl: 300 });
  await must("destroy", { LEGACYDNS_REMOVAL: "retain" });
  assert.deepEqual(stack.resources(), []);
  assert.equal(countsOf(emulator)["Batch.Record.Create"], undefined);
}

describe("a program in TypeScript, by the generated SDK", () => {
  it("goes the whole way as docs/native.md shows it: import, preview, up, nothing to do, drift, destroy", () =>
    story({ program: "" }, async ({ emulator, stack }) => {
      await stack.must("plugin", "install", "resource", "legacydns", "0.1.0", "-f", pluginFolder);
      // As the page says; every file of the SDK compiles.
      const sdk = join(stack.folder, "node_modules", "pulumi-legacydns-sdk");
      const compiled = await stack.shell(`node ${join(root, "node_modules/typescript/bin/tsc")} -p ${join(root, "sdk/nodejs")} --outDir ${sdk}`);
      assert.equal(compiled.code, 0, compiled.output);
      cpSync(join(root, "sdk/nodejs/package.json"), join(sdk, "package.json"));
      const [page] = blocksOf("docs/native.md").filter(({ language }) => language === "ts");
      const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
      writeFileSync(join(stack.folder, "index.js"), ts.transpileModule(page?.text ?? "", { compilerOptions: options }).outputText);
      const commands: Readonly<Record<string, readonly string[]>> = {
        preview: ["preview", "--diff"],
        up: ["up", "--yes", "--skip-preview"],
        drift: ["preview", "--refresh", "--diff"],
        destroy: ["destroy", "--yes", "--skip-preview"],
      };
      await wholeWay(emulator, stack, (command, env = {}) => stack.runWith(env, ...(commands[command] ?? [])));
    }));
});

describe("a program in Python", () => {
  it("goes the whole way: import, preview, up, nothing to do, drift, destroy", () =>
    story({ program: "" }, async ({ emulator, stack }) => {
      await stack.must("plugin", "install", "resource", "legacydns", "0.1.0", "-f", pluginFolder);
      const { version } = JSON.parse(readFileSync(join(root, "node_modules/@pulumi/pulumi/package.json"), "utf8")) as { version: string };
      const python = pythonWithSdk(version);
      // A build leaves its traces in the sources.
      cpSync(join(root, "sdk/python"), join(stack.folder, "sdk"), { recursive: true });
      const installed = await stack.shell(`${python} -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --target site ./sdk`);
      assert.equal(installed.code, 0, installed.output);
      const script = (command: string): string => [python, join(root, "test/support/inline.py"), command, join(root, "examples/python/__main__.py"), stack.folder].join(" ");
      await wholeWay(emulator, stack, (command, env = {}) => stack.shell(script(command), { PYTHONPATH: join(stack.folder, "site"), PYTHONDONTWRITEBYTECODE: "1", ...env }));
    }));
});

describe("a program in Go", () => {
  it("goes the whole way: import, preview, up, nothing to do, drift, destroy", async function () {
    // A machine that has never compiled it fetches modules first.
    this.timeout(900_000);
    const program = await goProgram();
    await story({ program: "" }, async ({ emulator, stack }) => {
      await stack.must("plugin", "install", "resource", "legacydns", "0.1.0", "-f", pluginFolder);
      await wholeWay(emulator, stack, (command, env = {}) => stack.shell(`${program} ${command} ${stack.folder}`, env));
    });
  });
});
