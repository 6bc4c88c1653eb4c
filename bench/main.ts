/** The benchmarks (npm run bench). It ends with 1 if a target is missed or a row cannot be measured. */
import { spawn } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Command, Option } from "commander";
import { ensureEngine } from "../scripts/engine/index";
import { main, root } from "../scripts/support/main";
import { experiments } from "./experiments";
import { tidy, type Row } from "./lab";
import { processesBelow } from "./memory";
import { formatTable } from "./table";

const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** Programs under test use the built package: it is built if a source is newer. */
async function ensureBuilt(): Promise<void> {
  const built = statSync(join(root, "dist/provider/index.js"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(join(root, "provider"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs);
  if (sources.every((changed) => changed < built)) return;
  say("building the package");
  const npm = spawn("npm", ["run", "--silent", "build"], {
    cwd: root,
    stdio: ["ignore", process.stderr, process.stderr],
  });
  const code = await new Promise((done, failed) => npm.on("error", failed).on("close", done));
  if (code !== 0) throw new Error(`npm run build ended with ${String(code)}`);
}

function stopOn(signal: "SIGINT" | "SIGTERM", code: number): void {
  process.once(signal, () => {
    for (const pid of processesBelow(process.pid)) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // The process has ended already.
      }
    }
    tidy();
    process.exit(code);
  });
}

interface Flags {
  readonly only?: readonly string[];
  readonly json?: boolean;
}

async function measure({ only, json }: Flags): Promise<void> {
  stopOn("SIGINT", 130);
  stopOn("SIGTERM", 143);
  const engine = await ensureEngine({ say });
  await ensureBuilt();
  const cores = availableParallelism();
  const rows: (Row & { readonly experiment: string })[] = [];
  const failures: { experiment: string; error: string }[] = [];
  for (const { name, run } of experiments) {
    if (only?.includes(name) === false) continue;
    const begun = performance.now();
    say(`${name} ...`);
    try {
      for (const row of await run((text) => say(`${name}: ${text}`))) rows.push({ experiment: name, ...row });
      say(`${name}: done in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      failures.push({ experiment: name, error: text });
      say(`${name}: could not be measured: ${text}`);
    }
  }
  const date = new Date().toISOString().slice(0, 10);
  const machine = { date, cores, node: process.version, pulumi: engine.version };
  if (json === true) process.stdout.write(`${JSON.stringify({ ...machine, rows, failures }, null, 2)}\n`);
  else if (rows.length > 0) {
    process.stdout.write(
      `${formatTable(rows)}\n\n${date}, ${cores} cores, Node ${process.version}, Pulumi ${engine.version}\n`,
    );
  }
  const missed = rows.filter((row) => row.met === false);
  if (missed.length > 0) say(`missed: ${missed.map((row) => `${row.name}, ${row.command}`).join("; ")}`);
  if (missed.length > 0 || failures.length > 0) process.exitCode = 1;
}

const names = experiments.map(({ name }) => name);
const command = new Command("bench")
  .addOption(new Option("--only <name...>", "one experiment; may be repeated").choices(names))
  .option("--json", "the rows as JSON")
  .action((flags: Flags) => measure(flags).finally(tidy));
main("bench", () => command.parseAsync());
