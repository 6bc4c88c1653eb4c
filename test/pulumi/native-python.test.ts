/** The page's unit test in Python, which installs Pulumi's SDK first. The blocks of the pages need only an interpreter. */
import { equal, match, notEqual, ok } from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nameOf, readSchema } from "../../tools/generate/spec";
import { pythonIn } from "../support/languages";
import { blocksOf, filesOf, manifest, pages, read } from "../support/page";

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

    before(() => {
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
    });
  });

const parser = `
import ast, json, sys
found = []
for where, text in json.load(sys.stdin):
    for node in ast.walk(ast.parse(text, where)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and node.func.value.id == "legacydns":
            found.append([where, node.func.attr, [each.arg for each in node.keywords]])
print(json.dumps(found))
`;

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Resource, look-up or type, as the SDK names it → its inputs in the schema. */
function inputsInSchema(): ReadonlyMap<string, object> {
  const { functions, provider, resources, types } = readSchema();
  const members = new Map<string, object>([
    ["Provider", provider.inputProperties],
    ["RecordSpecArgs", types["legacydns:index:RecordSpec"]?.properties ?? {}],
  ]);
  for (const [token, { inputProperties }] of Object.entries(resources))
    members.set(nameOf(token), inputProperties);
  for (const [token, { inputs }] of Object.entries(functions))
    members.set(snake(nameOf(token)), inputs.properties);
  return members;
}

describe("the blocks of Python in the documentation", () => {
  it("parse, and have resources, look-ups and inputs that the schema has", () => {
    const blocks = pages()
      .flatMap(blocksOf)
      .filter(({ language }) => language === "python");
    const input = JSON.stringify(blocks.map(({ page, line, text }) => [`${page}:${line}`, text]));
    const calls = JSON.parse(execFileSync("python3", ["-c", parser], { input, encoding: "utf8" })) as [
      string,
      string,
      string[],
    ][];
    ok(calls.length > 5);
    const members = inputsInSchema();
    for (const [where, name, keywords] of calls) {
      const inputs = members.get(name.replace(/_output$/, ""));
      ok(inputs, `${where}: the SDK has no ${name}`);
      for (const keyword of keywords.filter((each) => each !== "opts"))
        ok(Object.keys(inputs).map(snake).includes(keyword), `${where}: ${name} takes no ${keyword}`);
    }
  });
});
