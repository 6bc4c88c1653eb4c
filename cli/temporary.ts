/** Temporary files and folders of a command. They are removed at its end, and also if a signal ends the process before. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Does some work with a new folder in the system's temporary directory. @param prefix the folder's name begins with it */
export function withTemporaryFolder<T>(prefix: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  return removing(folder, () => work(folder));
}

/** Does some work, and removes a path after it. The path need not exist. */
export async function removing<T>(path: string, work: () => Promise<T>): Promise<T> {
  const onSignal = (signal: NodeJS.Signals): void => {
    end();
    // Without another listener the signal ends the process, as it would have without this one.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  const end = (): void => {
    for (const signal of signals) process.removeListener(signal, onSignal);
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // The command's result matters more than what it leaves behind.
    }
  };
  for (const signal of signals) process.on(signal, onSignal);
  try {
    return await work();
  } finally {
    end();
  }
}
