/** Updates a resource: read, recover, plan, check, write, account. */
import { reason, type Reason } from "../problems";
import { refuse } from "../problems/refusal";
import { split } from "../support/collections";
import { warnOf } from "../support/reporter";
import { errorText } from "../support/text";
import { account, type Account } from "./account/account";
import {
  abandonedIn,
  reportTakenOver,
  retainedReasons,
  takenOverSince,
  unlistedIn,
  type ReleasedRecords,
} from "./account/departures";
import { besideIn } from "./account/neighbours";
import { unmanagedOf } from "./account/observed";
import type { Declaration } from "./declaration";
import { joined, partOf, refOf } from "./memory/ledger";
import { takenOverBy, type Task } from "./plan/plan";
import { goneReasons, read } from "./read";
import { planOf, recover, type PlannedTask } from "./recover";
import type { Run } from "./run";
import { domainReasons, liveText, wordingOf, type Wording } from "./wording";
import type { LiveEntry } from "./zones/zone";

export type Applied = Pick<Account, "ledger" | "failures">;

/** @throws Refusal before any write; LegacyDnsError if a zone cannot be read */
export async function apply(run: Run, given: Task): Promise<Applied> {
  run.hasUpdated = true;
  const { aside, task } = await read(run, given);
  const recovered = await recover(run, task);
  const known = { ...recovered, plan: planOf(run, recovered) };
  run.gates.add(known.plan, wordingOf(run.siblings, known.task.declaration));
  refuse(check(run, known));
  const { done, isCreated } = await write(run, known);
  const unplanned = await unplannedOf(run, known);
  const wording = wordingOf(run.siblings, given.declaration);
  const context = { isCreated, now: run.clock.now(), settings: run.settings, wording };
  const accounted = account(known.task, known.plan, done, context);
  run.siblings.owned.add(known.task.declaration.records, accounted.ledger);
  await report(run, known, accounted, unplanned, wording);
  const [failures, warnings] = split(goneReasons(aside, wording), ({ code }) => code === "zone.gone");
  warnOf(run.reporter, warnings);
  const declared = new Set(aside.declaration.records.map(({ domain }) => domain));
  const kept = partOf(aside.ledger, (domain) => declared.has(domain));
  const unwanted = domainReasons("live.unwanted", known.task.unwanted ?? [], wording);
  return {
    ledger: joined(run.stored(accounted.ledger), kept),
    failures: [...accounted.failures, ...failures, ...unwanted],
  };
}

function check({ gates }: Run, { plan, zones }: PlannedTask): readonly Reason[] {
  return gates.refusals(plan, zones, false);
}

async function write(run: Run, { plan, task, zones }: PlannedTask) {
  run.journal.handover.takeOver(takenOverBy(plan).map(({ live }) => live));
  const { changes, obstacles, present } = plan;
  const live = [...present, ...changes, ...obstacles].flatMap((each) => each.live);
  // The journal may not have the creators of changed records after the writes.
  const isCreated = run.createdAmong(live);
  const isTakenOver = takenOverSince(task.declaration.records, run.isOwnedElsewhere(), run.zones);
  // A resource that is checked later may declare, own or ignore it.
  const unmanaged = new Set(task.unmanaged?.map(refOf));
  const stays = (each: LiveEntry): boolean =>
    isTakenOver(each) || (unmanaged.has(refOf(each)) && run.siblings.owned.isManaged(each));
  return { done: await run.writer.carryOut(plan, zones, stays), isCreated };
}

/** Records beside those of the plan that messages name. */
interface UnplannedRecords {
  readonly abandoned: readonly LiveEntry[];
  readonly unlisted: ReleasedRecords;
}

/** Waits, because a resource that is checked later may declare or own records that this one found. */
async function unplannedOf(run: Run, { plan, task, zones }: PlannedTask): Promise<UnplannedRecords> {
  const abandoned = abandonedIn(run, zones);
  const unlisted = unlistedIn(task, zones);
  const found = abandoned.length + unlisted.records.length + plan.adopted.length;
  if (found > 0 || task.declaration.undeclared !== undefined) await run.siblings.declared.complete();
  return { abandoned, unlisted };
}

async function report(
  run: Run,
  { plan, task, zones }: PlannedTask,
  { takenOver, warnings }: Account,
  { abandoned, unlisted }: UnplannedRecords,
  wording: Wording,
): Promise<void> {
  const { neighbours, reporter, siblings } = run;
  const { declaration } = task;
  warnOf(reporter, [...warnings, ...(await undeclaredReasons(run, declaration))]);
  reportTakenOver(run, takenOver, (live) => liveText(live, wording));
  warnOf(reporter, await retainedReasons(run, declaration, unlisted));
  const beside = besideIn(siblings, declaration, zones, plan);
  warnOf(reporter, [...neighbours.besideReasons(beside), ...neighbours.abandonedReasons(abandoned)]);
}

/** It never rejects, because the state must keep the written records. */
async function undeclaredReasons(run: Run, declaration: Declaration): Promise<Reason[]> {
  if (declaration.undeclared === undefined) return [];
  try {
    const { undeclared } = await unmanagedOf(run, declaration);
    return run.neighbours.undeclaredReasons(declaration, undeclared);
  } catch (error) {
    return [reason("live.not-looked-for", { detail: errorText(error) })];
  }
}
