/** Temporary files and folders of a command. They are removed at its end, or if a signal ends the process. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Works with a new folder in the system's temporary directory.
 * @param prefix the beginning of the folder's name
 */
export function withTemporaryFolder<T>(prefix: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  return removing(folder, () => work(folder));
}

/** Works, then removes a path, which need not exist. */
export async function removing<T>(path: string, work: () => Promise<T>): Promise<T> {
  const onSignal = (signal: NodeJS.Signals): void => {
    end();
    // If there is no other listener, the signal must end the process.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  const end = (): void => {
    for (const signal of signals) process.removeListener(signal, onSignal);
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // A file that cannot be removed must not hide the command's result.
    }
  };
  for (const signal of signals) process.on(signal, onSignal);
  try {
    return await work();
  } finally {
    end();
  }
}
