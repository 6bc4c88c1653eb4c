/** Calls of one kind, a few at once. A call may be sent again in parts, and some answers end the series. */
import { ServiceError } from "../../api";
import { progressReporter } from "../../support/reporter";
import { Turns } from "../../support/semaphore";
import { named } from "../../support/text";
import type { Run } from "../run";
import type { LostAnswers } from "./lost";
import { notSent, type NotSent } from "./result";

const atOnce = 4;
/** Calls in place of one: enough for one culprit among thousands, too few for a storm. */
const mostParts = 25;

/** The end of a series, as a whole or for one domain. */
export interface SeriesStop {
  readonly error: Error;
  readonly domain?: string;
}

export type Results<T, R> = ReadonlyMap<T, R | NotSent>;

/** What a call has come to. Items without a result are in its parts, or were not sent. */
export interface Attempt<C, T, R> {
  readonly results?: Results<T, R>;
  /** Sent in its place, one after the other. */
  readonly parts?: readonly C[];
  /** Why the items without a result or a part were not sent. */
  readonly why?: unknown;
  readonly stop?: SeriesStop | undefined;
}

export interface Kind<C, T, R> {
  readonly turns: Turns;
  readonly lost: LostAnswers;
  readonly itemsOf: (call: C) => readonly T[];
  readonly domainOf: (item: T) => string;
  /** `maySend`: whether parts may still be sent in place of the call. */
  readonly attempt: (call: C, maySend: boolean) => Promise<Attempt<C, T, R>>;
  /** Gets the result of each item once. */
  readonly enter: (results: Results<T, R>) => void;
}

export async function carryOut<C, T, R>(calls: readonly C[], kind: Kind<C, T, R>): Promise<void> {
  const { attempt, domainOf, enter, itemsOf, lost, turns } = kind;
  const stops: SeriesStop[] = [];
  const stopOf = (call: C): Error | undefined => {
    const domains = itemsOf(call).map(domainOf);
    const known = stops.find(
      ({ domain }) => domain === undefined || domains.every((each) => each === domain),
    );
    return known?.error ?? lost.stop;
  };
  /** One part after the other. */
  const send = async (whole: C): Promise<void> => {
    let parts: readonly C[] = [whole];
    for (let sent = 1; ; sent += 1) {
      const [call, ...rest] = parts;
      if (call === undefined) return;
      const error = stopOf(call);
      const attempted = error ? {} : await attempt(call, sent + rest.length < mostParts);
      const { parts: instead = [], results, stop, why }: Attempt<C, T, R> = attempted;
      if (stop) stops.push(stop);
      const later = new Set(instead.flatMap(itemsOf));
      const left = itemsOf(call).filter((item) => results?.has(item) !== true && !later.has(item));
      const unsent = notSent(error ?? stop?.error ?? why ?? "no outcome");
      enter(new Map([...(results ?? []), ...left.map((item) => [item, unsent] as const)]));
      parts = [...instead, ...rest];
    }
  };
  await Promise.all(calls.map((call) => turns.take(() => send(call))));
}

/** Calls about lists of live records, with progress. */
export async function inSeries<T, R>(
  { clock, reporter }: Run,
  calls: readonly (readonly T[])[],
  kind: Pick<Kind<readonly T[], T, R>, "attempt" | "domainOf" | "lost"> & { readonly doing: string },
): Promise<Results<T, R>> {
  const all = calls.flat();
  const domains = named([...new Set(all.map(kind.domainOf))]);
  const begun = clock.now();
  const report = progressReporter(reporter, clock);
  const results = new Map<T, R | NotSent>();
  const enter = (news: Results<T, R>): void => {
    for (const [item, result] of news) results.set(item, result);
    const seconds = Math.round((clock.now() - begun) / 1000);
    report(`${domains}: ${kind.doing} records: ${results.size} of ${all.length}, ${seconds} s`);
  };
  await carryOut(calls, { ...kind, enter, turns: new Turns(atOnce), itemsOf: (call) => call });
  return results;
}

export function stopFor(error: Error, domain: string): SeriesStop {
  return error instanceof ServiceError && error.about === "domain" ? { error, domain } : { error };
}
