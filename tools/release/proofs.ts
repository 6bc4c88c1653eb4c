/** Proves each artefact of a release: it is used alone, in an empty project, and deploys a zone to the emulator. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, delimiter, join } from "node:path";
import { isDeepStrictEqual, promisify } from "node:util";
import { withTemporaryFolder } from "../../cli/files";
import { startEmulator } from "../../emulator";
import { ensureHosts } from "../engine/hosts";
import { ensureEngine, engineEnvironment } from "../engine/index";
import { project } from "./project";
import { root, say } from "../support/main";

const { name, version } = project;
const archive = `pulumi-resource-legacydns-v${version}-${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}.tar.gz`;

interface Place {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  run(command: string, ...args: string[]): Promise<string>;
}

async function inEmptyProject(work: (place: Place) => Promise<void>): Promise<void> {
  const engine = await ensureEngine({ say: () => undefined });
  const hosts = await ensureHosts(engine);
  await withTemporaryFolder("legacydns-release-", async (folder) => {
    const emulator = await startEmulator({ domains: ["example.com", "example.net"] });
    const inherited = engineEnvironment(engine, {
      home: join(folder, ".pulumi"),
      backend: join(folder, ".state"),
    });
    const env: NodeJS.ProcessEnv = {
      ...inherited,
      PATH: [inherited["PATH"], hosts].join(delimiter),
      LEGACYDNS_BASE_URL: emulator.url,
      LEGACYDNS_LOGIN_TOKEN: emulator.token,
      LEGACYDNS_CONTACT: "release@example.org",
      LEGACYDNS_STATE_DIR: join(folder, ".legacydns"),
    };
    const run: Place["run"] = (command, ...args) =>
      promisify(execFile)(command, args, { cwd: folder, env, maxBuffer: 1e8 }).then(
        ({ stdout }) => stdout,
        ({ stdout = "", stderr = "", message }: { stdout?: string; stderr?: string; message: string }) => {
          throw new Error(`${message}\n${stdout}${stderr}`);
        },
      );
    try {
      await work({ folder, env, run });
      if (emulator.admin.zone("example.net").length === 0) throw new Error("the up made no record");
    } finally {
      await emulator.close();
    }
  });
}

async function typescript({ folder, run }: Place, artefacts: string): Promise<void> {
  cpSync(join(root, "examples/quickstart"), folder, { recursive: true });
  await run("npm", "init", "-y");
  const packages = [join(artefacts, `${name}-${version}.tgz`), "@pulumi/pulumi", "typescript@5"];
  await run("npm", "install", "--silent", "--no-audit", "--no-fund", ...packages);
  await deploy(run);
}

async function deploy(run: Place["run"]): Promise<void> {
  await run("pulumi", "stack", "init", "test");
  await run("pulumi", "up", "--yes", "--skip-preview");
}

function installPlugin({ run }: Place, ...from: string[]): Promise<string> {
  return run("pulumi", "plugin", "install", "resource", "legacydns", version, ...from);
}

/** Installs the plugin's archive, and writes a project. */
async function prepare(place: Place, artefacts: string, files: Record<string, string>): Promise<void> {
  await installPlugin(place, "-f", join(artefacts, archive));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(place.folder, file), text);
}

/** An engine's language host that is too old to generate an SDK. */
class NoGenerator extends Error {}

/** `pulumi package add` and an up, with a language host. */
async function added(place: Place, artefacts: string, files: Record<string, string>): Promise<void> {
  await prepare(place, artefacts, files);
  await place.run("pulumi", "package", "add", "legacydns").catch((error: unknown) => {
    throw String(error).includes("GeneratePackage") ? new NoGenerator() : error;
  });
  await deploy(place.run);
}

const example = (path: string): string => readFileSync(join(root, "examples", path), "utf8");

function addedInPython(place: Place, artefacts: string): Promise<void> {
  const runtime = "runtime: { name: python, options: { toolchain: pip, virtualenv: venv } }";
  return added(place, artefacts, {
    "Pulumi.yaml": `name: zones\n${runtime}\n`,
    "requirements.txt": "pulumi\n",
    "__main__.py": example("python/__main__.py"),
  });
}

function addedInGo(place: Place, artefacts: string): Promise<void> {
  const names = ["Pulumi.yaml", "go.sum", "main.go", "zones.go"];
  const ours = new RegExp(`^.*${project.goModule}.*$`, "gm");
  return added(place, artefacts, {
    ...Object.fromEntries(names.map((name) => [name, example(`go/${name}`)])),
    "go.mod": example("go/go.mod").replace(ours, ""),
  });
}

/** YAML needs no SDK. */
async function yaml(place: Place, artefacts: string): Promise<void> {
  await prepare(place, artefacts, { "Pulumi.yaml": example("yaml/Pulumi.yaml") });
  await deploy(place.run);
}

/** A program of the Automation API needs no language host. */
async function inlineProject(place: Place, artefacts: string, runtime: string): Promise<void> {
  await prepare(place, artefacts, { "Pulumi.yaml": `name: zones\nruntime: ${runtime}\n` });
  await place.run("pulumi", "stack", "init", "test");
}

async function python(place: Place, artefacts: string): Promise<void> {
  const { folder, run } = place;
  await inlineProject(place, artefacts, "python");
  const wheel = join(artefacts, readdirSync(artefacts).find((file) => file.endsWith(".whl")) ?? "");
  await run("python3", "-m", "venv", "venv");
  await run("venv/bin/pip", "install", "--quiet", "--disable-pip-version-check", wheel);
  const [inline, program] = ["test/support/inline.py", "examples/python/__main__.py"];
  await run("venv/bin/python", join(root, inline), "up", join(root, program), folder);
}

async function go(place: Place, artefacts: string): Promise<void> {
  const { folder, run } = place;
  await inlineProject(place, artefacts, "go");
  await run("tar", "-xzf", join(artefacts, `legacydns-go-v${version}.tar.gz`));
  cpSync(join(root, "test/support/go"), folder, { recursive: true });
  cpSync(join(root, "examples/go/zones.go"), join(folder, "zones.go"));
  await run("go", "mod", "edit", `-replace=${project.goModule}=./legacydns`);
  await run("go", "build", "-mod=mod", "-o", "zones", ".");
  await run("./zones", "up", folder);
}

/** The engine prints no empty member of a schema. */
function withoutEmpty(_name: string, value: unknown): unknown {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0 ? undefined : value;
}

/** The plugin by HTTP, as from a release on GitHub. */
async function plugin(place: Place, artefacts: string): Promise<void> {
  const server = createServer(({ url = "" }, response) => {
    const file = join(artefacts, basename(url));
    if (existsSync(file)) response.end(readFileSync(file));
    else response.writeHead(404).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await installPlugin(place, "--server", `http://127.0.0.1:${port}`).finally(() => server.close());
  const [printed, released] = [
    await place.run("pulumi", "package", "get-schema", "legacydns"),
    readFileSync(join(artefacts, "schema.json"), "utf8"),
  ].map((text): unknown => JSON.parse(text, withoutEmpty));
  if (!isDeepStrictEqual(printed, released)) throw new Error("schema.json is not the plugin's schema");
  place.env.LEGACYDNS_USE_PLUGIN = "true";
  await typescript(place, artefacts);
}

/** Prints one line per artefact. @param artefacts their folder @throws at the first that does not work */
export async function prove(artefacts: string): Promise<void> {
  const proofs = {
    [`${name}-${version}.tgz, dynamic provider`]: typescript,
    [`${archive} by HTTP, and schema.json`]: plugin,
    "wheel, built from the sdist": python,
    [`legacydns-go-v${version}.tar.gz`]: go,
    "plugin with `pulumi package add` in Python": addedInPython,
    "plugin with `pulumi package add` in Go": addedInGo,
    "plugin in YAML": yaml,
  };
  for (const [artefact, proof] of Object.entries(proofs)) {
    try {
      await inEmptyProject((place) => proof(place, artefacts));
      say(`ok  ${artefact}`);
    } catch (error) {
      if (!(error instanceof NoGenerator)) throw error;
      say(`--  ${artefact}: not proved, because the engine's language host generates no SDK`);
    }
  }
}
