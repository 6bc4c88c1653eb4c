/** The programs of an engine, and which versions the package works with. */
import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findOnPath, isProgram, run } from "../support/programs";

export const CLI = "pulumi";
export const NODEJS_HOST = "pulumi-language-nodejs";
export const DYNAMIC_PROVIDER = "pulumi-resource-pulumi-nodejs";

/** The lower end of the peer dependency: the first SDK whose dynamic providers take inputs from `read`. */
export const MINIMUM_VERSION = "3.216.0";

export interface Engine {
  readonly bin: string;
  readonly version: string;
}

/** @throws Error if `pulumi` in this folder does not run, has an unsupported version, or lacks a program beside it */
export async function checkEngine(bin: string, env: NodeJS.ProcessEnv): Promise<Engine> {
  const pulumi = join(bin, CLI);
  if (!(await isProgram(pulumi))) throw new Error(`there is no ${CLI} in ${bin}`);
  const quiet = { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const answer = await run(pulumi, ["version"], { env: quiet, limit: 20_000 });
  const [, version = answer.slice(0, 80), minor] = /^v?(3\.(\d+)\.\d+\S*)$/m.exec(answer) ?? [];
  if (minor === undefined || Number(minor) < Number(MINIMUM_VERSION.split(".")[1]))
    throw new Error(`${pulumi} is version ${version}; ${MINIMUM_VERSION} or newer, below 4, is needed`);
  for (const companion of [NODEJS_HOST, DYNAMIC_PROVIDER]) {
    const found =
      (await isProgram(join(bin, companion))) ||
      (await isProgram(join(dirname(await realpath(pulumi)), companion))) ||
      (await findOnPath(companion, env)) !== undefined;
    if (!found) throw new Error(`${pulumi} has no ${companion}, neither beside it nor on the PATH`);
  }
  return { bin, version };
}
