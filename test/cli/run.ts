import { deepEqual, doesNotMatch, ok } from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { run } from "../../cli/program";
import { visibleTerminal } from "../../cli/terminal";
import { systemClock, type Clock } from "../../provider/support/clock";
import type { Emulator, StartOptions } from "../../emulator";
import { settingsOf, startService } from "../support/service";

export interface CliRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * `env` is the whole environment, except for variables that a child process needs.
 * @param onTerminal takes both streams as a terminal does, with colours
 */
export async function cli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  clock: Clock = systemClock,
  onTerminal?: (text: string) => void,
): Promise<CliRun> {
  let out = "";
  let err = "";
  const terminal = visibleTerminal({
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...env },
    out: onTerminal === undefined ? { write: (text) => (out += text) } : { write: onTerminal, isTTY: true },
    err: onTerminal === undefined ? { write: (text) => (err += text) } : { write: onTerminal, isTTY: true },
    clock,
    exitCode: 0,
  });
  const code = await run(args, terminal);
  doesNotMatch(out + err, /[\p{Cf}\u007f-\u009f]/u, "an invisible character was written");
  return { code, out, err };
}

export async function withService<T>(
  options: StartOptions,
  tell: (env: Record<string, string>, service: Emulator) => Promise<T>,
): Promise<T> {
  const service = await startService(options);
  try {
    return await inFolder((stateDir) =>
      tell({ ...settingsOf(service), LEGACYDNS_STATE_DIR: stateDir }, service),
    );
  } finally {
    await service.close();
  }
}

export async function inFolder<T>(tell: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "legacydns-cli-"));
  try {
    return await tell(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export type Files = Readonly<Record<string, string>>;

/** Writes files, with their folders. */
export function write(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

export function fakePulumi(folder: string, script: string): { readonly PATH: string } {
  writeFileSync(join(folder, "pulumi"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: `${folder}:/usr/bin:/bin` };
}

/** The codes of the errors in a text. */
export const codesIn = (text: string) =>
  [...text.matchAll(/^error: .* \[([\w.-]+)\]$/gm)].map(([, code]) => code);

/** @param wrong what → the arguments, the first error's code, and parts of the errors */
export function refuses(
  command: string,
  wrong: Readonly<Record<string, readonly [args: readonly string[], code: string, ...parts: string[]]>>,
  env: Readonly<Record<string, string>> = {},
): void {
  for (const [what, [args, expected, ...parts]] of Object.entries(wrong))
    it(`reports the problem of ${what}`, async () => {
      const { code, out, err } = await cli([command, ...args], env);
      deepEqual([code, out, codesIn(err)[0]], [1, "", expected], err);
      for (const part of parts) ok(err.includes(part), err);
      doesNotMatch(err, /hush|pulumi config set|^\s+at /m);
    });
}
