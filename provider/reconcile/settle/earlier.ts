/** Settles the open writes of a resource's ledger before anything is sent. */
import { recordKey, type DeclaredRecord } from "../../dns";
import { defined } from "../../support/defined";
import { append, largest } from "../../support/collections";
import { blocksAny, byDigest, type Ledger, type StaleRecord, type OpenWrite } from "../memory/ledger";
import { isAsDeclared, type Task } from "../plan/plan";
import { reason } from "../../problems";
import type { Run } from "../run";
import type { Match } from "../plan/pairing";
import { byDomain, declaredLine, storedReasons, type Wording } from "../wording";
import { waiting, warnOf } from "../../support/reporter";
import { findOutEarlier, findOutEnded, seenByDigest, seenNow, type Seen } from "../write/find-out";
import { endOfEarlier } from "../write/job";
import { isNewForm, ownedAs, storedOf } from "../zones/own-forms";
import type { LiveEntry } from "../zones/zone";

/** Wait for nothing but the index, until lost writes must have ended, or also for jobs. */
export type Patience = "index" | "lost writes" | "jobs";

type Pick = (digests: readonly string[]) => DeclaredRecord[];

/** Only jobs of declared records are waited for. */
export async function settleEarlier(
  run: Run,
  { declaration, before, ledger }: Task,
  wording: Wording,
  patience: Patience,
): Promise<Ledger> {
  if (ledger.openWrites.length === 0) return ledger;
  const records = [...declaration.records, ...before];
  // The current declaration counts, not the former TTL.
  const known = byDigest([...records].reverse());
  const pick: Pick = (digests) => digests.flatMap((key) => known.get(key) ?? []);
  const { owned, stale, otherwise, own } = ownerOf(run, ledger, known);
  const isRefresh = patience === "index";
  /** Live, but not as they were sent: possibly another user's. */
  const unclear: DeclaredRecord[] = [];
  const unclearIn = (seen: Seen): DeclaredRecord[] =>
    pick([...seen].flatMap(([key, live]) => (live === "otherwise" && !ledger.owned.has(key) ? [key] : [])));
  const [jobs, lost]: [OpenWrite[], OpenWrite[]] = [[], []];
  for (const write of ledger.openWrites) {
    const { rest, seen, state } = await lookAt(run, write, pick, {
      isRefresh,
      waits: patience === "jobs" && blocksAny(write, declaration.records),
    });
    own(seen);
    if (state === "lost") lost.push(rest);
    else if (state === "ended") append(unclear, unclearIn(seen));
    else if (state === "unclear") jobs.push({ ...rest, isUnclear: true });
    else jobs.push({ ...rest, digests: undone(rest.digests, seen), detail: state.open });
  }
  if (lost.length > 0 && !isRefresh) {
    const { seen, since } = await findLost(run, lost, pick);
    own(seen, since);
    append(unclear, unclearIn(seen));
  }
  warnOf(run.reporter, storedReasons(otherwise, wording));
  // In a refresh, no resource has declared its records yet.
  if (!isRefresh) await reportUndeclared(run, unclear, wording);
  const openWrites = [...jobs, ...(isRefresh ? lost : [])].filter(({ digests }) => digests.length > 0);
  return { ...ledger, owned, stale, openWrites };
}

/** Enters what a look has shown into copies of the ledger's tables. */
function ownerOf(run: Run, ledger: Ledger, known: ReadonlyMap<string, DeclaredRecord>) {
  const owned = new Map(ledger.owned);
  const stale = [...ledger.stale];
  /** Records that the service stores in another form. */
  const otherwise: Match[] = [];
  const own = (seen: Seen, since = Math.ceil(run.clock.now() / 1000)): void => {
    for (const [key, live] of seen) {
      if (live === "otherwise") continue;
      const record = known.get(key);
      if (record !== undefined) {
        if (isNewForm(live, owned.get(key))) otherwise.push({ record, live });
        owned.set(key, ownedAs(live, since, isOfOurMaking(ledger, key, live)));
      }
      // The program has dropped the record since it was sent.
      else stale.push(staleAs(live, since));
    }
  };
  return { owned, stale, otherwise, own };
}

function staleAs(live: LiveEntry, since: number): StaleRecord {
  const { domain, id } = live;
  return defined({ domain, id, since, made: true, stored: storedOf(live) });
}

/** Nothing tracks the records of a settled write that no resource declares any more. */
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

/** @returns `rest`: the records that the zone did not show before. `lost`: there is no job that the service knows */
async function lookAt(
  run: Run,
  { job, ...write }: OpenWrite,
  pick: Pick,
  { isRefresh, waits }: { readonly isRefresh: boolean; readonly waits: boolean },
): Promise<{
  readonly rest: OpenWrite;
  readonly seen: Seen;
  readonly state: "lost" | "ended" | "unclear" | { readonly open: string };
}> {
  const { clock, journal, reporter, settings } = run;
  const domains = [write.domain];
  // A change may have been lost: its record is live, and is not yet as declared.
  const isSought = job !== undefined || isRefresh;
  const listed: Seen = isSought ? await seenByNow(run, write.digests, domains, pick) : new Map();
  const digests = undone(write.digests, listed);
  if (job === undefined) return { rest: { ...write, digests }, seen: listed, state: "lost" };
  const rest = { ...write, job, digests };
  const patient = waits && digests.length > 0;
  if (patient)
    waiting(reporter, domains, settings.jobTimeout * 1000, `job ${job} of an earlier run (jobTimeout)`);
  // Only the job knows whose the listed records are.
  const end = await endOfEarlier(run, job, domains, pick(write.digests), patient ? settings.jobTimeout : 0);
  if (digests.length === 0 && (end?.results.size ?? 0) === 0) {
    const made = [...listed].flatMap(([key, entry]) =>
      entry === "otherwise" ? [] : [[key, { kind: "made", entry }] as const],
    );
    journal.sawEnd(job, new Map(made));
    return { rest, seen: listed, state: "ended" };
  }
  if (end === undefined) return { rest, seen: listed, state: "lost" };
  const { results, open, unclear } = end;
  const unnamed = digests.filter((key) => !results.has(key) && !unclear.includes(key));
  const made = write.digests.flatMap((key) => {
    const result = results.get(key);
    return result?.kind === "made" ? [[key, result.entry] as const] : [];
  });
  // If the job has ended without naming them, the zone decides.
  const ended = open === undefined ? clock.now() : undefined;
  const found = waits || ended !== undefined ? await findOutEnded(run, pick(unnamed), ended) : [];
  const unclaimed = [...listed].filter(([key]) => !results.has(key));
  const seen = new Map([...unclaimed, ...made, ...found]);
  if (open !== undefined)
    return { rest: { ...rest, digests: [...unnamed, ...unclear] }, seen, state: { open } };
  return { rest: { ...rest, digests: unclear }, seen, state: unclear.length === 0 ? "ended" : "unclear" };
}

/** The state has only the digests of records that the program has dropped. */
async function seenByNow(
  run: Run,
  digests: readonly string[],
  domains: readonly string[],
  pick: Pick,
): Promise<Seen> {
  const dropped = digests.filter((key) => pick([key]).length === 0);
  const seen = await seenNow(run, pick(digests));
  return dropped.length === 0 ? seen : new Map([...seen, ...(await seenByDigest(run, dropped, domains))]);
}

function undone(digests: readonly string[], seen: Seen): string[] {
  return digests.filter((key) => (seen.get(key) ?? "otherwise") === "otherwise");
}

async function findLost(
  run: Run,
  writes: readonly OpenWrite[],
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
  const seen = await findOutEarlier(run, lost, since * 1000, what, isAsDeclared);
  // The outcome of these jobs is known, even if the journal has them as open.
  for (const { job, digests } of forgotten) {
    for (const intent of run.journal.othersOf(pick(digests), () => 0))
      if (intent.job === job) run.journal.foundOut(intent, intent.records);
  }
  return { seen, since };
}

/** An adopted record was only changed. */
function isOfOurMaking({ owned, stale }: Ledger, key: string, { domain, id }: LiveEntry): boolean {
  const known = owned.get(key);
  return known?.id === id
    ? known.made
    : (stale.find((each) => each.id === id && each.domain === domain)?.made ?? true);
}
