/**
 * The engines of this machine, outside every checkout. An engine appears in the cache by one rename, complete and
 * proven, or not at all.
 */
import { copyFile, chmod, mkdir, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { CLI, DYNAMIC_PROVIDER, isNewEnough, isProgram, PROGRAMS, versionOf } from "./programs";
import type { Recipe } from "./recipe";
import { remove, scratchName } from "./scratch";
import { type Engine, type Maker, type Making, type Way, WayClosed } from "./ways";

/** The folder of all engines: below PULUMI_LEGACYDNS_CACHE, else below the user's cache folder. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const own = env.PULUMI_LEGACYDNS_CACHE;
  if (own !== undefined && own !== "") return join(own, "engine");
  const xdg = env.XDG_CACHE_HOME;
  // A relative XDG_CACHE_HOME is to be ignored, says its specification.
  const base = xdg !== undefined && isAbsolute(xdg) ? xdg : join(env.HOME ?? homedir(), ".cache");
  return join(base, "pulumi-legacydns", "engine");
}

/**
 * The engine of this recipe.
 *
 * @throws WayClosed when it is not in the cache, or does not run.
 */
export async function cachedEngine(folder: string, recipe: Recipe, env: NodeJS.ProcessEnv): Promise<Engine> {
  const bin = join(folder, recipe.key);
  return { bin, source: "cache", version: await prove(bin, env) };
}

/**
 * Makes an engine in a folder of its own and renames it into place; what was in that place is replaced. Whatever
 * happens, nothing else is left.
 *
 * @throws WayClosed when the maker cannot, or when what it made does not run.
 */
export async function makeEngine(
  folder: string,
  source: Way,
  maker: Maker,
  given: Omit<Making, "into" | "scratch">,
): Promise<Engine> {
  const scratch = scratchName(folder, "making");
  const into = join(scratch, "bin");
  const bin = join(folder, given.recipe.key);
  const started = Date.now();
  try {
    await mkdir(into, { recursive: true });
    await maker({ ...given, into, scratch });
    const provider = join(into, DYNAMIC_PROVIDER);
    await copyFile(given.recipe.dynamicProvider, provider);
    await chmod(provider, 0o755);
    const version = await prove(into, given.env, given.signal);
    const seconds = Math.round((Date.now() - started) / 1000);
    await writeFile(join(into, "engine.json"), `${JSON.stringify({ version, source, seconds })}\n`);
    given.signal.throwIfAborted();
    await put(into, bin, folder);
    return { bin, source, version };
  } finally {
    await remove(scratch);
  }
}

/** Swaps the folder in. Between the two renames nothing is there; only a broken or a refused engine is replaced. */
async function put(made: string, bin: string, folder: string): Promise<void> {
  const old = scratchName(folder, "gone");
  try {
    await rename(bin, old);
  } catch {
    // The usual case: nothing is in this place.
  }
  await rename(made, bin);
  await remove(old);
}

async function prove(bin: string, env: NodeJS.ProcessEnv, signal?: AbortSignal): Promise<string> {
  const again = "nothing: it is made again where a download or a build is possible";
  for (const program of PROGRAMS) {
    if (!(await isProgram(join(bin, program))))
      throw new WayClosed(`there is no ${program} in ${bin}`, again);
  }
  try {
    const version = await versionOf(join(bin, CLI), env, signal);
    if (!isNewEnough(version)) throw new Error(`${join(bin, CLI)} calls itself ${version}`);
    return version;
  } catch (cause) {
    signal?.throwIfAborted();
    throw new WayClosed(cause instanceof Error ? cause.message : String(cause), again, { cause });
  }
}
