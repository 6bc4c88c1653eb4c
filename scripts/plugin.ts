/**
 * `npm run --silent plugin`: the plugin's folder and the archives that a release attaches.
 * `--folder`: the folder alone, as the package brings it. `--out FOLDER`: both in another folder than dist/.
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { makeArchives } from "./plugin/archives";
import { makeFolder } from "./plugin/folder";

const { values } = parseArgs({
  options: {
    folder: { type: "boolean", default: false },
    out: { type: "string", default: resolve(__dirname, "../dist") },
  },
});

async function main(): Promise<void> {
  const folder = join(values.out, "plugin");
  const { version } = await makeFolder(folder);
  if (values.folder) return;
  const archives = makeArchives(folder, join(values.out, "release"), version);
  process.stdout.write([folder, ...archives, ""].join("\n"));
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
