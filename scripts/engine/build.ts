/**
 * The way `build`: the two programs from their Go modules, for machines that reach a module proxy and nothing else.
 * The Node.js host is of an older version because newer ones live in a module of their own that is not published;
 * the protocol between the two has stayed compatible.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { findOnPath, isAtLeast } from "./programs";
import { GO_ENVIRONMENT, goArguments, type GoProgram } from "./recipe";
import { run } from "./run";
import { type Maker, type Making, WayClosed } from "./ways";

/** Limits and rhythm of a build; in ms. */
export interface BuildOptions {
  /** For one program, the fetching of its modules included. */
  readonly limit: number;
  /** Between two lines of progress. */
  readonly report: number;
}

const DEFAULTS: BuildOptions = { limit: 1_800_000, report: 10_000 };
const ESTIMATE = "about 3 minutes on 2 cores, once per machine";

/** A build with the Go that is on the PATH. */
export function build(options: Partial<BuildOptions> = {}): Maker {
  const { limit, report } = { ...DEFAULTS, ...options };
  return async (making) => {
    const go = await findGo(making);
    // Go's own temporary files go where they are removed with the rest.
    const temporary = join(making.scratch, "go-tmp");
    await mkdir(temporary, { recursive: true });
    const env: NodeJS.ProcessEnv = { ...making.env, ...GO_ENVIRONMENT, GOTMPDIR: temporary };
    // The engine is for this machine, whatever the caller builds for otherwise.
    delete env.GOOS;
    delete env.GOARCH;
    making.say(`building Pulumi ${making.recipe.version} from its Go modules: ${ESTIMATE}`);
    for (const program of making.recipe.go) {
      await withProgress(program, report, making, () =>
        run(go, goArguments(program, join(making.into, program.program)), {
          env,
          cwd: program.folder,
          limit,
          signal: making.signal,
        }),
      );
    }
  };
}

async function findGo({ recipe, env, signal }: Making): Promise<string> {
  const needed = recipe.go.reduce((most, { go }) => (isAtLeast(go, most) ? go : most), "1.0");
  const install = `install Go ${needed} or newer and put it on the PATH`;
  const go = await findOnPath(process.platform === "win32" ? "go.exe" : "go", env);
  if (go === undefined)
    throw new WayClosed(`there is no Go on the PATH; ${needed} or newer is needed`, install);
  let version: string;
  try {
    version = await run(go, ["env", "GOVERSION"], {
      env: { ...env, GOTOOLCHAIN: "local" },
      limit: 20_000,
      signal,
    });
  } catch (cause) {
    signal.throwIfAborted();
    throw new WayClosed(cause instanceof Error ? cause.message : String(cause), install, { cause });
  }
  // A development version of Go names no number to compare; the build will tell.
  if (/^go\d/.test(version) && !isAtLeast(version, needed)) {
    throw new WayClosed(`the Go on the PATH is ${version.slice(2)}; ${needed} or newer is needed`, install);
  }
  return go;
}

async function withProgress(
  { program, version }: GoProgram,
  report: number,
  { say, signal }: Making,
  work: () => Promise<unknown>,
): Promise<void> {
  const started = Date.now();
  const seconds = (): number => Math.round((Date.now() - started) / 1000);
  const timer = setInterval(() => say(`building ${program} ${version}: ${seconds()} s`), report);
  try {
    await work();
    say(`built ${program} ${version} in ${seconds()} s`);
  } catch (cause) {
    signal.throwIfAborted();
    throw new WayClosed(
      `${program} ${version} could not be built: ${cause instanceof Error ? cause.message : String(cause)}`,
      "see what Go says above; it needs a module proxy that it can reach, and about 3 GB of disk",
      { cause },
    );
  } finally {
    clearInterval(timer);
  }
}
