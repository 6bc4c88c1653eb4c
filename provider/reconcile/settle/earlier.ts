/** Settles what a resource's ledger left open, by asking and reading, before anything is sent. */
import { recordKey, type DeclaredRecord } from "../../dns";
import { domainsOf, largest } from "../../gather";
import {
  byDigest,
  digestOf,
  isUnsettled,
  type Ledger,
  type PendingJob,
  type Unconfirmed,
} from "../memory/ledger";
import { recordsName, type Wording } from "../wording";
import { isAsDeclared } from "../plan/plan";
import { reason, type Reason } from "../../problems";
import type { Run } from "../run";
import { count, named } from "../../words";
import { endOfEarlier } from "../write/job";
import type { IsThere } from "../zones/reader";
import type { Found, LiveEntry } from "../zones/zone";

export interface Settled {
  /** `jobs` have no known end; their records are missing from the zone. */
  readonly ledger: Ledger;
  /** Running jobs whose records exist with other data. Releasing the resource now would lose track of what they create. */
  readonly beside: readonly Reason[];
}

/**
 * How long to wait: for nothing but the index; until lost writes must have ended; or also until jobs end, for `jobTimeout`
 * at most.
 */
export type Patience = "index" | "lost writes" | "jobs";

/** Digest of a key -> its live record as it was sent, or `otherwise`. Missing records have no entry. */
type Seen = ReadonlyMap<string, LiveEntry | "otherwise">;

/** @param records what is declared, then what was declared when the ledger was written */
export async function settleEarlier(
  run: Run,
  ledger: Ledger,
  records: readonly DeclaredRecord[],
  wording: Wording,
  patience: Patience,
): Promise<Settled> {
  if (!isUnsettled(ledger)) return { ledger, beside: [] };
  const { clock } = run;
  // What is declared now counts, whatever TTL was declared before.
  const known = byDigest([...records].reverse());
  const pick: Pick = (digests) => digests.flatMap((key) => known.get(key) ?? []);
  const domains = domainsOf(records);
  const owned = new Map(ledger.owned);
  const leftOver = [...ledger.leftOver];
  const own = (seen: Seen, since = Math.ceil(clock.now() / 1000)): void => {
    for (const [key, live] of seen) {
      if (live === "otherwise") continue;
      const { domain, id } = live;
      if (known.has(key)) owned.set(key, { id, since, made: isOfOurMaking(ledger, key, live) });
      // The program has dropped the record since it was sent.
      else leftOver.push({ domain, id, since, made: true });
    }
  };
  const looks = await inTurn(ledger.jobs, (job) => lookAtJob(run, job, domains, pick, patience === "jobs"));
  for (const { seen } of looks) own(seen);
  const open = looks.flatMap(({ job, said, seen }) =>
    said === undefined ? [] : [{ ...job, said, ...undoneOf(job.digests, seen, ledger) }],
  );
  const jobs = open.flatMap(({ missing, otherwise: _, ...job }) =>
    missing.length === 0 ? [] : [{ ...job, digests: missing }],
  );
  const beside = open.flatMap(({ otherwise, ...job }) =>
    otherwise.length === 0 ? [] : [openJob({ ...job, digests: otherwise }, records, wording)],
  );
  const forgotten = looks.flatMap(({ job, isForgotten }) => (isForgotten ? [job] : []));
  const lost = [...ledger.unconfirmed, ...forgotten];
  const settled = { ...ledger, owned, leftOver, jobs };
  if (lost.length === 0) return { ledger: settled, beside };
  if (patience !== "index") {
    const found = await findLost(run, lost, forgotten, domains, pick);
    own(found.seen, found.since);
    return { ledger: { ...settled, unconfirmed: [] }, beside };
  }
  const seen = await listedNow(run, pick(lost.flatMap(({ digests }) => digests)));
  own(seen);
  const unconfirmed = lost.map((each) => ({ ...each, digests: each.digests.filter(isMissingIn(seen)) }));
  return {
    ledger: { ...settled, unconfirmed: unconfirmed.filter(({ digests }) => digests.length > 0) },
    beside,
  };
}

type Pick = (digests: readonly string[]) => DeclaredRecord[];

/** A job after a look. */
interface Look {
  /** With the records that the zone did not show before. */
  readonly job: PendingJob;
  readonly seen: Seen;
  /** The job's state, if it has not ended. */
  readonly said?: string | undefined;
  /** The service does not know the job any more. */
  readonly isForgotten?: true;
}

/** Looks for an earlier job's records, and then asks for the job if some are missing. */
async function lookAtJob(
  run: Run,
  job: PendingJob,
  domains: readonly string[],
  pick: Pick,
  waits: boolean,
): Promise<Look> {
  const { reporter, settings } = run;
  const listed = await listedNow(run, pick(job.digests));
  const digests = job.digests.filter(isMissingIn(listed));
  const rest = { ...job, digests };
  if (digests.length === 0) {
    run.journal.sawEnd(job.id, new Map(job.digests.map((key) => [key, { kind: "made" }])));
    return { job: rest, seen: listed };
  }
  if (waits) reporter.info(`${named(domains)}: waiting for job ${job.id} of an earlier run`);
  const end = await endOfEarlier(run, job.id, domains, waits ? settings.jobTimeout : 0);
  if (end === undefined) return { job: rest, seen: listed, isForgotten: true };
  const { results, open: said } = end;
  const unnamed = digests.filter((key) => !results.has(key));
  const made = digests.flatMap((key) => {
    const result = results.get(key);
    return result?.kind === "made" ? [[key, result.entry] as const] : [];
  });
  // If the job has ended without naming them, the zone decides.
  const found =
    said !== undefined && !waits
      ? []
      : await lookUp(run, pick(unnamed), said === undefined ? settings.indexDelay : 0);
  return { job: { ...rest, digests: unnamed }, seen: new Map([...listed, ...made, ...found]), said };
}

function isMissingIn(seen: Seen): (key: string) => boolean {
  return (key) => (seen.get(key) ?? "otherwise") === "otherwise";
}

async function inTurn<T, R>(each: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const one of each) results.push(await work(one));
  return results;
}

/** The reason for a job without a known end. @param records those that its digests may name */
export function openJob(
  { id, digests, said = "" }: PendingJob,
  records: readonly DeclaredRecord[],
  wording: Wording,
): Reason {
  const known = byDigest(records);
  const named = digests.flatMap((key) => known.get(key) ?? []);
  const what =
    named.length > 0
      ? recordsName(named, wording, 10)
      : `${count(digests.length, "record")} no longer declared`;
  return reason("job.pending", { what, job: id, said });
}

/** Looks for the records of writes whose answer was lost, and of jobs that the service no longer knows. */
async function findLost(
  run: Run,
  unconfirmed: readonly Unconfirmed[],
  forgotten: readonly PendingJob[],
  domains: readonly string[],
  pick: Pick,
): Promise<{ readonly seen: Seen; readonly since: number }> {
  const since = largest(unconfirmed.map((lost) => lost.since));
  const why =
    forgotten.length === 0
      ? "the answer to a write was lost"
      : `the service no longer knows job ${forgotten.map(({ id }) => id).join(", ")} of an earlier run`;
  const lost = pick(unconfirmed.flatMap(({ digests }) => digests));
  // A job that changes TTLs may be the lost one.
  const isThere: IsThere = (record, live) => live.some((entry) => isAsDeclared(record, entry));
  const progress = `${named(domains)}: ${why}; looking for its records`;
  const seen = seenIn(await lookForLost(run, lost, since * 1000, progress, isThere), lost);
  // The outcome of these jobs is known: the journal need not tell of them.
  for (const { id, digests } of forgotten) {
    for (const intent of run.journal.othersOf(pick(digests), () => 0))
      if (intent.job === id) run.journal.foundOut(intent, intent.records);
  }
  return { seen, since };
}

/** What a job has not done yet: a record that the resource answers for already it is to change. */
function undoneOf(
  unnamed: readonly string[],
  seen: Seen,
  { owned }: Ledger,
): { missing: string[]; otherwise: string[] } {
  const isChanged = (key: string): boolean => seen.get(key) === "otherwise" && owned.has(key);
  return {
    missing: unnamed.filter((key) => !seen.has(key) || isChanged(key)),
    otherwise: unnamed.filter((key) => seen.get(key) === "otherwise" && !isChanged(key)),
  };
}

/** The records that the run's listings show. */
async function listedNow({ zones }: Run, records: readonly DeclaredRecord[]): Promise<Seen> {
  const read = await zones.snapshots(domainsOf(records));
  const found = new Map(
    records.flatMap((record) => {
      const [first, ...others] = read.get(record.domain)?.liveOf(recordKey(record)) ?? [];
      return first === undefined ? [] : [[first.key, [first, ...others] as const] as const];
    }),
  );
  return seenIn(found, records);
}

/** Which records of a job are in the zone by now, or within so many seconds. */
export async function lookUp(
  { clock, zones }: Run,
  records: readonly DeclaredRecord[],
  seconds = 0,
): Promise<Seen> {
  const now = clock.now();
  return seenIn(await zones.waitFor(records, now, now + seconds * 1000), records);
}

/** Looks for records of a lost answer until their job must have ended. @param sentAt milliseconds since the epoch @param saying what is said of a wait */
export async function lookForLost(
  { clock, reporter, settings, zones }: Run,
  lost: readonly DeclaredRecord[],
  sentAt: number,
  saying: string,
  isThere?: IsThere,
): Promise<Found> {
  if (lost.length === 0) return new Map();
  const first = sentAt + settings.indexDelay * 1000;
  const last = first + settings.jobTimeout * 1000;
  if (last > clock.now())
    reporter.info(
      `${saying} for up to ${Math.ceil((last - clock.now()) / 1000)} s before anything is sent, until ${settings.jobTimeout + settings.indexDelay} s after it began (jobTimeout ${settings.jobTimeout} s, indexDelay ${settings.indexDelay} s)`,
    );
  return zones.waitFor(lost, first, last, isThere);
}

function seenIn(found: Found, lost: readonly DeclaredRecord[]): Seen {
  return new Map(
    lost.flatMap((record) => {
      const live = found.get(recordKey(record)) ?? [];
      // Live with another TTL, or switched off: the plan compares it again.
      return live.length === 0
        ? []
        : [[digestOf(record), live.find((entry) => isAsDeclared(record, entry)) ?? "otherwise"] as const];
    }),
  );
}

/** Whether this stack made what an earlier run's write led to; an adopted record was only changed. */
function isOfOurMaking({ owned, leftOver }: Ledger, key: string, { domain, id }: LiveEntry): boolean {
  const known = owned.get(key);
  return known?.id === id
    ? known.made
    : (leftOver.find((each) => each.id === id && each.domain === domain)?.made ?? true);
}
