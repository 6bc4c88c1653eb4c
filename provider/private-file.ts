/**
 * Small files for this user alone, in the state folder: written beside and renamed into place, so that a reader or
 * another process never sees half of one. Synchronous: they are small, and must be in step with the calls.
 */
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";

/** Writes the file, 0600, folders included. False where the disk cannot be written: nothing depends on such a file. */
export function writePrivate(file: string, text: string): boolean {
  const temporary = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    fs.writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
    fs.renameSync(temporary, file);
    return true;
  } catch {
    removePrivate(temporary);
    return false;
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
