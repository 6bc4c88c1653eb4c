import { deepEqual, doesNotMatch, doesNotThrow, equal, match, ok } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as ts from "typescript";
import { load } from "js-yaml";
import { readSchema } from "../../tools/generate/spec";
import { environmentName, parseSettings, settingNames } from "../../provider/settings";
import { blocksOf, commandsOf, pages, read, root, unfenced, type Block } from "../support/page";

const schema = readSchema();
const blocks = pages().flatMap(blocksOf);
const of = (...languages: string[]) => blocks.filter(({ language }) => languages.includes(language));
const at = ({ page, line }: Pick<Block, "page" | "line">) => `${page}:${line}`;
const scriptOf = (block: Block) =>
  block.language === "sh"
    ? block.text
    : commandsOf(block)
        .map(({ command }) => command)
        .join("\n");

const given: Record<string, string> = {
  dns: 'import * as dns from "pulumi-legacydns";',
  legacydns: 'import * as legacydns from "pulumi-legacydns";',
  Record: 'import { Record } from "pulumi-legacydns";',
  pulumi: 'import * as pulumi from "@pulumi/pulumi";',
  assert: 'import assert from "node:assert/strict";',
  zone: 'declare const zone: import("pulumi-legacydns").Record;',
  batch: 'declare const batch: import("pulumi-legacydns").RecordBatch;',
  cert: 'declare const cert: Readonly<{ [field in "validationName" | "validationValue"]: import("@pulumi/pulumi").Output<string> }>;',
  key: "declare const key: string;",
  clock: "declare const clock: number;",
};

function moduleOf({ text }: Block): string {
  const declared = (name: string) =>
    new RegExp(`(import [^;]*|const |let |function )\\b${name}\\b`).test(text);
  const used = (name: string) =>
    new RegExp(`(?<![.\\w"'-])${name}\\b(?!:)`).test(text.replace(/\/\/.*$/gm, ""));
  const head = Object.keys(given).filter((name) => used(name) && !declared(name));
  return [...head.map((name) => given[name]), text, "export {};"].join("\n");
}

function typeErrors(fragments: readonly Block[]) {
  mkdirSync(join(root, "test/.work"), { recursive: true });
  const folder = mkdtempSync(join(root, "test/.work/blocks-"));
  try {
    const modules = new Map(
      fragments.map((block) => {
        const [, own = `${block.page.replace(/\W/g, "-")}-${block.line}.ts`] =
          /^\/\/ ([\w.]+\.ts)\n/.exec(block.text) ?? [];
        writeFileSync(join(folder, own), moduleOf(block));
        return [join(folder, own), block];
      }),
    );
    const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile) as { config: object };
    const program = ts.createProgram([...modules.keys()], {
      ...ts.parseJsonConfigFileContent(config, ts.sys, root).options,
      noEmit: true,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      esModuleInterop: true,
      paths: { "pulumi-legacydns": [join(root, "provider/index.ts")] },
    });
    return [...modules].flatMap(([file, block]) => {
      const source = program.getSourceFile(file);
      const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
      return found.map(
        ({ messageText }) => `${at(block)}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
      );
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const settings = new Set(settingNames.flatMap((name) => [`legacydns:${name}`, environmentName(name)]));

function settingsIn({ text }: Block): (readonly [name: string, value: string])[] {
  return text.split("\n").flatMap((line) => {
    const [, name, part, value = ""] =
      /pulumi config set (?:--\w+ )?'?(legacydns:\w+)(?:\["([\w-]+)"\])?'? ("[^"]*"|[\w.:/@-]+)/.exec(line) ??
      [];
    if (name !== undefined) return [[name, part === undefined ? value : `${part}=${value}`] as const];
    const variables = line.matchAll(/\b(LEGACYDNS_[A-Z_]+)=("[^"]*"|[\w.:/@,-]+)/g);
    return [...variables].map(([, variable = "", given = ""]) => [variable, given] as const);
  });
}

describe("the blocks of code in the documentation", () => {
  it("stand between fences, closed, and are of languages that a test checks", () => {
    for (const page of pages()) deepEqual(unfenced(page), [], page);
    for (const block of blocks)
      match(block.language, /^(?:text|diff|json|ts|python|go|yaml|sh|console)$/, at(block));
    // A text is a zone's, a message's or a folder's; commands have a language of their own.
    for (const block of of("text"))
      if (block.page !== "tools/demo/README.md") doesNotMatch(block.text, /^\$ /m, at(block));
  });

  it("are TypeScript that compiles", () => {
    ok(of("ts").length > 20);
    const text = 'new Record("x", { domain: "example.com", tipe: "A", value: "192.0.2.1" });';
    const wrong: Block = { page: "wrong.md", line: 1, language: "ts", text };
    const [error = "", ...others] = typeErrors([wrong, ...of("ts")]);
    match(error, /^wrong\.md:1: .*tipe/);
    deepEqual(others, []);
  });

  it("are Go that the example or its harness contains, which a test compiles and runs", () => {
    // A page shows a part of a function without its indentation.
    const flat = (text: string) => text.replace(/^\t+/gm, "").trimEnd();
    const example = ["examples/go/zones.go", "templates/legacydns-go/main.go", "test/support/go/pages.go"]
      .map((file) => flat(read(file)))
      .join("\n");
    ok(of("go").length > 0);
    for (const block of of("go")) ok(example.includes(flat(block.text)), at(block));
  });

  it("and the example in YAML are YAML and JSON that parse, with resources, inputs and settings that there are", () => {
    for (const block of of("json")) doesNotThrow(() => void JSON.parse(block.text), at(block));
    const example = "examples/yaml/Pulumi.yaml";
    for (const block of [...of("yaml"), { page: example, line: 1, text: read(example) }]) {
      const { resources = {}, config = {} } = load(block.text) as {
        resources?: Record<string, { type: string; properties: object }>;
        config?: object;
      };
      for (const { type, properties } of Object.values(resources)) {
        const resource =
          type === "pulumi:providers:legacydns"
            ? schema.provider
            : schema.resources[type.replace("legacydns:", "legacydns:index:")];
        ok(resource, `${at(block)}: there is no ${type}`);
        const names = Object.keys(properties);
        deepEqual(
          [
            names.filter((name) => !(name in resource.inputProperties)),
            resource.requiredInputs.filter((name) => !names.includes(name)),
          ],
          [[], []],
          at(block),
        );
      }
      // A value with a type is the project's own.
      for (const [name, value] of Object.entries(config))
        ok(typeof value === "object" || settings.has(name), `${at(block)}: there is no setting ${name}`);
    }
  });

  it("are shells that parse", () => {
    for (const block of of("sh", "console"))
      equal(spawnSync("bash", ["-n"], { input: scriptOf(block) }).status, 0, at(block));
  });

  it("name settings that there are in an environment of Pulumi ESC", () => {
    const names = of("yaml").flatMap(({ text }) => {
      const { values } = (load(text) ?? {}) as { values?: { environmentVariables?: object } };
      return Object.keys(values?.environmentVariables ?? {});
    });
    ok(names.length > 0);
    for (const name of names) ok(settings.has(name), name);
  });

  it("set settings that there are, to values that these take", () => {
    const needed = { "legacydns:baseUrl": "https://dns.example.org", "legacydns:loginToken": "TOKEN" };
    const all = of("sh", "console").flatMap((block) =>
      settingsIn(block).map(([name, value]) => [at(block), name, value.replaceAll('"', "")] as const),
    );
    ok(all.length > 15);
    for (const [where, name, value] of all) {
      ok(settings.has(name), `${where}: there is no setting ${name}`);
      const config = name.startsWith("legacydns:") ? { ...needed, [name]: value } : needed;
      const env = { HOME: "/home/user", [name]: value };
      doesNotThrow(() => parseSettings({ config, env, explicit: false }), where);
    }
  });
});
