/** The environment and streams of a command. Results go to standard output, messages to standard error. */
import pc from "picocolors";
import { systemClock, type Clock } from "../provider/support/clock";
import type { ReportStream } from "../provider/support/reporter";
import { visibleOnTerminal } from "../provider/support/visible";

export type Colours = ReturnType<typeof pc.createColors>;

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: ReportStream;
  readonly err: ReportStream;
  readonly clock: Clock;
  exitCode: number;
}

export const exitCodes = { fine: 0, trouble: 1, differences: 2, blocked: 3 } as const;

export function processTerminal(): Terminal {
  return {
    env: process.env,
    out: process.stdout,
    err: process.stderr,
    clock: systemClock,
    exitCode: exitCodes.fine,
  };
}

export function withVisibleTexts(terminal: Terminal): Terminal {
  return { ...terminal, out: visibleStream(terminal.out), err: visibleStream(terminal.err) };
}

function visibleStream(stream: ReportStream): ReportStream {
  return Object.assign(Object.create(stream) as ReportStream, {
    write: (text: string) => stream.write(visibleOnTerminal(text)),
  });
}

export function coloursOf(terminal: Terminal, stream: ReportStream): Colours {
  return pc.createColors(stream.isTTY === true && (terminal.env["NO_COLOR"] ?? "") === "");
}

export const plain: Colours = pc.createColors(false);

export function log(terminal: Terminal, level: "error" | "warning" | "note", texts: readonly string[]): void {
  const { red, yellow } = coloursOf(terminal, terminal.err);
  const paint = level === "error" ? red : yellow;
  for (const text of texts) terminal.err.write(`${paint(`${level}: ${text}`)}\n`);
}
