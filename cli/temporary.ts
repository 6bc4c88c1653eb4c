/** Clean-up at the end of a command, or if a signal ends the process: temporary files, folders and child processes. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

export function withTemporaryFolder<T>(prefix: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  return removing(folder, () => work(folder));
}

export async function removing<T>(path: string, work: () => Promise<T>): Promise<T> {
  const remove = (): void => {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // A file that cannot be removed must not hide the command's result.
    }
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
