/** The same zone in TypeScript, Python and Go, through the real engine: inline programs of the Automation API need no language host. */
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as ts from "typescript";
import { GO_ENVIRONMENT } from "../../scripts/engine/build";
import { goProgram, pythonWithSdk } from "../support/languages";
import { blocksOf, commandOn } from "../support/page";
import { pluginFolder, type Run, type Stack } from "../support/stack";
import { countsOf, writesOf, zoneLines } from "../support/service";
import { says, story } from "../support/story";
import type { Emulator } from "../../emulator";

const root = resolve(__dirname, "../..");
const page = "docs/native.md";
const zones = {
  "example.com": [
    "@ A 192.0.2.1 600",
    "@ A 192.0.2.2 600",
    "@ MX 10 mx1.example.org. 600",
    "@ TXT v=spf1 include:_spf.example.org -all 600",
    "api A 192.0.2.9 60",
    "shop CNAME www.example.org. 300",
    "www A 192.0.2.1 600",
    "www A 192.0.2.2 600",
  ],
  "example.net": ["@ A 192.0.2.20 600", "www A 192.0.2.20 600"],
} as const;

/** What is live before: the program then declares it as it was imported. */
const imports = [
  { type: "legacydns:index:Record", name: "api", id: "example.com/api/A/192.0.2.9" },
  { type: "legacydns:index:Zone", name: "parked", id: "example.net" },
];

/** Imports, previews, makes the rest, finds drift, and destroys the zone of the examples. @param run a command of the program */
async function wholeWay(
  emulator: Emulator,
  stack: Stack,
  run: (command: string, env?: Record<string, string>) => Promise<Run>,
  more?: { readonly imports: () => Promise<void>; readonly repairs: () => Promise<void> },
): Promise<void> {
  const must = async (command: string, env?: Record<string, string>): Promise<Run> => {
    const done = await run(command, env);
    assert.equal(done.code, 0, done.output);
    return done;
  };
  emulator.admin.addRecord("example.com", { name: "api", type: "A", value: "192.0.2.9", ttl: 60 });
  for (const name of ["@", "www"])
    emulator.admin.addRecord("example.net", { name, type: "A", value: "192.0.2.20", ttl: 600 });
  if (more === undefined) {
    writeFileSync(join(stack.folder, "import.json"), JSON.stringify({ resources: imports }));
    await stack.must(
      "import",
      "--file",
      join(stack.folder, "import.json"),
      "--yes",
      "--protect=false",
      "--generate-code=false",
    );
  } else await more.imports();
  // In TypeScript a zone is a component, which adopts what is live.
  says(
    await must("preview"),
    "+ legacydns:index:RecordBatch: (create)",
    'status   : "enable"',
    ...(more === undefined ? ["1 to create", "3 unchanged"] : ["3 to create", "2 unchanged"]),
  );
  assert.equal(writesOf(emulator), 0);
  await must("up");
  for (const [domain, lines] of Object.entries(zones)) assert.deepEqual(zoneLines(emulator, domain), lines);
  const outputs = JSON.parse((await stack.must("stack", "output", "--json")).output) as Record<
    string,
    unknown
  >;
  assert.match(String(outputs["apiRecord"]), /^\d+$/);

  emulator.admin.clearCalls();
  says(await must("up"), more === undefined ? "4 unchanged" : "5 unchanged");
  assert.equal(writesOf(emulator), 0);
  emulator.admin.setRecord("example.com", { name: "shop", type: "CNAME" }, { ttl: 60 });
  says(
    await must("drift"),
    "- shop.example.com. 60 CNAME www.example.org. ; drifted, declared 300",
    "+ shop.example.com. 300 CNAME www.example.org.",
  );
  await more?.repairs();
  emulator.admin.setRecord("example.com", { name: "shop", type: "CNAME" }, { ttl: 300 });
  await must("destroy", { LEGACYDNS_REMOVAL: "retain" });
  assert.deepEqual(stack.resources(), []);
  assert.equal(countsOf(emulator)["Batch.Record.Create"], more === undefined ? undefined : 1);
}

describe("a program in TypeScript, by the package's classes", () => {
  it("goes the whole way as docs/native.md shows it: import, preview, up, nothing to do, drift, destroy", () => {
    const [program] = blocksOf(page).filter(({ language }) => language === "ts");
    const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
    const text = ts.transpileModule(program?.text ?? "", { compilerOptions: options }).outputText;
    return story({ program: text, frontEnd: "native" }, async ({ emulator, stack }) => {
      const commands: Readonly<Record<string, string>> = {
        preview: commandOn(page, /^pulumi preview --diff$/),
        up: commandOn(page, /^pulumi up --yes$/),
        drift: commandOn(page, /^pulumi preview --refresh --diff$/),
        destroy: commandOn(page, /^LEGACYDNS_REMOVAL=retain pulumi destroy --yes$/),
      };
      const imported = commandOn(page, /^pulumi import legacydns:index:Record api /);
      await wholeWay(emulator, stack, (command) => stack.shell(commands[command] ?? ""), {
        // Without a terminal the engine wants its question answered; the old host of this place makes no program.
        imports: async () => {
          const run = await stack.shell(`${imported} --yes --protect=false --generate-code=false`);
          assert.equal(run.code, 0, run.output);
        },
        // Makes what is missing, and names what only the service's console can put right.
        repairs: async () => {
          emulator.admin.removeRecord("example.com", { name: "www", type: "A", value: "192.0.2.2" });
          const run = await stack.shell(commandOn(page, /^pulumi up --refresh --yes$/));
          says(run, "shop.example.com", "console");
          assert.ok(zoneLines(emulator, "example.com").includes("www A 192.0.2.2 600"), run.output);
        },
      });
    });
  });
});

describe("a program in Python", () => {
  it("goes the whole way: import, preview, up, nothing to do, drift, destroy", () =>
    story({ program: "" }, async ({ emulator, stack }) => {
      await stack.must("plugin", "install", "resource", "legacydns", "0.1.0", "-f", pluginFolder);
      const { version } = JSON.parse(
        readFileSync(join(root, "node_modules/@pulumi/pulumi/package.json"), "utf8"),
      ) as { version: string };
      const python = pythonWithSdk(version);
      // The page's folder, into another environment than its own; a build leaves its traces in the sources.
      const [, folder = ""] =
        /pip install \.\.\/pulumi-legacydns\/(\S+)$/.exec(commandOn(page, /^python3 -m venv/)) ?? [];
      cpSync(join(root, folder), join(stack.folder, "sdk"), { recursive: true });
      const installed = await stack.shell(
        `${python} -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --target site ./sdk`,
      );
      assert.equal(installed.code, 0, installed.output);
      const script = (command: string): string =>
        [
          python,
          join(root, "test/support/inline.py"),
          command,
          join(root, "examples/python/__main__.py"),
          stack.folder,
        ].join(" ");
      await wholeWay(emulator, stack, (command, env = {}) =>
        stack.shell(script(command), {
          PYTHONPATH: join(stack.folder, "site"),
          PYTHONDONTWRITEBYTECODE: "1",
          ...env,
        }),
      );
    }));
});

/** The page's commands make of a module without this package the one of the example, which is compiled. */
async function goModule(stack: Stack): Promise<void> {
  const example = readFileSync(join(root, "examples/go/go.mod"), "utf8");
  const module = join(stack.folder, "go");
  mkdirSync(module);
  symlinkSync(root, join(stack.folder, "pulumi-legacydns"));
  for (const name of ["zones.go", "main.go", "go.sum"])
    cpSync(join(root, "examples/go", name), join(module, name));
  writeFileSync(join(module, "go.mod"), example.replace(/^.*example\.com\/pulumi-legacydns\/sdk.*$/gm, ""));
  const made = await stack.shell(
    `cd go && ${commandOn(page, /^go mod edit/)} && ${commandOn(page, /^go mod tidy$/)}`,
    { ...GO_ENVIRONMENT, PATH: `${String(stack.env["PATH"])}:/usr/local/go/bin` },
  );
  assert.equal(made.code, 0, made.output);
  // What it needs, at which version and from where; in which order is of no meaning.
  const needs = (text: string): string[] =>
    (
      text.replace("=> ../pulumi-legacydns/", "=> ../../").match(/^replace .*|^go .*|\S+ v\d\S*/gm) ?? []
    ).sort();
  assert.ok(needs(example).length > 10);
  assert.deepEqual(needs(readFileSync(join(module, "go.mod"), "utf8")), needs(example));
}

describe("a program in Go", () => {
  it("goes the whole way: import, preview, up, nothing to do, drift, destroy", async function () {
    // A machine that has never compiled it fetches modules first.
    this.timeout(900_000);
    const program = await goProgram();
    await story({ program: "" }, async ({ emulator, stack }) => {
      await goModule(stack);
      await stack.must("plugin", "install", "resource", "legacydns", "0.1.0", "-f", pluginFolder);
      await wholeWay(emulator, stack, (command, env = {}) =>
        stack.shell(`${program} ${command} ${stack.folder}`, env),
      );
    });
  });
});
