/**
 * A browser for the tests of the console's page, without asking anything of the user: one that is installed, one that an
 * earlier run put into the cache, or Debian's headless Chromium, unpacked into the cache without root and without
 * installing anything. A test that was skipped where no browser is there would prove nothing.
 * `npm run --silent browser` prints the program's path.
 */
import { mkdir, readdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cacheFolder } from "./engine/cache";
import { interruptible } from "./engine/interrupt";
import { withLock } from "./engine/lock";
import { findOnPath, isAtLeast, isProgram } from "./engine/programs";
import { run } from "./engine/run";
import { remove, scratchName, sweep } from "./engine/scratch";

/** A Chromium that was asked for its version a moment ago. */
export interface Browser {
  /** The program's path. */
  readonly program: string;
  /** What it needs in its environment beside the caller's own. */
  readonly env: Readonly<Record<string, string>>;
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
    return prove(given, {}, env).catch((cause: unknown) =>
      none([`PULUMI_LEGACYDNS_BROWSER: ${reason(cause)}`], cause),
    );
  const reasons: string[] = [];
  for (const program of await installed(env)) {
    try {
      return await prove(program, {}, env);
    } catch (cause) {
      reasons.push(`installed: ${reason(cause)}`);
    }
  }
  const folder = join(dirname(cacheFolder(env)), "browser");
  const home = join(folder, `${process.platform}-${process.arch}`);
  const cached = (): Promise<Browser | undefined> => unpacked(home, env).catch(() => undefined);
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

async function prove(
  program: string,
  own: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
): Promise<Browser> {
  const answer = await run(program, ["--version"], { env: { ...env, ...own }, limit: 30_000 });
  const version = /\d+\.\d+\.\d+(\.\d+)?/.exec(answer)?.[0];
  if (version === undefined)
    throw new Error(`${program} --version answered ${JSON.stringify(answer.slice(0, 80))}`);
  if (!isAtLeast(version, minimum)) throw new Error(`${program} is ${version}, older than ${minimum}`);
  return { program, env: own, version };
}

/** Debian's packages as they lie in a folder: the program, with the libraries that the machine lacked. */
async function unpacked(home: string, env: NodeJS.ProcessEnv): Promise<Browser> {
  const machines = (await readdir(join(home, "usr", "lib"))).filter((name) => name.includes("-linux-gnu"));
  // PulseAudio's own library lies a folder deeper, at a path that is built into the other.
  const libraries = machines.flatMap((name) => [
    join(home, "usr", "lib", name),
    join(home, "usr", "lib", name, "pulseaudio"),
    join(home, "lib", name),
  ]);
  const own = {
    LD_LIBRARY_PATH: [...libraries, env.LD_LIBRARY_PATH ?? ""].filter((path) => path !== "").join(":"),
  };
  return prove(join(home, "usr", "lib", "chromium", "chromium-headless-shell"), own, env);
}

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
    await unpacked(made, env);
    await remove(home);
    await rename(made, home);
    return await unpacked(home, env);
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
