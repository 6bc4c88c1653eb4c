import { equal, match, ok } from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { blocksOf, root } from "../support/page";
import { cacheFolder, makeOnce } from "../../scripts/support/cache";
import { run } from "../../scripts/support/programs";

const folder = mkdtempSync(join(tmpdir(), "legacydns-style-"));
after(() => rmSync(folder, { recursive: true }));

const tracked = (...patterns: string[]) =>
  execFileSync("git", ["ls-files", "-co", "--exclude-standard", "--", ...patterns], {
    cwd: root,
    encoding: "utf8",
  })
    .trim()
    .split("\n");

const ruffVersion = "0.17.6";

function ruff() {
  const { env } = process;
  const program = (folder: string) => join(folder, "bin/ruff");
  return makeOnce({
    place: join(cacheFolder(env), "ruff", ruffVersion),
    name: "ruff",
    say: () => undefined,
    check: async (folder) => {
      await run(program(folder), ["--version"], { env, limit: 60_000 });
      return program(folder);
    },
    make: async (scratch) => {
      const folder = join(scratch, "ruff");
      const options = ["--quiet", "--disable-pip-version-check", "--target", folder];
      await run("python3", ["-m", "pip", "install", ...options, `ruff==${ruffVersion}`], {
        env,
        limit: 300_000,
      });
      return folder;
    },
  });
}

function programs(language: string, extension: string) {
  const blocks = tracked("*.md")
    .filter((page) => !page.startsWith("docs/errors/"))
    .flatMap(blocksOf)
    .filter((block) => block.language === language);
  return blocks.map(({ page, line, text }) => {
    const file = join(folder, `${page.replace(/\W/g, "_")}_${line}${extension}`);
    // gofmt reads statements only in a function.
    const isPart = language === "go" && !text.startsWith("package ");
    const lines = text.replace(/^(?=.)/gm, "\t");
    writeFileSync(file, isPart ? `package main\n\nfunc main() {\n${lines}}\n` : text);
    return file;
  });
}

async function findings(program: string, args: readonly string[]) {
  const path = [process.env["PATH"], "/usr/local/go/bin"].join(delimiter);
  const options = { cwd: root, env: { ...process.env, PATH: path } };
  return promisify(execFile)(program, args, options).then(
    ({ stdout }) => stdout,
    (error: { code: unknown; stdout: string }) => {
      if (error.code !== 1) throw error;
      return error.stdout;
    },
  );
}

const lint = ["check", "--no-cache", "--quiet", "--select", "E4,E7,E9,F,I,UP,B"];
const format = ["format", "--no-cache", "--quiet", "--diff"];

describe("the examples in Python", () => {
  const files = tracked("examples/*.py", "templates/*.py", "test/support/*.py");

  it("are formatted and clean by ruff, and so are the programs of the pages", async () => {
    const parts = programs("python", ".py");
    ok(files.length >= 3 && parts.length >= 12);
    const program = await ruff();
    for (const check of [format, lint]) equal(await findings(program, [...check, ...files, ...parts]), "");
    const wrong = join(folder, "wrong.py");
    writeFileSync(wrong, "import os\nx = {'a':1}\n");
    match(await findings(program, [...format, wrong]), /\+x = \{"a": 1\}/);
    match(await findings(program, [...lint, wrong]), /F401/);
  });
});

describe("the examples in Go", () => {
  it("are formatted by gofmt, and so are the programs of the pages", async () => {
    const files = tracked("examples/*.go", "templates/*.go", "test/support/*.go", "scripts/*.go");
    const parts = programs("go", ".go");
    ok(files.length >= 5 && parts.length >= 10);
    const wrong = join(folder, "wrong.go");
    writeFileSync(wrong, "package main\nfunc main( ) {}\n");
    equal(await findings("gofmt", ["-l", ...files, ...parts, wrong]), `${wrong}\n`);
  });
});
