import { deepEqual, equal, match, notEqual } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf, filesOf, read, root } from "../support/page";

const page = read("docs/testing.md");
const files = filesOf("docs/testing.md", "ts");
type Change = (text: string) => string;
const folder = join(root, "test", ".work", randomBytes(6).toString("hex"));

function runIn(written: typeof files, change: Change, program: string, args: string[], env = process.env) {
  mkdirSync(folder, { recursive: true });
  for (const [i, { name, text }] of written.entries())
    writeFileSync(join(folder, name), i === 0 ? change(text) : text);
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: "utf8", env });
  return { status, stdout, output: `${stdout}${stderr}` };
}

/** As in Pulumi's template of a TypeScript project, which has neither `esModuleInterop` nor `skipLibCheck`. */
const template = {
  strict: true,
  target: "es2020",
  module: "commonjs",
  moduleResolution: "node",
  noFallthroughCasesInSwitch: true,
  noImplicitReturns: true,
  forceConsistentCasingInFileNames: true,
};

/** Prints the type and the inputs of a resource of each class. */
const program = `
      const pulumi = require("@pulumi/pulumi");
      const seen = {};
      pulumi.runtime.setMocks({ newResource: ({ type, name, inputs }) => ((seen[name] ??= [type, Object.keys(inputs)]), { id: name, state: inputs }), call: ({ inputs }) => inputs }).then(async () => {
        const dns = require("pulumi-legacydns");
        const provider = new dns.Provider("Provider", { baseUrl: "https://dns.example.org", loginTokenEnv: "OTHER" });
        new dns.Record("Record", { domain: "example.com", type: "A", value: "192.0.2.1" }, { provider });
        new dns.RecordBatch("RecordBatch", { domains: "example.com", records: [] });
        new dns.DomainShare("DomainShare", { domain: "example.com", email: "a@example.org", mode: "r" });
        new dns.Zone("Zone", { domain: "example.net", records: [] });
        setTimeout(() => console.log(JSON.stringify(seen)), 500);
      });`;

describe("a unit test of a program", () => {
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function run(
    change: Change = (text) => text,
    tsconfig = JSON.stringify({ compilerOptions: template }),
    register = "ts-node/register/transpile-only",
  ): { status: number | null; output: string } {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "tsconfig.json"), tsconfig);
    return runIn(files, change, process.execPath, ["--require", register, "zone.test.ts"]);
  }

  it("runs by the page's command with the README's tsconfig.json, types checked", () => {
    const tsconfig = blocksOf("docs/get-started.md").find(({ language }) => language === "json")?.text;
    match(page, /node --require ts-node\/register zone\.test\.ts/);
    deepEqual(
      files.map(({ name }) => name),
      ["zone.ts", "zone.test.ts"],
    );
    const { status, output } = run(undefined, tsconfig, "ts-node/register");
    equal(status, 0, output);
    // From Node.js 23 on the summary has another sign.
    match(output, /^(#|ℹ) pass 2$/m);
  }).timeout(60_000);

  it("sees the types and inputs of the page's table, by each front end", () => {
    const seenBy = (frontEnd: string): Record<string, [type: string, inputs: string[]]> => {
      const env = { ...process.env, LEGACYDNS_USE_PLUGIN: String(frontEnd === "native") };
      const script = [{ name: "types.js", text: program }];
      const { stdout, output } = runIn(script, (text) => text, process.execPath, ["types.js"], env);
      match(stdout, /^\{/, output);
      return JSON.parse(stdout) as Record<string, [string, string[]]>;
    };
    const [dynamic, native] = [seenBy("dynamic"), seenBy("native")];
    const rows = [
      ...read("docs/engine-inputs.md").matchAll(
        /^\| `(\w+)`.*? \| `([\w:/-]+)` \| (?:`([\w:/-]+)`|the same) \|/gm,
      ),
    ].map(([, name = "", one = "", other = one]) => [name, one, other]);
    deepEqual(
      rows,
      ["Record", "RecordBatch", "Zone", "DomainShare", "Provider"].map((name) => [
        name,
        dynamic[name]?.[0],
        native[name]?.[0],
      ]),
    );
    for (const name of ["Record", "DomainShare"]) deepEqual(native[name]?.[1], dynamic[name]?.[1]);
    deepEqual(native["Provider"]?.[1].sort(), ["baseUrl", "loginTokenEnv"]);
    deepEqual(dynamic["Provider"]?.[1].sort(), [
      "legacydns:baseUrl",
      "legacydns:explicit",
      "legacydns:loginTokenEnv",
    ]);
  });

  it("fails with all problems of a resource, also those of its field names", () => {
    const { status, output } = run((text) => text.replace('192.0.2.1", ttl:', '192.0.2.300", tttl:'));
    notEqual(status, 0, output);
    match(output, /Record "www": tttl: unknown field[^]*192\.0\.2\.300/);
  });
});
