/**
 * Small files for this user only. Folders that others can write to, other users' files and links are refused.
 * All functions are synchronous, to keep the order of the calls.
 */
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";

/** Mode 0600. Creates the folders. @returns false if it cannot be written */
export function writePrivate(file: string, text: string | Buffer): boolean {
  const temporary = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    makeFolder(path.dirname(file));
    fs.writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
    fs.renameSync(temporary, file);
    return true;
  } catch {
    removePrivate(temporary);
    return false;
  }
}

/**
 * Mode 0600. Creates the folders.
 * @param flush waits until the text is on the disk
 */
export function appendPrivate(file: string, text: string, { flush }: { readonly flush: boolean }): void {
  makeFolder(path.dirname(file));
  const { O_APPEND, O_CREAT, O_WRONLY } = fs.constants;
  const open = openPrivate(file, O_APPEND | O_CREAT | O_WRONLY);
  let isNew: boolean;
  try {
    isNew = fs.fstatSync(open).size === 0;
    fs.writeFileSync(open, text);
    if (flush) fs.fsyncSync(open);
  } finally {
    fs.closeSync(open);
  }
  if (flush && isNew) flushFolder(path.dirname(file));
}

/** @throws Error for a link or another user's file */
export function openPrivate(file: string, flags = fs.constants.O_RDONLY): number {
  // Windows has no such flag.
  const noFollow: number | undefined = fs.constants.O_NOFOLLOW;
  const open = fs.openSync(file, flags | (noFollow ?? 0), 0o600);
  try {
    refuseOwner(file, fs.fstatSync(open));
    return open;
  } catch (error) {
    fs.closeSync(open);
    throw error;
  }
}

/** Windows has neither owners nor modes. */
const own = process.getuid?.();

function refuseOwner(name: string, { uid }: fs.Stats): void {
  if (own !== undefined && uid !== own) throw new Error(`${name} belongs to another user, ${uid}`);
}

function refuseFolder(folder: string): void {
  const stats = fs.statSync(folder);
  refuseOwner(folder, stats);
  if (own !== undefined && (stats.mode & 0o022) !== 0)
    throw new Error(`other users can write to ${folder}: run chmod go-w ${folder}`);
}

/** Empty if the folder is missing or others can write to it. */
export function listPrivate(folder: string): string[] {
  try {
    refuseFolder(folder);
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/**
 * Mode 0700. Flushes each folder. `recursive` hangs on Node.js 20 if a file system such as procfs reports a
 * new folder as missing.
 * @throws Error if others can write to it
 */
function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let each = path.resolve(folder); !fs.existsSync(each); each = path.dirname(each)) {
    missing.push(each);
    // A missing drive of Windows.
    if (each === path.dirname(each)) break;
  }
  for (const each of missing.reverse()) {
    try {
      fs.mkdirSync(each, { mode: 0o700 });
    } catch (error) {
      // Another process may have created it.
      if (!isCode(error, "EEXIST")) throw error;
    }
    flushFolder(path.dirname(each));
  }
  refuseFolder(folder);
}

function flushFolder(folder: string): void {
  try {
    const open = fs.openSync(folder, "r");
    try {
      fs.fsyncSync(open);
    } finally {
      fs.closeSync(open);
    }
  } catch {
    // Windows cannot open folders.
  }
}

/** Undefined if it does not exist or cannot be read. */
export function readPrivateJson(file: string): unknown {
  try {
    if (fs.statSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
    const open = openPrivate(file);
    try {
      return JSON.parse(fs.readFileSync(open, "utf8"));
    } finally {
      fs.closeSync(open);
    }
  } catch {
    return undefined;
  }
}

export function removePrivate(file: string): void {
  try {
    fs.rmSync(file, { force: true });
  } catch {
    // The folder cannot be written.
  }
}
