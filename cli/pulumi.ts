/** Runs the engine's command line, `pulumi` on the PATH. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { reason } from "../provider/problems";
import { CommandError, usage } from "./errors";
import { onSignal } from "./files";
import type { Terminal } from "./terminal";

export interface StackChoice {
  readonly stack?: string;
  readonly cwd?: string;
}

export interface PulumiRun {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export async function pulumi(
  terminal: Terminal,
  { stack, cwd }: StackChoice,
  args: readonly string[],
): Promise<PulumiRun> {
  if (cwd !== undefined && !existsSync(cwd))
    throw new CommandError(usage("", `--cwd ${cwd}: there is no such folder`));
  const command = [
    "--non-interactive",
    "--color",
    "never",
    ...(cwd === undefined ? [] : ["-C", cwd]),
    ...args,
    ...(stack === undefined ? [] : ["--stack", stack]),
  ];
  return new Promise((done, failed) => {
    const env = { PULUMI_SKIP_UPDATE_CHECK: "true", ...terminal.env };
    const child = execFile("pulumi", command, { env, maxBuffer: Infinity }, (error, out, err) => {
      stopListening();
      if (error?.code === "ENOENT") failed(new CommandError(reason("engine.missing")));
      else if (typeof error?.code === "string") failed(error);
      else done({ code: child.exitCode, out, err });
    });
    child.stdin?.end();
    // A signal may reach this process alone. The engine must not go on without a reader.
    const stopListening = onSignal(() => child.kill("SIGTERM"));
  });
}

export function readable(text: string): string {
  return text
    .replace(/\u001b\[[0-9;]*m/g, "")
    .split("\n")
    .filter((line) => !/^\s+at .*[(/:]/.test(line))
    .join("\n")
    .replace(/^(error|warning|info): /, "")
    .trim();
}

export function engineFailure(command: string, { code, out, err }: PulumiRun) {
  const output = readable(err) || readable(out) || `it ended with ${String(code)} and no output`;
  return reason(
    "engine.failed",
    { command },
    output.split("\n").map((line) => ({ text: line.trim() })),
  );
}
