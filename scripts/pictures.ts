/**
 * The README's pictures (npm run pictures): runs the demo, keeps what it printed beside this script, draws it, and puts the
 * same text into the README. `--draw` draws what is kept.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { drawn, folder, names, previewIn, recording, recordingOf } from "./pictures/recordings";

const root = resolve(__dirname, "..");

function record(): void {
  const scratch = mkdtempSync(join(tmpdir(), "legacydns-pictures-"));
  try {
    const log = join(scratch, "log");
    const env = { ...process.env, FORCE_COLOR: "1", NO_COLOR: undefined };
    const demo = execFileSync("npm", ["run", "--silent", "demo", "--", "--log", log], { cwd: root, env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
    // The place of this machine's cache is nobody's business.
    writeFileSync(recordingOf("demo"), demo.replace(/(cache: Pulumi [\d.]+) in [^\s\u001b]+/, "$1"));
    writeFileSync(recordingOf("preview"), previewIn(readFileSync(log, "utf8")));
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

if (!process.argv.includes("--draw")) record();
for (const name of names) writeFileSync(join(folder, `${name}.svg`), drawn(name));
const readme = join(root, "README.md");
const text = stripVTControlCharacters(recording("demo")).trimEnd();
writeFileSync(readme, readFileSync(readme, "utf8").replace(/^```text\n== [^]*?^```$/m, () => `\`\`\`text\n${text}\n\`\`\``));
