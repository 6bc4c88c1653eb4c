/**
 * Gets the real engine: from the PATH, from this machine's cache, by Pulumi's installer, or by a build.
 * The command `npm run --silent engine` prints the folder of its programs as the last line of standard output.
 */
import { mkdirSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { cacheFolder, makeOnce } from "../support/cache";
import { errorText } from "../../provider/support/text";
import { main, say as print, script } from "../support/main";
import { findOnPath } from "../support/programs";
import { ensureHosts } from "./hosts";
import { build, type Edition, engineKey, goOf, versionOf } from "./build";
import { checkEngine, CLI, type Engine, MINIMUM_VERSION } from "./programs";

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
    throw new Error(`${site} cannot be reached: ${errorText(cause)}`, { cause });
  }
  const { PulumiCommand } = await import("@pulumi/pulumi/automation/index.js");
  await PulumiCommand.install({ root: scratch });
  return join(scratch, "bin");
}

interface EngineOptions {
  /** Exactly this engine. Default: any supported engine on the PATH, and otherwise `pulumi`. */
  readonly edition?: Edition;
  readonly env?: NodeJS.ProcessEnv;
  readonly say?: (line: string) => void;
  readonly download?: (scratch: string) => Promise<string>;
}

/** @throws NoEngine */
export async function ensureEngine(options: EngineOptions = {}): Promise<Engine> {
  const toStandardError = (line: string): void => void process.stderr.write(`engine: ${line}\n`);
  const { env = process.env, say = toStandardError, download = install } = options;
  const edition = options.edition ?? "pulumi";
  const reasons: string[] = [];
  const attempt = async <T>(way: string, get: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await get();
    } catch (error) {
      const failure = `${way}: ${errorText(error)}`;
      reasons.push(failure);
      say(failure);
      return undefined;
    }
  };
  const place = join(cacheFolder(env), "engine", engineKey(undefined, edition));
  const make = async (scratch: string): Promise<string> => {
    const bin =
      (edition === "pulumi" ? await attempt("download", () => download(scratch)) : undefined) ??
      (await attempt("build", () => build(edition, scratch, env, say)));
    if (bin === undefined) throw new Error("no engine was made");
    return bin;
  };
  const check = async (bin: string): Promise<Engine> => {
    const engine = await checkEngine(bin, env);
    if (options.edition !== undefined && engine.version !== versionOf(edition))
      throw new Error(`${bin} has Pulumi ${engine.version}, not ${versionOf(edition)}`);
    return engine;
  };
  const pulumi = await findOnPath(CLI, env);
  const engine =
    (pulumi === undefined ? undefined : await attempt("path", () => check(dirname(pulumi)))) ??
    (await attempt("cache", () => makeOnce({ place, name: "the engine", say, check, make })));
  if (engine !== undefined) {
    say(`${engine.bin === place ? "cache" : "path"}: Pulumi ${engine.version} in ${engine.bin}`);
    return engine;
  }
  const wanted = options.edition === undefined ? `${MINIMUM_VERSION} or newer` : versionOf(edition);
  const help = `Install Pulumi ${wanted}, or Go ${goOf(edition)} or newer, and put it on the PATH.`;
  throw new NoEngine(`no Pulumi engine could be found or made\n${reasons.join("\n")}\n${help}`);
}

interface EngineFolders {
  readonly home: string;
  readonly backend: string;
  /** Default: the environment of this process. Its PULUMI_ variables are dropped, except the provider's own. */
  readonly env?: NodeJS.ProcessEnv;
}

/** The environment of an engine in a test or a demo: quiet, offline, without the user's own Pulumi. */
export function engineEnvironment({ bin }: Pick<Engine, "bin">, folders: EngineFolders): NodeJS.ProcessEnv {
  const { home, backend, env = process.env } = folders;
  for (const folder of [home, backend]) mkdirSync(folder, { recursive: true });
  const inherited = Object.entries(env).filter(
    ([name]) =>
      // The engine would continue the trace of a surrounding pipeline.
      (!name.startsWith("PULUMI_") || name.startsWith("PULUMI_LEGACYDNS_")) && name !== "TRACEPARENT",
  );
  const path = (env["PATH"] ?? "").split(delimiter);
  return {
    ...Object.fromEntries(inherited),
    PATH: [...(path[0] === bin ? [] : [bin]), ...path].join(delimiter),
    PULUMI_HOME: resolve(home),
    PULUMI_BACKEND_URL: pathToFileURL(resolve(backend)).href,
    PULUMI_CONFIG_PASSPHRASE: "not a secret",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
    PULUMI_DISABLE_CI_DETECTION: "true",
    PULUMI_DIY_BACKEND_NO_LEGACY_WARNING: "true",
    PULUMI_SUPPRESS_NEO_LINK: "true",
  };
}

if (require.main === module)
  main(
    script("engine", "Finds, downloads or builds the Pulumi engine, and prints its folder.").option(
      "--languages",
      "also builds the language hosts for Python, Go and YAML, and prints their folder",
    ),
    async ({ languages = false }: { readonly languages?: boolean }) => {
      const engine = await ensureEngine();
      print(engine.bin);
      if (languages) print(await ensureHosts(engine));
    },
  );
