/** The same zone in Python, and the page's unit test. Both install Pulumi's SDK for Python first. */
import { equal, match, notEqual } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pythonIn, pythonProgram } from "../support/languages";
import { commandOn, filesOf, manifest, read } from "../support/page";
import { pluginFolder, story } from "../support/story";
import { nativePage, wholeWay } from "../support/whole-way";

describe("a program in Python", () => {
  it("a program in Python goes from import to destroy", () =>
    story({ program: "" }, async ({ emulator, stack }) => {
      await stack.must("plugin", "install", "resource", "legacydns", manifest.version, "-f", pluginFolder);
      // The page's folder, into another environment than its own.
      const [, folder = ""] =
        /pip install \.\.\/pulumi-legacydns\/(\S+)$/.exec(commandOn(nativePage, /^python3 -m venv/)) ?? [];
      await wholeWay(emulator, stack, pythonProgram(stack, "examples/python/__main__.py", folder));
    }));
});

describe("a unit test in Python", () => {
  const page = "docs/testing.md";
  const files = filesOf(page, "python");
  const folder = mkdtempSync(join(tmpdir(), "legacydns-unittest-"));
  let at: ReturnType<typeof pythonIn>;
  type Change = (text: string) => string;

  before(function () {
    // A machine without the SDK installs it first.
    this.timeout(300_000);
    at = pythonIn(folder);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  function run(args: readonly string[], change: Change = (text) => text) {
    for (const [i, { name, text }] of files.entries())
      writeFileSync(join(folder, name), i === 0 ? change(text) : text);
    const env = { ...process.env, ...at.env, MYPYPATH: at.env["PYTHONPATH"] };
    const { status, stdout, stderr } = spawnSync(at.python, ["-m", ...args], {
      cwd: folder,
      encoding: "utf8",
      env,
    });
    return { status, output: `${stdout}${stderr}` };
  }

  it("runs by the page's command, and fails if an input is another", () => {
    const [, command = ""] = /`python -m (unittest [^`]+)`/.exec(read(page)) ?? [];
    const good = run(command.split(" "));
    equal(good.status, 0, good.output);
    match(good.output, /^Ran 2 tests/m);
    const bad = run(command.split(" "), (text) => text.replace("priority=10", "priority=20"));
    notEqual(bad.status, 0, bad.output);
    match(bad.output, /AssertionError/);
  });

  it("passes a type checker, which refuses a wrong field of a spec in each form", () => {
    const checked = (change?: Change) =>
      run(["mypy", "--cache-dir", "cache", ...files.map(({ name }) => name)], change).output;
    match(checked(), /^Success/);
    match(
      checked((text) => text.replace('type="MX"', 'typ="MX"')),
      /zone\.py:10: error: Unexpected keyword argument "typ"/,
    );
    match(
      checked((text) => text.replace('"type": "CNAME"', '"tipe": "CNAME"')),
      /zone\.py:13: error: List item 1 has incompatible type/,
    );
  }).timeout(300_000);
});
