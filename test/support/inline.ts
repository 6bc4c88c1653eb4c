import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pluginSettings, type Run, type Stack } from "./stack";
import { must } from "./story";

/**
 * Deploys a program by the Automation API. The language host of the tests is older than the engine, and knows neither hooks
 * nor transforms of a whole program.
 */
export function inlineUp(stack: Stack, program: string, env: Record<string, string> = {}): Promise<Run> {
  writeFileSync(
    join(stack.folder, "inline.js"),
    `
    const pulumi = require("@pulumi/pulumi");
    const { LocalWorkspace } = require("@pulumi/pulumi/automation");
    const dns = require("pulumi-legacydns");
    const program = async () => { ${program} };
    const projectSettings = { name: "inline", runtime: "nodejs", main: __dirname, ...${JSON.stringify(pluginSettings)} };
    LocalWorkspace.createOrSelectStack({ stackName: "inline", projectName: "inline", program }, { projectSettings })
      .then((stack) => stack.up({ onOutput: process.stdout.write.bind(process.stdout) }))
      .catch((error) => { console.error(error.message); process.exitCode = 1; });`,
  );
  return must(stack.shell("node inline.js", env));
}
