/**
 * Who may try a login: until one has been accepted, one call at a time, in this process and on this machine. Many look-ups
 * and hosts that begin at once with a wrong token then fail once together, and the marker of the failure holds the others
 * back. A lock that cannot be written leaves the turns to this process.
 */
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { hostname } from "node:os";
import { z } from "zod";
import type { Clock } from "../clock";
import { readPrivateJson, removePrivate, writePrivate } from "../private-file";
import { reasonOf } from "./pacing";

/** Between two looks at another process's lock, in milliseconds. */
const LOOK_EVERY_MS = 50;

const lock = z.object({ time: z.number(), pid: z.number(), host: z.string() });

/** The right to send one call; it must be ended, whatever became of the call. */
export interface Turn {
  end(): void;
}

const free: Turn = { end: () => undefined };

export class LoginTurn {
  private proven = false;
  /** Over when the call that is trying has ended. */
  private trying: Promise<void> | undefined;

  /**
   * @param file the machine's lock
   * @param longestMs how long one call takes at most; an older lock was left behind by a process that was killed
   */
  constructor(
    private readonly file: string,
    private readonly longestMs: number,
    private readonly clock: Clock,
  ) {}

  /** A login was accepted: from now on calls need no turn. */
  prove(): void {
    this.proven = true;
  }

  /** A login failed: the next one is tried alone again. */
  doubt(): void {
    this.proven = false;
  }

  /** Waits for the turn. @throws the signal's reason when it is aborted meanwhile */
  async take(signal: AbortSignal): Promise<Turn> {
    while (!this.proven) {
      if (this.trying === undefined) return this.begin(signal);
      await untilAborted(this.trying, signal);
    }
    return free;
  }

  private async begin(signal: AbortSignal): Promise<Turn> {
    let over = (): void => undefined;
    this.trying = new Promise((resolve) => (over = resolve));
    let locked = false;
    const end = (): void => {
      if (locked) removePrivate(this.file);
      this.trying = undefined;
      over();
    };
    try {
      for (;;) {
        const got = this.isHeld() ? "other" : this.hold();
        locked = got === "own";
        if (got !== "other") return { end };
        await this.clock.sleep(LOOK_EVERY_MS, signal);
      }
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Whether a process that lives holds the lock; one that was left behind is taken away. */
  private isHeld(): boolean {
    if (!fs.existsSync(this.file)) return false;
    const found = lock.safeParse(readPrivateJson(this.file));
    if (found.success) {
      const { time, pid, host } = found.data;
      const isRecent = Math.abs(this.clock.now() - time) < this.longestMs;
      if (isRecent && (host !== hostname() || isAlive(pid))) return true;
    }
    removePrivate(this.file);
    return false;
  }

  /** Of several processes that find it free at once, one gets it; on a disk that cannot be written, nobody does. */
  private hold(): "own" | "other" | "none" {
    const own = `${this.file}.${randomBytes(6).toString("hex")}`;
    if (!writePrivate(own, JSON.stringify({ time: this.clock.now(), pid: process.pid, host: hostname() })))
      return "none";
    try {
      // A link, unlike a renaming, fails where somebody else was faster.
      fs.linkSync(own, this.file);
      return "own";
    } catch (error) {
      // A file system without links keeps no lock.
      return error instanceof Error && "code" in error && error.code === "EEXIST" ? "other" : "none";
    } finally {
      removePrivate(own);
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be asked, and is there.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

/** Waits for a promise. @throws the signal's reason when it is aborted meanwhile */
export function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(reasonOf(signal));
    signal.addEventListener("abort", leave, { once: true });
    void promise.then(() => {
      signal.removeEventListener("abort", leave);
      resolve();
    });
  });
}
