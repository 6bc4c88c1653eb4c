/** The only place that waits for the index and looks (`timeline.ts`). */
import { lookAgain } from "../../support/clock";
import { recordKey, type DeclaredRecord } from "../../dns";
import { domainsOf } from "../../support/collections";
import { digestOf, type RecordRef } from "../memory/ledger";
import { isAsDeclared } from "../plan/plan";
import type { Run } from "../run";
import { listed, windowOfEarlier, windowOfJob } from "../timeline";
import { waiting } from "../../support/reporter";
import { count, errorText } from "../../support/text";
import type { Result } from "./result";
import type { IsThere } from "../zones/reader";
import type { LiveEntry } from "../zones/zone";

/** Digest of a key → its live record as declared, or `otherwise`. */
export type Seen = ReadonlyMap<string, LiveEntry | "otherwise">;

/**
 * Finds out what a job has done whose answer was lost just now. `none`: it has provably done nothing.
 * @param provesAbsence whether to look until the job must have ended
 * @param isChanged for a job of changes
 */
export async function findOut(
  { clock, reporter, settings, zones }: Run,
  records: readonly DeclaredRecord[],
  why: string,
  provesAbsence = false,
  isChanged?: IsThere,
): Promise<{
  readonly made: "all" | "some" | "none";
  readonly results: ReadonlyMap<DeclaredRecord, Result>;
}> {
  // The last try may have been now. Rounded up, so that the next run waits long enough.
  const since = Math.ceil(clock.now() / 1000);
  const { first, last } = windowOfJob(settings, clock.now(), provesAbsence);
  const what = "the service's index (indexDelay) and a slow job (jobTimeout)";
  waiting(reporter, domainsOf(records), last - clock.now(), what);
  const { found, failure } = await zones.lookFor(records, first, last, isChanged);
  const end = failure === undefined ? "The zone does not show it" : unreadable("zone", failure);
  const resultOf = (record: DeclaredRecord): Result => {
    const live = found.get(recordKey(record));
    const entry = live?.find((each) => (isChanged ?? isAsDeclared)(record, each));
    if (entry) return { kind: "made", entry, since, live: isChanged ? undefined : live };
    // With other data: another user's, or changed since.
    if (live && !isChanged) return { kind: "appeared", live };
    return { kind: "uncertain", since, text: `${why} ${end}` };
  };
  const results = new Map(records.map((record) => [record, resultOf(record)]));
  const areAll = (kind: Result["kind"]): boolean => [...results.values()].every((each) => each.kind === kind);
  const isNone = provesAbsence && failure === undefined && areAll("uncertain");
  return { results, made: isNone ? "none" : areAll("made") ? "all" : "some" };
}

function unreadable(what: "zone" | "record", error: unknown): string {
  return `Then the ${what} could not be read: ${errorText(error)}`;
}

/** By its id (api.md, Record.Info), until it has changed or the change must be listed. */
export async function findOutOne(
  run: Run,
  { domain, id }: RecordRef,
  isDone: (now: LiveEntry) => boolean,
): Promise<{ readonly is: "done" | "unchanged" | "unknown"; readonly text: string }> {
  let is: "done" | "unchanged" | "unknown" = "unknown";
  let text = "";
  await lookWhileUnlisted(run, [domain], `a change of record ${id}`, async () => {
    try {
      is = isDone(await run.zones.record(domain, id)) ? "done" : "unchanged";
      text = `Record ${id} had not changed`;
    } catch (error) {
      is = "unknown";
      text = unreadable("record", error);
    }
    return is === "done";
  });
  return { is, text };
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
  const bound = (settings.requestTimeout + settings.indexDelay) * 1000;
  waiting(reporter, domains, bound, `the outcome of ${what}`);
  const now = clock.now();
  await lookAgain(clock, now, listed(settings, now), look);
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
  const { first, last } = windowOfEarlier(settings, sent);
  waiting(reporter, domainsOf(records), last - clock.now(), `${what} (jobTimeout, indexDelay)`);
  return seenUntil(run, records, first, last, isThere);
}

/** @param ended the latest time of the write. Default: look once */
export function findOutEnded(run: Run, records: readonly DeclaredRecord[], ended?: number): Promise<Seen> {
  const now = run.clock.now();
  return seenUntil(run, records, now, ended === undefined ? now : listed(run.settings, ended));
}

async function seenUntil(
  { zones }: Run,
  records: readonly DeclaredRecord[],
  first: number,
  last: number,
  isThere?: IsThere,
): Promise<Seen> {
  const { found, failure } = await zones.lookFor(records, first, last, isThere);
  if (failure !== undefined) throw failure;
  return seenIn(records, (record) => found.get(recordKey(record)));
}

/** Without another listing. */
export async function seenNow({ zones }: Run, records: readonly DeclaredRecord[]): Promise<Seen> {
  const read = await zones.snapshots(domainsOf(records));
  return seenIn(records, (record) => read.get(record.domain)?.liveOf(recordKey(record)));
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
