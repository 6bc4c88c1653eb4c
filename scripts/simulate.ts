/**
 * Runs simulated schedules, each decided by its seed, and prints the command that repeats a failed one
 * (docs/invariants.md).
 */
import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { breaks } from "../test/simulation/breaks";
import { simulate, type Outcome, type RunOptions } from "../test/simulation/run";
import { features, type Feature } from "../test/simulation/troubles";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    without: { type: "string", default: "" },
    always: { type: "string", default: "" },
    break: { type: "string", default: "" },
    stop: { type: "string", default: "20" },
    jobs: { type: "string", default: String(availableParallelism()) },
    trace: { type: "boolean", default: false },
  },
});

const handful = 20;

function oneOf<T extends string>(name: string, known: readonly T[]): T {
  const found = known.find((each) => each === name);
  if (found === undefined) throw new Error(`${name}: not one of ${known.join(", ")}`);
  return found;
}

/** The options that all processes share. */
function optionsGiven(): RunOptions {
  const featuresIn = (text: string): Set<Feature> =>
    new Set(text.split(",").flatMap((name) => (name === "" ? [] : oneOf(name, features))));
  return {
    without: featuresIn(values.without),
    always: featuresIn(values.always),
    broken: values.break === "" ? undefined : breaks[oneOf(values.break, Object.keys(breaks))],
    trace: values.trace,
  };
}

function numberGiven(name: "runs" | "seed" | "stop" | "jobs"): number {
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
async function runAll(seeds: readonly number[], onOutcome: (outcome: Outcome) => boolean): Promise<void> {
  const jobs = numberGiven("jobs");
  if (values.trace || seeds.length <= handful || jobs <= 1) {
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
  const options = (["without", "always", "break"] as const)
    .filter((name) => values[name] !== "")
    .map((name) => ` --${name} "${values[name]}"`);
  const command = `  npm run simulate -- --runs 1 --seed ${seed}${options.join("")} --trace`;
  return [`seed ${seed} (${used.join(" ")})`, ...lines, command, ""].join("\n");
}

async function main(): Promise<void> {
  const [runs, seed, most] = [numberGiven("runs"), numberGiven("seed"), numberGiven("stop")];
  const seeds = Array.from({ length: runs }, (_, i) => seed + i);
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
  await runAll(seeds, onOutcome);
  const minutes = (Date.now() - begun) / 60_000;
  process.stdout.write(
    `${total.runs} schedules from seed ${seed}: ${total.failed} failed; ${total.operations} operations, ${total.calls} calls, ${Math.round(total.seconds / 3600)} simulated hours; ${Math.round(total.runs / minutes)} schedules a minute\n`,
  );
  process.exitCode = total.failed > 0 ? 1 : 0;
}

if (process.send === undefined) void main();
else serve((outcome) => void process.send?.(outcome));
