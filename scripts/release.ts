/**
 * `npm run release`: builds all artefacts in dist/release. `npm run release:check` also proves each in an
 * empty project. It needs Node.js, Python, Go and their registries. With `--preflight` it builds nothing: it checks that this
 * checkout can be released, and `--tag v0.2.0` also writes the release's notes to dist/release-notes.md.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { withTemporaryFolder } from "../cli/files";
import { makeArchives, makeFolder } from "./plugin/folder";
import { schemaFile } from "./plugin/spec";
import { preflight } from "./release/preflight";
import { project } from "./release/project";
import { prove } from "./release/proofs";
import { main, root } from "./support/main";

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

main("release", async () => {
  const boolean = { type: "boolean", default: false } as const;
  const { values } = parseArgs({
    options: { check: boolean, preflight: boolean, tag: { type: "string" } },
  });
  if (values.preflight) {
    const notes = preflight(project, values.tag);
    if (values.tag === undefined) return;
    mkdirSync(join(root, "dist"), { recursive: true });
    writeFileSync(join(root, "dist/release-notes.md"), notes ?? "");
    return;
  }
  const folder = join(root, "dist/release");
  const files = await buildAll(folder);
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  if (values.check) await prove(folder, say);
  else files.forEach(say);
});
