/** The folder of the plugin's compiled code. Node.js runs its files, so no other user may write to it. */
import { join } from "node:path";
import { makeFolder } from "../../support/private-file";
import { homeOf } from "../../support/state-dir";

/** Makes the folder. Undefined without a home folder, and if another user owns the folder or can write to it. */
export function compileCacheFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const home = homeOf(env);
  if (home === undefined) return undefined;
  const folder = join(home, ".cache", "pulumi-legacydns");
  try {
    makeFolder(folder);
    return folder;
  } catch {
    return undefined;
  }
}
