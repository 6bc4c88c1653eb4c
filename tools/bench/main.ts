/** The benchmarks (npm run bench). It ends with 1 if a target is missed or a row cannot be measured. */
import { availableParallelism } from "node:os";
import { Option } from "commander";
import { ensureEngine } from "../engine/index";
import { errorText } from "../../provider/support/text";
import { main, say as print, script } from "../support/main";
import { experiments } from "./experiments";
import type { Row } from "./lab";

const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** A line of a Markdown table. */
function lineOf({ subject, command, calls, seconds, memory, target = "", met, note = "" }: Row): string {
  const each = Object.entries(calls ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const counts = each.map(([operation, n]) => `${n} ${operation}`).join(", ") || "none";
  const mib = memory?.host === undefined ? "" : memory.host.toFixed(0);
  const isMet = met === undefined ? "" : met ? "yes" : "no";
  const cells = [calls === undefined ? "" : counts, seconds?.toFixed(1) ?? "", mib, target, isMet, note];
  return `| ${[subject, command, ...cells].join(" | ")} |`;
}

async function measure({ only, json }: { only?: readonly string[]; json?: boolean }): Promise<void> {
  const engine = await ensureEngine({ say });
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
      failures.push({ experiment: name, error: errorText(error) });
      say(`${name}: could not be measured: ${errorText(error)}`);
    }
  }
  const date = new Date().toISOString().slice(0, 10);
  const machine = { date, cores: availableParallelism(), node: process.version, pulumi: engine.version };
  const head =
    "| subject | command | calls | seconds | MiB | target | met | note |\n|---|---|---|---:|---:|---|---|---|";
  print(
    json === true
      ? JSON.stringify({ ...machine, rows, failures }, null, 2)
      : `${[head, ...rows.map(lineOf)].join("\n")}\n\n${JSON.stringify(machine)}`,
  );
  const missed = rows.filter(({ met }) => met === false);
  if (missed.length > 0) say(`missed: ${missed.map((row) => `${row.subject}, ${row.command}`).join("; ")}`);
  if (missed.length > 0 || failures.length > 0) process.exitCode = 1;
}

const names = experiments.map(({ name }) => name);
const command = script(
  "bench",
  "Measures calls, seconds and memory. It ends with 1 if a target is missed or a row cannot be measured.",
)
  .addOption(new Option("--only <name...>", "one experiment; may be repeated").choices(names))
  .option("--json", "the rows as JSON");
main(command, measure);
