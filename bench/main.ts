/** The benchmarks (npm run bench). It ends with 1 if a target is missed or a row cannot be measured. */
import { availableParallelism } from "node:os";
import { Command, Option } from "commander";
import { onSignal } from "../cli/files";
import { ensureEngine } from "../scripts/engine/index";
import { main } from "../scripts/support/main";
import { experiments } from "./experiments";
import type { Row } from "./lab";
import { processesBelow } from "./memory";
import { formatTable } from "./table";

const say = (text: string): void => void process.stderr.write(`${text}\n`);

async function measure({ only, json }: { only?: readonly string[]; json?: boolean }): Promise<void> {
  onSignal(() => {
    for (const pid of processesBelow(process.pid)) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // The process has ended already.
      }
    }
  });
  const engine = await ensureEngine({ say });
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
  .action(measure);
main("bench", () => command.parseAsync());
