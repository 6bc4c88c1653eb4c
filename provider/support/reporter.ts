/** Texts for people. All modules pass them to a Reporter; only this file writes to streams. */

import type { Clock } from "./clock";
import { renderAll, type Reason } from "../problems";
import { named } from "./text";
import { visible, visibleLine } from "./visible";

/** Receives texts for people. No method throws or waits. */
export interface Reporter {
  /** A completed step. */
  info(text: string): void;
  /** A problem that does not stop the work. */
  warn(text: string): void;
  /** The current wait. The next text replaces it, and it does not stay in the output. */
  progress(text: string): void;
  /** A failure. */
  error(text: string): void;
}

/** The part of a stream that the command line's reporter needs. */
export interface ReportStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** A reporter that shows the current wait. */
export interface StreamReporter extends Reporter {
  /** Removes the text of the current wait. */
  clear(): void;
}

/** A reporter on a stream. Progress appears on a terminal only, as one line that the next text overwrites. */
export function streamReporter(stream: ReportStream): StreamReporter {
  let status = false;
  const cleared = (): string => {
    const was = status;
    status = false;
    return was ? "\r\u001b[K" : "";
  };
  return {
    info: (text) => void stream.write(`${cleared()}${visible(text)}\n`),
    warn: (text) => void stream.write(`${cleared()}warning: ${visible(text)}\n`),
    error: (text) => void stream.write(`${cleared()}error: ${visible(text)}\n`),
    progress: (text) => {
      if (stream.isTTY !== true) return;
      const line = visibleLine(text)
        .replace(/\s+/g, " ")
        .slice(0, Math.max(20, (stream.columns ?? 80) - 1));
      stream.write(`${cleared()}${line}`);
      status = true;
    },
    clear: () => {
      if (status) stream.write(cleared());
    },
  };
}

/** The reporter on standard error. Standard output is for results only. */
export const consoleReporter: Reporter = streamReporter(process.stderr);

/** Discards all texts. */
export const silentReporter: Reporter = {
  info: () => undefined,
  warn: () => undefined,
  progress: () => undefined,
  error: () => undefined,
};

/** Milliseconds between two progress texts. */
const progressEvery = 2_000;

/** Reports the progress of long work, at most every two seconds. */
export function progressTeller(reporter: Reporter, clock: Clock): (text: string) => void {
  let last = clock.now();
  return (text) => {
    const now = clock.now();
    if (now - last < progressEvery) return;
    reporter.progress(text);
    last = now;
  };
}

/** Announces a wait and its limit: `example.com: waiting up to 40 s for the service's index (indexDelay)`. */
export function waiting(
  reporter: Reporter,
  domains: readonly string[],
  milliseconds: number,
  what = "the service's index (indexDelay)",
): void {
  if (milliseconds > 0)
    reporter.info(`${named(domains)}: waiting up to ${Math.ceil(milliseconds / 1000)} s for ${what}`);
}

/** Warns of each reason. */
export function warnOf(reporter: Reporter, reasons: readonly Reason[]): void {
  for (const text of renderAll(reasons)) reporter.warn(text);
}
