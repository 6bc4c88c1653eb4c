/**
 * The language hosts for Python, Go and YAML: those of the engine, or a build from the newest Go modules
 * that contain them.
 */
import { chmod, copyFile } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder, makeOnce } from "../support/cache";
import { isProgram } from "../support/programs";
import { run } from "../support/run";
import { compile, digestOf, recipeOf, SDK } from "./build";
import type { Engine } from "./programs";

const YAML = "github.com/pulumi/pulumi-yaml";
const pythonHost = recipeOf(
  "language-hosts",
  "pulumi-language-python",
  SDK,
  "python/cmd/pulumi-language-python",
);
const recipes = [
  recipeOf("language-hosts", "pulumi-language-go", SDK, "go/pulumi-language-go"),
  pythonHost,
  recipeOf("yaml-host", "pulumi-language-yaml", YAML, "cmd/pulumi-language-yaml"),
];

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
    const sdk = await run("go", ["list", "-m", "-f", "{{.Dir}}", SDK], {
      cwd: pythonHost.folder,
      env: { ...env, GOWORK: "off" },
      limit: 60_000,
    });
    const part = join(bin, PYTHON_PART);
    await copyFile(join(sdk, "python/cmd", PYTHON_PART), part);
    await chmod(part, 0o755);
    return bin;
  };
  const key = `${process.platform}-${process.arch}-${digestOf(recipes).digest("hex").slice(0, 12)}`;
  const place = join(cacheFolder(env), "hosts", key);
  return makeOnce({ place, name: "the language hosts", say, check, make });
}
