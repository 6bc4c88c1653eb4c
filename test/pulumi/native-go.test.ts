/** The same zone in Go, as an inline program of the Automation API: this needs no language host. */
import { goProgram, installPlugin } from "../support/languages";
import { story } from "../support/story";
import { wholeWay } from "../support/whole-way";

describe("a program in Go", () => {
  it("a program in Go goes from import to destroy", async function () {
    // A machine that has never compiled it fetches modules first.
    this.timeout(900_000);
    const program = await goProgram();
    await story({}, async ({ emulator, stack }) => {
      await installPlugin(stack);
      await wholeWay(emulator, stack, (command, env = {}) =>
        stack.shell(`${program} ${command} ${stack.folder}`, env),
      );
    });
  });
});
