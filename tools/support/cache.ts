/** This machine's cache of tools. It lies outside the checkout, so that a fresh clone finds them. */
import { mkdir, readlink, rename, rm, symlink } from "node:fs/promises";
import { userInfo } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isCode } from "../../provider/support/private-file";

/** PULUMI_LEGACYDNS_CACHE, or pulumi-legacydns in the user's cache folder. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const own = env.PULUMI_LEGACYDNS_CACHE ?? "";
  if (own !== "") return own;
  // XDG_CACHE_HOME must be ignored if it is relative.
  const xdg = env.XDG_CACHE_HOME ?? "";
  return join(isAbsolute(xdg) ? xdg : join(env.HOME || userInfo().homedir, ".cache"), "pulumi-legacydns");
}

interface Tool<T> {
  readonly place: string;
  readonly name: string;
  readonly say: (line: string) => unknown;
  /** Tries the tool in a folder. @throws if it does not work there */
  readonly check: (folder: string) => Promise<T>;
  /** Makes the tool below an empty folder. @returns the tool's folder */
  readonly make: (scratch: string) => Promise<string>;
}

/**
 * Makes a tool unless its place has one that works. One process makes it, and others wait. Limit: two processes may find
 * the lock of a killed one at the same moment. Then both make the tool, and one of them may fail.
 */
export async function makeOnce<T>({ place, name, say, check, make }: Tool<T>): Promise<T> {
  const existing = (): Promise<T | undefined> => check(place).catch(() => undefined);
  const found = await existing();
  if (found !== undefined) return found;
  await mkdir(dirname(place), { recursive: true });
  const [lock, scratch] = [`${place}.lock`, `${place}.making`];
  for (let waits = 0; !(await take(lock));) {
    const owner = await readlink(lock).then(basename, () => undefined);
    if (owner === undefined) continue;
    if (!isAlive(Number(owner))) await remove(lock);
    else {
      if (waits++ % 40 === 0) say(`waiting for process ${owner}, which makes ${name}`);
      await sleep(250);
    }
  }
  try {
    const ready = await existing();
    if (ready !== undefined) return ready;
    await remove(scratch);
    await mkdir(scratch);
    const made = await make(scratch);
    await check(made);
    await remove(place);
    await rename(made, place);
    return await check(place);
  } finally {
    await remove(scratch);
    await remove(lock);
  }
}

/** The lock is a link to the owner's process id, so it appears together with its content. */
async function take(lock: string): Promise<boolean> {
  try {
    await symlink(String(process.pid), lock);
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return isCode(error, "EPERM");
  }
}

/** Tries again while a child process that is ending still writes. */
async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
