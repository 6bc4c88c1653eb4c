/**
 * Where a command reads its surroundings and writes its results: the process, or a test in its place. Results go to
 * standard output, everything said about them to standard error, so that a pipe gets results alone.
 */
import pc from "picocolors";
import { systemClock, type Clock } from "../provider/clock";
import type { ReportStream } from "../provider/report";
import { visibleOnTerminal } from "../provider/support/visible";

export type Colours = ReturnType<typeof pc.createColors>;

/** A command's surroundings. `exitCode` is what the process ends with: 0 fine, 1 trouble, 2 differences found. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: ReportStream;
  readonly err: ReportStream;
  readonly clock: Clock;
  exitCode: number;
}

export const exitCodes = { fine: 0, trouble: 1, differences: 2, blocked: 3 } as const;

/** The process's own. */
export function processTerminal(): Terminal {
  return {
    env: process.env,
    out: process.stdout,
    err: process.stderr,
    clock: systemClock,
    exitCode: exitCodes.fine,
  };
}

/** The same terminal; every text written to it shows all its characters. */
export function withVisibleTexts(terminal: Terminal): Terminal {
  return { ...terminal, out: visibleStream(terminal.out), err: visibleStream(terminal.err) };
}

function visibleStream(stream: ReportStream): ReportStream {
  return Object.assign(Object.create(stream) as ReportStream, {
    write: (text: string) => stream.write(visibleOnTerminal(text)),
  });
}

/** Colour only where a person looks. */
export function coloursOf(terminal: Terminal, stream: ReportStream): Colours {
  return pc.createColors(stream.isTTY === true && (terminal.env["NO_COLOR"] ?? "") === "");
}

/** For what goes to a file. */
export const plain: Colours = pc.createColors(false);
