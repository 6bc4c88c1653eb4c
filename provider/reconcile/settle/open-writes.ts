/** Settles the open writes of the state and of other processes before anything is planned. */
import { recordKey, type DeclaredRecord, type DnsRecord } from "../../dns";
import { reason } from "../../problems";
import { append, domainsOf, groupBy, largest, split } from "../../support/collections";
import { waiting, warnOf } from "../../support/reporter";
import { count } from "../../support/text";
import { atOnce, isAsWanted, isShown } from "../look";
import type { EarlierWrite } from "../memory/journal";
import { blocksAny, byDigest, type Ledger, type OpenWrite } from "../memory/ledger";
import { becomesAnother, type Match } from "../plan/pairing";
import { takenOverBy, type Task, type TaskPlan } from "../plan/plan";
import type { Run } from "../run";
import { latestEnd, listed, secondsOf, windowOfJob } from "../timeline";
import { byDomain, declaredLine, storedReasons, type Wording, wordingOf } from "../wording";
import { endOfEarlier, type EarlierEnd } from "../write/job";
import { readAtIn, type Zones } from "../zones/zone";
import { HeldNow } from "./held-now";
import { awaitEdits, mayTakeAway } from "./read-zones";
import {
  openOf,
  see,
  seeEnded,
  seeLost,
  soughtOf,
  undone,
  type ShownRecords,
  type OpenWriteHead,
  type SoughtRecord,
} from "./seek";

/** Wait for nothing but the index, until lost writes must have ended, or also for jobs. */
export type Patience = "index" | "lost writes" | "jobs";

/** Settles the open writes of a resource's ledger. Only jobs of declared records are waited for. */
export async function settleOwn(
  run: Run,
  { declaration, before, ledger }: Task,
  patience: Patience,
): Promise<Ledger> {
  const [own, others] = split(ledger.openWrites, ({ file }) => file === undefined);
  if (own.length === 0) return ledger;
  // The current declaration counts, not the former TTL.
  const records = byDigest([...declaration.records, ...before].reverse());
  const soughtIn = ({ digests, domain }: OpenWrite): SoughtRecord[] =>
    digests.map((key) => ({ domain, digest: key, record: records.get(key) }));
  const heldNow = new HeldNow(run, ledger, records);
  const isRefresh = patience === "index";
  const open: OpenWrite[] = [];
  const lost: LostWrite[] = [];
  // A job may have records in several domains.
  for (const writes of groupBy(own, ({ job, since }) => job ?? since).values()) {
    const waits = patience === "jobs" && writes.some((write) => blocksAny(write, declaration.records));
    const { domain: _domain, digests: _digests, ...sent } = writes[0];
    const sought = writes.flatMap(soughtIn);
    const { isLost, news, rest, seen } = await outcomeOf(run, sent, sought, isRefresh, waits);
    heldNow.enter(seen);
    if (!isLost && rest.length === 0) heldNow.enterUnclear(seen);
    const now = run.clock.now();
    // A job that the service denies may still work, for as long as one that is sent now.
    const since = sent.job === undefined ? sent.since : secondsOf(now);
    const isOver = windowOfJob(run.settings, since * 1000).last <= now;
    if (isLost && (isOver || !isRefresh)) lost.push({ ...sent, since, rest });
    else append(open, openOf(rest, { ...sent, ...news }));
  }
  if (lost.length > 0) {
    const { seen, since } = await findLost(run, lost);
    heldNow.enter(seen, since);
    heldNow.enterUnclear(seen);
  }
  const wording = wordingOf(run.siblings, declaration);
  warnOf(run.reporter, storedReasons(heldNow.otherwise, wording));
  // In a refresh, no resource has declared its records yet.
  if (!isRefresh) await reportUndeclared(run, heldNow.unclear, wording);
  const settled = { ...ledger, held: [...heldNow.held.values()], openWrites: [...open, ...others] };
  run.siblings.owned.add([...declaration.records, ...before], settled);
  return settled;
}

/** Nothing tracks the records of a settled write that no resource declares any more. */
async function reportUndeclared(
  { reporter, siblings }: Run,
  records: readonly DeclaredRecord[],
  wording: Wording,
): Promise<void> {
  if (records.length === 0) return;
  await siblings.declared.complete();
  const undeclared = records.filter((record) => !siblings.declared.has(recordKey(record)));
  const lines = byDomain(undeclared, (record) => declaredLine(record, wording));
  warnOf(
    reporter,
    lines.map(([domain, these]) => reason("live.unknown", { domain }, these)),
  );
}

interface SettledWrite {
  readonly seen: ShownRecords;
  /** Without a known outcome. */
  readonly rest: readonly SoughtRecord[];
  /** The service knows no job of the write. */
  readonly isLost: boolean;
  readonly news?: Pick<OpenWrite, "detail" | "isUnclear">;
}

/** What the zone shows suffices if it has every record. Else, the job decides, if there is one. */
async function outcomeOf(
  run: Run,
  { job }: OpenWriteHead,
  sought: readonly SoughtRecord[],
  isRefresh: boolean,
  waits: boolean,
): Promise<SettledWrite> {
  // Without a number, only a search until the job must have ended decides.
  if (job === undefined && !isRefresh) return { rest: sought, seen: new Map(), isLost: true };
  const shown = await see(run, sought, { window: atOnce });
  // A change may have been lost: its record is live, and is not yet as declared.
  const left = undone(sought, shown);
  if (job === undefined) return { rest: left, seen: shown, isLost: true };
  // Only the job knows whose the listed records are.
  const asked = sought.flatMap(({ record }) => record ?? []);
  const whose = waits && left.length > 0 ? "of an earlier run" : undefined;
  const end = await endOfEarlier(run, job, domainsOf(sought), asked, whose);
  const isShown = left.length === 0 && (end?.results.size ?? 0) === 0;
  if (end !== undefined && !isShown) return outcomeOfEnd(run, end, sought, shown, waits);
  const made = [...shown].map(([key, { live }]) => [key, { kind: "made", entry: live[0] }] as const);
  if (isShown) run.journal.sawEnd(job, new Map(made));
  return { rest: left, seen: shown, isLost: !isShown };
}

async function outcomeOfEnd(
  run: Run,
  { open, results, unclear }: EarlierEnd,
  sought: readonly SoughtRecord[],
  shown: ShownRecords,
  waits: boolean,
): Promise<SettledWrite> {
  const [unclearOnes, others] = split(undone(sought, shown), ({ digest: key }) => unclear.includes(key));
  const unnamed = others.filter(({ digest: key }) => !results.has(key));
  // If the job has ended without naming them, the zone decides.
  const ended = open === undefined ? run.clock.now() : undefined;
  const declared = unnamed.filter(({ record }) => record !== undefined);
  const found: ShownRecords = waits || ended !== undefined ? await seeEnded(run, declared, ended) : new Map();
  const made = sought.flatMap(({ digest: key }) => {
    const result = results.get(key);
    return result?.kind === "made" ? [[key, { is: "as wanted", live: [result.entry] }] as const] : [];
  });
  const unclaimed = [...shown].filter(([key]) => !results.has(key));
  const seen: ShownRecords = new Map([...unclaimed, ...made, ...found]);
  if (open === undefined) return { rest: unclearOnes, seen, isLost: false, news: { isUnclear: true } };
  return { rest: undone([...unnamed, ...unclearOnes], seen), seen, isLost: false, news: { detail: open } };
}

type LostWrite = OpenWriteHead & Pick<SettledWrite, "rest">;

async function findLost(
  run: Run,
  writes: readonly LostWrite[],
): Promise<{ readonly seen: ShownRecords; readonly since: number }> {
  const since = largest(writes.map((lost) => lost.since));
  const forgotten = writes.flatMap(({ job }) => job ?? []);
  const what =
    forgotten.length === 0
      ? "a write whose answer was lost"
      : `job ${forgotten.join(", ")}, which the service no longer knows`;
  const known = writes.flatMap(({ rest }) => rest).filter(({ record }) => record !== undefined);
  // A job that changes TTLs may be the lost one.
  const seen = await seeLost(run, known, since * 1000, what, isAsWanted);
  // The outcome of these jobs is known, even if the journal has them as open.
  const records = known.flatMap(({ record }) => record ?? []);
  for (const write of forgotten.length === 0 ? [] : run.journal.othersOf(records, () => 0))
    if (forgotten.includes(write.job ?? "")) run.journal.foundOut(write, write.records);
  return { seen, since };
}

/**
 * Waits for other processes' writes of the same records.
 * @param settled the jobs that the state has as open: their changes are left out of the plan
 * @returns `any`: whether there were such writes; then plan again. `open`: jobs that did not end in time
 */
export async function awaitOthers(
  run: Run,
  plan: TaskPlan,
  known: Zones,
  settled: readonly OpenWrite[],
): Promise<{
  readonly any: boolean;
  readonly open: readonly OpenWrite[];
}> {
  const { creations, edits, own } = partOthers(run, plan, known, settled);
  const open: OpenWrite[] = [];
  const done: EarlierWrite[] = [];
  const denied: SoughtRecord[] = [];
  for (const { write, lost } of edits) {
    const end = await endOfJob(run, write, "changing some");
    if (end === "denied") append(denied, lost);
    if (typeof end === "string" || end.open === undefined) done.push(write);
    else {
      const { at, file } = write;
      append(open, openOf(lost, { job: end.job, file, since: secondsOf(at), detail: end.open }));
    }
  }
  if (done.length > 0) await awaitEdits(run, done);
  const [ended, running] = split(creations, ({ write }) => write.ended !== undefined);
  if (ended.length > 0) await awaitListed(run, ended);
  for (const other of running) {
    const end = await endOfJob(run, other.write, `making ${count(other.lost.length, "record")}`);
    if (end === "denied") append(denied, other.lost);
    else if (end === "no number") await awaitRequest(run, other);
    else append(open, await openAfter(run, other, end));
  }
  // A job that the service denies may still work, for as long as one that is sent now.
  if (denied.length > 0)
    await seeLost(
      run,
      denied,
      run.clock.now(),
      `${count(denied.length, "record")} of another run`,
      isAsWanted,
    );
  for (const write of done) run.journal.foundOut(write);
  // Another resource may have records of the same job.
  for (const write of own) run.journal.foundOut(write, [...write.records, ...write.left]);
  // Live records are settled as well, or the journal would report them in every run.
  for (const { write } of creations) run.journal.foundOut(write, write.records);
  return { any: creations.length + edits.length > 0, open };
}

/** Of another process, with the plan's records that it may be making or changing. */
interface OthersWrite {
  readonly write: EarlierWrite;
  readonly lost: readonly SoughtRecord[];
}

/** @returns `own`: changes of jobs that the state or this run has as open */
function partOthers(
  { journal }: Run,
  plan: TaskPlan,
  known: Zones,
  settled: readonly OpenWrite[],
): { readonly own: EarlierWrite[]; readonly edits: OthersWrite[]; readonly creations: OthersWrite[] } {
  const { create, changes, present } = plan;
  const textsOf = (all: readonly Match[]) => all.flatMap(({ live, record }) => [live.record, record]);
  const adopting = new Set<DnsRecord>(textsOf(takenOverBy(plan)));
  // A record to adopt or change may be removed or changed by another process.
  const concerned = new Set<DnsRecord>([...create, ...adopting, ...textsOf(changes)]);
  // A process that failed or was killed later has saved nothing.
  const declared = [...concerned, ...present.map(({ record }) => record)];
  const found = journal.othersOf(declared, readAtIn(known), adopting);
  const jobs = new Set(settled.map(({ job }) => job));
  const [own, all] = split(found, ({ deed, job }) => deed === "change" && job !== undefined && jobs.has(job));
  const edits = all
    .filter(
      (write) =>
        mayTakeAway(write) ||
        (write.deed === "change" && write.records.some((record) => concerned.has(record))),
    )
    .map((write) => {
      const records = new Set([...write.records, ...write.left]);
      const matches = [...changes, ...present].filter((match) =>
        textsOf([match]).some((text) => records.has(text)),
      );
      const lost = [
        ...create.filter((record) => records.has(record)),
        ...matches.map(({ record }) => record),
      ];
      return { write, lost: lost.map(soughtOf) };
    });
  // A record that is listed and only changed need not be waited for.
  const coming = [...create, ...changes.filter(becomesAnother).map(({ record }) => record)];
  const creations = all.flatMap((write) => {
    const records = new Set(write.deed === "create" ? write.records : []);
    const lost = coming.filter((record) => records.has(record));
    return lost.length > 0 ? [{ write, lost: lost.map(soughtOf) }] : [];
  });
  return { own, edits, creations };
}

/** It may have been on its way when its process ended. */
async function awaitRequest(run: Run, { write, lost }: OthersWrite): Promise<void> {
  const source = write.id === 0 ? `the damaged journal file ${write.file}` : "another run";
  const arrived = latestEnd(run.settings, write.at, false);
  await seeLost(run, lost, arrived, `${count(lost.length, "record")} of ${source}`, isShown);
}

async function openAfter(
  run: Run,
  { write, lost }: OthersWrite,
  { job, open: detail, results, unclear }: EndOfJob,
): Promise<readonly OpenWrite[]> {
  const unrefused = lost.filter(({ digest: key }) => results.get(key)?.kind !== "refused");
  const [made, unnamed] = split(unrefused, ({ digest: key }) => detail === undefined || results.has(key));
  // The snapshot may be older than the job's records, and the index may lag behind them.
  await seeEnded(run, made, run.clock.now());
  const seen = await seeEnded(run, unnamed);
  const isOpen = ({ digest: key }: SoughtRecord): boolean =>
    detail === undefined ? unclear.includes(key) : !results.has(key) && !seen.has(key);
  const news: SettledWrite["news"] = detail === undefined ? { isUnclear: true } : { detail };
  return openOf(lost.filter(isOpen), { job, since: secondsOf(write.at), ...news });
}

interface EndOfJob extends EarlierEnd {
  readonly job: string;
}

async function endOfJob(
  run: Run,
  { domains, ended, job, records }: EarlierWrite,
  doing: string,
): Promise<EndOfJob | "denied" | "no number"> {
  if (job === undefined || ended !== undefined) return "no number";
  const end = await endOfEarlier(run, job, domains, records, `of another run, ${doing} of these`);
  return end === undefined ? "denied" : { ...end, job };
}

async function awaitListed(run: Run, creations: readonly OthersWrite[]): Promise<void> {
  const made = creations.flatMap(({ lost }) => lost);
  const { clock, reporter, settings } = run;
  const ended = largest(creations.map(({ write }) => write.ended ?? 0));
  waiting(reporter, domainsOf(made), listed(settings, ended) - clock.now());
  await seeEnded(run, made, ended);
}
