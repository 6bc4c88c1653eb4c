/** Updates a resource: read, recover, plan, check, write, account. */
import { split } from "../support/collections";
import type { Reason } from "../problems";
import { warnOf } from "../support/reporter";
import { Books } from "./account/books";
import { reportAbandoned, takenOverSince } from "./account/departures";
import { joined, partOf, type Ledger } from "./memory/ledger";
import { becomesAnother } from "./plan/pairing";
import type { Task, TaskPlan } from "./plan/plan";
import { goneReasons, read } from "./read";
import { recover, takenOverBy, type Known } from "./recover";
import { planOf, refuse, type Session } from "./session";

export interface Applied {
  readonly ledger: Ledger;
  /** Empty if every declared record is live and no stale record is left. */
  readonly failures: readonly Reason[];
}

/** @throws Refusal before any write; LegacyDnsError if a zone cannot be read */
export async function apply(session: Session, given: Task): Promise<Applied> {
  const { run, siblings, writer, zones } = session;
  const { declaration } = given;
  siblings.beginUpdate();
  const { aside, task } = await read(run, given);
  const known = await recover(session, task);
  const plan = await planned(session, known);
  check(session, known, plan);
  const [failures, warnings] = split(
    goneReasons(aside, siblings.wording(declaration)),
    ({ code }) => code === "zone.gone",
  );
  warnOf(run.reporter, warnings);
  const books = await Books.open(run, { ...known, plan });
  const isTakenOver = takenOverSince(task.declaration.records, session.isOwnedElsewhere(), zones);
  const done = await writer.carryOut(plan, known.zones, isTakenOver);
  const accounted = session.stored(await books.close(done));
  await reportAbandoned(run, known.zones, task.declaration);
  const declared = new Set(aside.declaration.records.map(({ domain }) => domain));
  const kept = partOf(aside.ledger, (domain) => declared.has(domain));
  return { ledger: joined(accounted, kept), failures: [...books.failures, ...failures] };
}

/** A resource that is checked later may declare what this one would delete. */
async function planned(session: Session, known: Known): Promise<TaskPlan> {
  const plan = planOf(session, known);
  if (plan.stale.length + plan.removals.length === 0 && !plan.changes.some(becomesAnother)) return plan;
  await session.siblings.quiet.wait();
  return planOf(session, known);
}

function check({ gates, journal, siblings }: Session, { task, zones }: Known, plan: TaskPlan): void {
  gates.add(plan, siblings.wording(task.declaration));
  refuse(gates.refusals(plan, zones, false));
  journal.takeOver(takenOverBy(plan));
}
