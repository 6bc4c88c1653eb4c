/**
 * `npm run --silent plugin`: the plugin's folder and the archives of a release. `--folder`: the folder
 * alone. `--out FOLDER`: another folder than dist/.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { makeArchives, makeFolder } from "./plugin/folder";
import { main, root } from "./support/main";

const { values } = parseArgs({
  options: {
    folder: { type: "boolean", default: false },
    out: { type: "string", default: join(root, "dist") },
  },
});

main("plugin", async () => {
  const folder = join(values.out, "plugin");
  await makeFolder(folder);
  if (values.folder) return;
  const archives = makeArchives(folder, join(values.out, "release"));
  process.stdout.write([folder, ...archives, ""].join("\n"));
});
