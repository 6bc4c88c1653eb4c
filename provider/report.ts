/**
 * The one place that speaks: every room hands its texts to a Reporter, and only this file knows about streams.
 */

import type { Clock } from "./clock";
import { visible, visibleLine } from "./support/visible";

/** Where texts for a person go. None of the methods throws or waits. */
export interface Reporter {
  /** Something done that is worth a line. */
  info(text: string): void;
  /** Something that the reader should look at; the work goes on. */
  warn(text: string): void;
  /** What is being waited for right now: replaced by the next text, never part of the lasting output. */
  progress(text: string): void;
  /** Something that failed. */
  error(text: string): void;
}

/** The part of a stream that the command line's reporter needs. */
export interface ReportStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** A reporter that shows what is waited for. */
export interface StreamReporter extends Reporter {
  /** Takes away what is shown as being waited for: nothing is any more. */
  clear(): void;
}

/**
 * A reporter on a stream. Progress shows on a terminal alone, as one line that the next text overwrites.
 */
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

/** The reporter of the command line: on standard error, so that standard output holds results only. */
export const consoleReporter: Reporter = streamReporter(process.stderr);

/** Says nothing. */
export const silentReporter: Reporter = {
  info: () => undefined,
  warn: () => undefined,
  progress: () => undefined,
  error: () => undefined,
};

/** Milliseconds between two texts of a long work. */
const progressEvery = 2_000;

/** Tells how far a long work is, now and then. */
export function progressTeller(reporter: Reporter, clock: Clock): (text: string) => void {
  let said = clock.now();
  return (text) => {
    const now = clock.now();
    if (now - said < progressEvery) return;
    reporter.progress(text);
    said = now;
  };
}
