/** Runs a command line in this process, and returns its output. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../cli/program";
import { systemClock, type Clock } from "../../provider/support/clock";
import type { Emulator, StartOptions } from "../../emulator";
import { settingsOf, startService } from "../support/service";

export interface CliRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** `env` is the whole environment, except for variables that a child process needs. */
export async function cli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  clock: Clock = systemClock,
): Promise<CliRun> {
  let out = "";
  let err = "";
  const code = await run(args, {
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...env },
    out: { write: (text) => (out += text) },
    err: { write: (text) => (err += text) },
    clock,
    exitCode: 0,
  });
  assert.doesNotMatch(out + err, /[\p{Cf}\u007f-\u009f]/u, "an invisible character was written");
  return { code, out, err };
}

/** An emulator, and the environment that a command needs to reach it. */
export async function withService(
  options: StartOptions,
  tell: (env: Record<string, string>, service: Emulator) => Promise<void>,
): Promise<void> {
  const service = await startService(options);
  const stateDir = mkdtempSync(join(tmpdir(), "legacydns-cli-"));
  try {
    await tell({ ...settingsOf(service), LEGACYDNS_STATE_DIR: stateDir }, service);
  } finally {
    await service.close();
    rmSync(stateDir, { recursive: true });
  }
}
