/** Builds the artefacts of a release. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withTemporaryFolder } from "../../cli/files";
import { makeArchives, makeFolder } from "../plugin/folder";
import { schemaFile } from "../plugin/spec";
import { project } from "./project";
import { root } from "../support/main";

const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: root, encoding: "utf8", maxBuffer: 1e8 });

function buildPython(folder: string): Promise<void> {
  return withTemporaryFolder("legacydns-python-", (scratch) => {
    cpSync(join(root, "sdk/python"), join(scratch, "sdk"), { recursive: true });
    run("python3", "-m", "venv", join(scratch, "venv"));
    const python = join(scratch, "venv/bin/python");
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "build==1.3.0");
    run(python, "-m", "build", "--outdir", folder, join(scratch, "sdk"));
  });
}

/** @param folder empty or missing; gets every artefact and SHA256SUMS @returns the names of the files */
export async function buildArtefacts(folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  run("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", folder);
  const plugin = join(root, "dist/plugin");
  await makeFolder(plugin);
  makeArchives(plugin, folder);
  await buildPython(folder);
  const goModule = join(folder, `legacydns-go-v${project.version}.tar.gz`);
  run("tar", "-czf", goModule, "-C", join(root, "sdk/go"), "legacydns");
  copyFileSync(schemaFile, join(folder, "schema.json"));
  // Every package of the lock file. Those of development are marked: the plugin's bundle contains some of them.
  writeFileSync(join(folder, "sbom.cdx.json"), run("npm", "sbom", "--sbom-format", "cyclonedx"));
  const files = readdirSync(folder).sort();
  const sums = files.map((file) => {
    const sum = createHash("sha256").update(readFileSync(join(folder, file)));
    return `${sum.digest("hex")}  ${file}\n`;
  });
  writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
  return [...files, "SHA256SUMS"];
}
