/** The same zone in Python, and the page's unit test. Both install Pulumi's SDK for Python first. */
import { equal, match, notEqual } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPlugin, pythonIn, pythonProgram } from "../support/languages";
import { filesOf, manifest, read } from "../support/page";
import { story } from "../support/story";
import { wholeWay } from "../support/whole-way";

describe("a program in Python", () => {
  it("a program in Python goes from import to destroy", () =>
    story({}, async ({ emulator, stack }) => {
      await installPlugin(stack);
      await wholeWay(emulator, stack, pythonProgram(stack, "examples/python/__main__.py"));
    }));
});

/** The tests run with the lowest version that the SDK accepts, and with the version of all other tests. */
const [, lowest = ""] = /pulumi>=([\d.]+),<4/.exec(read("sdk/python/pyproject.toml")) ?? [];
const versions = [lowest, manifest.devDependencies["@pulumi/pulumi"] ?? ""];

for (const version of versions)
  describe(`a unit test in Python with pulumi ${version}`, () => {
    const page = "docs/testing.md";
    const files = filesOf(page, "python");
    const folder = mkdtempSync(join(tmpdir(), "legacydns-unittest-"));
    let at: ReturnType<typeof pythonIn>;
    type Change = (text: string) => string;

    before(function () {
      // A machine without the SDK installs it first.
      this.timeout(300_000);
      at = pythonIn(folder, version);
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

    it("reads `records` as the program wrote them if a value is secret", () => {
      const secret = 'value=[pulumi.Output.secret("mx1.example.com")]';
      const { status, output } = run(
        ["unittest", "test_zone.py"],
        (text) => `import pulumi\n${text.replace('value=["mx1.example.com"]', secret)}`,
      );
      equal(status, 0, output);
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
