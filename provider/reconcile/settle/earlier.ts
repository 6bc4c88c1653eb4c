/** Settles what a resource's ledger left open, by asking and reading, before anything is sent. */
import { recordKey, type DeclaredRecord } from "../../dns";
import { byDigest, digestOf, isUnsettled, type Ledger, type PendingJob } from "../memory/ledger";
import { recordsName, type Wording } from "../wording";
import { isAsDeclared } from "../plan/plan";
import { reason, type Reason } from "../../problems";
import type { Run } from "../run";
import { named } from "../../words";
import { endOfEarlier } from "../write/job";
import { domainsOf } from "../write/send";
import type { LiveEntry } from "../zones/zone";

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
export async function settleEarlier(parts: Run, ledger: Ledger, records: readonly DeclaredRecord[], wording: Wording): Promise<Settled> {
  if (!isUnsettled(ledger)) return { ledger, stillOpen: [], beside: [] };
  const { journal, reporter } = parts;
  const domains = domainsOf(records);
  const known = byDigest(records);
  const pick = (digests: readonly string[]): DeclaredRecord[] => {
    const wanted = new Set(digests);
    return [...known].flatMap(([key, record]) => (wanted.has(key) ? [record] : []));
  };
  const owned = new Map(ledger.owned);
  const own = (seen: Seen, since: number): void => {
    for (const [key, live] of seen) if (live !== "otherwise") owned.set(key, { id: live.id, since, made: isOfOurMaking(ledger, key, live) });
  };
  const jobs: PendingJob[] = [];
  const forgotten: PendingJob[] = [];
  const stillOpen: Reason[] = [];
  const beside: Reason[] = [];
  for (const job of ledger.jobs) {
    reporter.info(`${named(domains)}: job ${job.id} of an earlier run is looked at first`);
    const settled = await settleJob(parts, job, pick, domains);
    if (settled === undefined) {
      forgotten.push(job);
      continue;
    }
    const { seen, since, open, missing } = settled;
    own(seen, since);
    if (open === undefined) continue;
    const openReason = (digests: readonly string[]): Reason => reason("job.open", { what: recordsName(pick(digests), wording, 10), said: open });
    const otherwise = [...seen].flatMap(([key, live]) => (live === "otherwise" ? [key] : []));
    if (otherwise.length > 0) beside.push(openReason(otherwise));
    if (missing.length === 0) continue;
    jobs.push({ ...job, digests: missing });
    stillOpen.push(openReason(missing));
  }
  const unconfirmed = [...ledger.unconfirmed, ...forgotten];
  if (unconfirmed.length === 0 || stillOpen.length > 0) return { ledger: { ...ledger, owned, jobs, unconfirmed }, stillOpen, beside };
  const since = Math.max(...unconfirmed.map((lost) => lost.since));
  own(await lookForLost(parts, pick(unconfirmed.flatMap((lost) => lost.digests)), since, forgotten, domains), since);
  // The outcome of these jobs is known: the journal need not tell of them.
  for (const { id, digests } of forgotten) {
    for (const intent of journal.othersOf(pick(digests), () => 0)) if (intent.job === id) journal.foundOut(intent, intent.records);
  }
  return { ledger: { ...ledger, owned, jobs, unconfirmed: [] }, stillOpen, beside };
}

/**
 * What an earlier job's records are; undefined where the service no longer knows the job. @param pick the records of digests
 * @returns `since`: in seconds since the epoch, the listing may not show it yet; `open`: why the job has not ended;
 * `missing`: what it is still to make
 */
async function settleJob(parts: Run, { id, digests }: PendingJob, pick: (digests: readonly string[]) => DeclaredRecord[], domains: readonly string[]) {
  const { clock, settings, zones } = parts;
  const end = await endOfEarlier(parts, id, domains);
  if (end === undefined) return undefined;
  const { results, open } = end;
  const now = clock.now();
  const made = digests.flatMap((key) => {
    const result = results.get(key);
    return result?.kind === "made" ? [[key, result.entry] as const] : [];
  });
  const unnamed = digests.filter((key) => !results.has(key));
  const lost = pick(unnamed);
  // Where the job has ended without naming them, the zone tells.
  const seen = open === undefined ? seenIn(await zones.waitFor(lost, now, now + settings.indexDelay * 1000), lost) : await lookUp(parts, lost);
  const all: Seen = new Map([...made, ...seen]);
  return { seen: all, since: Math.ceil(now / 1000), open, missing: unnamed.filter((key) => !seen.has(key)) };
}

/** Which records of an unfinished job are in the zone by now. */
export async function lookUp({ clock, zones }: Run, lost: readonly DeclaredRecord[]): Promise<Seen> {
  const read = await zones.getAll(domainsOf(lost), clock.now());
  return seenIn(new Map(lost.map((record) => [recordKey(record), read.get(record.domain)?.byKey.get(recordKey(record)) ?? []])), lost);
}

/** Looks for records of lost answers until their job must have ended. */
async function lookForLost(parts: Run, lost: readonly DeclaredRecord[], since: number, forgotten: readonly PendingJob[], domains: readonly string[]): Promise<Seen> {
  const { clock, reporter, settings, zones } = parts;
  const first = (since + settings.indexDelay) * 1000;
  const last = first + settings.jobTimeout * 1000;
  if (last > clock.now()) {
    const why = forgotten.length === 0 ? "the answer to a write was lost" : `the service no longer knows job ${forgotten.map(({ id }) => id).join(", ")} of an earlier run`;
    reporter.info(`${named(domains)}: ${why}; looking for its records for up to ${Math.ceil((last - clock.now()) / 1000)} s before anything is sent`);
  }
  // A job that changes TTLs may be the lost one.
  return seenIn(await zones.waitFor(lost, first, last, (record, live) => live.some((entry) => isAsDeclared(record, entry))), lost);
}

/** @param found by key */
function seenIn(found: ReadonlyMap<string, readonly LiveEntry[]>, lost: readonly DeclaredRecord[]): Seen {
  return new Map(lost.flatMap((record) => {
    const live = found.get(recordKey(record)) ?? [];
    // Live with another TTL, or switched off: not ours, and the plan names it as an obstacle.
    return live.length === 0 ? [] : [[digestOf(record), live.find((entry) => isAsDeclared(record, entry)) ?? "otherwise"] as const];
  }));
}

/** Whether this stack made what an earlier run's write led to; an adopted record was only changed. */
function isOfOurMaking({ owned, leftOver }: Ledger, key: string, { id, record: { domain } }: LiveEntry): boolean {
  const known = owned.get(key);
  return known?.id === id ? known.made : (leftOver.find((each) => each.id === id && each.domain === domain)?.made ?? true);
}
