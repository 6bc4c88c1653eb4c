/** Calls of one kind, a few at once, with progress. Some answers end the series. */
import { ServiceError } from "../../api";
import { recordKey, type DnsRecord } from "../../dns";
import { domainsOf, gather } from "../../support/collections";
import { named } from "../../support/text";
import { refOf } from "../memory/ledger";
import { progressReporter } from "../../support/reporter";
import type { Run } from "../run";
import type { LiveEntry, Zones } from "../zones/zone";
import { notSent, type NotSent } from "./result";
import { Turns } from "../../support/semaphore";

const atOnce = 4;
/** Each lost answer costs a search until the write must be visible. */
const mostLost = 4;
/** Enough calls for one culprit among thousands, too few for a storm. */
const mostParts = 25;

/** The end of a series, as a whole or for one domain. */
export interface Stop {
  readonly error: Error;
  readonly domain?: string;
}

/** Whether another resource has declared a live record since the plan was made. */
export type IsTakenOver = (live: LiveEntry) => boolean;

/** The calls of a series in a row whose answers were lost, and that were not found to be made. */
export class LostAnswers {
  /** Call → why its answer is missing. */
  private readonly calls = new Map<object, string>();

  add(call: object, why: string): void {
    this.calls.set(call, why);
  }

  /** The call was found to be made or refused. */
  delete(call: object): void {
    this.calls.delete(call);
  }

  /** A call was answered. */
  clear(): void {
    this.calls.clear();
  }

  /** Ends the series after four. */
  get stop(): Error | undefined {
    if (this.calls.size < mostLost) return undefined;
    const why = [...this.calls.values()].at(-1) ?? "";
    return new Error(`not sent, because the answers of ${mostLost} writes in a row were lost: ${why}`);
  }
}

export abstract class Series<T extends { readonly record: DnsRecord }, R> {
  protected readonly results = new Map<T, R | NotSent>();

  constructor(
    protected readonly run: Run,
    protected readonly underWay: UnderWay,
    protected readonly zones: Zones,
    protected readonly isTakenOver: IsTakenOver,
    protected readonly lost = new LostAnswers(),
  ) {}

  /** Sets the results of a call's records. Records without a result were not sent. */
  protected abstract make(call: readonly T[]): Promise<Stop | undefined>;

  /** @param calls the records of each call. If a domain may end the series, those of one domain */
  protected async send(calls: readonly (readonly T[])[], doing: "changing" | "removing"): Promise<void> {
    const { clock, reporter } = this.run;
    const all = calls.flat();
    const domains = named(domainsOf(all.map(({ record }) => record)));
    const begun = clock.now();
    const report = progressReporter(reporter, clock);
    const stops = new Map<string | undefined, Error>();
    const turns = new Turns(atOnce);
    const makeNext = async (call: readonly T[]): Promise<void> => {
      const known = stops.get(undefined) ?? this.lost.stop ?? stops.get(call[0]?.record.domain);
      const stop = known === undefined ? await this.make(call) : undefined;
      if (stop) gather(stops, stop.domain, stop.error);
      for (const each of call) gather(this.results, each, notSent(known ?? stop?.error ?? "no outcome"));
      const seconds = Math.round((clock.now() - begun) / 1000);
      report(`${domains}: ${doing} records: ${this.results.size} of ${all.length}, ${seconds} s`);
    };
    await Promise.all(calls.map((call) => turns.take(() => makeNext(call))));
  }

  protected resultOf(each: T): R | NotSent {
    return this.results.get(each) ?? notSent("no outcome");
  }

  protected readonly readAt = (domain: string): number => this.zones.get(domain)?.readAt ?? 0;
}

/**
 * Sends a batch in parts, one after the other.
 * @param attempt sends a part; returns the parts to send in its place
 */
export async function inParts<P>(
  batch: P,
  attempt: (part: P, maySplit: boolean) => Promise<readonly P[]>,
): Promise<void> {
  let parts: readonly P[] = [batch];
  for (let sent = 1; ; sent += 1) {
    const [part, ...rest] = parts;
    if (part === undefined) return;
    parts = [...(await attempt(part, sent + rest.length < mostParts)), ...rest];
  }
}

export function stopFor(error: Error, domain: string): Stop {
  return error instanceof ServiceError && error.about === "domain" ? { error, domain } : { error };
}

/** Live records that some resource of this process is changing or removing. */
export class UnderWay {
  private readonly writes = new Map<string, Promise<unknown>>();
  private readonly touched = new Set<string>();
  /** Number → the record as this process has changed it. */
  private readonly changed = new Map<string, LiveEntry>();

  hasTouched(records: () => readonly DnsRecord[]): boolean {
    return this.touched.size > 0 && records().some((record) => this.touched.has(recordKey(record)));
  }

  has(live: LiveEntry): boolean {
    return this.writes.has(refOf(live));
  }

  noteChanged(live: LiveEntry): void {
    this.changed.set(refOf(live), live);
  }

  asChanged(live: LiveEntry): LiveEntry {
    return this.changed.get(refOf(live)) ?? live;
  }

  /** @returns whether there were writes of these records, which have ended now */
  async ended(entries: readonly LiveEntry[]): Promise<boolean> {
    const writes = entries.flatMap((each) => this.writes.get(refOf(each)) ?? []);
    await Promise.all(writes);
    return writes.length > 0;
  }

  async during<T>(entries: readonly LiveEntry[], write: () => Promise<T>): Promise<T> {
    for (const { key } of entries) this.touched.add(key);
    const writing = write();
    const ended = writing
      .catch(() => undefined)
      .then(() => {
        for (const each of entries.map(refOf)) if (this.writes.get(each) === ended) this.writes.delete(each);
      });
    for (const each of entries) this.writes.set(refOf(each), ended);
    return writing;
  }
}
