/**
 * Runs simulated schedules, each decided by its seed alone, and shows every one that breaks an invariant as the command
 * that repeats it: `ts-node -T scripts/simulate.ts --runs 1000 --seed 1`. See docs/invariants.md.
 */
import { parseArgs } from "node:util";
import { breaks, type Break } from "../test/simulation/breaks";
import { features, simulate, type Feature, type Outcome } from "../test/simulation/run";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    from: { type: "string", default: "0" },
    without: { type: "string", default: "" },
    always: { type: "string", default: "" },
    break: { type: "string" },
    stop: { type: "string", default: "20" },
    trace: { type: "boolean", default: false },
  },
});

function featuresIn(text: string): Set<Feature> {
  const names = text.split(",").filter((name) => name !== "");
  return new Set(
    names.map((name) => {
      const found = features.find((feature) => feature === name);
      if (found === undefined) throw new Error(`${name}: not one of ${features.join(", ")}`);
      return found;
    }),
  );
}

function breakIn(text: string | undefined): Break | undefined {
  if (text === undefined) return undefined;
  const found = breaks.find((each) => each === text);
  if (found === undefined) throw new Error(`${text}: not one of ${breaks.join(", ")}`);
  return found;
}

async function main(): Promise<void> {
  const [runs, seed, from, most] = [values.runs, values.seed, values.from, values.stop].map(Number);
  if (runs === undefined || seed === undefined || from === undefined || most === undefined) return;
  const options = { without: featuresIn(values.without), always: featuresIn(values.always), broken: breakIn(values.break), trace: values.trace };
  const more = [["without", values.without], ["always", values.always], ["break", values.break ?? ""]].filter(([, text]) => text !== "").map(([name, text]) => ` --${name} "${text}"`).join("");
  const begun = Date.now();
  const failed: Outcome[] = [];
  const total = { runs: 0, operations: 0, calls: 0, seconds: 0 };
  let shown = Date.now();
  for (let i = from; i < runs; i += 1) {
    const outcome = await simulate(seed + i, options);
    total.runs += 1;
    total.operations += outcome.operations;
    total.calls += outcome.calls;
    total.seconds += outcome.seconds;
    if (values.trace) process.stdout.write(`${outcome.trace.join("\n")}\n`);
    if (outcome.violations.length > 0) {
      failed.push(outcome);
      const what = outcome.violations.slice(0, 3).map(({ invariant, text }) => `  invariant ${invariant}: ${text}`).join("\n");
      process.stdout.write(`seed ${outcome.seed} (${outcome.features.join(" ")})\n${what}\n  npx ts-node -T scripts/simulate.ts --runs 1 --seed ${outcome.seed}${more} --trace\n`);
      if (failed.length >= most) break;
    }
    if (Date.now() - shown > 5_000) {
      shown = Date.now();
      const perMinute = Math.round(((i + 1 - from) / (shown - begun)) * 60_000);
      process.stderr.write(`${i + 1 - from} of ${runs - from} schedules, ${failed.length} failed, ${perMinute} a minute\n`);
    }
  }
  const minutes = (Date.now() - begun) / 60_000;
  process.stdout.write(
    `${total.runs} schedules from seed ${seed + from}: ${failed.length} failed; ${total.operations} operations, ${total.calls} calls, ${Math.round(total.seconds / 3600)} simulated hours; ${Math.round(total.runs / minutes)} schedules a minute\n`,
  );
  process.exitCode = failed.length > 0 ? 1 : 0;
}

void main();
