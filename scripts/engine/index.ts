/**
 * Gets the real engine: from the PATH, from this machine's cache, by Pulumi's installer, or by a build.
 * `npm run --silent engine` prints the folder of its programs as the last line of standard output.
 */
import { dirname, join } from "node:path";
import { cacheFolder, makeOnce } from "../support/cache";
import { findOnPath } from "../support/programs";
import { main } from "../support/main";
import { reasonOf } from "../support/run";
import { build, engineKey } from "./build";
import { checkEngine, CLI, type Engine, MINIMUM_VERSION } from "./programs";

export { engineEnvironment } from "./environment";
export type { Engine } from "./programs";

export class NoEngine extends Error {
  override readonly name = "NoEngine";
}

/** Pulumi's own installer, for the SDK's version. @returns the folder of its programs, below `scratch` */
async function install(scratch: string): Promise<string> {
  const site = "https://get.pulumi.com/";
  try {
    // A closed network often swallows packets, and the installer would wait for minutes.
    const signal = AbortSignal.timeout(4_000);
    await (await fetch(site, { method: "HEAD", redirect: "manual", signal })).body?.cancel();
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new Error(`${site} cannot be reached: ${reasonOf(cause)}`, { cause });
  }
  const { PulumiCommand } = await import("@pulumi/pulumi/automation/index.js");
  await PulumiCommand.install({ root: scratch });
  return join(scratch, "bin");
}

interface EngineOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly say?: (line: string) => void;
  readonly download?: (scratch: string) => Promise<string>;
}

/**
 * @example
 * const engine = await ensureEngine();
 * execFile("pulumi", ["up", "--yes"], { env: engineEnvironment(engine, { home, backend }), cwd });
 * @throws NoEngine
 */
export async function ensureEngine(options: EngineOptions = {}): Promise<Engine> {
  const toStandardError = (line: string): void => void process.stderr.write(`engine: ${line}\n`);
  const { env = process.env, say = toStandardError, download = install } = options;
  const reasons: string[] = [];
  const attempt = async <T>(way: string, get: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await get();
    } catch (error) {
      reasons.push(`${way}: ${reasonOf(error)}`);
      say(`${way}: ${reasonOf(error)}`);
      return undefined;
    }
  };
  const check = (bin: string): Promise<Engine> => checkEngine(bin, env);
  const place = join(cacheFolder(env), "engine", engineKey());
  const make = async (scratch: string): Promise<string> => {
    const bin =
      (await attempt("download", () => download(scratch))) ??
      (await attempt("build", () => build(scratch, env, say)));
    if (bin === undefined) throw new Error("no engine was made");
    return bin;
  };
  const engine =
    (await attempt("path", () => onPath(env))) ??
    (await attempt("cache", () => check(place))) ??
    (await attempt("cache", () => makeOnce({ place, name: "the engine", say, check, make })));
  if (engine !== undefined) {
    say(
      `${dirname(engine.bin) === dirname(place) ? "cache" : "path"}: Pulumi ${engine.version} in ${engine.bin}`,
    );
    return engine;
  }
  const help = `Install Pulumi ${MINIMUM_VERSION} or newer, or Go 1.25 or newer, and put it on the PATH.`;
  throw new NoEngine(`no Pulumi engine could be found or made\n${reasons.join("\n")}\n${help}`);
}

async function onPath(env: NodeJS.ProcessEnv): Promise<Engine> {
  const pulumi = await findOnPath(CLI, env);
  if (pulumi === undefined) throw new Error(`there is no ${CLI} on the PATH`);
  return checkEngine(dirname(pulumi), env);
}

if (require.main === module)
  main("engine", async () => process.stdout.write(`${(await ensureEngine()).bin}\n`));
