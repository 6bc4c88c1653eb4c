/**
 * The language hosts for Python, Go and YAML: those of the engine, or a build from the newest Go modules
 * that contain them.
 */
import { chmod, copyFile } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder, makeOnce } from "../support/cache";
import { isProgram, run } from "../support/programs";
import { compile, digestOf, recipeOf, SDK } from "./build";
import type { Engine } from "./programs";

const PYTHON = "pulumi-language-python";
const PYTHON_PART = `${PYTHON}-exec`;
const pythonHost = recipeOf("language-hosts", PYTHON, SDK, `python/cmd/${PYTHON}`);
const recipes = [
  recipeOf("language-hosts", "pulumi-language-go", SDK, "go/pulumi-language-go"),
  pythonHost,
  recipeOf("yaml-host", "pulumi-language-yaml", "github.com/pulumi/pulumi-yaml", "cmd/pulumi-language-yaml"),
];

async function check(bin: string): Promise<string> {
  for (const { program } of recipes)
    if (!(await isProgram(join(bin, program)))) throw new Error(`there is no ${program} in ${bin}`);
  return bin;
}

export async function ensureHosts(engine: Engine): Promise<string> {
  const { env } = process;
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
