/** One emulator and one real stack per measurement, and the rows of the table. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { removing } from "../../cli/files";
import type { Emulator, StartOptions } from "../../emulator";
import { settingsOf, startService } from "../../test/support/service";
import { Stack, type Run, type StackOptions } from "../../test/support/stack";
import { MemoryWatch, type Memory } from "./memory";

export interface Measure {
  /** Operation → its calls. */
  readonly calls: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly memory: Memory;
}

export interface Row extends Partial<Measure> {
  readonly subject: string;
  readonly command: string;
  readonly target?: string;
  readonly met?: boolean;
  readonly note?: string;
}

export type Say = (text: string) => void;

export interface Experiment {
  readonly name: string;
  readonly run: (say: Say) => Promise<Row[]>;
}

export interface LabOptions extends StackOptions {
  readonly service?: StartOptions;
}

/** Jobs as large as the successor interface of the service allows; the service's own limit is not known. */
export const largeJobs = { LEGACYDNS_MAX_RECORDS_PER_JOB: "5000", LEGACYDNS_JOB_TIMEOUT: "600" };

export class Lab {
  private constructor(
    readonly emulator: Emulator,
    readonly stack: Stack,
  ) {}

  static async with<T>({ service, ...options }: LabOptions, work: (lab: Lab) => Promise<T>): Promise<T> {
    const settings = { jobStartMs: 0, jobMs: 0, ...service?.settings };
    const emulator = await startService({ ...service, settings });
    try {
      const stack = await Stack.create({ ...options, env: { ...settingsOf(emulator), ...options.env } });
      if (options.program === "") writeFileSync(join(stack.folder, "index.js"), "");
      return await removing(stack.folder, () => work(new Lab(emulator, stack)));
    } finally {
      await emulator.close();
    }
  }

  async measure(command: (stack: Stack) => Promise<Run>): Promise<Measure> {
    this.emulator.admin.clearCalls();
    const memory = new MemoryWatch();
    const begun = performance.now();
    const run = await command(this.stack);
    const seconds = (performance.now() - begun) / 1000;
    const peaks = memory.stop();
    if (run.code !== 0) throw new Error(`pulumi ended with ${String(run.code)}:\n${run.output}`);
    return { calls: this.emulator.admin.counts(), seconds, memory: peaks };
  }

  update(): Promise<Measure> {
    return this.measure((stack) => stack.up());
  }

  expectLive(count: number, domain = "example.com"): void {
    const live = this.emulator.admin.zone(domain, { hold: false }).length;
    if (live !== count) throw new Error(`${domain} has ${live} records; ${count} were declared`);
  }
}

/** Measures each command once per round, so that other load on the machine affects all. */
export async function inTurns(
  rounds: number,
  commands: readonly (() => Promise<Measure>)[],
): Promise<readonly Measure[][]> {
  const measured: Measure[][] = commands.map(() => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [i, command] of commands.entries()) measured[i]?.push(await command());
  return measured;
}

/** The measure whose seconds are the median. @throws if nothing was measured */
export function middle<M extends { readonly seconds: number }>(measures: readonly M[]): M {
  const found = measures.toSorted((a, b) => a.seconds - b.seconds)[Math.floor(measures.length / 2)];
  if (found === undefined) throw new Error("nothing was measured");
  return found;
}

/** A row that compares medians. @param of the base's name */
export function ratioRow(
  [subject, command]: readonly [subject: string, command: string],
  measures: readonly Measure[],
  base: readonly Measure[],
  of: string,
  most?: number,
): Row {
  const median = middle(measures);
  const times = median.seconds / middle(base).seconds;
  const row = { subject, command, ...median, note: `${times.toFixed(2)} times ${of}` };
  return most === undefined ? row : { ...row, target: `at most ${most} times ${of}`, met: times <= most };
}
