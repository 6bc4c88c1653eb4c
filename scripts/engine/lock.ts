/**
 * One process makes the engine, the others wait for it. The lock saves work and nothing hangs on it: everyone makes
 * in a folder of their own and renames the result into place, so a lock taken over by mistake costs time only.
 * That is why it may be given up early: at once when its owner is dead, and when its heartbeat stops.
 */
import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive, machine, remove, scratchName } from "./scratch";

/** How often the owner shows that it lives, how long its silence is believed, how often the others look; in ms. */
export interface LockTimes {
  readonly heartbeat: number;
  readonly silence: number;
  readonly poll: number;
  /** Between two lines that say what is waited for. */
  readonly report: number;
}

export const LOCK_TIMES: LockTimes = { heartbeat: 2_000, silence: 30_000, poll: 300, report: 10_000 };

interface Owner {
  readonly pid: number;
  readonly machine: string;
  readonly token: string;
}

/** Who has the lock, as far as can be read, and since when nothing was heard of it. */
interface Holder {
  readonly owner: Owner | undefined;
  readonly heard: number;
}

/**
 * Runs `work` while holding the lock, a folder at `path`; waits for its owner as long as that lives.
 *
 * @throws what `work` throws, and the signal's reason when it was aborted while waiting. The lock is given back.
 */
export async function withLock<T>(
  path: string,
  say: (line: string) => void,
  work: () => Promise<T>,
  signal?: AbortSignal,
  times: LockTimes = LOCK_TIMES,
  what = "the engine",
): Promise<T> {
  const owner: Owner = { pid: process.pid, machine, token: randomUUID() };
  const started = Date.now();
  let said = -Infinity;
  while (!(await take(path, owner))) {
    signal?.throwIfAborted();
    const holder = await look(path);
    // Given back in this moment.
    if (holder === undefined) continue;
    if (isStale(holder, times.silence)) {
      if (await breakLock(path, holder)) {
        say(`taking over from ${nameOf(holder)}, which is gone`);
        continue;
      }
    } else if (Date.now() - said >= times.report) {
      said = Date.now();
      const seconds = Math.round((said - started) / 1000);
      say(`waiting for ${nameOf(holder)}, which is getting ${what} ready: ${seconds} s`);
    }
    await sleep(times.poll, undefined, signal === undefined ? {} : { signal });
  }
  const beat = setInterval(() => void touch(path, owner), times.heartbeat);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    await give(path, owner);
  }
}

/** The lock appears with its owner's name in it, or not at all: a rename onto a folder that is not empty fails. */
async function take(path: string, owner: Owner): Promise<boolean> {
  const prepared = scratchName(dirname(path), "lock");
  await mkdir(prepared);
  try {
    await writeFile(join(prepared, "owner.json"), JSON.stringify(owner));
    await rename(prepared, path);
    return true;
  } catch (error) {
    await remove(prepared);
    if ((await look(path)) !== undefined) return false;
    if (error instanceof Error && "code" in error && isTaken(error.code)) return false;
    throw error;
  }
}

function isTaken(code: unknown): boolean {
  return code === "ENOTEMPTY" || code === "EEXIST" || (process.platform === "win32" && code === "EPERM");
}

async function look(path: string): Promise<Holder | undefined> {
  try {
    const heard = (await stat(join(path, "owner.json")).catch(() => stat(path))).mtimeMs;
    return { owner: await readOwner(path), heard };
  } catch {
    return undefined;
  }
}

async function readOwner(path: string): Promise<Owner | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(join(path, "owner.json"), "utf8"));
    if (typeof value !== "object" || value === null) return undefined;
    if (!("pid" in value && "machine" in value && "token" in value)) return undefined;
    const { pid, machine: where, token } = value;
    if (typeof pid !== "number" || typeof where !== "string" || typeof token !== "string") return undefined;
    return { pid, machine: where, token };
  } catch {
    return undefined;
  }
}

function isStale({ owner, heard }: Holder, silence: number): boolean {
  if (owner !== undefined && owner.machine === machine && !isAlive(owner.pid)) return true;
  return Date.now() - heard > silence;
}

function nameOf({ owner }: Holder): string {
  if (owner === undefined) return "another process";
  return owner.machine === machine ? `process ${owner.pid}` : `process ${owner.pid} of another machine`;
}

/** Moves the stale lock away; another's, taken in the same moment, is put back. */
async function breakLock(path: string, holder: Holder): Promise<boolean> {
  const away = scratchName(dirname(path), "gone");
  try {
    await rename(path, away);
  } catch {
    return false;
  }
  const moved = await readOwner(away);
  if (moved?.token !== holder.owner?.token) {
    try {
      await rename(away, path);
      return false;
    } catch {
      // Somebody took the lock meanwhile: the one moved away is lost, which costs its owner nothing but company.
    }
  }
  await remove(away);
  return true;
}

/** A heartbeat, unless the lock was taken over while this process slept. */
async function touch(path: string, owner: Owner): Promise<void> {
  try {
    if ((await readOwner(path))?.token !== owner.token) return;
    const now = new Date();
    await utimes(join(path, "owner.json"), now, now);
  } catch {
    // Taken over in this moment; the next beat looks again.
  }
}

async function give(path: string, owner: Owner): Promise<void> {
  if ((await readOwner(path))?.token !== owner.token) return;
  const away = scratchName(dirname(path), "gone");
  try {
    await rename(path, away);
  } catch {
    return;
  }
  await remove(away);
}
