/**
 * The plugin's folder: bundled programs, the schema, and a launcher for every platform. It needs only
 * Node.js.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin as EsbuildPlugin } from "esbuild";
import { project } from "../release/project";
import { root } from "../support/main";
import { schemaFile } from "./spec";

const windowsLauncher = '@echo off\r\nnode "%~dp0index.js" %*\r\n';

const programs = { index: "native/main.ts", service: "native/service.ts", undici: "undici", yaml: "yaml" };

/** Leaves the other programs where they are required, and out of `service` what nothing of it uses. */
const apart: EsbuildPlugin = {
  name: "apart",
  setup: (build) => {
    build.onResolve({ filter: /^(undici|yaml)$/ }, ({ path, kind }) =>
      kind === "entry-point" ? undefined : { path: `./${path}.js`, external: true },
    );
    // The texts of zod's own messages in fifty languages; the default, English, is not among them.
    build.onResolve({ filter: /\/locales\/index\.js$/ }, ({ importer }) =>
      /[\\/]zod[\\/]/.test(importer) ? { path: "none", namespace: "none" } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: "none" }, () => ({ contents: "export {};" }));
  },
};

async function bundle(folder: string): Promise<void> {
  await build({
    entryPoints: Object.entries(programs).map(([out, path]) => ({
      in: path.includes("/") ? join(root, path) : path,
      out,
    })),
    outdir: folder,
    absWorkingDir: root,
    bundle: true,
    platform: "node",
    target: "node20.19",
    format: "cjs",
    // `import()` of a file beside this one is a `require`.
    supported: { "dynamic-import": false },
    minify: true,
    // The names of errors and classes are part of messages.
    keepNames: true,
    legalComments: "eof",
    // The folder's own, found by its name when it runs; and what gRPC loads for its own figures alone.
    external: ["pulumi-legacydns/package.json", "@grpc/proto-loader"],
    plugins: [apart],
    logLevel: "warning",
  });
}

export async function makeFolder(folder: string): Promise<void> {
  const { name, version, license, engines } = project;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await bundle(folder);
  copyFileSync(schemaFile, join(folder, "schema.json"));
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  // By this name the program finds its own version.
  const manifest = {
    ...{ name, version, license, engines, private: true },
    exports: { "./package.json": "./package.json" },
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, "pulumi-resource-legacydns.cmd"), windowsLauncher);
  copyFileSync(join(root, "native/pulumi-resource-legacydns"), join(folder, "pulumi-resource-legacydns"));
}

const platforms = ["linux", "darwin", "windows"].flatMap((os) => [`${os}-amd64`, `${os}-arm64`]);

/** The plugin's archives, one per platform, all with the same program. */
export function makeArchives(plugin: string, out: string): string[] {
  mkdirSync(out, { recursive: true });
  const files = platforms.map((platform) =>
    join(out, `pulumi-resource-legacydns-v${project.version}-${platform}.tar.gz`),
  );
  const [first = "", ...others] = files;
  // The same files make the same archive, byte for byte.
  const fixed = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=2020-01-01 00:00Z"];
  execFileSync("tar", [...fixed, "-czf", first, "-C", plugin, "."]);
  for (const file of others) copyFileSync(first, file);
  return files;
}
