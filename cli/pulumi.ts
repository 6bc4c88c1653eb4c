/** Runs the engine's command line, `pulumi` on the PATH. */
import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { page } from "../provider/support/text";
import { CommandError } from "./errors";
import { onSignal } from "./temporary";
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
    throw new CommandError(`--cwd ${cwd}: there is no such folder`);
  const command = [
    "--non-interactive",
    "--color",
    "never",
    ...(cwd === undefined ? [] : ["-C", cwd]),
    ...args,
    ...(stack === undefined ? [] : ["--stack", stack]),
  ];
  return new Promise((done, failed) => {
    const child = spawn("pulumi", command, {
      env: { PULUMI_SKIP_UPDATE_CHECK: "true", ...terminal.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    // A signal may reach this process alone. The engine must not go on without a reader.
    const stopListening = onSignal(() => child.kill("SIGTERM"));
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => void out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => void err.push(chunk));
    child.on("error", (error: NodeJS.ErrnoException) => {
      stopListening();
      const missing =
        "there is no pulumi on the PATH: install it from https://www.pulumi.com/docs/install/, or put its folder on the PATH";
      failed(error.code === "ENOENT" ? new CommandError(missing) : error);
    });
    child.on("close", (code) => {
      stopListening();
      const run = { code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() };
      done(code !== 0 && isCut(run) ? { ...run, err: `${run.err.trimEnd()}\n${cutState}\n` } : run);
    });
  });
}

/**
 * If the engine is killed while it saves the state, a file backend may have half a file. No command works
 * then.
 */
const cutState =
  "The file of the stack's state is cut, as a kill of the engine while it saves can leave it. Put the backend's own copy in its place: in the backend's folder, " +
  "`cp .pulumi/stacks/PROJECT/STACK.json.bak .pulumi/stacks/PROJECT/STACK.json`, then `pulumi cancel` and `pulumi up`. Where the copy is cut too, " +
  `${page("faults")} has the next steps; no record is lost or made twice, since an up adopts what is live`;

function isCut({ out, err }: PulumiRun): boolean {
  return /failed to load checkpoint|unexpected end of JSON input/.test(`${out}${err}`);
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

/** The remedy for an error of the engine, as sentences. @param command the engine's command that failed */
export function afterFailure(output: string, command: string): string {
  if (/no stack named/.test(output))
    return "Name an existing stack with --stack: `pulumi stack ls` lists them, and `pulumi stack init NAME` creates one.";
  if (/no stack selected/.test(output))
    return "Name the stack with --stack, or choose it with `pulumi stack select NAME`.";
  if (/no (Pulumi\.yaml )?project file/.test(output))
    return "Run the command in the folder of the project's Pulumi.yaml, or name that folder with --cwd.";
  return `\`${command}\` fails in the same way: fix the engine's error, then run the command again.`;
}
