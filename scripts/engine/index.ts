/**
 * The real engine without asking anything of the user: the first of four ways that is open. Of those that make an
 * engine, one process at a time goes for the whole machine; the others wait and take the result.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { build } from "./build";
import { cachedEngine, cacheFolder, makeEngine } from "./cache";
import { download } from "./download";
import { installedEngine } from "./installed";
import { interruptible } from "./interrupt";
import { type LockTimes, withLock } from "./lock";
import { readRecipe, type Recipe } from "./recipe";
import { sweep } from "./scratch";
import { allowedWays, type Engine, type Maker, NoEngine, type Way, WayClosed } from "./ways";

export { engineEnvironment, type EngineFolders } from "./environment";
export { type Engine, NoEngine, Refused, type Way, WayClosed } from "./ways";

/** What may be different from the machine as it is. */
export interface EngineOptions {
  /** PATH, HOME, PULUMI_LEGACYDNS_CACHE and PULUMI_LEGACYDNS_ENGINE are read from it; default: this process's. */
  readonly env?: NodeJS.ProcessEnv;
  /** The ways that may be gone; default: PULUMI_LEGACYDNS_ENGINE, else all. */
  readonly ways?: readonly Way[];
  /** Takes each line of progress; default: standard error. */
  readonly say?: (line: string) => void;
  /** Ends the work, children and half-made folders included. */
  readonly signal?: AbortSignal;
  /** How the engine is made, for tests. */
  readonly makers?: Readonly<Partial<Record<"download" | "build", Maker>>>;
  /** What the engine is made from, for tests. */
  readonly recipe?: Recipe;
  /** The rhythm of the lock, for tests. */
  readonly lockTimes?: LockTimes;
}

/**
 * Finds or makes an engine. With a filled cache it takes a fraction of a second; a build takes minutes and says so.
 *
 * @throws NoEngine when no way is open, with each one's reason and remedy; Interrupted or the signal's reason when it
 * was ended from outside.
 * @example
 * const engine = await ensureEngine();
 * const env = engineEnvironment(engine, { home, backend });
 * execFile("pulumi", ["up", "--yes"], { env, cwd });
 */
export async function ensureEngine(options: EngineOptions = {}): Promise<Engine> {
  const { env = process.env, say = toStandardError } = options;
  const ways = options.ways ?? allowedWays(env.PULUMI_LEGACYDNS_ENGINE);
  const recipe = options.recipe ?? (await readRecipe());
  const folder = cacheFolder(env);
  const closed = new Map<Way, WayClosed>();

  const tryWay = async (way: Way, go: () => Promise<Engine>): Promise<Engine | undefined> => {
    if (!ways.includes(way)) {
      closed.set(way, new WayClosed("it is switched off", "name it in PULUMI_LEGACYDNS_ENGINE"));
      return undefined;
    }
    try {
      const engine = await go();
      say(`${way}: Pulumi ${engine.version} in ${engine.bin}`);
      return engine;
    } catch (error) {
      if (!(error instanceof WayClosed)) throw error;
      closed.set(way, error);
      say(`${way}: ${error.message}`);
      return undefined;
    }
  };
  const fromCache = (): Promise<Engine> => cachedEngine(folder, recipe, env);

  const there = (await tryWay("path", () => installedEngine(env))) ?? (await tryWay("cache", fromCache));
  if (there !== undefined) return there;

  const makers = { download: download(), build: build(), ...options.makers };
  const making = async (signal: AbortSignal): Promise<Engine | undefined> => {
    // Somebody else may have made it while this process waited.
    const meanwhile = ways.includes("cache") ? await fromCache().catch(onlyClosed) : undefined;
    if (meanwhile !== undefined) return meanwhile;
    for (const name of await sweep(folder)) say(`removed ${name}, left half made by a process that is gone`);
    const make = (way: "download" | "build"): Promise<Engine> =>
      makeEngine(folder, way, makers[way], { recipe, env, say, signal });
    return (await tryWay("download", () => make("download"))) ?? (await tryWay("build", () => make("build")));
  };
  const made = await interruptible(async (signal) => {
    try {
      await mkdir(folder, { recursive: true });
    } catch (cause) {
      const why = `the cache cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`;
      const remedy = "set PULUMI_LEGACYDNS_CACHE to a folder that can";
      for (const way of ["download", "build"] as const)
        closed.set(way, new WayClosed(why, remedy, { cause }));
      return undefined;
    }
    const lock = join(folder, `${recipe.key}.lock`);
    try {
      return await withLock(lock, say, () => making(signal), signal, options.lockTimes);
    } catch (error) {
      if (!signal.aborted) throw error;
      say("interrupted; nothing half made is left");
      throw signal.reason;
    }
  }, options.signal);
  if (made === undefined) throw new NoEngine(closed);
  return made;
}

function onlyClosed(error: unknown): undefined {
  if (!(error instanceof WayClosed)) throw error;
  return undefined;
}

function toStandardError(line: string): void {
  process.stderr.write(`engine: ${line}\n`);
}
