/** Runs the engine's command line, `pulumi` on the PATH. */
import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { reason } from "../provider/problems";
import { page } from "../provider/support/text";
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
  choice: StackChoice,
  args: readonly string[],
): Promise<PulumiRun> {
  const { stack, cwd } = choice;
  if (cwd !== undefined && !(existsSync(cwd) && statSync(cwd).isDirectory()))
    throw new CommandError(
      usage(args[0] === "preview" ? "plan" : "verify", `--cwd ${cwd}: there is no such folder`),
    );
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

/** A kill of the engine while it saves can leave half a state file. No command works then. */
const cutState = [
  "the state file is cut: in its folder, `cp .pulumi/stacks/PROJECT/STACK.json.bak .pulumi/stacks/PROJECT/STACK.json`",
  "then run `pulumi cancel` and `pulumi up`: no record is lost or made twice",
  `if the copy is cut too: ${page("faults")}`,
].join("\n");

export function readable(text: string): string {
  return text
    .replace(/\u001b\[[0-9;]*m/g, "")
    .split("\n")
    .filter((line) => !/^\s+at .*[(/:]/.test(line))
    .join("\n")
    .replace(/^(error|warning|info): /, "")
    .trim();
}

/** The remedy for an error of the engine, as sentences. @param command the engine's command that failed */
export function afterFailure(output: string, command: string): string {
  if (/failed to load checkpoint|unexpected end of JSON input/.test(output)) return cutState;
  if (/no stack named/.test(output))
    return "Name an existing stack with --stack: `pulumi stack ls` lists them, and `pulumi stack init NAME` creates one.";
  if (/no stack selected/.test(output))
    return "Name the stack with --stack, or choose it with `pulumi stack select NAME`.";
  if (/no (Pulumi\.yaml )?project file/.test(output))
    return "Run the command in the folder of the project's Pulumi.yaml, or name that folder with --cwd.";
  return `\`${command}\` fails in the same way: fix the engine's error, then run the command again.`;
}
