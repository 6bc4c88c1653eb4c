/** Runs the engine's command line, `pulumi` on the PATH. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { reason } from "../provider/problems";
import { CommandError, usage } from "./errors";
import { onSignal } from "./files";
import type { Terminal } from "./terminal";

export interface StackChoice {
  readonly stack?: string;
  readonly cwd?: string;
}

export interface PulumiRun {
  readonly command: string;
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** @throws CommandError if the engine cannot be started */
export async function pulumi(
  { env }: Pick<Terminal, "env">,
  { stack, cwd }: StackChoice,
  args: readonly string[],
): Promise<PulumiRun> {
  if (cwd !== undefined && !existsSync(cwd))
    throw new CommandError(usage("", `--cwd ${cwd}: there is no such folder`));
  const command = ["pulumi", ...args.filter((arg) => !arg.startsWith("-"))].join(" ");
  const all = [
    "--non-interactive",
    "--color",
    "never",
    ...(cwd === undefined ? [] : ["-C", cwd]),
    ...args,
    ...(stack === undefined ? [] : ["--stack", stack]),
  ];
  return new Promise((done, failed) => {
    const own = { PULUMI_SKIP_UPDATE_CHECK: "true", ...env };
    const child = execFile("pulumi", all, { env: own, maxBuffer: Infinity }, (error, out, err) => {
      stopListening();
      if (error?.code === "ENOENT") failed(new CommandError(reason("engine.missing")));
      else if (typeof error?.code === "string") failed(error);
      else done({ command, code: child.exitCode, out, err });
    });
    child.stdin?.end();
    // A signal may reach this process alone. The engine must not go on without a reader.
    const stopListening = onSignal(() => child.kill("SIGTERM"));
  });
}

/** @throws CommandError unless the engine ends with 0 */
export async function pulumiOutput(
  terminal: Terminal,
  choice: StackChoice,
  args: readonly string[],
): Promise<string> {
  const run = await pulumi(terminal, choice, args);
  if (run.code === 0) return run.out;
  throw new CommandError(engineFailure(run));
}

export function readable(text: string): string {
  return stripVTControlCharacters(text)
    .split("\n")
    .filter((line) => !/^\s+at .*[(/:]/.test(line))
    .join("\n")
    .replace(/^(error|warning|info): /, "")
    .trim();
}

export function engineFailure({ command, code, out, err }: PulumiRun) {
  const output = readable(err) || readable(out) || `it ended with ${String(code)} and no output`;
  return reason(
    "engine.failed",
    { command },
    output.split("\n").map((line) => ({ text: line.trim() })),
  );
}
