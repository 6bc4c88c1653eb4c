/** `npm run release`: builds all artefacts of a release. `npm run release:check` also proves each in an empty project. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withTemporaryFolder } from "../../cli/files";
import { makeArchives, makeFolder } from "../build/folder";
import { schemaFile } from "../generate/spec";
import { preflight } from "./preflight";
import { project } from "./project";
import { prove } from "./proofs";
import { main, root, say, script } from "../support/main";

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

async function buildAll(folder: string): Promise<string[]> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  run("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", folder);
  const plugin = join(root, "dist/plugin");
  await makeFolder(plugin);
  makeArchives(plugin, folder);
  await buildPython(folder);
  const goModule = `legacydns-go-v${project.version}.tar.gz`;
  run("tar", "-czf", join(folder, goModule), "-C", join(root, "sdk/go"), "legacydns");
  copyFileSync(schemaFile, join(folder, "schema.json"));
  // Every package of the lock file. Those of development are marked: the plugin's bundle contains some of them.
  writeFileSync(
    join(folder, "sbom.cdx.json"),
    run("npm", "sbom", "--package-lock-only", "--sbom-format", "cyclonedx"),
  );
  const files = readdirSync(folder).sort();
  const sums = files.map((file) => {
    const sum = createHash("sha256").update(readFileSync(join(folder, file)));
    return `${sum.digest("hex")}  ${file}\n`;
  });
  writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
  return [...files, "SHA256SUMS"];
}

interface Flags {
  readonly check?: boolean;
  readonly preflight?: boolean;
  readonly tag?: string;
}

const command = script(
  "release",
  "Builds all artefacts in dist/release. It needs Node.js, Python, Go and their registries.",
)
  .option("--check", "also deploy a zone with each artefact in an empty project")
  .option("--preflight", "build nothing, but check that this checkout can be released")
  .option("--tag <tag>", "with --preflight: write the notes of this tag to dist/release-notes.md");

main(command, async ({ check = false, preflight: only = false, tag }: Flags) => {
  if (only) {
    const notes = preflight(project, tag);
    if (tag === undefined) return;
    mkdirSync(join(root, "dist"), { recursive: true });
    writeFileSync(join(root, "dist/release-notes.md"), notes ?? "");
    return;
  }
  const folder = join(root, "dist/release");
  const files = await buildAll(folder);
  if (check) await prove(folder);
  else files.forEach(say);
});
