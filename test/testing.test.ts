/** The page about testing a program: its program and its unit test run as they stand there. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(__dirname, "..");
const page = readFileSync(join(root, "docs/testing.md"), "utf8");
const files = [...page.matchAll(/^```ts\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)].map(([, name = "", text = ""]) => ({ name, text }));

/** As in Pulumi's template of a TypeScript project, which has neither `esModuleInterop` nor `skipLibCheck`. */
const template = { strict: true, target: "es2020", module: "commonjs", moduleResolution: "node", noFallthroughCasesInSwitch: true, noImplicitReturns: true, forceConsistentCasingInFileNames: true };

describe("a unit test of a program", () => {
  const folder = join(root, "test", ".work", randomBytes(6).toString("hex"));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** The page's test, with a change to its program. */
  function run(change: (text: string) => string = (text) => text): { status: number | null; output: string } {
    mkdirSync(folder, { recursive: true });
    for (const { name, text } of files) writeFileSync(join(folder, name), name === "zone.ts" ? change(text) : text);
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: template }));
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--require", "ts-node/register/transpile-only", "zone.test.ts"], { cwd: folder, encoding: "utf8" });
    return { status, output: `${stdout}${stderr}` };
  }

  it("runs as the page shows it: the mocks see the documented inputs, and nothing else", () => {
    assert.deepEqual(files.map(({ name }) => name), ["zone.ts", "zone.test.ts"]);
    const { status, output } = run();
    assert.equal(status, 0, output);
    // From Node.js 23 on the summary has another sign.
    assert.match(output, /^(#|ℹ) pass 2$/m);
  });

  it("compiles with the options of Pulumi's template, which check our declarations too, without a library of ours", () => {
    mkdirSync(folder, { recursive: true });
    for (const { name, text } of files) writeFileSync(join(folder, name), text);
    const paths = { "pulumi-legacydns": [join(root, "dist/provider/index.d.ts")] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: { ...template, paths, noEmit: true, types: ["node"] }, files: files.map(({ name }) => name) }));
    const { status, stdout } = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder, "--listFiles"], { encoding: "utf8" });
    assert.doesNotMatch(stdout, /error TS|node_modules\/(zod|undici|yaml)\//);
    assert.equal(status, 0, stdout);
  });

  it("fails where an input is another", () => {
    const { status, output } = run((text) => text.replace('value: "192.0.2.1", ttl: "1h" });', 'value: "192.0.2.2", ttl: "1h" });'));
    assert.notEqual(status, 0, output);
  });

  it("fails with the problem where a spec is wrong", () => {
    const { status, output } = run((text) => text.replace("autoconfig 600 CNAME mx1.example.com", "autoconfig 600 CNAME mx1"));
    assert.notEqual(status, 0, output);
    assert.match(output, /RecordBatch "mail": records\[1\]: "mx1" is a single label/);
  });
});
