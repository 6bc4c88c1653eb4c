/** `npm run --silent plugin`: the plugin's folder and the archives of a release. */
import { join } from "node:path";
import { makeArchives, makeFolder } from "./folder";
import { main, root, say, script } from "../support/main";

const command = script("plugin", "Makes the plugin's folder and the archives of a release.").option(
  "--out <folder>",
  "where they go",
  join(root, "dist"),
);

main(command, async (flags: { readonly out: string }) => {
  const folder = join(flags.out, "plugin");
  await makeFolder(folder);
  const archives = makeArchives(folder, join(flags.out, "release"));
  say([folder, ...archives].join("\n"));
});
