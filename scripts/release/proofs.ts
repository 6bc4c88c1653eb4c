/** Proves each artefact of a release: it is used alone, in an empty project, and deploys a zone to the emulator. */
import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { isDeepStrictEqual, promisify } from "node:util";
import { withTemporaryFolder } from "../../cli/files";
import { startEmulator } from "../../emulator";
import { ensureEngine, engineEnvironment, type Engine } from "../engine/index";
import { project } from "./project";
import { root } from "../support/main";

const { version } = project;
const archive = `pulumi-resource-legacydns-v${version}-${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}.tar.gz`;

/** An empty project with a service of its own. */
interface Place {
  readonly folder: string;
  run(command: string, ...args: string[]): Promise<string>;
  set(name: string, value: string): void;
  records(domain: string): number;
}

async function inEmptyProject(engine: Engine, work: (place: Place) => Promise<void>): Promise<void> {
  await withTemporaryFolder("legacydns-release-", async (folder) => {
    const emulator = await startEmulator({ domains: ["example.com", "example.net"] });
    const env: NodeJS.ProcessEnv = {
      ...engineEnvironment(engine, { home: join(folder, ".pulumi"), backend: join(folder, ".state") }),
      LEGACYDNS_BASE_URL: emulator.url,
      LEGACYDNS_LOGIN_TOKEN: emulator.token,
      LEGACYDNS_CONTACT: "release@example.org",
      LEGACYDNS_STATE_DIR: join(folder, ".legacydns"),
    };
    await work({
      folder,
      run: async (command, ...args) => {
        const { stdout, stderr } = await promisify(execFile)(command, args, {
          cwd: folder,
          env,
          maxBuffer: 1e8,
        }).catch((error: { stdout?: string; stderr?: string; message: string }) => {
          throw new Error(
            `${command} ${args.join(" ")}\n${error.stdout ?? ""}${error.stderr ?? error.message}`,
          );
        });
        return stdout + stderr;
      },
      set: (name, value) => (env[name] = value),
      records: (domain) => emulator.admin.zone(domain).length,
    }).finally(() => emulator.close());
  });
}

interface Sbom {
  readonly bomFormat: string;
  readonly components: readonly { readonly name: string }[];
}

function holds(place: Place, domain: string): void {
  if (place.records(domain) === 0) throw new Error(`${domain} has no record after the up`);
}

async function typescript(place: Place, folder: string): Promise<void> {
  cpSync(join(root, "examples/quickstart"), place.folder, { recursive: true });
  await place.run("npm", "init", "-y");
  const packed = join(folder, `${project.name}-${version}.tgz`);
  await place.run(
    "npm",
    "install",
    "--silent",
    "--no-audit",
    "--no-fund",
    packed,
    "@pulumi/pulumi",
    "typescript@5",
  );
  await up(place);
  holds(place, "example.net");
}

async function up(place: Place): Promise<void> {
  await place.run("pulumi", "stack", "init", "test");
  await place.run("pulumi", "up", "--yes", "--skip-preview", "--stack", "test");
}

const installed = (place: Place, ...from: string[]): Promise<string> =>
  place.run("pulumi", "plugin", "install", "resource", "legacydns", version, ...from);

/** A program of the Automation API needs no language host, only the engine. */
async function python(place: Place, folder: string): Promise<void> {
  await installed(place, "-f", join(folder, archive));
  const wheel = readdirSync(folder).find((file) => file.endsWith(".whl")) ?? "";
  await place.run("python3", "-m", "venv", "venv");
  await place.run("venv/bin/pip", "install", "--quiet", "--disable-pip-version-check", join(folder, wheel));
  await inlineProject(place, "python");
  await place.run(
    "venv/bin/python",
    join(root, "test/support/inline.py"),
    "up",
    join(root, "examples/python/__main__.py"),
    place.folder,
  );
  holds(place, "example.net");
}

async function go(place: Place, folder: string): Promise<void> {
  await installed(place, "-f", join(folder, archive));
  await place.run("tar", "-xzf", join(folder, `legacydns-go-v${version}.tar.gz`));
  cpSync(join(root, "test/support/go"), place.folder, { recursive: true });
  cpSync(join(root, "examples/go/zones.go"), join(place.folder, "zones.go"));
  await place.run("go", "mod", "edit", `-replace=${project.goModule}=./legacydns`);
  await place.run("go", "build", "-mod=mod", "-o", "zones", ".");
  await inlineProject(place, "go");
  await place.run("./zones", "up", place.folder);
  holds(place, "example.net");
}

async function inlineProject(place: Place, runtime: string): Promise<void> {
  writeFileSync(join(place.folder, "Pulumi.yaml"), `name: zones\nruntime: ${runtime}\n`);
  await place.run("pulumi", "stack", "init", "test");
}

/** The plugin by HTTP, from the address that a release on GitHub has. */
async function download(place: Place, folder: string): Promise<void> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const file = basename(request.url ?? "");
    asked.push(request.url ?? "");
    if (!existsSync(join(folder, file))) response.writeHead(404).end();
    else response.end(readFileSync(join(folder, file)));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const address = server.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    const releases = new URL(project.repository).pathname;
    await installed(place, "--server", `http://127.0.0.1:${port}${releases}/releases/download/v${version}`);
    if (!asked.some((url) => url.endsWith(archive))) throw new Error(`the engine did not ask for ${archive}`);
  } finally {
    server.close();
  }
  const schema = JSON.parse(await place.run("pulumi", "package", "get-schema", "legacydns")) as {
    version?: string;
  };
  if (schema.version !== version) throw new Error(`the plugin says version ${schema.version ?? "none"}`);
  if (!isDeepStrictEqual(schema, JSON.parse(readFileSync(join(folder, "schema.json"), "utf8"))))
    throw new Error("schema.json is not the plugin's schema");
  place.set("LEGACYDNS_USE_PLUGIN", "true");
  await typescript(place, folder);
}

/** The names and the contents of an archive's files. */
const contents = (file: string): Buffer[] =>
  ["-tzf", "-xzOf"].map((mode) => execFileSync("tar", [mode, file], { maxBuffer: 1e8 }));

/** @param folder of the artefacts @param say takes one line per artefact @throws at the first that does not work */
export async function prove(folder: string, say: (line: string) => void): Promise<void> {
  const engine = await ensureEngine({ say: () => undefined });
  const proofs: readonly (readonly [string, (place: Place, folder: string) => Promise<void>])[] = [
    [`${project.name}-${version}.tgz, dynamic provider`, typescript],
    [
      `${project.name}-${version}.tgz with ${archive}`,
      async (place) => {
        await installed(place, "-f", join(folder, archive));
        place.set("LEGACYDNS_USE_PLUGIN", "true");
        await typescript(place, folder);
      },
    ],
    ["wheel, built from the sdist", python],
    [`legacydns-go-v${version}.tar.gz`, go],
    [`${archive} by HTTP, and schema.json`, download],
  ];
  for (const [name, proof] of proofs) {
    await inEmptyProject(engine, (place) => proof(place, folder));
    say(`ok  ${name}`);
  }
  // Every platform has the same program.
  for (const other of readdirSync(folder).filter((file) => /^pulumi-resource-.*gz$/.test(file))) {
    if (other === archive) continue;
    if (!isDeepStrictEqual(contents(join(folder, other)), contents(join(folder, archive))))
      throw new Error(`${other} has other files than ${archive}`);
    say(`ok  ${other}`);
  }
  execFileSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: folder });
  say("ok  SHA256SUMS");
  for (const [file, names] of [
    ["npm.cdx.json", [project.name, ...Object.keys(project.dependencies)]],
    ["plugin.cdx.json", ["@grpc/grpc-js", "google-protobuf", "undici", "yaml", "zod"]],
  ] as const) {
    const { bomFormat, components } = JSON.parse(readFileSync(join(folder, file), "utf8")) as Sbom;
    const missing = names.filter((name) => !components.some((component) => component.name === name));
    if (bomFormat !== "CycloneDX" || missing.length > 0)
      throw new Error(`${file} does not name ${missing.join(", ")}`);
    say(`ok  ${file}, ${components.length} components`);
  }
}
