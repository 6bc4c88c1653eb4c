/**
 * Runs simulated schedules, each decided by its seed, and prints the command that repeats a failed one
 * (tools/simulate/README.md).
 */
import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { breaks } from "../../test/simulation/excused-breaks";
import { Outside, sequences } from "../../test/simulation/outside";
import { simulate, type Outcome, type RunOptions } from "../../test/simulation/run";
import { steps } from "../../test/simulation/steps";
import { features } from "../../test/simulation/troubles";
import type { Workload } from "../../test/simulation/workload";
import { wholeNumber } from "../../cli/command";
import { main, say, script } from "../support/main";

const natural = wholeNumber(0, 9_999_999_999);
const command = script(
  "simulate",
  "Runs simulated schedules, each decided by its seed, and prints the command that repeats a failed one.",
)
  .option("--runs <n>", "the number of schedules", natural, 1000)
  .option("--seed <n>", "the seed of the first one; each next one has the next number", natural, 1)
  .option("--without <features>", `never use these, with commas: ${features.join(", ")}`, "")
  .option("--always <features>", "always use these", "")
  .option("--break <law>", `break the product on purpose: ${Object.keys(breaks).join(", ")}`, "")
  .option(
    "--workload <name>",
    "what the schedules do: steps, outside (sequences), or outside:NAME for one of them",
    "steps",
  )
  .option("--stop <n>", "stop after this number of failed schedules", natural, 20)
  .option("--jobs <n>", "the number of processes", natural, availableParallelism())
  .option("--trace", "print what happens", false);
type Flags = Record<"runs" | "seed" | "stop" | "jobs", number> &
  Record<"without" | "always" | "break" | "workload", string> & { readonly trace: boolean };
const values = command.parse().opts<Flags>();

const handful = 20;
const workloads = new Map<string, () => Workload>([
  ["steps", () => steps],
  ["outside", () => new Outside()],
  ...sequences.map((each) => [`outside:${each.name}`, () => new Outside([each])] as const),
]);

function someOf<T extends string>(text: string, known: readonly T[]): T[] {
  const names = text.split(",").filter((name) => name !== "");
  return names.map(
    (name) => known.find((each) => each === name) ?? fail(`${name}: not one of ${known.join(", ")}`),
  );
}

function fail(message: string): never {
  throw new Error(message);
}

/** The options that all processes share. */
function optionsGiven(): RunOptions {
  const [broken] = someOf(values.break, Object.keys(breaks));
  return {
    without: new Set(someOf(values.without, features)),
    always: new Set(someOf(values.always, features)),
    broken: broken === undefined ? undefined : breaks[broken],
    trace: values.trace,
    workload: workloads.get(values.workload) ?? fail(`--workload ${values.workload}: unknown`),
  };
}

async function runSeeds(
  options: RunOptions,
  seeds: readonly number[],
  onOutcome: (outcome: Outcome) => boolean,
): Promise<void> {
  for (const seed of seeds) if (!onOutcome(await simulate(seed, options))) return;
}

/** @param onOutcome takes each outcome; returns whether to go on */
async function runAll(seeds: readonly number[], onOutcome: (outcome: Outcome) => boolean): Promise<void> {
  const options = optionsGiven();
  const { jobs, trace } = values;
  if (trace || seeds.length <= handful || jobs <= 1) return runSeeds(options, seeds, onOutcome);
  let [next, on] = [0, true];
  const execArgv = ["-r", require.resolve("../support/typescript.cjs")];
  const children = Array.from({ length: jobs }, () => {
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
  });
  await Promise.all(children);
}

function serve(send: (outcome: Outcome | "idle") => void): void {
  const options = optionsGiven();
  process.on("message", (seeds: readonly number[]) => {
    void runSeeds(options, seeds, (outcome) => (send(outcome), true)).then(() => send("idle"));
  });
  send("idle");
}

function failureText({ seed, features: used, violations }: Outcome): string {
  const lines = violations.slice(0, 3).map(({ law, text }) => `  ${law}: ${text}`);
  const options = (["without", "always", "break", "workload"] as const)
    .filter((name) => !["", "steps"].includes(values[name]))
    .map((name) => ` --${name} "${values[name]}"`);
  const command = `  npm run simulate -- --runs 1 --seed ${seed}${options.join("")} --trace`;
  return [`seed ${seed} (${used.join(" ")})`, ...lines, command].join("\n");
}

async function simulateAll(): Promise<void> {
  const { runs, seed, stop, trace } = values;
  const begun = Date.now();
  const total = { runs: 0, failed: 0, operations: 0, calls: 0, seconds: 0 };
  const counts = {
    gaps: new Map<string, number>(),
    rounds: new Map<string, number>(),
    occurred: new Map<string, number>(),
  };
  const perMinute = (): string => `${Math.round((total.runs / (Date.now() - begun)) * 60_000)} a minute`;
  let shown = begun;
  const onOutcome = (outcome: Outcome): boolean => {
    total.runs += 1;
    total.operations += outcome.operations;
    total.calls += outcome.calls;
    total.seconds += outcome.seconds;
    for (const kind of ["gaps", "rounds", "occurred"] as const)
      for (const each of outcome[kind].map(String)) counts[kind].set(each, (counts[kind].get(each) ?? 0) + 1);
    if (trace) say(outcome.trace.join("\n"));
    if (outcome.violations.length > 0) {
      total.failed += 1;
      say(failureText(outcome));
    }
    if (Date.now() - shown > 5_000) {
      shown = Date.now();
      process.stderr.write(`${total.runs} of ${runs} schedules, ${total.failed} failed, ${perMinute()}\n`);
    }
    return total.failed < stop;
  };
  await runAll(
    Array.from({ length: runs }, (_, i) => seed + i),
    onOutcome,
  );
  say(
    `${total.runs} schedules from seed ${seed}: ${total.failed} failed; ${total.operations} operations, ${total.calls} calls, ${Math.round(total.seconds / 3600)} simulated hours; ${perMinute()}`,
  );
  const list = (of: Map<string, number>, per: number) =>
    [...of]
      .sort()
      .map(([name, n]) => `${name} ${((n * per) / total.runs).toFixed(1)}`)
      .join(", ") || "none";
  say(`schedules with something not known, of 1,000: ${list(counts.gaps, 1000)}`);
  say(`rounds of the user, per 100 schedules: ${list(counts.rounds, 100)}`);
  if (counts.occurred.size > 0) say(`sequences, per 100 schedules: ${list(counts.occurred, 100)}`);
  process.exitCode = total.failed > 0 ? 1 : 0;
}

if (process.send === undefined) main(command, simulateAll);
else serve((outcome) => void process.send?.(outcome));
