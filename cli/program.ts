/** The command line with all commands, and the options that all of them refuse. */
import { Command, CommanderError } from "commander";
import { reason } from "../provider/problems";
import { packageVersion } from "../provider/support/version";
import { newCommand, programName } from "./command";
import { convertCommand } from "./convert";
import { emulatorCommand } from "./emulator";
import { explainCommand } from "./explain";
import { CommandError, explain } from "./errors";
import { importCommand } from "./import";
import { limitsCommand } from "./limits";
import { planCommand } from "./plan";
import { exitCodes, log, withVisibleTexts, type Terminal } from "./terminal";
import { verifyCommand } from "./verify";

export async function run(args: readonly string[], given: Terminal): Promise<number> {
  const terminal = withVisibleTexts(given);
  // Refused here, because the parser's message would contain the token.
  if (args[0] !== "emulator" && args.some((arg) => /^--?(login[-_]?)?token(=|$)/i.test(arg))) {
    log(terminal, "error", explain(new CommandError(reason("command.token"))));
    return exitCodes.trouble;
  }
  try {
    await programOf(terminal).parseAsync(args, { from: "user" });
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

export function programOf(terminal: Terminal): Command {
  return newCommand(programName, terminal, [
    "pulumi-legacydns import example.com --out zones/example.com.zone",
    "pulumi-legacydns plan --format markdown > comment.md",
    "pulumi-legacydns verify --stack prod",
  ])
    .description(
      "DNS domains hosted on a legacy HTTP API, declared in code: the tools around the Pulumi provider",
    )
    .version(packageVersion(), "--version", "print the version")
    .addCommand(importCommand(terminal))
    .addCommand(convertCommand(terminal))
    .addCommand(planCommand(terminal))
    .addCommand(verifyCommand(terminal))
    .addCommand(limitsCommand(terminal))
    .addCommand(explainCommand(terminal))
    .addCommand(emulatorCommand(terminal));
}
