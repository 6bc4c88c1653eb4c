/**
 * `npm run --silent plugin`: the plugin's folder and the archive that a release attaches, with its checksum.
 * `--folder`: the folder alone, as the package brings it. `--out FOLDER`: both in another folder than dist/.
 */
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { makeFolder } from "./plugin/folder";

const root = resolve(__dirname, "..");
const { values } = parseArgs({
  options: {
    folder: { type: "boolean", default: false },
    out: { type: "string", default: join(root, "dist") },
  },
});
const folder = join(values.out, "plugin");

async function main(): Promise<void> {
  const version = await makeFolder(folder);
  if (values.folder) return;
  const release = join(values.out, "release");
  mkdirSync(release, { recursive: true });
  // The engine asks for one archive for each platform; the program is the same on all of them.
  const platforms = ["linux", "darwin", "windows"].flatMap((os) =>
    ["amd64", "arm64"].map((cpu) => `${os}-${cpu}`),
  );
  const files = platforms.map((platform) => `pulumi-resource-legacydns-v${version}-${platform}.tar.gz`);
  const [first = "", ...others] = files;
  execFileSync("tar", [
    "--sort=name",
    "--owner=0",
    "--group=0",
    "--numeric-owner",
    "--mtime=2020-01-01 00:00Z",
    "-czf",
    join(release, first),
    "-C",
    folder,
    ".",
  ]);
  const archive = readFileSync(join(release, first));
  for (const file of others) writeFileSync(join(release, file), archive);
  const sum = createHash("sha256").update(archive).digest("hex");
  writeFileSync(join(release, "SHA256SUMS"), files.map((file) => `${sum}  ${file}\n`).join(""));
  process.stdout.write(
    `${folder}\n${files.map((file) => join(release, file)).join("\n")}\n${join(release, "SHA256SUMS")}\n`,
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
