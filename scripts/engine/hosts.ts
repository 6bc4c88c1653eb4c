/**
 * The language hosts for Python, Go and YAML: those of the engine, or a build from the newest Go modules
 * that contain them.
 */
import { chmod, copyFile } from "node:fs/promises";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { cacheFolder, makeOnce } from "../support/cache";
import { isProgram } from "../support/programs";
import { compile, digestOf, recipeOf, SDK } from "./build";
import type { Engine } from "./programs";

const YAML = "github.com/pulumi/pulumi-yaml";
const recipes = [
  {
    folder: "language-hosts",
    program: "pulumi-language-go",
    module: SDK,
    main: `${SDK}/go/pulumi-language-go`,
  },
  {
    folder: "language-hosts",
    program: "pulumi-language-python",
    module: SDK,
    main: `${SDK}/python/cmd/pulumi-language-python`,
  },
  {
    folder: "yaml-host",
    program: "pulumi-language-yaml",
    module: YAML,
    main: `${YAML}/cmd/pulumi-language-yaml`,
  },
].map(recipeOf);

const PYTHON_PART = "pulumi-language-python-exec";

async function check(bin: string): Promise<string> {
  for (const { program } of recipes)
    if (!(await isProgram(join(bin, program)))) throw new Error(`there is no ${program} in ${bin}`);
  return bin;
}

export async function ensureHosts(engine: Engine, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const installed = await check(engine.bin).catch(() => undefined);
  if (installed !== undefined) return installed;
  const say = (line: string): void => void process.stderr.write(`hosts: ${line}\n`);
  const make = async (scratch: string): Promise<string> => {
    const bin = await compile(recipes, scratch, env, say);
    const { folder = "" } = recipes.find(({ program }) => program === "pulumi-language-python") ?? {};
    const { stdout } = await promisify(execFile)("go", ["list", "-m", "-f", "{{.Dir}}", SDK], {
      cwd: folder,
      env: { ...env, GOWORK: "off" },
    });
    const part = join(bin, PYTHON_PART);
    await copyFile(join(stdout.trim(), "python/cmd", PYTHON_PART), part);
    await chmod(part, 0o755);
    return bin;
  };
  const key = `${process.platform}-${process.arch}-${digestOf(recipes).digest("hex").slice(0, 12)}`;
  const place = join(cacheFolder(env), "hosts", key);
  return makeOnce({ place, name: "the language hosts", say, check, make });
}
