/**
 * Calls of one kind, a few at once, with progress. Some answers end the series. All resources of the process know which
 * records are being changed or removed.
 */
import { ServiceError } from "../../api";
import type { Clock } from "../../clock";
import type { Reporter } from "../../report";
import type { LiveEntry } from "../zones/zone";

/** Calls under way at once. */
const atOnce = 4;
/** Milliseconds between two progress lines. */
const progressEvery = 10_000;

/** Why a series ends, as a whole or for one domain. */
export interface Stop {
  readonly error: Error;
  readonly domain?: string;
}

export interface Series<T> {
  /** In words, with its domains. */
  readonly doing: string;
  readonly work: (one: T) => Promise<Stop | undefined>;
  readonly skip: (one: T, error: Error) => void;
  /** Its records; one unless told. */
  readonly weight?: (one: T) => number;
  /** Undefined where it has several. */
  readonly domainOf: (one: T) => string | undefined;
}

export async function inSeries<T extends object>({ clock, reporter }: { readonly clock: Clock; readonly reporter: Reporter }, all: readonly T[], series: Series<T>): Promise<void> {
  const { doing, work, skip, weight = () => 1, domainOf } = series;
  const total = all.reduce((sum, one) => sum + weight(one), 0);
  const begun = clock.now();
  let said = begun;
  let done = 0;
  let stopped: Error | undefined;
  const stoppedAt = new Map<string | undefined, Error>();
  const queue = [...all];
  const worker = async (): Promise<void> => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const error = stopped ?? stoppedAt.get(domainOf(one));
      if (error !== undefined) {
        skip(one, error);
        continue;
      }
      const stop = await work(one);
      if (stop?.domain !== undefined) stoppedAt.set(stop.domain, stop.error);
      else stopped ??= stop?.error;
      done += weight(one);
      if (clock.now() - said < progressEvery) continue;
      said = clock.now();
      reporter.info(`${doing} records: ${done} of ${total}, ${Math.round((said - begun) / 1000)} s`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, worker));
}

export function stopFor(error: Error, domain: string): Stop {
  return error instanceof ServiceError && error.about === "domain" ? { error, domain } : { error };
}

/** Live records that some resource of this process is changing or removing. */
export class UnderWay {
  private readonly writes = new Map<string, Promise<unknown>>();

  has(live: LiveEntry): boolean {
    return this.writes.has(placed(live));
  }

  /** Waits for the writes of these records. @returns whether there was any */
  async ended(entries: readonly LiveEntry[]): Promise<boolean> {
    const writes = entries.flatMap((live) => this.writes.get(placed(live)) ?? []);
    await Promise.all(writes);
    return writes.length > 0;
  }

  async during<T>(entries: readonly LiveEntry[], write: () => Promise<T>): Promise<T> {
    const writing = write();
    const ended = writing.catch(() => undefined).then(() => {
      for (const live of entries) this.writes.delete(placed(live));
    });
    for (const live of entries) this.writes.set(placed(live), ended);
    return writing;
  }
}

function placed({ id, record }: LiveEntry): string {
  return `${record.domain} ${id}`;
}
