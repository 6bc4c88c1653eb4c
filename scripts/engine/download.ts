/**
 * The way `download`: Pulumi's own installer. Whether its site can be reached is asked first, with a short limit: a
 * closed network often swallows packets, and the installer would wait for minutes.
 */
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { CLI, NODEJS_HOST } from "./programs";
import { run } from "./run";
import { type Maker, type Making, WayClosed } from "./ways";

/** Where the download asks, and how long it waits; in ms. */
export interface DownloadOptions {
  /** The site from which `PulumiCommand.install` takes its script. */
  readonly site: string;
  readonly probe: number;
  readonly limit: number;
}

const DEFAULTS: DownloadOptions = { site: "https://get.pulumi.com/", probe: 4_000, limit: 600_000 };

/** `PulumiCommand` of the SDK, in a process of its own: what it starts has no other handle to end it by. */
const INSTALL =
  "require(process.argv[1]).PulumiCommand.install({ root: process.argv[2] })" +
  ".catch((e) => { console.error(e.message); process.exit(1); })";

/** The official download of the SDK's own version. */
export function download(options: Partial<DownloadOptions> = {}): Maker {
  const { site, probe, limit } = { ...DEFAULTS, ...options };
  return async (making) => {
    await reach(site, probe, making);
    making.say(`downloading Pulumi ${making.recipe.version} with its own installer`);
    const root = join(making.scratch, "download");
    const temporary = join(making.scratch, "download-tmp");
    await mkdir(temporary, { recursive: true });
    try {
      await run(process.execPath, ["-e", INSTALL, require.resolve("@pulumi/pulumi/automation"), root], {
        env: { ...making.env, TMPDIR: temporary, TMP: temporary, TEMP: temporary },
        limit,
        signal: making.signal,
      });
      for (const program of [CLI, NODEJS_HOST]) {
        await rename(join(root, "bin", program), join(making.into, program));
      }
    } catch (cause) {
      making.signal.throwIfAborted();
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new WayClosed(`the installer failed: ${why}`, "run it again, or install Pulumi by hand", {
        cause,
      });
    }
  };
}

/** Any answer will do: it proves a way through. */
async function reach(site: string, limit: number, { signal }: Making): Promise<void> {
  try {
    const answer = await fetch(site, {
      method: "HEAD",
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(limit)]),
    });
    await answer.body?.cancel();
  } catch (cause) {
    signal.throwIfAborted();
    throw new WayClosed(
      `Pulumi's site cannot be reached from here: ${reason(cause, limit)}`,
      "open the network to it, or install Pulumi by hand",
      { cause },
    );
  }
}

/** fetch hides what happened in the cause of what it throws. */
function reason(error: unknown, limit: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no answer within ${limit / 1000} s`;
  if (error.cause instanceof Error)
    return error.cause.message === "" ? error.cause.name : error.cause.message;
  return error.message;
}
