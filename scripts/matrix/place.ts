/** A copy of the checkout with another @pulumi/pulumi, and another Node.js, both from the npm registry. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

function install(folder: string, spec: string): void {
  if (existsSync(join(folder, "node_modules"))) return;
  mkdirSync(folder, { recursive: true });
  const args = [
    "install",
    "--silent",
    "--no-save",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    "--prefix",
    folder,
    spec,
  ];
  try {
    execFileSync("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

export function nodeOf(work: string, version: string): string {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const folder = join(work, `node-${version}`);
  install(folder, `${name}@${version}`);
  return join(folder, "node_modules", name, "bin");
}

export function checkoutWith(root: string, work: string, sdk: string): string {
  const sdkFolder = join(work, `sdk-${sdk}`);
  install(sdkFolder, `@pulumi/pulumi@${sdk}`);
  const copy = join(work, `checkout-${sdk}`);
  rmSync(copy, { recursive: true, force: true });
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  for (const file of listed.split("\0")) {
    if (file === "" || !existsSync(join(root, file))) continue;
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  cpSync(join(root, "dist"), join(copy, "dist"), { recursive: true });
  const from = join(root, "node_modules");
  const to = join(copy, "node_modules");
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (!name.startsWith("@")) symlinkSync(join(from, name), join(to, name));
    else {
      mkdirSync(join(to, name));
      for (const inner of readdirSync(join(from, name)))
        if (`${name}/${inner}` !== "@pulumi/pulumi")
          symlinkSync(join(from, name, inner), join(to, name, inner));
    }
  }
  symlinkSync(join(sdkFolder, "node_modules", "@pulumi", "pulumi"), join(to, "@pulumi", "pulumi"));
  return copy;
}
