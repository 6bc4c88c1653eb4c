/** One emulator and one real stack per experiment, and a measurement around a command. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { removing } from "../cli/files";
import type { Emulator, StartOptions } from "../emulator";
import { settingsOf, startService } from "../test/support/service";
import { Stack, type FrontEnd, type Run } from "../test/support/stack";
import { MemoryWatch, type Memory } from "./memory";

export interface Measure {
  /** Calls to the service, by operation. */
  readonly calls: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly memory: Memory;
  readonly output: string;
}

export interface Row {
  readonly name: string;
  readonly command: string;
  readonly calls?: Readonly<Record<string, number>>;
  readonly seconds?: number;
  readonly memory?: Memory;
  readonly target?: string;
  readonly met?: boolean;
  readonly note?: string;
}

export interface Experiment {
  readonly name: string;
  readonly run: (say: (text: string) => void) => Promise<Row[]>;
}

/** Operations that are not listed must not be called. */
export interface CallTarget {
  readonly exactly: Readonly<Record<string, number>>;
  /** Operations that may be called any number of times. */
  readonly free?: readonly string[];
  readonly atMost?: Readonly<Record<string, number>>;
}

/** Jobs as large as the successor interface of the service allows; the service's own limit is not known. */
export const largeJobs = { LEGACYDNS_MAX_RECORDS_PER_JOB: "5000", LEGACYDNS_JOB_TIMEOUT: "600" };

export class Lab {
  private constructor(
    readonly emulator: Emulator,
    readonly stack: Stack,
  ) {}

  static async with<T>(
    options: {
      readonly program: string;
      readonly service?: StartOptions;
      readonly env?: Readonly<Record<string, string>>;
      readonly frontEnd?: FrontEnd | undefined;
    },
    work: (lab: Lab) => Promise<T>,
  ): Promise<T> {
    const { service } = options;
    const emulator = await startService({
      ...service,
      settings: { jobStartMs: 0, jobMs: 0, ...service?.settings },
    });
    try {
      const env = { ...settingsOf(emulator), ...options.env };
      const stack = await Stack.create({ program: options.program, env, frontEnd: options.frontEnd });
      return await removing(stack.folder, () => work(new Lab(emulator, stack)));
    } finally {
      await emulator.close();
    }
  }

  async measure(command: () => Promise<Run>): Promise<Measure> {
    this.emulator.admin.clearCalls();
    const memory = new MemoryWatch();
    const begun = performance.now();
    const run = await command();
    const seconds = (performance.now() - begun) / 1000;
    const peaks = memory.stop();
    if (run.code !== 0) throw new Error(`pulumi ended with ${String(run.code)}:\n${run.output}`);
    return { calls: this.emulator.admin.counts(), seconds, memory: peaks, output: run.output };
  }

  update(): Promise<Measure> {
    return this.measure(() => this.stack.up());
  }

  up(): Promise<Measure> {
    return this.measure(() => this.stack.upWithPreview());
  }

  /** Measures the first update. @throws if a domain then does not hold so many records */
  async create(count: number, domains = ["example.com"]): Promise<Measure> {
    const update = await this.update();
    for (const domain of domains) this.expectLive(domain, count);
    return update;
  }

  expectLive(domain: string, count: number): void {
    const live = this.emulator.admin.zone(domain, { hold: false }).length;
    if (live !== count) throw new Error(`${domain} holds ${live} records; ${count} were declared`);
  }

  emptyProgram(): void {
    writeFileSync(join(this.stack.folder, "index.js"), "");
  }
}

export function callRow(
  name: string,
  command: string,
  measure: Measure,
  target: CallTarget,
  note?: string,
): Row {
  const { free = [], atMost = {} } = target;
  const { calls } = measure;
  const bounds = { ...target.exactly, ...atMost };
  const met =
    Object.entries(target.exactly).every(([operation, n]) => calls[operation] === n) &&
    Object.keys(calls).every(
      (operation) => free.includes(operation) || (calls[operation] ?? 0) <= (bounds[operation] ?? 0),
    );
  const words = [
    ...Object.entries(target.exactly).map(([operation, n]) => `${n} ${operation}`),
    ...Object.entries(atMost).map(([operation, n]) => `at most ${n} ${operation}`),
    ...free.map((operation) => `any ${operation}`),
  ];
  const text = words.length === 0 ? "no call" : words.join(", ");
  return { ...plainRow(name, command, measure, note), target: text, met };
}

export function plainRow(name: string, command: string, measure: Measure, note?: string): Row {
  const { calls, seconds, memory } = measure;
  return { name, command, calls, seconds, memory, ...(note === undefined ? {} : { note }) };
}

export function secondsOf(measures: readonly Measure[]): string {
  return measures.map(({ seconds }) => seconds.toFixed(1)).join(" ");
}

/** The measure whose seconds are the middle one. @throws if nothing was measured */
export function middle<M extends { readonly seconds: number }>(measures: readonly M[]): M {
  const found = measures.toSorted((a, b) => a.seconds - b.seconds)[Math.floor(measures.length / 2)];
  if (found === undefined) throw new Error("nothing was measured");
  return found;
}

export function median(figures: readonly number[]): number {
  return middle(figures.map((seconds) => ({ seconds }))).seconds;
}
