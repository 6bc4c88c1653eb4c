/**
 * The moments of a write, in milliseconds since the epoch. A listing without a record proves that it was not made, if the
 * listing began at `listed` or later.
 *
 * | moment | at the latest |
 * |---|---|
 * | sent | the last try left this process; now, if its answer was lost just now |
 * | arrived | sent + `requestTimeout` |
 * | ended | sent + `jobTimeout` for a job, arrived for any other write |
 * | listed | ended + `indexDelay` |
 */
import type { Settings } from "../settings";

type Index = Pick<Settings, "indexDelay">;
type Delays = Pick<Settings, "indexDelay" | "jobTimeout" | "requestTimeout">;

const aDay = 86_400_000;

/** Look at `first`, then at growing intervals until `last`. */
export interface Window {
  readonly first: number;
  readonly last: number;
}

/** Seconds since the epoch, rounded up so that the next run waits long enough. */
export function secondsOf(at: number): number {
  return Math.ceil(at / 1000);
}

export function listed({ indexDelay }: Index, ended: number): number {
  return ended + indexDelay * 1000;
}

/** Whether a listing that began at `readAt` need not show a write. `since` is in seconds, rounded up. */
export function isYoung(settings: Index, since: number, readAt: number): boolean {
  return readAt < listed(settings, since * 1000);
}

/** Without an index delay, a listing of the next run must show a write, although `since` may be later than `now`. */
export function isYoungInNextRun(settings: Index, since: number, now: number): boolean {
  return settings.indexDelay > 0 && isYoung(settings, since, now);
}

/** A job without a number, whose last try was at `sent`. It must have ended within the window. */
export function windowOfJob(settings: Delays, sent: number): Window {
  return { first: listed(settings, sent), last: listed(settings, sent + settings.jobTimeout * 1000) };
}

/** A write that has ended by then. */
export function windowOfEnded(settings: Index, now: number, ended: number): Window {
  return { first: now, last: listed(settings, ended) };
}

/** A change or removal of one record whose answer was lost now: a proxy may still deliver it. */
export function windowOfEdit(settings: Delays, now: number): Window {
  return { first: now, last: listed(settings, latestEnd(settings, now, false)) };
}

/**
 * An entry of another process, whose last try may arrive `requestTimeout` later.
 * @param isJob whether it may be a job without a number
 */
export function latestEnd({ requestTimeout, jobTimeout }: Delays, sent: number, isJob: boolean): number {
  return sent + (requestTimeout + (isJob ? jobTimeout : 0)) * 1000;
}

/** A job with a number is asked about for a day. */
export function listedAt(
  settings: Delays,
  { at, ended, job }: { readonly at: number; readonly ended?: number; readonly job?: string },
): number {
  if (ended !== undefined) return listed(settings, ended);
  return job === undefined ? listed(settings, latestEnd(settings, at, true)) : at + aDay;
}
