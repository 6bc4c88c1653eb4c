/**
 * The README's pictures (npm run pictures), from a run of the demo. `--console` takes the console only,
 * `--draw` draws the recordings only.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, stripVTControlCharacters } from "node:util";
import { takeConsole } from "./pictures/console";
import { drawn, folder, names, previewIn, recording, recordingOf } from "./pictures/recordings";
import { main, root } from "./support/main";

async function withDemo(
  record: (printed: string, log: string, address: string) => Promise<void>,
): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "legacydns-pictures-"));
  const log = join(scratch, "log");
  const stack = `pictures-${process.pid}`;
  const env = { ...process.env, FORCE_COLOR: "1", NO_COLOR: undefined };
  const demo = spawn(
    process.execPath,
    ["-r", "./scripts/support/typescript.cjs", "scripts/demo.ts", "--keep", "--stack", stack, "--log", log],
    { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] },
  );
  const ended = new Promise<number | null>((done) => demo.on("close", done));
  try {
    let printed = "";
    await new Promise<void>((done, failed) => {
      demo.stdout.on("data", (chunk: Buffer) => {
        printed += chunk.toString();
        if (printed.includes("until Ctrl-C")) done();
      });
      void ended.then((code) => failed(new Error(`the demo ended with ${String(code)}: ${printed}`)));
    });
    const [, address = ""] = /for a browser: (\S+)/.exec(stripVTControlCharacters(printed)) ?? [];
    await record(
      printed.slice(0, printed.lastIndexOf("\n", printed.indexOf("== Go on by hand"))),
      readFileSync(log, "utf8"),
      address,
    );
  } finally {
    demo.kill("SIGTERM");
    await ended;
    for (const path of [scratch, join(root, ".work", stack), join(root, ".work", `Pulumi.${stack}.yaml`)])
      rmSync(path, { recursive: true, force: true });
  }
}

function record(printed: string, log: string): void {
  writeFileSync(recordingOf("demo"), printed.replace(/(cache: Pulumi [\d.]+) in [^\s\u001b]+/, "$1"));
  writeFileSync(recordingOf("preview"), previewIn(log));
}

function draw(): void {
  for (const name of names) writeFileSync(join(folder, `${name}.svg`), drawn(name));
  const page = join(root, "docs/get-started.md");
  const text = stripVTControlCharacters(recording("demo")).trimEnd();
  writeFileSync(
    page,
    readFileSync(page, "utf8").replace(/^```text\n== [^]*?^```$/m, () => `\`\`\`text\n${text}\n\`\`\``),
  );
}

async function pictures(): Promise<void> {
  const { values } = parseArgs({
    options: { draw: { type: "boolean", default: false }, console: { type: "boolean", default: false } },
  });
  if (!values.draw) {
    await withDemo(async (printed, log, address) => {
      if (!values.console) record(printed, log);
      await takeConsole(address);
    });
  }
  if (!values.console) draw();
}

main("pictures", pictures);
