import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { cacheFolder, makeOnce } from "../../tools/support/cache";
import { findOnPath } from "../../tools/support/programs";
import { GO_ENVIRONMENT } from "../../tools/engine/build";
import { manifest } from "./page";
import { pluginFolder, type Run, type Stack } from "./stack";

const root = resolve(__dirname, "../..");
const cache = cacheFolder(process.env);

export const installPlugin = (stack: Stack): Promise<Run> =>
  stack.must("plugin", "install", "resource", "legacydns", manifest.version, "-f", pluginFolder);

const packages = [
  "parver==1.0.1.post0",
  "semver==3.1.1",
  "setuptools==80.9.0",
  "wheel==0.48.0",
  "mypy==2.4.1",
];
const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];

export function pythonWithSdk(version: string): string {
  const folder = join(cache, `python-${version}-3`);
  const python = join(folder, "bin", "python");
  if (fs.existsSync(join(folder, "ready"))) return python;
  fs.mkdirSync(cache, { recursive: true });
  fs.rmSync(folder, { recursive: true, force: true });
  // A virtual environment contains its own path, so it cannot be moved. A mark shows that it is complete.
  execFileSync("python3", ["-m", "venv", folder], { stdio: "ignore" });
  execFileSync(python, [...pip, `pulumi==${version}`, ...packages], { stdio: "ignore" });
  fs.writeFileSync(join(folder, "ready"), "");
  return python;
}

export function pythonIn(
  folder: string,
  version = manifest.devDependencies["@pulumi/pulumi"] ?? "",
): { python: string; env: Record<string, string> } {
  const python = pythonWithSdk(version);
  fs.cpSync(join(root, "sdk/python"), join(folder, "sdk"), { recursive: true });
  const options = ["--no-deps", "--no-build-isolation", "--target", "site"];
  execFileSync(python, [...pip, ...options, "./sdk"], { cwd: folder });
  return { python, env: { PYTHONPATH: join(folder, "site"), PYTHONDONTWRITEBYTECODE: "1" } };
}

/** @returns runs a command: `up`, `preview`, `drift`, `repair` (an up with a refresh) or `destroy` */
export function pythonProgram(
  stack: Stack,
  program: string,
): (command: string, env?: Record<string, string>) => Promise<Run> {
  const { python, env: fixed } = pythonIn(stack.folder);
  const script = join(root, "test/support/inline.py");
  return (command, env = {}) =>
    stack.shell(`${python} ${script} ${command} ${join(root, program)} ${stack.folder}`, {
      ...fixed,
      ...env,
    });
}

export async function goProgram(): Promise<string> {
  const [example, harness, sdk] = ["examples/go", "test/support/go", "sdk/go/legacydns"].map((folder) =>
    join(root, folder),
  ) as [string, string, string];
  const hash = createHash("sha256")
    .update(JSON.stringify(GO_ENVIRONMENT))
    .update(process.platform + process.arch);
  for (const folder of [example, harness, sdk])
    for (const file of filesBelow(folder))
      hash.update(file.slice(root.length)).update("\0").update(fs.readFileSync(file)).update("\0");
  return makeOnce({
    place: join(cache, `go-${hash.digest("hex").slice(0, 16)}`),
    name: "the example in Go",
    say: () => undefined,
    check: async (folder) => {
      const program = join(folder, "inline");
      fs.accessSync(program);
      return program;
    },
    make: async (scratch) => {
      const folder = join(scratch, "go");
      fs.mkdirSync(folder);
      await buildGo(example, harness, folder);
      return folder;
    },
  });
}

async function buildGo(example: string, harness: string, folder: string) {
  const go = await findOnPath("go", {
    ...process.env,
    PATH: [process.env["PATH"], "/usr/local/go/bin"].join(delimiter),
  });
  if (go === undefined)
    throw new Error(
      "the example in Go needs a Go compiler: install Go 1.26 or newer (https://go.dev/dl) and put it on the PATH, then run the test again",
    );
  const overlay = join(folder, "overlay.json");
  const replaced = { [join(harness, "zones.go")]: join(example, "zones.go") };
  fs.writeFileSync(overlay, JSON.stringify({ Replace: replaced }));
  const env = { ...process.env, ...GO_ENVIRONMENT };
  const build = (cwd: string, ...args: string[]) =>
    execFileSync(go, ["build", ...args, "."], { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
  build(harness, "-overlay", overlay, "-o", join(folder, "inline"));
  build(example, "-o", join(folder, "example"));
  for (const file of [overlay, join(folder, "example")]) fs.rmSync(file);
}

function filesBelow(folder: string) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
