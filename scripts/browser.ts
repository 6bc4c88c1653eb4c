/**
 * A browser for the tests of the console's page, without asking anything of the user: one that is installed, one that an
 * earlier run put into the cache, or Debian's headless Chromium, unpacked into the cache without root and without
 * installing anything. A test that was skipped where no browser is there would prove nothing.
 * `npm run --silent browser` prints the program's path.
 */
import { mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cacheFolder } from "./engine/cache";
import { interruptible } from "./engine/interrupt";
import { withLock } from "./engine/lock";
import { findOnPath, isAtLeast, isProgram } from "./engine/programs";
import { run } from "./engine/run";
import { remove, scratchName, sweep } from "./engine/scratch";

/** A Chromium that was asked for its version a moment ago. */
export interface Browser {
  /** The program's path. It starts in any environment. */
  readonly program: string;
  /** As in 156.0.8078.79. */
  readonly version: string;
}

/** No browser could be had; the message names each way with its reason, and what to do. */
export class NoBrowser extends Error {
  override readonly name = "NoBrowser";
}

/** The page's stylesheet uses `light-dark()`. */
const minimum = "123.0.0";
const names = [
  "chromium",
  "chromium-browser",
  "chromium-headless-shell",
  "google-chrome",
  "google-chrome-stable",
  "microsoft-edge",
];
const elsewhere = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

/**
 * @param env PATH, HOME, PULUMI_LEGACYDNS_CACHE and PULUMI_LEGACYDNS_BROWSER (a program) are read from it
 * @param say takes each line of progress
 * @throws NoBrowser where no way leads to one
 */
export async function ensureBrowser(
  env: NodeJS.ProcessEnv = process.env,
  say: (line: string) => void = () => undefined,
): Promise<Browser> {
  const given = env.PULUMI_LEGACYDNS_BROWSER ?? "";
  if (given !== "")
    return prove(given, env).catch((cause: unknown) =>
      none([`PULUMI_LEGACYDNS_BROWSER: ${reason(cause)}`], cause),
    );
  const reasons: string[] = [];
  for (const program of await installed(env)) {
    try {
      return await prove(program, env);
    } catch (cause) {
      reasons.push(`installed: ${reason(cause)}`);
    }
  }
  const folder = join(dirname(cacheFolder(env)), "browser");
  const home = join(folder, `${process.platform}-${process.arch}`);
  const cached = (): Promise<Browser | undefined> => prove(join(home, launcher), env).catch(() => undefined);
  const there = await cached();
  if (there !== undefined) return there;
  try {
    await mkdir(folder, { recursive: true });
    return await interruptible((signal) =>
      withLock(
        `${home}.lock`,
        say,
        async () => {
          const meanwhile = await cached();
          if (meanwhile !== undefined) return meanwhile;
          await sweep(folder);
          return make(folder, home, env, say, signal);
        },
        signal,
        undefined,
        "the browser",
      ),
    );
  } catch (cause) {
    return none([...reasons, `Debian's packages: ${reason(cause)}`], cause);
  }
}

function none(reasons: readonly string[], cause: unknown): never {
  const ways = reasons.map((each) => `  ${each.replaceAll("\n", "\n    ")}`).join("\n");
  const remedy = `Install Chromium or Chrome ${minimum.split(".")[0] ?? ""} or newer (Debian, Ubuntu: apt-get install chromium), or name the program in PULUMI_LEGACYDNS_BROWSER.`;
  throw new NoBrowser(
    `no browser could be had for the tests of the console's page\n${ways}\n  what to do: ${remedy}`,
    { cause },
  );
}

async function installed(env: NodeJS.ProcessEnv): Promise<string[]> {
  const found = [...(await Promise.all(names.map((name) => findOnPath(name, env)))), ...elsewhere];
  const there = await Promise.all(
    found.map(async (program) => (program !== undefined && (await isProgram(program)) ? program : undefined)),
  );
  return there.filter((program) => program !== undefined);
}

async function prove(program: string, env: NodeJS.ProcessEnv): Promise<Browser> {
  const answer = await run(program, ["--version"], { env, limit: 30_000 });
  const version = /\d+\.\d+\.\d+(\.\d+)?/.exec(answer)?.[0];
  if (version === undefined)
    throw new Error(`${program} --version answered ${JSON.stringify(answer.slice(0, 80))}`);
  if (!isAtLeast(version, minimum)) throw new Error(`${program} is ${version}, older than ${minimum}`);
  return { program, version };
}

/**
 * The name of a script that starts the unpacked program with the libraries that the machine lacks. The program alone does
 * not find them. PulseAudio has one of its libraries in a folder of its own, at a path that is built into the other.
 */
const launcher = "chromium";
const launch = `#!/bin/sh
home=$(dirname "$(readlink -f "$0")")
for folder in "$home"/usr/lib/*-linux-gnu* "$home"/usr/lib/*-linux-gnu*/pulseaudio "$home"/lib/*-linux-gnu*; do
  [ -d "$folder" ] && LD_LIBRARY_PATH="$folder\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
done
export LD_LIBRARY_PATH
exec "$home/usr/lib/chromium/chromium-headless-shell" "$@"
`;

/** Fetches and unpacks in a folder of its own, and renames the result into place. Nothing of the machine is changed. */
async function make(
  folder: string,
  home: string,
  env: NodeJS.ProcessEnv,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<Browser> {
  const scratch = scratchName(folder, "making");
  const [state, cache, made] = [join(scratch, "state"), join(scratch, "cache"), join(scratch, "made")];
  // apt-get with lists and archives of its own asks for no root; what is installed it still reads from the machine.
  const own = [
    `Dir::State=${state}`,
    "Dir::State::status=/var/lib/dpkg/status",
    `Dir::Cache=${cache}`,
    "Debug::NoLocking=1",
    "APT::Sandbox::User=",
  ];
  const apt = (...args: string[]): Promise<string> =>
    run("apt-get", [...own.flatMap((option) => ["-o", option]), "--yes", ...args], {
      env,
      limit: 300_000,
      signal,
    });
  try {
    await Promise.all(
      [join(state, "lists", "partial"), join(cache, "archives", "partial"), made].map((path) =>
        mkdir(path, { recursive: true }),
      ),
    );
    say("downloading Debian's headless Chromium, about 100 MB");
    await apt("update");
    // Reinstalled, so that both come even where one is installed: they must lie side by side.
    await apt(
      "--download-only",
      "--no-install-recommends",
      "--reinstall",
      "install",
      "chromium-headless-shell",
      "chromium-common",
    );
    const packages = (await readdir(join(cache, "archives"))).filter((name) => name.endsWith(".deb"));
    for (const name of packages)
      await run("dpkg-deb", ["-x", join(cache, "archives", name), made], { env, limit: 120_000, signal });
    await writeFile(join(made, launcher), launch, { mode: 0o755 });
    await prove(join(made, launcher), env);
    await remove(home);
    await rename(made, home);
    return await prove(join(home, launcher), env);
  } finally {
    await remove(scratch);
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

if (require.main === module) {
  ensureBrowser(process.env, (line) => void process.stderr.write(`browser: ${line}\n`)).then(
    ({ program, version }) => {
      process.stderr.write(`browser: Chromium ${version}\n`);
      process.stdout.write(`${program}\n`);
    },
    (error: unknown) => {
      process.stderr.write(`browser: ${reason(error)}\n`);
      process.exitCode = 1;
    },
  );
}
