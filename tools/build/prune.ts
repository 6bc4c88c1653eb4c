/** The last step of a build: removes files without a source from dist/. */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../support/main";

for (const room of ["provider", "emulator", "cli"]) {
  const folder = join(root, "dist", room);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const copied = join(root, relative(join(root, "dist"), path));
    if (entry.isFile() && !existsSync(copied) && !existsSync(copied.replace(/(\.d\.ts|\.js)$/, ".ts")))
      rmSync(path);
  }
}
