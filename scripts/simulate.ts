/**
 * Runs simulated schedules, each decided by its seed, and prints the command that repeats a failed one
 * (docs/invariants.md).
 */
import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { breaks, type Break } from "../test/simulation/breaks";
import { simulate, type Outcome, type RunOptions } from "../test/simulation/run";
import { features, type Feature } from "../test/simulation/troubles";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    from: { type: "string", default: "0" },
    without: { type: "string", default: "" },
    always: { type: "string", default: "" },
    break: { type: "string" },
    stop: { type: "string", default: "20" },
    jobs: { type: "string", default: String(availableParallelism()) },
    trace: { type: "boolean", default: false },
  },
});

const handful = 20;

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
  const found = breaks[text];
  if (found === undefined) throw new Error(`${text}: not one of ${Object.keys(breaks).join(", ")}`);
  return found;
}

/** The options that all processes share. */
function optionsGiven(): RunOptions {
  return {
    without: featuresIn(values.without),
    always: featuresIn(values.always),
    broken: breakIn(values.break),
    trace: values.trace,
  };
}

function numberGiven(name: "runs" | "seed" | "from" | "stop" | "jobs"): number {
  const given = Number(values[name]);
  if (!Number.isInteger(given) || given < 0) throw new Error(`--${name} ${values[name]}: not a whole number`);
  return given;
}

function serve(send: (outcome: Outcome | "idle") => void): void {
  const options = optionsGiven();
  process.on("message", (seeds: readonly number[]) => {
    void (async () => {
      for (const seed of seeds) send(await simulate(seed, options));
      send("idle");
    })();
  });
  send("idle");
}

/**
 * Runs the seeds, in this process or in several.
 * @param onOutcome takes each outcome; returns whether to go on
 */
async function runAll(
  seeds: readonly number[],
  jobs: number,
  onOutcome: (outcome: Outcome) => boolean,
): Promise<void> {
  if (jobs <= 1) {
    const options = optionsGiven();
    for (const seed of seeds) if (!onOutcome(await simulate(seed, options))) return;
    return;
  }
  let [next, on] = [0, true];
  const execArgv = ["-r", require.resolve("./support/typescript.cjs")];
  await Promise.all(
    Array.from({ length: jobs }, () => {
      const child = fork(__filename, process.argv.slice(2), { execArgv });
      return new Promise<void>((resolve, reject) => {
        child.on("message", (outcome: Outcome | "idle") => {
          if (outcome !== "idle") on = on && onOutcome(outcome);
          else if (!on || next >= seeds.length) child.disconnect();
          else child.send(seeds.slice(next, (next += handful)));
        });
        child.on("error", reject);
        child.on("exit", (code) =>
          code === 0 ? resolve() : reject(new Error(`a process ended with ${code}`)),
        );
      });
    }),
  );
}

function failureText({ seed, features: used, violations }: Outcome): string {
  const lines = violations.slice(0, 3).map(({ invariant, text }) => `  invariant ${invariant}: ${text}`);
  const options = [
    ["without", values.without],
    ["always", values.always],
    ["break", values.break ?? ""],
  ]
    .filter(([, text]) => text !== "")
    .map(([name, text]) => ` --${name} "${text}"`);
  const command = `  npm run simulate -- --runs 1 --seed ${seed}${options.join("")} --trace`;
  return [`seed ${seed} (${used.join(" ")})`, ...lines, command, ""].join("\n");
}

async function main(): Promise<void> {
  const [runs, seed, from, most] = [
    numberGiven("runs"),
    numberGiven("seed"),
    numberGiven("from"),
    numberGiven("stop"),
  ];
  const seeds = Array.from({ length: Math.max(0, runs - from) }, (_, i) => seed + from + i);
  const begun = Date.now();
  const total = { runs: 0, failed: 0, operations: 0, calls: 0, seconds: 0 };
  let shown = Date.now();
  const onOutcome = (outcome: Outcome): boolean => {
    total.runs += 1;
    total.operations += outcome.operations;
    total.calls += outcome.calls;
    total.seconds += outcome.seconds;
    if (values.trace) process.stdout.write(`${outcome.trace.join("\n")}\n`);
    if (outcome.violations.length > 0) {
      total.failed += 1;
      process.stdout.write(failureText(outcome));
    }
    if (Date.now() - shown > 5_000) {
      shown = Date.now();
      const perMinute = Math.round((total.runs / (shown - begun)) * 60_000);
      process.stderr.write(
        `${total.runs} of ${seeds.length} schedules, ${total.failed} failed, ${perMinute} a minute\n`,
      );
    }
    return total.failed < most;
  };
  await runAll(seeds, values.trace || seeds.length <= handful ? 1 : numberGiven("jobs"), onOutcome);
  const minutes = (Date.now() - begun) / 60_000;
  process.stdout.write(
    `${total.runs} schedules from seed ${seed + from}: ${total.failed} failed; ${total.operations} operations, ${total.calls} calls, ${Math.round(total.seconds / 3600)} simulated hours; ${Math.round(total.runs / minutes)} schedules a minute\n`,
  );
  process.exitCode = total.failed > 0 ? 1 : 0;
}

if (process.send === undefined) void main();
else serve((outcome) => void process.send?.(outcome));
