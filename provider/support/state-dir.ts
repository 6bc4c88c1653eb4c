import * as os from "node:os";
import * as path from "node:path";

/** Writing below a device always fails. */
export const noStateDir = path.join(os.devNull, "pulumi-legacydns");

/** Undefined without a home folder: other users can write to shared folders. */
export function defaultStateDir(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
  home: string | undefined,
): string | undefined {
  const join = platform === "win32" ? path.win32.join : path.posix.join;
  const absolute = platform === "win32" ? path.win32.isAbsolute : path.posix.isAbsolute;
  const xdg = env["XDG_STATE_HOME"];
  if (xdg !== undefined && absolute(xdg)) return join(xdg, "pulumi-legacydns");
  if (platform === "win32" && env["LOCALAPPDATA"] !== undefined)
    return join(env["LOCALAPPDATA"], "pulumi-legacydns");
  if (home === undefined) return undefined;
  if (platform === "darwin") return join(home, "Library", "Application Support", "pulumi-legacydns");
  if (platform === "win32") return join(home, "AppData", "Local", "pulumi-legacydns");
  return join(home, ".local", "state", "pulumi-legacydns");
}

export function homeOf(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const home = env["HOME"] || userHome();
  return home !== undefined && path.isAbsolute(home) ? home : undefined;
}

function userHome(): string | undefined {
  try {
    return os.userInfo().homedir;
  } catch {
    return undefined;
  }
}
