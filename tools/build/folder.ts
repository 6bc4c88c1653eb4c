/**
 * The plugin's folder: bundled programs, the schema, and a launcher for every platform. It needs only
 * Node.js.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { project } from "../release/project";
import { root } from "../support/main";
import { schemaFile } from "../generate/spec";

/** Keeps undici as a program of its own, which `service` loads on first use. */
const apart: Plugin = {
  name: "apart",
  setup: (build) => {
    build.onResolve({ filter: /^undici$/ }, ({ path, kind }) =>
      kind === "entry-point" ? undefined : { path: `./${path}.js`, external: true },
    );
    // zod's messages in fifty languages. English, the default, is not among them.
    build.onResolve({ filter: /\/locales\/index\.js$/ }, ({ importer }) =>
      /[\\/]zod[\\/]/.test(importer) ? { path: "none", namespace: "none" } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: "none" }, () => ({ contents: "export {};" }));
  },
};

export async function makeFolder(folder: string): Promise<void> {
  const { name, version, license, engines } = project;
  rmSync(folder, { recursive: true, force: true });
  await build({
    entryPoints: {
      index: join(root, "provider/frontends/native/main.ts"),
      service: join(root, "provider/frontends/native/service.ts"),
      undici: "undici",
    },
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
    legalComments: "eof",
    // The folder's own package.json, and a module that gRPC loads only for its own figures.
    external: ["pulumi-legacydns/package.json", "@grpc/proto-loader"],
    plugins: [apart],
    logLevel: "warning",
  });
  copyFileSync(schemaFile, join(folder, "schema.json"));
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  // The program finds its own version by this name.
  const exports = { "./package.json": "./package.json" };
  const manifest = { name, version, license, engines, private: true, exports };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const launcher = join(folder, "pulumi-resource-legacydns");
  writeFileSync(`${launcher}.cmd`, '@echo off\r\nnode "%~dp0index.js" %*\r\n');
  copyFileSync(join(root, "provider/frontends/native/pulumi-resource-legacydns"), launcher);
}

/** The plugin's archives, one per platform, all with the same program. */
export function makeArchives(plugin: string, out: string): string[] {
  mkdirSync(out, { recursive: true });
  const platforms = ["linux", "darwin", "windows"].flatMap((os) => [`${os}-amd64`, `${os}-arm64`]);
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
