/** The same zone in each language. */
import { ok } from "node:assert/strict";
import * as ts from "typescript";
import { goProgram, installPlugin, pythonProgram } from "../support/languages";
import { blocksOf, commandOn } from "../support/page";
import { must, says, story } from "../support/story";
import { wholeWay } from "../support/whole-way";

const page = "docs/native.md";

describe("a program in a language", () => {
  it("a program in Go goes from import to destroy", async function () {
    // A machine that has never compiled it fetches modules first.
    this.timeout(900_000);
    const program = await goProgram();
    await story({}, async ({ emulator, stack }) => {
      await installPlugin(stack);
      // An inline program of the Automation API needs no language host.
      await wholeWay(emulator, stack, (command, env = {}) =>
        stack.shell(`${program} ${command} ${stack.folder}`, env),
      );
    });
  });

  it("a program in Python goes from import to destroy", () =>
    story({}, async ({ emulator, stack }) => {
      await installPlugin(stack);
      await wholeWay(emulator, stack, pythonProgram(stack, "examples/python/__main__.py"));
    }));

  it("a program in TypeScript with the plugin goes from import to destroy as docs/native.md shows", () => {
    const [program] = blocksOf(page).filter(({ language }) => language === "ts");
    const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
    const text = ts.transpileModule(program?.text ?? "", { compilerOptions: options }).outputText;
    return story({ program: text, frontEnd: "native" }, async ({ emulator, stack, erase, lines }) => {
      const commands: Readonly<Record<string, string>> = {
        preview: commandOn(page, /^pulumi preview --diff$/),
        up: commandOn(page, /^pulumi up --yes$/),
        drift: commandOn(page, /^pulumi preview --refresh --diff$/),
        destroy: commandOn(page, /^LEGACYDNS_REMOVAL=retain pulumi destroy --yes$/),
      };
      const imported = commandOn(page, /^pulumi import legacydns:index:Record api /);
      await wholeWay(emulator, stack, (command) => stack.shell(commands[command] ?? ""), {
        // `pulumi import` needs --yes, because there is no terminal. The language host here cannot generate code.
        imports: async () => {
          await must(stack.shell(`${imported} --yes --protect=false --generate-code=false`));
        },
        // Creates the missing record, and names the change that only the console can undo.
        repairs: async () => {
          erase("www", { value: "192.0.2.2" });
          const run = await stack.shell(commandOn(page, /^pulumi up --refresh --yes$/));
          says(run, "shop.example.com", "console");
          ok(lines().includes("www A 192.0.2.2 600"), run.output);
        },
      });
    });
  });
});
