/**
 * The cost of a zone beside a dynamic resource that does nothing ("idle") or an empty program, measured in
 * turns.
 */
import type { FrontEnd } from "../test/support/stack";
import { octoDns } from "./octodns";
import {
  callRow,
  Lab,
  largeJobs,
  middle,
  plainRow,
  secondsOf,
  type CallTarget,
  type Experiment,
  type Measure,
  type Row,
} from "./lab";
import { batch, batchWithChanges, idleResource } from "./programs";

export const large = 100_000;
const jobCalls = ["Batch.Record.Create", "Batch.Detail"];
export const rounds = 5;
const slowRounds = 3;
const latencyMs = 20;

export async function withLabs<T>(
  programs: readonly string[],
  env: Readonly<Record<string, string>>,
  work: (labs: readonly Lab[]) => Promise<T>,
  frontEnd?: FrontEnd,
): Promise<T> {
  const open = async (labs: readonly Lab[], [program, ...rest]: readonly string[]): Promise<T> =>
    program === undefined
      ? work(labs)
      : Lab.with({ program, env, frontEnd }, (lab) => open([...labs, lab], rest));
  return open([], programs);
}

export async function inTurns(
  times: number,
  commands: readonly (() => Promise<Measure>)[],
): Promise<readonly (readonly Measure[])[]> {
  const measured: Measure[][] = commands.map(() => []);
  for (let round = 0; round < times; round += 1) {
    for (const [i, command] of commands.entries()) measured[i]?.push(await command());
  }
  return measured;
}

export function ratioRow(
  name: string,
  command: string,
  measures: readonly Measure[],
  base: readonly Measure[],
  of: string,
  most?: number,
): Row {
  const median = middle(measures);
  const times = median.seconds / middle(base).seconds;
  const row = plainRow(
    name,
    command,
    median,
    `median of ${secondsOf(measures)}; ${times.toFixed(2)} times ${of}`,
  );
  return most === undefined ? row : { ...row, target: `at most ${most} times ${of}`, met: times <= most };
}

function withMemory(row: Row, mib: number): Row {
  const host = row.memory?.host;
  return {
    ...row,
    target: `${row.target ?? ""}, host under ${mib} MiB`,
    met: row.met === true && host !== undefined && host < mib,
  };
}

export function withoutCalls(row: Row, measures: readonly Measure[]): Row {
  const none = measures.every(({ calls }) => Object.keys(calls).length === 0);
  return { ...row, target: `${row.target ?? ""}, no call`, met: row.met === true && none };
}

async function unchanged(say: (text: string) => void): Promise<Row[]> {
  const counts = [1, 1_000, 10_000, large];
  return withLabs(["", idleResource, ...counts.map((count) => batch(0, count))], largeJobs, async (labs) => {
    const [empty, idle, ...batches] = labs;
    if (empty === undefined || idle === undefined) throw new Error("no lab");
    for (const [i, lab] of batches.entries()) {
      say(`creating ${counts[i] ?? 0} records`);
      await lab.create(counts[i] ?? 0);
    }
    await idle.update();
    empty.emptyProgram();
    await empty.update();
    say(`without changes, ${rounds} rounds`);
    const [ofEmpty = [], ofIdle = [], ...ofBatches] = await inTurns(
      rounds,
      [empty, idle, ...batches].map((lab) => () => lab.update()),
    );
    const command = "update, no changes";
    const goals = [undefined, undefined, 1.1, 1.6];
    const rows = ofBatches.map((measures, i) => {
      const row = ratioRow(
        `RecordBatch, ${(counts[i] ?? 0).toLocaleString("en-US")} records`,
        command,
        measures,
        ofIdle,
        "idle",
        goals[i],
      );
      const checked = goals[i] === undefined ? row : withoutCalls(row, measures);
      return counts[i] === large ? withMemory(checked, 300) : checked;
    });
    return [
      plainRow("empty program", command, middle(ofEmpty), `median of ${secondsOf(ofEmpty)}`),
      ratioRow("idle: a dynamic resource that does nothing", command, ofIdle, ofEmpty, "an empty program"),
      ...rows,
    ];
  });
}

async function hundredThousand(say: (text: string) => void): Promise<Row[]> {
  const name = "RecordBatch, 100,000 records";
  return withLabs(["", idleResource, batch(0, large)], largeJobs, async ([empty, idle, lab]) => {
    if (empty === undefined || idle === undefined || lab === undefined) throw new Error("no lab");
    empty.emptyProgram();
    const ofEmpty = [await empty.update(), await empty.update(), await empty.update()];
    say("creating 100,000 records");
    const made = await lab.create(large);
    await idle.update();
    const slow = lab.emulator.admin.addFault({ kind: "slow", ms: latencyMs });
    say("refresh and update without changes, in turns");
    const [ofRefresh = [], ofUp = []] = await inTurns(slowRounds, [
      () => lab.measure(() => lab.stack.refresh()),
      () => lab.update(),
    ]);
    lab.emulator.admin.clearFaults(slow);
    lab.stack.program(batchWithChanges(large, 100));
    say("preview --diff of 1 % changed and of a resource that does nothing, in turns");
    const [ofPreview = [], ofIdle = []] = await inTurns(
      slowRounds,
      [lab, idle].map((each) => () => each.measure(() => each.stack.preview("--diff"))),
    );
    const first = ratioRow(name, "update, all new", [made], ofEmpty, "an empty program", 14.5);
    return [
      first,
      ratioRow(name, `refresh, ${latencyMs} ms a call`, ofRefresh, ofUp, "the update without changes", 2),
      ratioRow(name, "preview --diff, 1 % changed", ofPreview, ofIdle, "idle", 2),
    ];
  });
}

async function million(say: (text: string) => void): Promise<Row[]> {
  const name = "RecordBatch, 1,000,000 records";
  const count = 1_000_000;
  return Lab.with({ program: batch(0, count), env: largeJobs }, async (lab) => {
    say("creating 1,000,000 records");
    const made = await lab.create(count);
    const calls: CallTarget = { exactly: { "Record.List": 1, "Domain.Purview": 1 }, free: jobCalls };
    return [
      callRow(name, "update, all new", made, calls),
      plainRow(name, "update, no changes", await lab.update()),
    ];
  });
}

export const costs: readonly Experiment[] = [
  { name: "unchanged", run: unchanged },
  { name: "batch-100000", run: hundredThousand },
  { name: "batch-1000000", run: million },
  { name: "octodns", run: octoDns },
];
