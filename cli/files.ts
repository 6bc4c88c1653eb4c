/** Files that a command reads or writes. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { reason, type Reason } from "../provider/problems";
import { visible } from "../provider/support/visible";
import { codeOf, CommandError } from "./errors";

export async function readInput(option: string, path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = codeOf(error);
    const why: Reason =
      code === "ENOENT"
        ? reason("path.missing", { path, from: "the current folder" })
        : reason("file.unreadable", { path, code });
    throw new CommandError({ ...why, path: option });
  }
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

export function withTemporaryFolder<T>(prefix: string, work: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  return removing(folder, () => work(folder));
}

export async function removing<T>(folder: string, work: () => T | Promise<T>): Promise<T> {
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true });
  };
  const stopListening = onSignal(remove);
  try {
    return await work();
  } finally {
    stopListening();
    remove();
  }
}

export function onSignal(end: () => void): () => void {
  const listener = (signal: NodeJS.Signals): void => {
    stopListening();
    end();
    // If there is no other listener, the signal must end the process.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  const stopListening = (): void => {
    for (const signal of signals) process.removeListener(signal, listener);
  };
  for (const signal of signals) process.on(signal, listener);
  return stopListening;
}

export function refuseExisting(paths: readonly string[]): void {
  const reasons = paths.filter((path) => existsSync(path)).map((path) => reason("output.exists", { path }));
  if (reasons.length > 0) throw new CommandError(...reasons);
}

/** Writes a whole file and its folders. A failure leaves no half file and keeps the old one. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const beside = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(beside, visible(text), { flag: "wx" });
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined);
    throw new CommandError(reason("output.unwritable", { path: file, detail: codeOf(error) }));
  }
}
