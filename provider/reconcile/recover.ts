/** Nothing is planned before every earlier write of the task's records is settled, or excludes them. */
import { domainsOf } from "../support/collections";
import { unwelcomeIn } from "./account/observed";
import { blocksAny } from "./memory/ledger";
import { hasWrites, type Task, type TaskPlan } from "./plan/plan";
import type { Run } from "./run";
import { planOf, type Session } from "./session";
import { awaitOthers } from "./settle/open-writes";
import { readZones } from "./settle/read-zones";
import type { Zones } from "./zones/zone";

/** Zones, a ledger whose open writes are jobs that have not ended, and the plan for both. */
export interface PlannedTask {
  readonly task: Task;
  readonly zones: Zones;
  readonly plan: TaskPlan;
}

/** Waits for an earlier job only if nothing else is left to do. */
export async function recover(session: Session, given: Task): Promise<PlannedTask> {
  const { run, siblings } = session;
  const { declaration } = given;
  const registered = session.register(declaration, given.before, given.ledger);
  const ledger = await session.settle({ ...given, ledger: registered }, "lost writes");
  const unwelcome = await unwelcomeIn(run, declaration);
  const unmanaged = siblings.owned.addUnowned(unwelcome.unmanaged);
  const known = await withoutOthers(session, { ...given, ...unwelcome, ledger, unmanaged });
  const { openWrites } = known.task.ledger;
  const isBlocked = openWrites.some((write) => blocksAny(write, declaration.records));
  if (!isBlocked || hasWrites(known.plan)) return known;
  return withoutOthers(session, { ...known.task, ledger: await session.settle(known.task, "jobs") });
}

/** Looks again until no other process and no other resource changes the task's records. */
async function withoutOthers(session: Session, given: Task): Promise<PlannedTask> {
  const { run, writer } = session;
  let task = given;
  for (;;) {
    const zones = await zonesOf(run, task);
    const plan = planOf(session, { task, zones });
    const { openWrites } = task.ledger;
    const { others: known = [] } = task;
    const { any, open, others } = await awaitOthers(run, plan, zones, [...openWrites, ...known]);
    const live = [...plan.present, ...plan.changes].map((each) => each.live);
    if (!any && !(await writer.underWay.ended(live))) return { task, zones, plan };
    const ledger = { ...task.ledger, openWrites: [...openWrites, ...open] };
    task = { ...task, ledger, others: [...known, ...others] };
  }
}

/** Under `retain`, zones with former or stale records only need not be readable. */
export async function zonesOf(run: Run, { before, declaration, ledger, unmanaged }: Task): Promise<Zones> {
  const { records, removal } = declaration;
  const releases = removal === "retain";
  const declared = new Set(domainsOf(records));
  const former = releases ? before.filter(({ domain }) => declared.has(domain)) : before;
  const own = releases ? { ...ledger, stale: [] } : ledger;
  return readZones(run, [...records, ...former], own, unmanaged);
}
