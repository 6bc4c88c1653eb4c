/** Runs the demo and keeps its output, with the colours. `npm run generate` makes its picture. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { main, root, script } from "../support/main";
import { recordingFile } from "./recording";

const command = "node -r ./tools/support/typescript.cjs tools/demo/record.ts";

main(script("demo", "Runs the demo, and keeps its output for the pages.").name(command), () => {
  const env: NodeJS.ProcessEnv = { ...process.env, FORCE_COLOR: "1" };
  delete env["NO_COLOR"];
  const output = execFileSync("npm", ["run", "--silent", "demo"], { cwd: root, env, encoding: "utf8" });
  // The place of the engine is the machine's.
  writeFileSync(recordingFile, output.replace(/(?<=Pulumi [\d.]+) in [^\u001b\n]*/, ""));
});
