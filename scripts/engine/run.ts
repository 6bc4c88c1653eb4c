/**
 * Child processes that end when we do: each runs in its own process group with a time limit, and an abort ends the
 * whole group, so that an interrupted build leaves no compiler behind.
 */
import { spawn } from "node:child_process";

/** How a child process is run. */
export interface RunOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Milliseconds after which the child's group is ended and the run fails. */
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

/** A child that could not be started, failed, or took too long. The message holds the end of what it printed. */
export class RunFailed extends Error {
  override readonly name = "RunFailed";
}

const KILL_AFTER = 3_000;
const TAIL_LINES = 12;
const KEPT_CHARACTERS = 64_000;
const windows = process.platform === "win32";

/**
 * Runs a program and returns its standard output, trimmed.
 *
 * @throws RunFailed when it does not end with code 0 within the limit; the signal's reason when it was aborted.
 */
export async function run(program: string, args: readonly string[], options: RunOptions): Promise<string> {
  const { signal, limit } = options;
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: options.env,
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      // Its own group: a Ctrl-C at the terminal reaches only us, and we end the group ourselves.
      detached: !windows,
      windowsHide: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    let err = "";
    let late = false;
    let forced: NodeJS.Timeout | undefined;
    child.stdout.on("data", (chunk: Buffer) => (out = (out + chunk.toString()).slice(-KEPT_CHARACTERS)));
    child.stderr.on("data", (chunk: Buffer) => (err = (err + chunk.toString()).slice(-KEPT_CHARACTERS)));
    const end = (): void => {
      endGroup(child.pid, "SIGTERM");
      forced ??= setTimeout(() => endGroup(child.pid, "SIGKILL"), KILL_AFTER);
    };
    const timer = setTimeout(() => {
      late = true;
      end();
    }, limit);
    signal?.addEventListener("abort", end, { once: true });
    const settle = (): void => {
      clearTimeout(timer);
      clearTimeout(forced);
      signal?.removeEventListener("abort", end);
    };
    child.on("error", (cause) => {
      settle();
      reject(new RunFailed(`${program} could not be started: ${cause.message}`, { cause }));
    });
    child.on("close", (code, ended) => {
      settle();
      if (signal?.aborted === true) {
        // What the leader left in its group must not write on while the caller clears up.
        endGroup(child.pid, "SIGKILL");
        reject(signal.reason instanceof Error ? signal.reason : new Error("interrupted"));
      } else if (code === 0) {
        resolve(out.trim());
      } else {
        const how = late
          ? `was ended after ${Math.round(limit / 1000)} s`
          : `ended with ${ended ?? `code ${code}`}`;
        const tail = (err.trim() || out.trim()).split("\n").slice(-TAIL_LINES).join("\n");
        reject(new RunFailed(`${program} ${how}${tail === "" ? "" : `:\n${tail}`}`));
      }
    });
  });
}

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(windows ? pid : -pid, signal);
  } catch {
    // Gone already.
  }
}
