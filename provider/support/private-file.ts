/** Files for this user only. Folders that others can write to, other users' files and links are refused. */
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";

/** @returns false if it cannot be written */
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

/** Undefined on Windows. */
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
 * `recursive` hangs on Node.js 20 if a file system such as procfs reports a new folder as missing.
 * @throws if another user owns the folder or can write to it
 */
export function makeFolder(folder: string): void {
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
  } catch {}
}

export function readPrivateJson(file: string): unknown {
  try {
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
  } catch {}
}
