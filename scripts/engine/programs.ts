/**
 * Which programs an engine is made of, how to find a program on a PATH, and how to ask an engine for its version.
 */
import { access, constants, realpath, stat } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { run } from "./run";

const windows = process.platform === "win32";

/** The command line and, in it, the engine. */
export const CLI = windows ? "pulumi.exe" : "pulumi";
/** Runs programs written for Node.js. */
export const NODEJS_HOST = windows ? "pulumi-language-nodejs.exe" : "pulumi-language-nodejs";
/** Starts the process in which dynamic providers live; a script that the npm package carries. */
export const DYNAMIC_PROVIDER = windows
  ? "pulumi-resource-pulumi-nodejs.cmd"
  : "pulumi-resource-pulumi-nodejs";
/** What a folder must hold to be an engine. */
export const PROGRAMS = [CLI, NODEJS_HOST, DYNAMIC_PROVIDER] as const;

/** The oldest engine that is used: the lower end of the package's peer dependency on the SDK. */
export const MINIMUM_VERSION = "3.150.0";

/** The variable's value, whatever its case: Windows spells PATH as Path. */
export function pathOf(env: NodeJS.ProcessEnv): string {
  const key = Object.keys(env).find((name) => (windows ? name.toUpperCase() : name) === "PATH");
  return (key === undefined ? undefined : env[key]) ?? "";
}

/** The first executable file of that name on the PATH of `env`. */
export async function findOnPath(program: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  for (const folder of pathOf(env).split(delimiter)) {
    if (folder !== "" && (await isProgram(join(folder, program)))) return join(folder, program);
  }
  return undefined;
}

/** The program beside `neighbour`, beside the file that `neighbour` links to, or on the PATH: as the engine looks. */
export async function findCompanion(
  program: string,
  neighbour: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  for (const folder of [dirname(neighbour), dirname(await realpath(neighbour))]) {
    if (await isProgram(join(folder, program))) return join(folder, program);
  }
  return findOnPath(program, env);
}

/** True for a file that may be executed. */
export async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, windows ? constants.F_OK : constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/**
 * What `pulumi version` answers, without the leading v.
 *
 * @throws RunFailed when it does not run; Error when it answers something else.
 */
export async function versionOf(
  pulumi: string,
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<string> {
  const quiet = { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const answer = await run(pulumi, ["version"], { env: quiet, limit: 20_000, signal });
  const found = /^v?(\d+\.\d+\.\d+\S*)$/m.exec(answer)?.[1];
  if (found === undefined)
    throw new Error(`${pulumi} version answered ${JSON.stringify(answer.slice(0, 80))}`);
  return found;
}

/** Whether an engine of this version runs our programs: from the minimum up, below the next major version. */
export function isNewEnough(version: string): boolean {
  return isAtLeast(version, MINIMUM_VERSION) && major(version) === major(MINIMUM_VERSION);
}

/** Compares the three numbers of two versions; what follows them is ignored. */
export function isAtLeast(version: string, minimum: string): boolean {
  const [ours, theirs] = [numbers(version), numbers(minimum)];
  for (let i = 0; i < 3; i++) {
    const difference = (ours[i] ?? 0) - (theirs[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function numbers(version: string): number[] {
  return (/\d+(\.\d+)*/.exec(version)?.[0] ?? "0").split(".").map(Number);
}

function major(version: string): number {
  return numbers(version)[0] ?? 0;
}
