/** Texts for people. */

import type { Clock } from "./clock";
import { renderAll, type Reason } from "../problems";
import { named } from "./text";
import { visible, visibleLine } from "./visible";

/** No method throws or waits. */
export interface Reporter {
  info(text: string): void;
  warn(text: string): void;
  progress(text: string): void;
  error(text: string): void;
}

export interface ReportStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface StreamReporter extends Reporter {
  clear(): void;
}

/** Progress appears on a terminal only. */
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

/** Standard output is for results only. */
export const consoleReporter: Reporter = streamReporter(process.stderr);

export const silentReporter: Reporter = {
  info: () => undefined,
  warn: () => undefined,
  progress: () => undefined,
  error: () => undefined,
};

const progressEvery = 2_000;

export function progressReporter(reporter: Reporter, clock: Clock): (text: string) => void {
  let last = clock.now();
  return (text) => {
    const now = clock.now();
    if (now - last < progressEvery) return;
    reporter.progress(text);
    last = now;
  };
}

export function waiting(
  reporter: Reporter,
  domains: readonly string[],
  milliseconds: number,
  what = "the service's index (indexDelay)",
): void {
  if (milliseconds > 0)
    reporter.info(`${named(domains)}: waiting up to ${Math.ceil(milliseconds / 1000)} s for ${what}`);
}

export function noteOf(reporter: Reporter, texts: readonly string[]): void {
  for (const text of texts) reporter.info(`note: ${text}`);
}

export function warnOf(reporter: Reporter, reasons: readonly Reason[]): void {
  for (const text of renderAll(reasons)) reporter.warn(text);
}
