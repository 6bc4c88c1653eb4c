/**
 * An interruption is an abort first and the end of the process second: what was begun is cleared up, then the signal
 * takes its usual course.
 */
const SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** The work was ended by a signal to this process. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  constructor(readonly signal: NodeJS.Signals) {
    super(`interrupted by ${signal}`);
  }
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
    controller.abort(new Interrupted(signal));
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  try {
    return await work(outer === undefined ? controller.signal : AbortSignal.any([controller.signal, outer]));
  } finally {
    for (const name of SIGNALS) process.removeListener(name, onSignal);
    if (received !== undefined && process.listenerCount(received) === 0) process.kill(process.pid, received);
  }
}
