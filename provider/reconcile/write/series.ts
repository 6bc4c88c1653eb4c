/**
 * Calls of one kind, a few at once, with progress. Some answers end the series. All resources of the process know which
 * records are being changed or removed.
 */
import { ServiceError } from "../../api";
import type { DnsRecord } from "../../dns";
import { named } from "../../words";
import { refOf } from "../memory/ledger";
import type { Run } from "../run";
import type { LiveEntry } from "../zones/zone";
import { domainsOf } from "./send";

/** Calls under way at once. */
const atOnce = 4;
/** Milliseconds between two progress lines. */
const progressEvery = 10_000;
/** Calls in doubt after which a series ends: each is looked for as long as the index may lag. */
const mostDoubts = 4;

/** Why a series ends, as a whole or for one domain. */
export interface Stop {
  readonly error: Error;
  readonly domain?: string;
}

/** What became of a call's records, in their order. */
export interface Outcome<R> {
  readonly results: readonly R[];
  readonly stop?: Stop | undefined;
  /** Why nobody knows whether the call was carried out. */
  readonly doubt?: string | undefined;
}

interface Series<T, R> {
  readonly doing: "changing" | "removing";
  readonly work: (call: readonly T[]) => Promise<Outcome<R>>;
  readonly unsent: (error: Error) => R;
}

/** @param calls the records of each; where a domain ends the series, those of one domain @returns what became of each record */
export async function inSeries<T extends { readonly record: DnsRecord }, R>({ clock, reporter }: Run, calls: readonly (readonly T[])[], { doing, work, unsent }: Series<T, R>): Promise<Map<T, R>> {
  const results = new Map<T, R>();
  const all = calls.flat();
  const domains = named(domainsOf(all.map(({ record }) => record)));
  const begun = clock.now();
  let said = begun;
  let doubts = 0;
  let stopped: Error | undefined;
  const stoppedAt = new Map<string | undefined, Error>();
  const queue = [...calls];
  const worker = async (): Promise<void> => {
    for (let call = queue.shift(); call !== undefined; call = queue.shift()) {
      const error = stopped ?? stoppedAt.get(call[0]?.record.domain);
      const outcome: Outcome<R> = error === undefined ? await work(call) : { results: call.map(() => unsent(error)) };
      for (const [i, result] of outcome.results.entries()) results.set(call[i] as T, result);
      const { stop, doubt } = outcome;
      if (doubt !== undefined && (doubts += 1) >= mostDoubts) stopped ??= new Error(`not sent, since what became of the ${nouns[doing]} before it is not known: ${doubt}`);
      if (stop?.domain !== undefined) stoppedAt.set(stop.domain, stop.error);
      else stopped ??= stop?.error;
      if (clock.now() - said < progressEvery) continue;
      said = clock.now();
      reporter.info(`${domains}: ${doing} records: ${results.size} of ${all.length}, ${Math.round((said - begun) / 1000)} s`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, calls.length) }, worker));
  return results;
}

const nouns = { changing: "changes", removing: "removals" } as const;

export function stopFor(error: Error, domain: string): Stop {
  return error instanceof ServiceError && error.about === "domain" ? { error, domain } : { error };
}

/** Live records that some resource of this process is changing or removing. */
export class UnderWay {
  private readonly writes = new Map<string, Promise<unknown>>();

  has(live: LiveEntry): boolean {
    return this.writes.has(numberOf(live));
  }

  /** Waits for the writes of these records. @returns whether there was any */
  async ended(entries: readonly LiveEntry[]): Promise<boolean> {
    const writes = entries.flatMap((live) => this.writes.get(numberOf(live)) ?? []);
    await Promise.all(writes);
    return writes.length > 0;
  }

  async during<T>(entries: readonly LiveEntry[], write: () => Promise<T>): Promise<T> {
    const writing = write();
    const ended = writing.catch(() => undefined).then(() => {
      for (const live of entries) this.writes.delete(numberOf(live));
    });
    for (const live of entries) this.writes.set(numberOf(live), ended);
    return writing;
  }
}

function numberOf({ id, record: { domain } }: LiveEntry): string {
  return refOf({ domain, id });
}
