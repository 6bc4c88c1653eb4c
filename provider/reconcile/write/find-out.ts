/** The only place that waits for the index and looks (`timeline.ts`). */
import { lookAgain } from "../../support/clock";
import { digest, recordKey, type DeclaredRecord } from "../../dns";
import { domainsOf } from "../../support/collections";
import { digestOf, type RecordRef } from "../memory/ledger";
import { isAsDeclared } from "../plan/plan";
import type { Run } from "../run";
import { listed, windowOfEdit, windowOfJob } from "../timeline";
import { waiting } from "../../support/reporter";
import { count, errorText } from "../../support/text";
import type { Result } from "./result";
import type { IsThere, Otherwise } from "../zones/reader";
import type { LiveEntry } from "../zones/zone";

const lostJob = "a job whose answer was lost (jobTimeout, indexDelay)";

/** Digest of a key → its live record as declared, or `otherwise`. */
export type Seen = ReadonlyMap<string, LiveEntry | "otherwise">;

export interface FoundOut {
  /** Provably not written. */
  readonly absent: readonly DeclaredRecord[];
  /** Of the other records. All are uncertain if a zone could not be read. */
  readonly results: ReadonlyMap<DeclaredRecord, Result>;
}

/**
 * Finds out what a job has done whose answer was lost just now: looks until the job must have ended.
 * @param isChanged for a job of changes
 */
export async function findOut(
  run: Run,
  records: readonly DeclaredRecord[],
  why: string,
  isChanged?: IsThere,
): Promise<FoundOut> {
  const { clock, reporter, settings, zones } = run;
  // The last try may have been now. Rounded up, so that the next run waits long enough.
  const since = Math.ceil(clock.now() / 1000);
  const { first, last } = windowOfJob(settings, clock.now());
  waiting(reporter, domainsOf(records), last - clock.now(), lostJob);
  const { found, failure } = await zones.lookFor(records, first, last, isChanged, otherwiseIn(run, records));
  const absent: DeclaredRecord[] = [];
  const results = new Map<DeclaredRecord, Result>();
  for (const record of records) {
    const live = found.get(recordKey(record));
    const entry = live?.find((each) => (isChanged ?? isAsDeclared)(record, each));
    if (entry) results.set(record, { kind: "made", entry, since, live: isChanged ? undefined : live });
    // With other data: another user's, or changed since.
    else if (live && !isChanged) results.set(record, { kind: "appeared", live });
    else if (failure === undefined) absent.push(record);
    else results.set(record, { kind: "uncertain", since, text: `${why} ${unreadable("zone", failure)}` });
  }
  return { absent, results };
}

function unreadable(what: "zone" | "record", error: unknown): string {
  return `Then the ${what} could not be read: ${errorText(error)}`;
}

/** By its id (api.md, Record.Info), until it has changed or the change must be listed. */
export async function findOutOne(
  run: Run,
  { domain, id }: RecordRef,
  isDone: (now: LiveEntry) => boolean,
): Promise<
  | { readonly is: "done" | "not done"; readonly now: LiveEntry }
  | { readonly is: "unknown"; readonly text: string }
> {
  let found: Awaited<ReturnType<typeof findOutOne>> = { is: "unknown", text: "" };
  await lookWhileUnlisted(run, [domain], `a change of record ${id}`, async () => {
    try {
      const now = await run.zones.record(domain, id);
      found = { is: isDone(now) ? "done" : "not done", now };
    } catch (error) {
      found = { is: "unknown", text: unreadable("record", error) };
    }
    return found.is === "done";
  });
  return found;
}

/** @returns record that is not gone → why its zone could not be read, or an empty text if it is listed */
export async function findOutGone<T extends RecordRef>(
  run: Run,
  removed: readonly T[],
): Promise<ReadonlyMap<T, string>> {
  let left = new Map(removed.map((each) => [each, ""]));
  const what = `the removal of ${count(removed.length, "record")}`;
  await lookWhileUnlisted(run, domainsOf(removed), what, async () => {
    const { read, failures } = await run.zones.readable(domainsOf([...left.keys()]), run.clock.now());
    left = new Map(
      [...left.keys()].flatMap((ref): [T, string][] => {
        const zone = read.get(ref.domain)?.zone;
        if (zone === undefined) return [[ref, unreadable("zone", failures[0])]];
        return zone.byId.has(ref.id) ? [[ref, ""]] : [];
      }),
    );
    return left.size === 0;
  });
  return left;
}

async function lookWhileUnlisted(
  { clock, reporter, settings }: Run,
  domains: readonly string[],
  what: string,
  look: () => Promise<boolean>,
): Promise<void> {
  const { first, last } = windowOfEdit(settings, clock.now());
  waiting(reporter, domains, last - first, `the outcome of ${what}`);
  await lookAgain(clock, first, last, look);
}

/**
 * Looks until the job must have ended.
 * @throws LegacyDnsError if a zone cannot be read
 */
export async function findOutEarlier(
  run: Run,
  records: readonly DeclaredRecord[],
  sent: number,
  what: string,
  isThere?: IsThere,
): Promise<Seen> {
  if (records.length === 0) return new Map();
  const { clock, reporter, settings } = run;
  const { first, last } = windowOfJob(settings, sent);
  waiting(reporter, domainsOf(records), last - clock.now(), `${what} (jobTimeout, indexDelay)`);
  return seenUntil(run, records, first, last, isThere);
}

/** @param ended the latest time of the write. Default: look once */
export function findOutEnded(run: Run, records: readonly DeclaredRecord[], ended?: number): Promise<Seen> {
  const now = run.clock.now();
  return seenUntil(run, records, now, ended === undefined ? now : listed(run.settings, ended));
}

/** In the service's own form. */
function otherwiseIn({ siblings }: Run, records: readonly DeclaredRecord[]): Otherwise {
  return (record, zone) => siblings.forms.find(zone, record, records);
}

async function seenUntil(
  run: Run,
  records: readonly DeclaredRecord[],
  first: number,
  last: number,
  isThere?: IsThere,
): Promise<Seen> {
  const otherwise = otherwiseIn(run, records);
  const { found, failure } = await run.zones.lookFor(records, first, last, isThere, otherwise);
  if (failure !== undefined) throw failure;
  return seenIn(records, (record) => found.get(recordKey(record)));
}

/** Without another listing. */
export async function seenNow(run: Run, records: readonly DeclaredRecord[]): Promise<Seen> {
  const read = await run.zones.snapshots(domainsOf(records));
  const otherwise = otherwiseIn(run, records);
  return seenIn(records, (record) => {
    const snapshot = read.get(record.domain);
    const live = snapshot?.liveOf(recordKey(record)) ?? [];
    const other = live.length === 0 && snapshot ? otherwise(record, snapshot.zone) : undefined;
    return other === undefined ? live : [other];
  });
}

/** Of records that are known by their digests only, in these domains. */
export async function seenByDigest(
  { zones }: Run,
  digests: readonly string[],
  domains: readonly string[],
): Promise<Seen> {
  const sought = new Set(digests);
  const read = await zones.snapshots(domains);
  const entries = [...read.values()].flatMap(({ zone }) => zone.entries.filter(({ hold }) => !hold));
  return new Map(entries.map((live) => [digest(live.key), live] as const).filter(([key]) => sought.has(key)));
}

function seenIn(
  records: readonly DeclaredRecord[],
  liveOf: (record: DeclaredRecord) => readonly LiveEntry[] | undefined,
): Seen {
  return new Map(
    records.flatMap((record) => {
      const live = liveOf(record) ?? [];
      // With another TTL or disabled, the plan compares it again.
      const seen = live.find((entry) => isAsDeclared(record, entry)) ?? "otherwise";
      return live.length === 0 ? [] : [[digestOf(record), seen] as const];
    }),
  );
}
