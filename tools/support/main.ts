/** The frame of a script. */
import { resolve } from "node:path";
import { Command } from "commander";
import { errorText } from "../../provider/support/text";

export const root = resolve(__dirname, "../..");

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A script's command line: its `--help` prints `does` and the options. */
export function script(name: string, does: string): Command {
  return new Command(`npm run ${name} --`).description(does);
}

/** Runs a script's work. An error becomes a line on standard error, and the exit code 1. */
export function main<Flags extends object>(command: Command, work: (flags: Flags) => unknown): void {
  command
    .action(async (flags: Flags) => void (await work(flags)))
    .parseAsync()
    .catch((error: unknown) => {
      process.stderr.write(`${command.name()} ${errorText(error)}\n`);
      process.exitCode = 1;
    });
}
