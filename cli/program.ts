/** The command line with all commands, and the options that all of them refuse. */
import { CommanderError, type Command } from "commander";
import { reason } from "../provider/problems";
import { packageVersion } from "../provider/support/version";
import { newCommand, programName } from "./command";
import { CommandError, explain } from "./errors";
import { exitCodes, log, type Terminal } from "./terminal";

/** Each is a module beside this one, loaded when it is used. */
const commands = ["dump", "convert", "check", "plan", "verify", "account", "limits", "emulator"];

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const [first = ""] = args;
  try {
    // Refused here, because the parser's message would contain the token.
    if (first !== "emulator" && args.some((arg) => /^--?(login[-_]?)?token(=|$)/i.test(arg)))
      throw new CommandError(reason("command.token"));
    const used = commands.includes(first) ? [first] : first === "--version" ? [] : commands;
    await programOf(terminal, used).parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommandError) {
      log(terminal, "error", explain(error));
      return exitCodes.trouble;
    }
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode;
  }
  return terminal.exitCode;
}

export function programOf(terminal: Terminal, names: readonly string[] = commands): Command {
  const program = newCommand(programName, terminal, {
    purpose:
      "DNS domains hosted on a legacy HTTP API, declared in code: the tools around the Pulumi provider",
    exits: ["fine", "an error", "findings, or changes", "blocked changes"],
    examples: [
      "pulumi-legacydns dump example.com --out zones/example.com.zone",
      "pulumi-legacydns plan --format markdown > comment.md",
      "pulumi-legacydns verify --stack prod",
    ],
  }).version(packageVersion(), "--version", "print the version");
  for (const name of names) {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- one command needs few of the modules
    const { createCommand } = require(`./${name}`) as { createCommand: (terminal: Terminal) => Command };
    program.addCommand(createCommand(terminal));
  }
  return program;
}
