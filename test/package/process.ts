import { fail } from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { CliRun } from "../cli/run";

export const main = join(__dirname, "../../dist/cli/main.js");

/** @param work gets standard output as soon as it matches `ready`; if it is missing, the process must end by itself */
export async function cliProcess(
  args: readonly string[],
  work?: (out: string) => Promise<void>,
  options: {
    readonly env?: NodeJS.ProcessEnv;
    readonly ready?: RegExp;
    readonly signal?: NodeJS.Signals;
  } = {},
): Promise<CliRun> {
  const { env, ready = /\n/, signal = "SIGTERM" } = options;
  const child = spawn(process.execPath, [main, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, CI: "1", NO_COLOR: "", ...env },
  });
  const printed = { out: "", err: "" };
  const ended = once(child, "close") as Promise<[number | null]>;
  child.stderr.on("data", (chunk: Buffer) => (printed.err += chunk.toString()));
  const listens = new Promise<void>((done) =>
    child.stdout.on("data", (chunk: Buffer) => {
      printed.out += chunk.toString();
      if (ready.test(printed.out)) done();
    }),
  );
  if (work !== undefined)
    try {
      await Promise.race([listens, ended.then(() => fail(`it ended early: ${printed.err}`))]);
      await work(printed.out);
    } finally {
      child.kill(signal);
    }
  const [code] = await ended;
  return { code: code ?? -1, ...printed };
}
