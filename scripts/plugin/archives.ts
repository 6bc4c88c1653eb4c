/** The plugin's archives, one per platform, all with the same program. */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const platforms = ["linux", "darwin", "windows"].flatMap((os) =>
  ["amd64", "arm64"].map((cpu) => `${os}-${cpu}`),
);

export function makeArchives(plugin: string, out: string, version: string): string[] {
  mkdirSync(out, { recursive: true });
  const files = platforms.map((platform) =>
    join(out, `pulumi-resource-legacydns-v${version}-${platform}.tar.gz`),
  );
  const [first = "", ...others] = files;
  // The same files make the same archive, byte for byte.
  const fixed = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=2020-01-01 00:00Z"];
  execFileSync("tar", [...fixed, "-czf", first, "-C", plugin, "."]);
  for (const file of others) copyFileSync(first, file);
  return files;
}
