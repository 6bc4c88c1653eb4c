import { deepEqual } from "node:assert/strict";
import { programOf } from "../../cli/program";
import { processTerminal } from "../../cli/terminal";
import { groupBy } from "../../provider/support/collections";
import { read } from "../support/page";
import { cli } from "./run";

const { commands } = programOf(processTerminal());

describe("the commands' help", () => {
  it("gives each long option one meaning and one parameter in all commands", () => {
    // A command may add a restriction after `; ` and a default in parentheses.
    const options = commands.flatMap((command) =>
      command.options.map(({ long, flags, description }) => ({
        long: long ?? flags,
        meaning: `${flags}: ${description.split(/; | \(/)[0] ?? ""}`,
      })),
    );
    const ambiguous = [...groupBy(options, ({ long }) => long)]
      .map(([, all]) => [...new Set(all.map(({ meaning }) => meaning))])
      .filter((meanings) => meanings.length > 1);
    deepEqual(ambiguous, []);
  });

  for (const command of commands)
    it(`lists the exit codes of ${command.name()} that the page lists`, async () => {
      const { out } = await cli([command.name(), "--help"]);
      const [, section = ""] = /\nExit codes:\n((?: {2}\d {2}\S.*\n)+)/.exec(out) ?? [];
      const page = read("docs/command-line.md").split("\n| command | 0 | 1 | 2 |")[1] ?? "";
      const row = page.split("\n").find((line) => line.startsWith(`| \`${command.name()}\` |`)) ?? "";
      const cells = row.replaceAll("\\|", "/").split("|").slice(2, 6);
      deepEqual(
        [...section.matchAll(/^ {2}(\d)/gm)].map(([, code]) => Number(code)),
        [0, 1, 2, 3].filter((code) => cells[code]?.trim() !== ""),
      );
    });
});
