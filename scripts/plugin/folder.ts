/**
 * The plugin's folder: one bundled program, its schema, and what starts it on every platform. It holds all that it needs
 * but Node.js itself, so that it works wherever it is copied to.
 */
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const root = resolve(__dirname, "../..");

const launcher = `#!/bin/sh
# Starts the plugin: a link to this file, as npm and package managers make them, leads to the program beside it.
file="$0"
while [ -L "$file" ]; do
  target=$(readlink "$file")
  case "$target" in
    /*) file="$target" ;;
    *) file="$(dirname "$file")/$target" ;;
  esac
done
command -v node >/dev/null || { echo "pulumi-resource-legacydns needs Node.js 20.19 or newer on the PATH; install it, then run pulumi again" >&2; exit 1; }
exec node "$(dirname "$file")/index.js" "$@"
`;
const windowsLauncher = '@echo off\r\nnode "%~dp0index.js" %*\r\n';

/** Makes the folder anew. @returns its version */
export async function makeFolder(folder: string): Promise<string> {
  const { version, license, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string; license: string; engines: object };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: [join(root, "native/main.ts")],
    outfile: join(folder, "index.js"),
    bundle: true,
    platform: "node",
    target: "node20.19",
    format: "cjs",
    minify: true,
    // The names of errors and classes are part of messages.
    keepNames: true,
    legalComments: "eof",
    // The folder's own, found by its name when it runs.
    external: ["pulumi-legacydns/package.json"],
    logLevel: "warning",
  });
  copyFileSync(join(root, "native/schema.json"), join(folder, "schema.json"));
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  // By this name the program finds its own version.
  const manifest = { name: "pulumi-legacydns", version, license, private: true, engines, exports: { "./package.json": "./package.json" } };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, "pulumi-resource-legacydns.cmd"), windowsLauncher);
  const program = join(folder, "pulumi-resource-legacydns");
  writeFileSync(program, launcher);
  chmodSync(program, 0o755);
  return version;
}
