#!/usr/bin/env node
/** The command line, `pulumi-legacydns`: each command is a module of its own. */
import { Command } from "commander";
import { emulatorCommand } from "./emulator";

const program = new Command("pulumi-legacydns")
  .description("DNS domains hosted on a legacy HTTP API, declared in code: the tools around the Pulumi provider")
  .showHelpAfterError()
  .addCommand(emulatorCommand());

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`pulumi-legacydns: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
