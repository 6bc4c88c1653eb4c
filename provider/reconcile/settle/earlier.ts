/** Settles what a resource's ledger left open, by asking and reading, before anything is sent. */
import { recordKey, type DeclaredRecord } from "../../dns";
import { domainsOf, largest } from "../../gather";
import {
  byDigest,
  digestOf,
  isUnsettled,
  type Ledger,
  type OwnedRecord,
  type PendingJob,
  type Unconfirmed,
} from "../memory/ledger";
import { recordsName, type Wording } from "../wording";
import { isAsDeclared } from "../plan/plan";
import { reason, type Reason } from "../../problems";
import type { Run } from "../run";
import { named } from "../../words";
import { endOfEarlier } from "../write/job";
import type { Result } from "../write/result";
import type { IsThere } from "../zones/reader";
import type { Found, LiveEntry } from "../zones/zone";

/** The ledger; where something is `stillOpen`, nothing else may be sent. */
export interface Settled {
  readonly ledger: Ledger;
  readonly stillOpen: readonly Reason[];
  /** Jobs at work whose records are live otherwise by now: who lets go of them now never learns what the job makes. */
  readonly beside: readonly Reason[];
}

/** Records by digest: live as they were sent, or `otherwise`; without those that are not there. */
type Seen = ReadonlyMap<string, LiveEntry | "otherwise">;

/** @param records what is declared, then what was declared when the ledger was written */
export async function settleEarlier(
  run: Run,
  ledger: Ledger,
  records: readonly DeclaredRecord[],
  wording: Wording,
): Promise<Settled> {
  if (!isUnsettled(ledger)) return { ledger, stillOpen: [], beside: [] };
  const { clock, reporter, settings } = run;
  const domains = domainsOf(records);
  // What is declared now counts, whatever TTL was declared before.
  const known = byDigest([...records].reverse());
  const pick = (digests: readonly string[]): DeclaredRecord[] =>
    digests.flatMap((key) => known.get(key) ?? []);
  const owned = new Map(ledger.owned);
  const own = (seen: Seen, since: number): void => addOwned(owned, seen, since, ledger);
  const jobs: PendingJob[] = [];
  const forgotten: PendingJob[] = [];
  const stillOpen: Reason[] = [];
  const beside: Reason[] = [];
  for (const job of ledger.jobs) {
    reporter.info(`${named(domains)}: job ${job.id} of an earlier run is looked at first`);
    const end = await endOfEarlier(run, job.id, domains);
    if (end === undefined) {
      forgotten.push(job);
      continue;
    }
    const { results, open } = end;
    const since = Math.ceil(clock.now() / 1000);
    // Where the job has ended without naming them, the zone tells.
    const unnamed = job.digests.filter((key) => !results.has(key));
    const seen: Seen = new Map([
      ...madeIn(results, job.digests),
      ...(await lookUp(run, pick(unnamed), open === undefined ? settings.indexDelay : 0)),
    ]);
    own(seen, since);
    if (open === undefined) continue;
    const openReason = (digests: readonly string[]): Reason => openJob(pick(digests), wording, open);
    const { missing, otherwise } = undoneOf(unnamed, seen, ledger);
    if (otherwise.length > 0) beside.push(openReason(otherwise));
    if (missing.length === 0) continue;
    jobs.push({ ...job, digests: missing });
    stillOpen.push(openReason(missing));
  }
  const unconfirmed = [...ledger.unconfirmed, ...forgotten];
  if (unconfirmed.length === 0 || stillOpen.length > 0)
    return { ledger: { ...ledger, owned, jobs, unconfirmed }, stillOpen, beside };
  const found = await findLost(run, unconfirmed, forgotten, domains, pick);
  own(found.seen, found.since);
  return { ledger: { ...ledger, owned, jobs, unconfirmed: [] }, stillOpen, beside };
}

function addOwned(owned: Map<string, OwnedRecord>, seen: Seen, since: number, ledger: Ledger): void {
  for (const [key, live] of seen)
    if (live !== "otherwise") owned.set(key, { id: live.id, since, made: isOfOurMaking(ledger, key, live) });
}

function openJob(records: readonly DeclaredRecord[], wording: Wording, said: string): Reason {
  return reason("job.open", { what: recordsName(records, wording, 10), said });
}

/** Looks for the records of writes whose answer was lost, and of jobs that the service no longer knows. */
async function findLost(
  run: Run,
  unconfirmed: readonly Unconfirmed[],
  forgotten: readonly PendingJob[],
  domains: readonly string[],
  pick: (digests: readonly string[]) => DeclaredRecord[],
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

function madeIn(
  results: ReadonlyMap<string, Result>,
  digests: readonly string[],
): (readonly [string, LiveEntry])[] {
  return digests.flatMap((key) => {
    const result = results.get(key);
    return result?.kind === "made" ? [[key, result.entry] as const] : [];
  });
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
