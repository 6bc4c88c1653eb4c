/** Settles what a resource's ledger left open, by asking and reading, before anything is sent. */
import { digest, recordKey, type DeclaredRecord } from "../../dns";
import { wantedOf } from "../memory/journal";
import { isUnsettled, type Ledger, type OwnedRecord, type PendingJob } from "../memory/ledger";
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

/** An earlier run's job. Records by digest. */
interface JobSettled {
  readonly live: ReadonlyMap<string, LiveEntry>;
  readonly missing: readonly string[];
  /** Still to be made, beside one that is live otherwise. */
  readonly otherwise: readonly string[];
  readonly open: string;
  /** In seconds since the epoch; the listing may not show it yet. */
  readonly since: number;
}

/** @param records what is declared, then what was declared when the ledger was written */
export async function settleEarlier(parts: Run, ledger: Ledger, records: readonly DeclaredRecord[], wording: Wording): Promise<Settled> {
  if (!isUnsettled(ledger)) return { ledger, stillOpen: [], beside: [] };
  const { reporter } = parts;
  const domains = domainsOf(records);
  const owned = new Map(ledger.owned);
  const own = (key: string, { id, record }: LiveEntry, since: number): void => {
    owned.set(key, { id, since, made: isOfOurMaking(ledger, key, record.domain, id) });
  };
  const jobs: PendingJob[] = [];
  const forgotten: PendingJob[] = [];
  const stillOpen: Reason[] = [];
  const beside: Reason[] = [];
  for (const job of ledger.jobs) {
    reporter.info(`${named(domains)}: job ${job.id} of an earlier run is looked at first`);
    const settled = await settleJob(parts, job, records, domains);
    if (settled === undefined) {
      forgotten.push(job);
      continue;
    }
    for (const [key, entry] of settled.live) own(key, entry, settled.since);
    const open = (digests: readonly string[]): Reason => reason("job.open", { what: recordsName(pick(records, digests), wording, 10), said: settled.open });
    if (settled.otherwise.length > 0) beside.push(open(settled.otherwise));
    if (settled.missing.length === 0) continue;
    jobs.push({ ...job, digests: settled.missing });
    stillOpen.push(open(settled.missing));
  }
  const unconfirmed = [...ledger.unconfirmed, ...forgotten.map(({ since, digests }) => ({ since, digests }))];
  if (unconfirmed.length === 0 || stillOpen.length > 0) return { ledger: { ...ledger, owned, jobs, unconfirmed }, stillOpen, beside };
  const since = Math.max(...unconfirmed.map((lost) => lost.since));
  const found = await lookForLost(parts, pick(records, unconfirmed.flatMap((lost) => lost.digests)), since, forgotten, domains);
  for (const entry of found) own(digest(entry.key), entry, since);
  forgetJobs(parts, forgotten, records);
  return { ledger: { ...ledger, owned, jobs, unconfirmed: [] }, stillOpen, beside };
}

/** Undefined where the service no longer knows the job. */
async function settleJob(parts: Run, job: PendingJob, records: readonly DeclaredRecord[], domains: readonly string[]): Promise<JobSettled | undefined> {
  const settled = await endOfEarlier(parts, job, domains);
  if (settled === undefined) return undefined;
  const { results, open } = settled;
  const since = Math.ceil(parts.clock.now() / 1000);
  const live = new Map<string, LiveEntry>();
  for (const key of job.digests) {
    const result = results.get(key);
    if (result?.kind === "made") live.set(key, result.entry);
  }
  const unnamed = job.digests.filter((key) => !results.has(key));
  if (open !== undefined) {
    const found = await lookUp(parts, unnamed, records);
    return { live: new Map([...live, ...found.live]), missing: found.missing, otherwise: found.otherwise, open, since };
  }
  // The job has ended without naming them: the zone tells.
  const now = parts.clock.now();
  const shown = unnamed.length === 0 ? [] : await findAsSent(parts, pick(records, unnamed), now, now + parts.settings.indexDelay * 1000);
  for (const entry of shown) live.set(digest(entry.key), entry);
  return { live, missing: [], otherwise: [], open: "", since };
}

/** Looks for records from `first` to `last`. @returns those that are live as they were sent @throws where a zone cannot be read */
async function findAsSent({ zones }: Run, lost: readonly DeclaredRecord[], first: number, last: number, isThere?: (record: DeclaredRecord, live: readonly LiveEntry[]) => boolean): Promise<LiveEntry[]> {
  const found = await zones.waitFor(lost, first, last, isThere);
  return lost.flatMap((record) => asSent(record, found.get(recordKey(record)) ?? []) ?? []);
}

/** Which records of an unfinished job are in the zone by now. */
export async function lookUp({ clock, zones }: Run, digests: readonly string[], records: readonly DeclaredRecord[]): Promise<Pick<JobSettled, "live" | "missing" | "otherwise">> {
  const live = new Map<string, LiveEntry>();
  if (digests.length === 0) return { live, missing: [], otherwise: [] };
  const byDigest = new Map(records.map((record) => [digest(recordKey(record)), record]));
  const read = await zones.getAll(digests.flatMap((each) => byDigest.get(each)?.domain ?? []), clock.now());
  const missing: string[] = [];
  const otherwise: string[] = [];
  for (const each of digests) {
    const record = byDigest.get(each);
    const entries = (record && read.get(record.domain)?.byKey.get(recordKey(record))) ?? [];
    const entry = record && asSent(record, entries);
    if (entry) live.set(each, entry);
    // Live with another TTL, or switched off: not ours, and the plan names it as an obstacle.
    else (entries.length === 0 ? missing : otherwise).push(each);
  }
  return { live, missing, otherwise };
}

/** Looks for records of lost answers until their job must have ended. @returns those that are as they were sent */
async function lookForLost(parts: Run, lost: readonly DeclaredRecord[], since: number, forgotten: readonly PendingJob[], domains: readonly string[]): Promise<LiveEntry[]> {
  const { clock, reporter, settings } = parts;
  const first = (since + settings.indexDelay) * 1000;
  const last = first + settings.jobTimeout * 1000;
  if (last > clock.now()) {
    const why = forgotten.length === 0 ? "the answer to a write was lost" : `the service no longer knows job ${forgotten.map(({ id }) => id).join(", ")} of an earlier run`;
    reporter.info(`${named(domains)}: ${why}; looking for its records for up to ${Math.ceil((last - clock.now()) / 1000)} s before anything is sent`);
  }
  // A job that changes TTLs may be the lost one.
  return findAsSent(parts, lost, first, last, (record, live) => asSent(record, live) !== undefined);
}

/** The outcome of these jobs is known: the journal need not tell of them. */
function forgetJobs({ journal }: Run, jobs: readonly PendingJob[], records: readonly DeclaredRecord[]): void {
  const all = wantedOf(records);
  for (const { id, digests } of jobs) {
    const wanted = new Map(digests.map((each) => [each, all.get(each) ?? ""]));
    for (const intent of journal.othersOf(wanted, () => 0)) if (intent.job === id) journal.foundOut(intent, digests);
  }
}

/** Whether this stack made what an earlier run's write led to; an adopted record was only changed. */
function isOfOurMaking({ owned, leftOver }: Ledger, key: string, domain: string, id: string): OwnedRecord["made"] {
  const known = owned.get(key);
  if (known?.id === id) return known.made;
  return leftOver.find((each) => each.id === id && each.domain === domain)?.made ?? true;
}

function asSent(record: DeclaredRecord, live: readonly LiveEntry[]): LiveEntry | undefined {
  return live.find((entry) => isAsDeclared(record, entry));
}

function pick(records: readonly DeclaredRecord[], digests: readonly string[]): DeclaredRecord[] {
  const wanted = new Set(digests);
  return lastOfEach(records.filter((record) => wanted.has(digest(recordKey(record)))));
}

/** The last record of each key: as it was left or sent. */
export function lastOfEach(records: readonly DeclaredRecord[]): DeclaredRecord[] {
  return [...new Map(records.map((record) => [recordKey(record), record])).values()];
}
