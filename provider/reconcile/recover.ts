/**
 * Settles every earlier write of a task's records before the plan, or excludes them. A plan that deletes also waits for
 * resources that are checked later.
 */
import { domainsOf } from "../support/collections";
import { unwelcomeIn } from "./account/observed";
import { blocksAny, partOf } from "./memory/ledger";
import { becomesAnother } from "./plan/pairing";
import { hasWrites, isAsDeclared, planTask, type Task, type TaskPlan } from "./plan/plan";
import type { Run } from "./run";
import { awaitOthers, settleOwn } from "./settle/open-writes";
import { readZones } from "./settle/read-zones";
import { liveAs, type Zones } from "./zones/zone";

/** Zones, and a ledger whose open writes are jobs that have not ended. */
export interface SettledTask {
  readonly task: Task;
  readonly zones: Zones;
}

export interface PlannedTask extends SettledTask {
  readonly plan: TaskPlan;
}

/** Waits for an earlier job only if nothing else is left to do. */
export async function recover(run: Run, given: Task): Promise<SettledTask> {
  const { declaration } = given;
  const registered = run.register(declaration, given.before, given.ledger);
  const ledger = await settleOwn(run, { ...given, ledger: registered }, "lost writes");
  const unwelcome = await unwelcomeIn(run, declaration);
  const unmanaged = run.siblings.owned.claim(unwelcome.unmanaged);
  const known = await withoutOthers(run, { ...given, ...unwelcome, ledger, unmanaged });
  const { openWrites } = known.task.ledger;
  const isBlocked = openWrites.some((write) => blocksAny(write, declaration.records));
  if (!isBlocked || hasWrites(known.plan)) return afterDeclarations(run, known);
  const settled = { ...known.task, ledger: await settleOwn(run, known.task, "jobs") };
  return afterDeclarations(run, await withoutOthers(run, settled));
}

/**
 * Looks again until no other process and no other resource changes the task's records. Their writes concern the task if
 * the plan of the moment names the records.
 */
async function withoutOthers(run: Run, given: Task): Promise<PlannedTask> {
  let task = given;
  for (;;) {
    const zones = await zonesOf(run, task);
    const plan = planOf(run, { task, zones });
    const { openWrites } = task.ledger;
    const { any, open } = await awaitOthers(run, plan, zones, openWrites);
    const live = [...plan.present, ...plan.changes].map((each) => each.live);
    if (!any && !(await run.writer.underWay.ended(live))) return { task, zones, plan };
    task = { ...task, ledger: { ...task.ledger, openWrites: [...openWrites, ...open] } };
  }
}

/** A resource that is checked later may declare what this one would delete. */
async function afterDeclarations(
  { siblings }: Run,
  { plan, task, zones }: PlannedTask,
): Promise<SettledTask> {
  const { changes, removals, stale } = plan;
  if (stale.length + removals.length > 0 || changes.some(becomesAnother)) await siblings.declared.complete();
  return { task, zones };
}

/** Under `retain`, zones with former or stale records only need not be readable. */
export async function zonesOf(run: Run, { before, declaration, ledger, unmanaged }: Task): Promise<Zones> {
  const { records, removal } = declaration;
  const releases = removal === "retain";
  const declared = new Set(domainsOf(records));
  const former = releases ? before.filter(({ domain }) => declared.has(domain)) : before;
  const own = releases ? partOf(ledger, (domain) => declared.has(domain)) : ledger;
  return readZones(run, [...records, ...former], own, unmanaged);
}

export function planOf(run: Run, { task, zones }: SettledTask): TaskPlan {
  const { adopt, records } = task.declaration;
  // Only a record that must not be adopted asks for its creator. A killed run sent it as it is declared.
  const live = records.flatMap((record) =>
    adopt ? [] : liveAs([record], zones).filter((each) => isAsDeclared(record, each)),
  );
  return planTask(task, zones, run.isOwnedElsewhere(), run.createdAmong(live));
}
