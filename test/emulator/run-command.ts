/** Runs the emulator's command alone, as the command line would. */
import { Command } from "commander";
import { emulatorCommand } from "../../cli/emulator";

void new Command("pulumi-legacydns").addCommand(emulatorCommand()).parseAsync();
