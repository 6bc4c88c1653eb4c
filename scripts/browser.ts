/**
 * `npm run --silent browser`: a browser for the tests of the console's page. It is installed, cached, or
 * Debian's headless Chromium, unpacked without root.
 */
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder, makeOnce } from "./support/cache";
import { main } from "./support/main";
import { findOnPath, isAtLeast, isProgram } from "./support/programs";
import { reasonOf, run } from "./support/run";

export interface Browser {
  readonly program: string;
  readonly version: string;
}

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

export async function ensureBrowser(
  env: NodeJS.ProcessEnv = process.env,
  say: (line: string) => unknown = () => undefined,
): Promise<Browser> {
  const reasons: string[] = [];
  const attempt = async (way: string, get: () => Promise<Browser>): Promise<Browser | undefined> => {
    try {
      return await get();
    } catch (error) {
      reasons.push(`${way}: ${reasonOf(error)}`);
      return undefined;
    }
  };
  const given = env.PULUMI_LEGACYDNS_BROWSER ?? "";
  if (given !== "") {
    return (await attempt("PULUMI_LEGACYDNS_BROWSER", () => prove(given, env))) ?? none(reasons);
  }
  for (const program of await installed(env)) {
    const found = await attempt("installed", () => prove(program, env));
    if (found !== undefined) return found;
  }
  const place = join(cacheFolder(env), "browser", `${process.platform}-${process.arch}`);
  const check = (folder: string): Promise<Browser> => prove(join(folder, launcher), env);
  const make = (scratch: string): Promise<string> => unpack(scratch, env, say);
  return (
    (await check(place).catch(() => undefined)) ??
    (await attempt("Debian's packages", () => makeOnce({ place, name: "the browser", say, check, make }))) ??
    none(reasons)
  );
}

function none(reasons: readonly string[]): never {
  const help = `Install Chromium or Chrome ${minimum.split(".")[0] ?? ""} or newer (Debian, Ubuntu: apt-get install chromium), or set PULUMI_LEGACYDNS_BROWSER to a program.`;
  throw new NoBrowser(
    `no browser was found for the tests of the console's page\n${reasons.join("\n")}\n${help}`,
  );
}

async function installed(env: NodeJS.ProcessEnv): Promise<string[]> {
  const programs: string[] = [];
  for (const name of names) {
    const program = await findOnPath(name, env);
    if (program !== undefined) programs.push(program);
  }
  for (const program of elsewhere) if (await isProgram(program)) programs.push(program);
  return programs;
}

async function prove(program: string, env: NodeJS.ProcessEnv): Promise<Browser> {
  const answer = await run(program, ["--version"], { env, limit: 30_000 });
  const version = /\d+\.\d+\.\d+(\.\d+)?/.exec(answer)?.[0];
  if (version === undefined) throw new Error(`${program} --version printed no version`);
  if (!isAtLeast(version, minimum)) throw new Error(`${program} is ${version}, older than ${minimum}`);
  return { program, version };
}

/**
 * A script that starts the unpacked program with the unpacked libraries. PulseAudio has one of its libraries in a folder of
 * its own, at a path that is built into another one.
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

async function unpack(
  scratch: string,
  env: NodeJS.ProcessEnv,
  say: (line: string) => unknown,
): Promise<string> {
  const [state, cache, made] = [join(scratch, "state"), join(scratch, "cache"), join(scratch, "made")];
  // With lists and archives of its own, apt-get needs no root. The list of installed packages is the machine's.
  const options = [
    `Dir::State=${state}`,
    "Dir::State::status=/var/lib/dpkg/status",
    `Dir::Cache=${cache}`,
    "Debug::NoLocking=1",
    "APT::Sandbox::User=",
  ].flatMap((option) => ["-o", option]);
  const apt = (...args: string[]): Promise<string> =>
    run("apt-get", [...options, "--yes", ...args], { env, limit: 300_000 });
  for (const folder of [join(state, "lists", "partial"), join(cache, "archives", "partial"), made]) {
    await mkdir(folder, { recursive: true });
  }
  say("downloading Debian's headless Chromium, about 100 MB");
  await apt("update");
  // Reinstalled, so that both packages come even if one is installed.
  const packages = ["chromium-headless-shell", "chromium-common"];
  await apt("--download-only", "--no-install-recommends", "--reinstall", "install", ...packages);
  const archives = join(cache, "archives");
  for (const name of (await readdir(archives)).filter((each) => each.endsWith(".deb")))
    await run("dpkg-deb", ["-x", join(archives, name), made], { env, limit: 120_000 });
  await writeFile(join(made, launcher), launch, { mode: 0o755 });
  return made;
}

if (require.main === module)
  main("browser", async () => {
    const { program } = await ensureBrowser(process.env, (line) =>
      process.stderr.write(`browser: ${line}\n`),
    );
    process.stdout.write(`${program}\n`);
  });
