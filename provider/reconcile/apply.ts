/** Updates a resource: read, recover, plan, check, write, account. */
import { split } from "../support/collections";
import type { Reason } from "../problems";
import { warnOf } from "../support/reporter";
import { Books } from "./account/books";
import { reportAbandoned, takenOverSince } from "./account/departures";
import { joined, partOf, type Ledger } from "./memory/ledger";
import { becomesAnother } from "./plan/pairing";
import type { Task } from "./plan/plan";
import { goneReasons, read } from "./read";
import { recover, takenOverBy, type Known } from "./recover";
import { planOf, refuse, type Session } from "./session";
import { unwantedReasons } from "./wording";

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
  const known = await planned(session, await recover(session, task));
  check(session, known);
  const [failures, warnings] = split(
    goneReasons(aside, siblings.wording(declaration)),
    ({ code }) => code === "zone.gone",
  );
  warnOf(run.reporter, warnings);
  const unwanted = unwantedReasons(known.task, siblings.wording(declaration));
  const books = await Books.open(run, known);
  const isTakenOver = takenOverSince(task.declaration.records, session.isOwnedElsewhere(), zones);
  const done = await writer.carryOut(known.plan, known.zones, isTakenOver);
  const accounted = session.stored(await books.close(done));
  await reportAbandoned(run, known.zones, task.declaration);
  const declared = new Set(aside.declaration.records.map(({ domain }) => domain));
  const kept = partOf(aside.ledger, (domain) => declared.has(domain));
  return { ledger: joined(accounted, kept), failures: [...books.failures, ...failures, ...unwanted] };
}

/** A resource that is checked later may declare what this one would delete. */
async function planned(session: Session, known: Known): Promise<Known> {
  const { changes, removals, stale } = known.plan;
  if (stale.length + removals.length === 0 && !changes.some(becomesAnother)) return known;
  await session.siblings.quiet.wait();
  return { ...known, plan: planOf(session, known) };
}

function check({ gates, journal, siblings }: Session, { task, zones, plan }: Known): void {
  gates.add(plan, siblings.wording(task.declaration));
  refuse(gates.refusals(plan, zones, false));
  journal.takeOver(takenOverBy(plan));
}
