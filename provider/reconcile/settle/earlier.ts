/** Settles the uncertain writes of a resource's ledger before anything is sent. */
import { recordKey, type DeclaredRecord } from "../../dns";
import { append, domainsOf, largest } from "../../support/collections";
import { byDigest, type Ledger, type Uncertain } from "../memory/ledger";
import { isAsDeclared } from "../plan/plan";
import { reason, type Reason } from "../../problems";
import type { Run } from "../run";
import { byDomain, declaredLine, uncertainReason, type Wording } from "../wording";
import { waiting, warnOf } from "../../support/reporter";
import { findOutEarlier, findOutEnded, seenNow, type Seen } from "../write/find-out";
import { endOfEarlier } from "../write/job";
import type { IsThere } from "../zones/reader";
import type { LiveEntry } from "../zones/zone";

export interface Settled {
  readonly ledger: Ledger;
  /** Running jobs whose records exist with other data: a release now would lose track of their records. */
  readonly conflicts: readonly Reason[];
}

/** Wait for nothing but the index, until lost writes must have ended, or also for jobs. */
export type Patience = "index" | "lost writes" | "jobs";

export async function settleEarlier(
  run: Run,
  ledger: Ledger,
  records: readonly DeclaredRecord[],
  wording: Wording,
  patience: Patience,
): Promise<Settled> {
  if (ledger.uncertain.length === 0) return { ledger, conflicts: [] };
  const { clock } = run;
  // The current declaration counts, not the former TTL.
  const known = byDigest([...records].reverse());
  const pick: Pick = (digests) => digests.flatMap((key) => known.get(key) ?? []);
  const domains = domainsOf(records);
  const owned = new Map(ledger.owned);
  const stale = [...ledger.stale];
  const own = (seen: Seen, since = Math.ceil(clock.now() / 1000)): void => {
    for (const [key, live] of seen) {
      if (live === "otherwise") continue;
      const { domain, id } = live;
      if (known.has(key)) owned.set(key, { id, since, made: isOfOurMaking(ledger, key, live) });
      // The program has dropped the record since it was sent.
      else stale.push({ domain, id, since, made: true });
    }
  };
  const unclear: DeclaredRecord[] = [];
  const looks: Look[] = [];
  for (const write of ledger.uncertain) looks.push(await lookAt(run, write, domains, pick, patience));
  for (const { isLost, seen, state } of looks) {
    own(seen);
    if (isLost !== true && state === undefined) append(unclear, pick(unclearIn(seen, ledger)));
  }
  const open = looks.flatMap(({ write, state, seen }) =>
    state === undefined ? [] : [{ ...write, detail: state, ...undoneOf(write.digests, seen, ledger) }],
  );
  const jobs = open.map(({ missing, otherwise: _, ...job }) => ({ ...job, digests: missing }));
  const conflicts = open.flatMap(({ otherwise, ...job }) =>
    otherwise.length === 0 ? [] : [uncertainReason({ ...job, digests: otherwise }, records, wording)],
  );
  const lost = looks.flatMap(({ write, isLost }) => (isLost ? [write] : []));
  const found = lost.length === 0 || patience === "index" ? undefined : await findLost(run, lost, pick);
  if (found) {
    own(found.seen, found.since);
    append(unclear, pick(unclearIn(found.seen, ledger)));
  }
  // In a refresh, no resource has declared its records yet.
  if (patience !== "index") await reportUndeclared(run, unclear, wording);
  const uncertain = [...jobs, ...(found ? [] : lost)].filter(({ digests }) => digests.length > 0);
  return { ledger: { ...ledger, owned, stale, uncertain }, conflicts };
}

/** @returns the keys of records that are live, but not as they were sent: possibly another user's */
function unclearIn(seen: Seen, { owned }: Ledger): string[] {
  return [...seen].flatMap(([key, live]) => (live === "otherwise" && !owned.has(key) ? [key] : []));
}

/** Names the records of a settled write that no resource declares any more: nothing tracks them. */
async function reportUndeclared(
  { reporter, siblings }: Run,
  records: readonly DeclaredRecord[],
  wording: Wording,
): Promise<void> {
  if (records.length === 0) return;
  await siblings.quiet.wait();
  const undeclared = records.filter((record) => !siblings.isDeclared(recordKey(record)));
  const lines = byDomain(undeclared, (record) => declaredLine(record, wording));
  warnOf(
    reporter,
    lines.map(([domain, these]) => reason("live.unknown", { domain }, these)),
  );
}

type Pick = (digests: readonly string[]) => DeclaredRecord[];

interface Look {
  /** Records that the zone did not show before. */
  readonly write: Uncertain;
  readonly seen: Seen;
  readonly state?: string | undefined;
  /** Without a job, or the service does not know it any more. */
  readonly isLost?: true;
}

async function lookAt(
  run: Run,
  { job, ...write }: Uncertain,
  domains: readonly string[],
  pick: Pick,
  patience: Patience,
): Promise<Look> {
  const { clock, journal, reporter, settings } = run;
  // A change may have been lost: its record is live, and is not yet as declared.
  const isSought = job !== undefined || patience === "index";
  const listed = isSought ? await seenNow(run, pick(write.digests)) : new Map<string, never>();
  const digests = write.digests.filter((key) => (listed.get(key) ?? "otherwise") === "otherwise");
  if (job === undefined) return { write: { ...write, digests }, seen: listed, isLost: true };
  const rest = { ...write, job, digests };
  if (digests.length === 0) {
    journal.sawEnd(job, new Map(write.digests.map((key) => [key, { kind: "made" }])));
    return { write: rest, seen: listed };
  }
  const waits = patience === "jobs";
  if (waits)
    waiting(reporter, domains, settings.jobTimeout * 1000, `job ${job} of an earlier run (jobTimeout)`);
  const end = await endOfEarlier(run, job, domains, waits ? settings.jobTimeout : 0);
  if (end === undefined) return { write: rest, seen: listed, isLost: true };
  const { results, open: state } = end;
  const unnamed = digests.filter((key) => !results.has(key));
  const made = digests.flatMap((key) => {
    const result = results.get(key);
    return result?.kind === "made" ? [[key, result.entry] as const] : [];
  });
  // If the job has ended without naming them, the zone decides.
  const looksAgain = state === undefined || waits;
  const ended = state === undefined ? clock.now() : undefined;
  const found = looksAgain ? await findOutEnded(run, pick(unnamed), ended) : [];
  return { write: { ...rest, digests: unnamed }, seen: new Map([...listed, ...made, ...found]), state };
}

async function findLost(
  run: Run,
  writes: readonly Uncertain[],
  pick: Pick,
): Promise<{ readonly seen: Seen; readonly since: number }> {
  const since = largest(writes.map((lost) => lost.since));
  const forgotten = writes.filter(({ job }) => job !== undefined);
  const what =
    forgotten.length === 0
      ? "a write whose answer was lost"
      : `job ${forgotten.map(({ job }) => job).join(", ")}, which the service no longer knows`;
  const lost = pick(writes.flatMap(({ digests }) => digests));
  // A job that changes TTLs may be the lost one.
  const isThere: IsThere = (record, live) => live.some((entry) => isAsDeclared(record, entry));
  const seen = await findOutEarlier(run, lost, since * 1000, what, isThere);
  // The outcome of these jobs is known, even if the journal has them as open.
  for (const { job, digests } of forgotten) {
    for (const intent of run.journal.othersOf(pick(digests), () => 0))
      if (intent.job === job) run.journal.foundOut(intent, intent.records);
  }
  return { seen, since };
}

/** A job may change a record that the resource owns already. */
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

/** An adopted record was only changed. */
function isOfOurMaking({ owned, stale }: Ledger, key: string, { domain, id }: LiveEntry): boolean {
  const known = owned.get(key);
  return known?.id === id
    ? known.made
    : (stale.find((each) => each.id === id && each.domain === domain)?.made ?? true);
}
