/** Builds the artefacts of a release. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { withTemporaryFolder } from "../../cli/files";
import { join } from "node:path";
import { makeArchives } from "../plugin/archives";
import { makeFolder } from "../plugin/folder";
import { project } from "./project";
import { root } from "../support/main";

const run = (command: string, args: readonly string[], cwd = root): string =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1e8 });

function buildPython(folder: string): Promise<void> {
  return withTemporaryFolder("legacydns-python-", (scratch) => {
    cpSync(join(root, "sdk/python"), join(scratch, "sdk"), { recursive: true });
    run("python3", ["-m", "venv", join(scratch, "venv")]);
    const python = join(scratch, "venv/bin/python");
    run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "build==1.3.0"]);
    run(python, ["-m", "build", "--outdir", folder, join(scratch, "sdk")]);
  });
}

interface Sbom {
  readonly metadata: { readonly component: object };
  readonly components: readonly { readonly "bom-ref": string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const sbomOf = (cwd: string): string =>
  run("npm", ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "library", "--legacy-peer-deps"], cwd);

/**
 * The components of the npm package, as it is installed. In the checkout, `npm sbom --omit dev` leaves out each package
 * that a development dependency needs as well.
 */
function buildPackageSbom(folder: string): Promise<void> {
  return withTemporaryFolder("legacydns-sbom-", (scratch) => {
    run("npm", ["init", "-y"], scratch);
    const packed = join(folder, `${project.name}-${project.version}.tgz`);
    run(
      "npm",
      ["install", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", packed],
      scratch,
    );
    writeFileSync(join(folder, "npm.cdx.json"), sbomOf(scratch));
  });
}

/** The components of the plugin's archives: the packages of the checkout that the bundle contains. */
function buildPluginSbom(folder: string, packages: readonly string[]): void {
  const sbom = JSON.parse(sbomOf(root)) as Sbom;
  const kept = (ref: string): boolean => packages.includes(ref);
  // To the checkout they are development dependencies.
  const components = sbom.components
    .filter((component) => kept(component["bom-ref"]))
    .map((component) => ({ ...component, properties: [] }));
  const dependencies = sbom.dependencies
    .filter(({ ref }) => kept(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(kept) }));
  // npm names the component by its folder.
  const component = { ...sbom.metadata.component, type: "application", name: project.name };
  const own = { ...sbom, metadata: { ...sbom.metadata, component }, components, dependencies };
  writeFileSync(join(folder, "plugin.cdx.json"), `${JSON.stringify(own, null, 2)}\n`);
}

/** @param folder empty or missing; gets every artefact and SHA256SUMS @returns the names of the files */
export async function buildArtefacts(folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder]);
  const plugin = join(root, "dist/plugin");
  const { packages } = await makeFolder(plugin);
  makeArchives(plugin, folder, project.version);
  await buildPython(folder);
  const goModule = join(folder, `legacydns-go-v${project.version}.tar.gz`);
  run("tar", ["-czf", goModule, "-C", join(root, "sdk/go"), "legacydns"]);
  copyFileSync(join(root, "native/schema.json"), join(folder, "schema.json"));
  await buildPackageSbom(folder);
  buildPluginSbom(folder, packages);
  const files = readdirSync(folder).sort();
  const sum = (file: string): string =>
    createHash("sha256")
      .update(readFileSync(join(folder, file)))
      .digest("hex");
  writeFileSync(join(folder, "SHA256SUMS"), files.map((file) => `${sum(file)}  ${file}\n`).join(""));
  return [...files, "SHA256SUMS"];
}
