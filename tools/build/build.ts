/** `npm run build`: the npm package in dist/, with the plugin. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { build } from "esbuild";
import { main, root, script } from "../support/main";
import { makeFolder } from "./folder";

const dist = join(root, "dist");

/** The package that a program loads, as one file: load time is part of every run. */
async function bundle(): Promise<void> {
  await build({
    entryPoints: [join(root, "provider/index.ts")],
    outfile: join(dist, "provider/index.js"),
    allowOverwrite: true,
    absWorkingDir: root,
    bundle: true,
    packages: "external",
    platform: "node",
    target: "node20.19",
    logLevel: "warning",
  });
}

/** Removes the files of an older build whose sources are gone. */
function prune(): void {
  for (const room of ["provider", "emulator", "cli"])
    for (const entry of readdirSync(join(dist, room), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const source = join(root, relative(dist, path));
      if (entry.isFile() && !existsSync(source) && !existsSync(source.replace(/(\.d\.ts|\.js)$/, ".ts")))
        rmSync(path);
    }
}

main(script("build", "Builds the npm package in dist/, with the plugin."), async () => {
  const args = [require.resolve("typescript/bin/tsc"), "-p", join(root, "tsconfig.build.json")];
  execFileSync(process.execPath, args, { stdio: "inherit" });
  await bundle();
  prune();
  cpSync(join(root, "emulator/page/files"), join(dist, "emulator/page/files"), { recursive: true });
  await makeFolder(join(dist, "plugin"));
});
