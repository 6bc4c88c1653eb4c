/**
 * An interruption is an abort first and the end of the process second: what was begun is cleared up, then the signal
 * takes its usual course.
 */
const SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** The work was ended from outside. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/**
 * Runs `work` with a signal that is aborted by SIGINT, SIGTERM, SIGHUP or `outer`. After the work has settled the
 * process ends by the signal it got, unless somebody else in this process listens for it.
 */
export async function interruptible<T>(
  work: (signal: AbortSignal) => Promise<T>,
  outer?: AbortSignal,
): Promise<T> {
  const controller = new AbortController();
  let received: NodeJS.Signals | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    received ??= signal;
    controller.abort(new Interrupted(`interrupted by ${signal}`));
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  try {
    return await work(outer === undefined ? controller.signal : AbortSignal.any([controller.signal, outer]));
  } finally {
    for (const name of SIGNALS) process.removeListener(name, onSignal);
    if (received !== undefined && process.listenerCount(received) === 0) process.kill(process.pid, received);
  }
}

/**
 * Aborted when the process that started this one is gone, for a script that npm runs. npm hands a signal to the shell
 * in which it runs the script, and the shell dies of it without handing it on.
 */
export function abortedWithNpm(env: NodeJS.ProcessEnv = process.env): AbortSignal | undefined {
  if (env.npm_lifecycle_event === undefined || process.platform === "win32") return undefined;
  const controller = new AbortController();
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    controller.abort(new Interrupted("interrupted: npm is gone"));
  }, 300);
  timer.unref();
  return controller.signal;
}
