/** Runs the commands of a page with the real engine. Their output must be the page's. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { commandsOf, root, shows, type Block } from "./page";
import type { Run, Story } from "./story";

/** The native plugin prints each message under its resource, so only the lines are compared, not their places. */
function saysAsWell(command: string, prints: readonly string[], output: string): void {
  const wanted = prints
    .map((line) => line.replaceAll("pulumi-nodejs:dynamic/legacydns:", "legacydns:index:").trim())
    .filter((line) => line !== "" && line !== "…");
  const missing = wanted.filter((line) => !line.split("…").every((part) => output.includes(part.trim())));
  assert.deepEqual(missing, [], `${command}\n${output}`);
}

/**
 * Runs the commands of a block in the stack's folder.
 *
 * @param mayFail unless it is true, each command must end with 0
 * @returns the run of each command
 */
export async function runBlock(
  block: Block,
  { stack, emulator, frontEnd }: Story,
  mayFail = false,
): Promise<Run[]> {
  const lines = block.text.trimEnd().split("\n");
  const commands =
    block.language === "sh" ? lines.map((command) => ({ command, prints: [] })) : commandsOf(block);
  const runs: Run[] = [];
  for (const { command, prints } of commands) {
    const run = await stack.shell(
      command
        .replace(/pulumi (up|preview)/, "pulumi $1 --color never")
        .replace(/^(?:npx )?pulumi-legacydns/, `node ${join(root, "dist/cli/main.js")}`)
        .replace(" verify", ` verify --server 127.0.0.1:${String(emulator.dnsPort)}`),
    );
    const { code, output } = run;
    runs.push(run);
    if (!mayFail) assert.equal(code, 0, `${command}\n${output}`);
    if (frontEnd === "dynamic") shows(block.page, command, prints, output);
    else saysAsWell(command, prints, output);
  }
  return runs;
}
