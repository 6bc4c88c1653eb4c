import { deepEqual } from "node:assert/strict";
import { programOf } from "../../cli/program";
import { processTerminal } from "../../cli/terminal";
import { groupBy } from "../../provider/support/collections";

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
});
