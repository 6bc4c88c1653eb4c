/** The only place that waits for the index and looks (`timeline.ts`). */
import { ServiceError } from "../../api";
import { lookAgain } from "../../support/clock";
import { recordKey, type DeclaredRecord, type DnsRecord } from "../../dns";
import { domainsOf } from "../../support/collections";
import { digestOf, type RecordRef } from "../memory/ledger";
import { isAsDeclared } from "../plan/plan";
import type { Run } from "../run";
import { listed, windowOfEarlier, windowOfJob, windowOfOne } from "../timeline";
import { waiting } from "../../support/reporter";
import { count, errorText } from "../../support/text";
import type { Result } from "./result";
import type { IsThere } from "../zones/reader";
import type { Found, LiveEntry } from "../zones/zone";

/** Digest of a key → its live record as declared, or `otherwise`. */
export type Seen = ReadonlyMap<string, LiveEntry | "otherwise">;

export interface Search<T extends DnsRecord> {
  readonly why: string;
  readonly provesAbsence?: boolean;
  readonly isChanged?: (record: T, live: LiveEntry) => boolean;
}

/** `none`: the job has provably done nothing. */
export interface JobOutcome<T> {
  readonly made: "all" | "some" | "none";
  readonly results: ReadonlyMap<T, Result>;
}

export async function findOut<T extends DeclaredRecord>(
  { clock, reporter, settings, zones }: Run,
  records: readonly T[],
  { why, provesAbsence = false, isChanged }: Search<T>,
): Promise<JobOutcome<T>> {
  // The last try may have been now. Rounded up, so that the next run waits long enough.
  const since = Math.ceil(clock.now() / 1000);
  const { first, last } = windowOfJob(settings, clock.now(), provesAbsence);
  waiting(
    reporter,
    domainsOf(records),
    last - clock.now(),
    "the service's index (indexDelay) and a slow job (jobTimeout)",
  );
  const isThere =
    isChanged && ((record: T, live: readonly LiveEntry[]) => live.some((each) => isChanged(record, each)));
  const { found, failure } = await zones.lookFor(records, first, last, isThere);
  const text =
    failure === undefined
      ? `${why} The zone does not show it`
      : `${why} Then the zone could not be read: ${errorText(failure)}`;
  const isDone = isChanged ?? isAsDeclared;
  const resultOf = (record: T): Result => {
    const live = found.get(recordKey(record));
    const entry = live?.find((each) => isDone(record, each));
    if (entry) return { kind: "made", entry, since, ...(live && !isChanged ? { live } : {}) };
    // With other data: another user's, or changed since.
    return live && !isChanged ? { kind: "appeared", live } : { kind: "uncertain", since, text };
  };
  const results = new Map(records.map((record) => [record, resultOf(record)]));
  const isAll = [...results.values()].every(({ kind }) => kind === "made");
  const isNone =
    provesAbsence && failure === undefined && [...results.values()].every(({ kind }) => kind === "uncertain");
  return { results, made: isNone ? "none" : isAll ? "all" : "some" };
}

export interface Asked {
  readonly isDone: boolean;
  readonly isThere?: boolean;
  readonly failure: string;
}

/** By its id (api.md, Record.Info), until it has changed or the change must be listed. */
export async function findOutOne(
  run: Run,
  { domain, id }: RecordRef,
  isDone: (now: LiveEntry) => boolean,
): Promise<Asked> {
  const { zones } = run;
  let asked: Asked = { isDone: false, failure: "" };
  await lookWhileUnlisted(run, [domain], `a change of record ${id}`, async () => {
    try {
      asked = { isDone: isDone(await zones.record(domain, id)), isThere: true, failure: "" };
    } catch (error) {
      if (error instanceof ServiceError && error.noSuch("record")) asked = { ...asked, isThere: false };
      else asked = { ...asked, failure: ` Then the record could not be read: ${errorText(error)}` };
    }
    return asked.isDone;
  });
  return asked;
}

/**
 * @returns record → why its zone could not be read, or an empty text if it is listed; a record that is gone
 * has no entry
 */
export async function findOutGone<T extends RecordRef>(
  run: Run,
  removed: readonly T[],
): Promise<ReadonlyMap<T, string>> {
  const { clock, zones } = run;
  let left = new Map(removed.map((each) => [each, ""]));
  const what = `the removal of ${count(removed.length, "record")}`;
  await lookWhileUnlisted(run, domainsOf(removed), what, async () => {
    const refs = [...left.keys()];
    const { read, failures } = await zones.readable(
      refs.map(({ domain }) => domain),
      clock.now(),
    );
    left = new Map(
      refs.flatMap((ref): [T, string][] => {
        const zone = read.get(ref.domain)?.zone;
        if (zone === undefined) return [[ref, `Then: ${errorText(failures[0])}`]];
        return zone.byId.has(ref.id) ? [[ref, ""]] : [];
      }),
    );
    return left.size === 0;
  });
  return left;
}

/** Looks until a listing must show a write that took effect at once. The last look may last `requestTimeout`. */
async function lookWhileUnlisted(
  { clock, reporter, settings }: Run,
  domains: readonly string[],
  what: string,
  look: () => Promise<boolean>,
): Promise<void> {
  const bound = (settings.requestTimeout + settings.indexDelay) * 1000;
  waiting(reporter, domains, bound, `the outcome of ${what}`);
  const { first, last } = windowOfOne(settings, clock.now());
  await lookAgain(clock, first, last, look);
}

/**
 * Looks until the job must have ended.
 * @param sent milliseconds since the epoch
 * @param what the write
 * @throws LegacyDnsError if a zone cannot be read
 */
export async function findOutEarlier(
  { clock, reporter, settings, zones }: Run,
  records: readonly DeclaredRecord[],
  sent: number,
  what: string,
  isThere?: IsThere,
): Promise<Seen> {
  if (records.length === 0) return new Map();
  const { first, last } = windowOfEarlier(settings, sent);
  waiting(reporter, domainsOf(records), last - clock.now(), `${what} (jobTimeout, indexDelay)`);
  return seenIn(await zones.waitFor(records, first, last, isThere), records);
}

/** @param ended the latest time of the write. Default: look once */
export async function findOutEnded(
  { clock, settings, zones }: Run,
  records: readonly DeclaredRecord[],
  ended?: number,
): Promise<Seen> {
  const now = clock.now();
  const last = ended === undefined ? now : listed(settings, ended);
  return seenIn(await zones.waitFor(records, now, last), records);
}

/** Without another listing. */
export async function seenNow({ zones }: Run, records: readonly DeclaredRecord[]): Promise<Seen> {
  const read = await zones.snapshots(domainsOf(records));
  const found = new Map(
    records.flatMap((record) => {
      const [first, ...others] = read.get(record.domain)?.liveOf(recordKey(record)) ?? [];
      return first === undefined ? [] : [[first.key, [first, ...others] as const] as const];
    }),
  );
  return seenIn(found, records);
}

function seenIn(found: Found, records: readonly DeclaredRecord[]): Seen {
  return new Map(
    records.flatMap((record) => {
      const live = found.get(recordKey(record)) ?? [];
      // With another TTL or disabled, the plan compares it again.
      return live.length === 0
        ? []
        : [[digestOf(record), live.find((entry) => isAsDeclared(record, entry)) ?? "otherwise"] as const];
    }),
  );
}
