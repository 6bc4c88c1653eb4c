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

type Delays = Pick<Settings, "indexDelay" | "jobTimeout" | "requestTimeout">;

/** Look at `first`, then at growing intervals until `last`. */
export interface Window {
  readonly first: number;
  readonly last: number;
}

/** How long a job may outlast its lost answer, unless absence must be proved. Milliseconds. */
const slowJob = 10_000;
const aDay = 86_400_000;

export function listed({ indexDelay }: Pick<Delays, "indexDelay">, ended: number): number {
  return ended + indexDelay * 1000;
}

/**
 * Whether a listing that began at `readAt` need not show a write.
 * @param since seconds since the epoch, rounded up
 */
export function isYoung(settings: Pick<Delays, "indexDelay">, since: number, readAt: number): boolean {
  return readAt < listed(settings, since * 1000);
}

/**
 * Whether a listing of the next run need not show a write. Without an index delay it must, although `since`
 * is rounded up and may be later than `now`.
 */
export function isYoungInNextRun(settings: Pick<Delays, "indexDelay">, since: number, now: number): boolean {
  return settings.indexDelay > 0 && isYoung(settings, since, now);
}

/** It takes effect at once, and the index shows it within the window. */
export function windowOfOne(settings: Delays, now: number): Window {
  return { first: now, last: listed(settings, now) };
}

/** @param provesAbsence whether the job must have ended within the window */
export function windowOfJob(settings: Delays, now: number, provesAbsence: boolean): Window {
  const longest = settings.jobTimeout * 1000;
  const first = listed(settings, now);
  return { first, last: first + (provesAbsence ? longest : Math.min(longest, slowJob)) };
}

/** The job must have ended within the window. */
export function windowOfEarlier(settings: Delays, sent: number): Window {
  return { first: listed(settings, sent), last: listed(settings, sent + settings.jobTimeout * 1000) };
}

/**
 * A write by another process.
 * @param isJob whether it may be a job without a number
 */
export function endOfEdit({ requestTimeout, jobTimeout }: Delays, sent: number, isJob: boolean): number {
  return sent + (requestTimeout + (isJob ? jobTimeout : 0)) * 1000;
}

/** A job with a number is asked about for a day. */
export function listedAt(
  settings: Delays,
  { at, ended, job }: { readonly at: number; readonly ended?: number; readonly job?: string },
): number {
  if (ended !== undefined) return listed(settings, ended);
  return job === undefined ? listed(settings, endOfEdit(settings, at, true)) : at + aDay;
}
