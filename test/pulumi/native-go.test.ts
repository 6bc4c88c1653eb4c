/** The same zone in Go, as an inline program of the Automation API: this needs no language host. */
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GO_ENVIRONMENT } from "../../tools/engine/build";
import { goProgram } from "../support/languages";
import { commandOn, manifest, root } from "../support/page";
import { must, pluginFolder, type Stack, story } from "../support/story";
import { nativePage as page, wholeWay } from "../support/whole-way";

/** The page's commands make of a module without this package the one of the example, which is compiled. */
async function goModule(stack: Stack): Promise<void> {
  const example = readFileSync(join(root, "examples/go/go.mod"), "utf8");
  const module = join(stack.folder, "go");
  mkdirSync(module);
  symlinkSync(root, join(stack.folder, "pulumi-legacydns"));
  for (const name of ["zones.go", "main.go", "go.sum"])
    cpSync(join(root, "examples/go", name), join(module, name));
  writeFileSync(join(module, "go.mod"), example.replace(/^.*\/sdk\/go\/legacydns\b.*$/gm, ""));
  await must(
    stack.shell(`cd go && ${commandOn(page, /^go mod edit/)} && ${commandOn(page, /^go mod tidy$/)}`, {
      ...GO_ENVIRONMENT,
      PATH: `${String(stack.env["PATH"])}:/usr/local/go/bin`,
    }),
  );
  const needs = (text: string): string[] =>
    (
      text.replace("=> ../pulumi-legacydns/", "=> ../../").match(/^replace .*|^go .*|\S+ v\d\S*/gm) ?? []
    ).sort();
  assert.ok(needs(example).length > 10);
  assert.deepEqual(needs(readFileSync(join(module, "go.mod"), "utf8")), needs(example));
}

describe("a program in Go", () => {
  it("a program in Go goes from import to destroy", async function () {
    // A machine that has never compiled it fetches modules first.
    this.timeout(900_000);
    const program = await goProgram();
    await story({ program: "" }, async ({ emulator, stack }) => {
      await goModule(stack);
      await stack.must("plugin", "install", "resource", "legacydns", manifest.version, "-f", pluginFolder);
      await wholeWay(emulator, stack, (command, env = {}) =>
        stack.shell(`${program} ${command} ${stack.folder}`, env),
      );
    });
  });
});
