/**
 * Small files for this user alone, in the state folder: written beside and renamed into place, so that a reader or
 * another process never sees half of one. Synchronous: they are small, and must be in step with the calls.
 */
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";

/** Writes the file, 0600, folders included. False where the disk cannot be written: nothing depends on such a file. */
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
 * Appends to the file, 0600, folders included, and has it reach the disk where asked for: what was written before a power
 * cut is then there after it. @throws where the disk cannot be written
 */
export function appendPrivate(file: string, text: string, { flush }: { readonly flush: boolean }): void {
  makeFolder(path.dirname(file));
  const open = fs.openSync(file, "a", 0o600);
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

/**
 * A secret key of this machine: 32 random bytes, made when it is first asked for. Processes that ask at the same moment
 * get the same one. @throws where it can be neither read nor written
 */
export function privateKey(file: string): Buffer {
  const kept = readKey(file);
  if (kept) return kept;
  makeFolder(path.dirname(file));
  const temporary = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    appendPrivate(temporary, randomBytes(32).toString("hex"), { flush: true });
    // Half a key is nobody's. A whole one that another process has just made stays: a link never replaces a file.
    if (fs.existsSync(file) && readKey(file) === undefined) fs.renameSync(temporary, file);
    else link(temporary, file);
    flushFolder(path.dirname(file));
  } finally {
    removePrivate(temporary);
  }
  const key = readKey(file);
  if (key === undefined) throw new Error(`${file} is no key`);
  return key;
}

/** The key of this machine by which the journal and messages mark what is secret. @param stateDir settings.stateDir @throws as {@link privateKey} */
export function machineKey(stateDir: string): Buffer {
  return privateKey(path.join(stateDir, "journal.key"));
}

function readKey(file: string): Buffer | undefined {
  if (fs.statSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  const text = fs.readFileSync(file, "utf8");
  return /^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, "hex") : undefined;
}

/** Gives a whole file its second name, unless there is one of that name. */
function link(from: string, to: string): void {
  try {
    fs.linkSync(from, to);
  } catch (error) {
    if (isCode(error, "EEXIST")) return;
    // A file system without links: a copy is made in place, and never over another file.
    try {
      fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
    } catch (failure) {
      if (!isCode(failure, "EEXIST")) throw failure;
    }
  }
}

/** Whether an error of the file system has this code. */
export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/**
 * Makes the folder and those above it, 0700, and flushes each to the disk. One at a time: `recursive` never ends on Node 20
 * where a file system refuses new folders as missing, as procfs does.
 */
function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let each = path.resolve(folder); !fs.existsSync(each); each = path.dirname(each)) {
    missing.push(each);
    // A drive of Windows that is not there.
    if (each === path.dirname(each)) break;
  }
  for (const each of missing.reverse()) {
    try {
      fs.mkdirSync(each, { mode: 0o700 });
    } catch (error) {
      // Another process may have made it.
      if (!isCode(error, "EEXIST")) throw error;
    }
    flushFolder(path.dirname(each));
  }
}

/** What a folder lists reaches the disk; where a system cannot do this for a folder, it does so by itself. */
function flushFolder(folder: string): void {
  try {
    const open = fs.openSync(folder, "r");
    try {
      fs.fsyncSync(open);
    } finally {
      fs.closeSync(open);
    }
  } catch {
    // Windows opens no folders.
  }
}

/** The file as JSON; undefined where there is none, or none that can be read. */
export function readPrivateJson(file: string): unknown {
  try {
    if (fs.statSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
    return JSON.parse(fs.readFileSync(file, "utf8"));
  } catch {
    // Unreadable or not JSON: it can tell nothing.
    return undefined;
  }
}

/** Removes the file if it is there and can be. */
export function removePrivate(file: string): void {
  try {
    fs.rmSync(file, { force: true });
  } catch {
    // The folder is no folder, or cannot be written: then there is nothing of ours in it.
  }
}
