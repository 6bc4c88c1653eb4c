/**
 * The environment and streams of a command. Results go to standard output, messages to standard error. Every text is
 * escaped first and painted afterwards, so that only this module's own control characters reach a terminal.
 */
import pc from "picocolors";
import { systemClock, type Clock } from "../provider/support/clock";
import { streamReporter, type ReportStream, type StreamReporter } from "../provider/support/reporter";
import { visible } from "../provider/support/visible";

/** A text whose parts were escaped before they were painted. */
export class Painted {
  private constructor(private readonly escaped: string) {}

  static with(paint: (text: string) => string, part: Part): Painted {
    return new Painted(paint(escaped(part)));
  }

  static join(parts: readonly Part[], between = ""): Painted {
    return new Painted(parts.map(escaped).join(visible(between)));
  }

  toString(): string {
    return this.escaped;
  }
}

export type Part = string | Painted;

function escaped(part: Part): string {
  return typeof part === "string" ? visible(part) : String(part);
}

export function painted(texts: TemplateStringsArray, ...parts: readonly Part[]): Painted {
  return Painted.join(texts.flatMap((text, i): Part[] => [text, parts[i] ?? ""]));
}

export class VisibleStream {
  readonly colours: Colours;

  constructor(
    private readonly raw: ReportStream,
    env: RawTerminal["env"],
  ) {
    this.colours = coloursIf(this.isTTY && (env["NO_COLOR"] ?? "") === "");
  }

  get isTTY(): boolean {
    return this.raw.isTTY === true;
  }

  reporter(): StreamReporter {
    return streamReporter(this.raw);
  }

  write(part: Part): void {
    this.raw.write(escaped(part));
  }

  line(part: Part): void {
    this.write(painted`${part}\n`);
  }
}

interface RawTerminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: ReportStream;
  readonly err: ReportStream;
  readonly clock: Clock;
  exitCode: number;
}

export interface Terminal extends RawTerminal {
  readonly out: VisibleStream;
  readonly err: VisibleStream;
}

export const exitCodes = { fine: 0, trouble: 1, differences: 2, blocked: 3 } as const;

export function processTerminal(): Terminal {
  return visibleTerminal({
    env: process.env,
    out: process.stdout,
    err: process.stderr,
    clock: systemClock,
    exitCode: exitCodes.fine,
  });
}

export function visibleTerminal(raw: RawTerminal): Terminal {
  return { ...raw, out: new VisibleStream(raw.out, raw.env), err: new VisibleStream(raw.err, raw.env) };
}

type Colour = "bold" | "cyan" | "dim" | "green" | "red" | "yellow";
export type Colours = Readonly<Record<Colour, (part: Part) => Painted>>;

function coloursIf(isOn: boolean): Colours {
  const colours = pc.createColors(isOn);
  const of = (colour: Colour) => (part: Part) => Painted.with(colours[colour], part);
  return {
    bold: of("bold"),
    cyan: of("cyan"),
    dim: of("dim"),
    green: of("green"),
    red: of("red"),
    yellow: of("yellow"),
  };
}

export const plain: Colours = coloursIf(false);

export function log(terminal: Terminal, level: "error" | "warning" | "note", texts: readonly string[]): void {
  const { red, yellow } = terminal.err.colours;
  const paint = level === "error" ? red : yellow;
  for (const text of texts) terminal.err.line(paint(`${level}: ${text}`));
}
