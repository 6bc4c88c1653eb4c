import * as os from "node:os";
import * as path from "node:path";

/** Writing below a device always fails. */
export const noStateDir = path.join(os.devNull, "pulumi-legacydns");

const folders: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["Library", "Application Support"],
  win32: ["AppData", "Local"],
};

/** Undefined without a home folder: other users can write to shared folders. */
export function defaultStateDir(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
  home: string | undefined,
): string | undefined {
  const { join, isAbsolute } = platform === "win32" ? path.win32 : path.posix;
  const { XDG_STATE_HOME: xdg, LOCALAPPDATA: local } = env;
  const given = [xdg, platform === "win32" ? local : undefined].find(
    (folder) => folder !== undefined && isAbsolute(folder),
  );
  const base = given ?? (home && join(home, ...(folders[platform] ?? [".local", "state"])));
  return base && join(base, "pulumi-legacydns");
}

export function homeOf(env: Readonly<Record<string, string | undefined>>): string | undefined {
  try {
    const home = env["HOME"] || os.userInfo().homedir;
    return path.isAbsolute(home) ? home : undefined;
  } catch {
    // A container may have neither HOME nor a passwd entry.
    return undefined;
  }
}
