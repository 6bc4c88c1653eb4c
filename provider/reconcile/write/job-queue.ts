/** Creations that come within a quiet window join their jobs. A record that two resources request is created once. */
import { QuietPeriod, type Clock } from "../../support/clock";
import { recordKey, type DeclaredRecord } from "../../dns";
import { gather } from "../../support/collections";
import { errorText } from "../../support/text";
import { secondsOf } from "../timeline";
import type { Result } from "./result";

/** Milliseconds. */
const quietWindow = 100;

export type Answer = (results: ReadonlyMap<DeclaredRecord, Result>) => void;

export class JobQueue {
  /** Key → receivers. */
  private readonly asked = new Map<string, ((result: Result) => void)[]>();
  private waiting: DeclaredRecord[] = [];
  private readonly quiet: QuietPeriod;
  private gathering: Promise<void> | undefined;

  /** @param carryOut makes records, and answers each of them once */
  constructor(
    private readonly clock: Clock,
    private readonly carryOut: (records: readonly DeclaredRecord[], answer: Answer) => Promise<void>,
  ) {
    this.quiet = new QuietPeriod(clock, quietWindow);
  }

  /** Never rejects. */
  async join(records: readonly DeclaredRecord[]): Promise<ReadonlyMap<DeclaredRecord, Result>> {
    if (records.length === 0) return new Map();
    const results = records.map(
      (record) =>
        new Promise<readonly [DeclaredRecord, Result]>((resolve) => {
          const asked = gather(this.asked, recordKey(record), []);
          if (asked.push((result) => resolve([record, result])) === 1) this.waiting.push(record);
        }),
    );
    this.quiet.restart();
    this.gathering ??= this.gather();
    return new Map(await Promise.all(results));
  }

  /** Until no record waits and `isIdle`, or until `last`. */
  async ended(isIdle: () => boolean, last: number): Promise<void> {
    while ((!isIdle() || this.gathering !== undefined) && this.clock.now() < last)
      await this.clock.sleep(quietWindow);
  }

  private async gather(): Promise<void> {
    await this.quiet.wait();
    const records = this.waiting;
    this.waiting = [];
    this.gathering = undefined;
    try {
      await this.carryOut(records, (results) => this.answer(results));
    } catch (error) {
      // A defect of this program.
      const since = secondsOf(this.clock.now());
      const text = errorText(error);
      this.answer(new Map(records.map((record) => [record, { kind: "uncertain", since, text }])));
    }
  }

  private answer(results: ReadonlyMap<DeclaredRecord, Result>): void {
    for (const [record, result] of results) {
      const key = recordKey(record);
      for (const resolve of this.asked.get(key) ?? []) resolve(result);
      this.asked.delete(key);
    }
  }
}
