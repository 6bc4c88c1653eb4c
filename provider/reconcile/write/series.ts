/** Calls of one kind, one for each record: a few at once, and when an answer to one of them ends the others. */
import { ServiceError } from "../../api";
import type { Clock } from "../../clock";
import type { Reporter } from "../../report";
import { named } from "../words";

/** Calls under way at once; the client's own pace comes on top. */
const atOnce = 4;
/** Milliseconds between two progress lines. */
const progressEvery = 10_000;

/** Why a series of calls ends: for all that is left of it, or for one domain. */
export interface Stop {
  readonly error: Error;
  readonly domain?: string;
}

/** How a series of calls is made. */
export interface Series<T> {
  readonly work: (one: T) => Promise<Stop | undefined>;
  readonly skip: (one: T, error: Error) => void;
  /** How many records it is; one, unless told. */
  readonly weight?: (one: T) => number;
  /** The domain whose end ends it; undefined where it has several. */
  readonly domainOf: (one: T) => string | undefined;
}

/** A few at once, with progress; an error that concerns further ones ends the work on them. */
export async function inSeries<T extends object>({ clock, reporter }: { readonly clock: Clock; readonly reporter: Reporter }, all: readonly T[], doing: string, series: Series<T>): Promise<void> {
  const { work, skip, weight = () => 1 } = series;
  const total = all.reduce((sum, one) => sum + weight(one), 0);
  const begun = clock.now();
  let said = begun;
  let done = 0;
  let stopped: Error | undefined;
  const stoppedAt = new Map<string | undefined, Error>();
  const queue = [...all];
  const worker = async (): Promise<void> => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const error = stopped ?? stoppedAt.get(series.domainOf(one));
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

/** The service's word about this very record, and not about the account, the domain or the moment. */
export function isRefusal(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.outcome === "refused" && (error.about === "record" || error.about === "record or domain");
}

/** What an error that is nobody's own ends: the work on its domain, or all of it. */
export function stopFor(error: Error, domain: string): Stop {
  return error instanceof ServiceError && error.about === "domain" ? { error, domain } : { error };
}

/** The domains of records, in words. */
export function domainsOf(records: readonly { readonly domain: string }[]): string {
  return named([...new Set(records.map(({ domain }) => domain))]);
}
