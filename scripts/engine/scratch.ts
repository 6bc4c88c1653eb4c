/**
 * Half-made things have names that say whose they are: this process's, on this machine. What a dead process left is
 * recognised by its name alone and removed by the next run.
 */
import { createHash, randomBytes } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

const DAY = 24 * 3600 * 1000;
const NAME = /^\.(?:making|lock|gone)-(\d+)-([0-9a-f]{8})-[0-9a-f]{8}$/;

/** A short name for this machine: a cache may lie on a disk that several machines share. */
export const machine = createHash("sha256").update(hostname()).digest("hex").slice(0, 8);

/** A new name in `folder` that nobody else uses. Nothing is made. */
export function scratchName(folder: string, kind: "making" | "lock" | "gone"): string {
  return join(folder, `.${kind}-${process.pid}-${machine}-${randomBytes(4).toString("hex")}`);
}

/** Whether a process of this machine is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user is there, although we may not signal it.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/**
 * Removes what dead processes left in `folder`: of this machine at once, of other machines (whose processes cannot
 * be asked) and of a process whose number is used again after a day. Returns the names removed.
 */
export async function sweep(folder: string, now: number = Date.now()): Promise<string[]> {
  const removed: string[] = [];
  for (const name of await readdir(folder)) {
    const [, pid, where] = NAME.exec(name) ?? [];
    if (pid === undefined) continue;
    const path = join(folder, name);
    const dead = where === machine && !isAlive(Number(pid));
    if (dead || now - (await lastChange(path)) > DAY) {
      await remove(path);
      removed.push(name);
    }
  }
  return removed;
}

/** Removes a file or folder, there or not; tries again while a dying child still writes into it. */
export async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

async function lastChange(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return Date.now();
  }
}
