/** Builds the artefacts of a release. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { project } from "./project";

const root = resolve(__dirname, "../..");

const run = (command: string, args: readonly string[], cwd = root): string =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1e8 });

/** The wheel and the source distribution of the Python SDK. */
function buildPython(folder: string): void {
  const scratch = mkdtempSync(join(tmpdir(), "legacydns-python-"));
  try {
    cpSync(join(root, "sdk/python"), join(scratch, "sdk"), { recursive: true });
    run("python3", ["-m", "venv", join(scratch, "venv")]);
    const python = join(scratch, "venv/bin/python");
    run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "build==1.3.0"]);
    run(python, ["-m", "build", "--outdir", folder, join(scratch, "sdk")]);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * The components of the npm package, as it is installed. In the checkout, `npm sbom --omit dev` leaves out each package
 * that a development dependency needs as well.
 */
function buildSbom(folder: string): void {
  const scratch = mkdtempSync(join(tmpdir(), "legacydns-sbom-"));
  try {
    run("npm", ["init", "-y"], scratch);
    const packed = join(folder, `${project.name}-${project.version}.tgz`);
    run(
      "npm",
      ["install", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", packed],
      scratch,
    );
    const sbom = ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "library", "--legacy-peer-deps"];
    writeFileSync(join(folder, "sbom.cdx.json"), run("npm", sbom, scratch));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** @param folder empty or missing; gets every artefact and SHA256SUMS @returns the names of the files */
export function buildArtefacts(folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder]);
  // It writes the archives of all platforms to dist/release, with sums of their own.
  run("npm", ["run", "--silent", "plugin"]);
  buildPython(folder);
  run("tar", [
    "-czf",
    join(folder, `legacydns-go-v${project.version}.tar.gz`),
    "-C",
    join(root, "sdk/go"),
    "legacydns",
  ]);
  copyFileSync(join(root, "native/schema.json"), join(folder, "schema.json"));
  buildSbom(folder);
  const files = readdirSync(folder)
    .filter((file) => file !== "SHA256SUMS")
    .sort();
  const sum = (file: string): string =>
    createHash("sha256")
      .update(readFileSync(join(folder, file)))
      .digest("hex");
  writeFileSync(join(folder, "SHA256SUMS"), files.map((file) => `${sum(file)}  ${file}\n`).join(""));
  return [...files, "SHA256SUMS"];
}
