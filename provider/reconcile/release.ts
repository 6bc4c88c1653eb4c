/** Releases the records of a deleted resource. */
import { recordKey } from "../dns";
import { domainsOf } from "../support/collections";
import { count, named } from "../support/text";
import { warnOf } from "../support/reporter";
import { handOver, makers, retain, takenSince, tellKept, tellTaken } from "./account/departures";
import type { Declaration } from "./declaration";
import { digestOf, type Ledger } from "./memory/ledger";
import { planRecords, type Plan } from "./plan/plan";
import { oursOf, type Task } from "./plan/task";
import { refuse, type Session } from "./session";
import { goneReasons } from "./settle/gone-domains";
import { readZones } from "./settle/read-zones";
import {
  domainReasons,
  duplicateReasons,
  leftOverReasons,
  livesText,
  recordsName,
  uncertainReason,
  unremovedReasons,
  type Wording,
} from "./wording";
import type { LiveEntry, Zones } from "./zones/zone";

export async function release(session: Session, declaration: Declaration, ledger: Ledger): Promise<void> {
  const { gone, reporter, siblings } = session.run;
  const { records } = declaration;
  const current = session.hear(declaration, [], ledger);
  const given = handOverDeclared(session, declaration, ledger);
  const own = records.filter((record) => !siblings.isDeclared(recordKey(record)));
  if (own.length + ledger.leftOver.length + ledger.uncertain.length === 0) return;
  if (declaration.removal === "retain") return retain(session.run, declaration, current, own);
  const task = { declaration, before: records, ledger };
  const { result, aside } = await session.withoutGone(task, (rest) => ready(session, rest), "delete");
  await removeOwn(session, result, given);
  const fate = (await session.isDestroy()) ? "kept" : "released";
  const reasons = goneReasons(aside, fate);
  if (fate === "kept") refuse(reasons);
  warnOf(reporter, gone.untold(reasons));
}

/** The records of a deleted resource that the zones list. */
interface Going {
  readonly declaration: Declaration;
  readonly ours: ReadonlySet<LiveEntry>;
  readonly zones: Zones;
}

/** @throws Refusal if a write of an earlier run is still open */
async function ready(session: Session, { declaration, ledger }: Task): Promise<Going> {
  const { records } = declaration;
  const heard = { declaration, before: [], ledger: session.hear(declaration, [], ledger) };
  const settled = await session.settle(heard, "jobs");
  const wording = session.siblings.wording(declaration);
  refuse([
    ...settled.ledger.uncertain.map((job) => uncertainReason(job, records, wording)),
    ...settled.beside,
  ]);
  const zones = await readZones(session.run, records, settled.ledger);
  return { declaration, ours: oursOf(settled.ledger, records, zones), zones };
}

/** @returns the keys of the records that other resources declare */
function handOverDeclared(
  { run, siblings }: Session,
  declaration: Declaration,
  { owned }: Ledger,
): ReadonlySet<string> {
  const given = declaration.records.filter((record) => siblings.isDeclared(recordKey(record)));
  const keys = given.map((record) => recordKey(record));
  if (given.length === 0) return new Set();
  const entries = given.map((record) => ({
    domain: record.domain,
    id: owned.get(digestOf(record))?.id ?? "",
    key: recordKey(record),
  }));
  handOver(run, entries);
  const name = recordsName(given, siblings.wording(declaration));
  run.reporter.info(`${name}: taken over by ${siblings.takers(keys)}`);
  return new Set(keys);
}

/**
 * Removes the records of a deleted resource and reports those that stay.
 * @param given records reported as taken over
 * @throws Refusal with the records that cannot be removed
 */
async function removeOwn(session: Session, going: Going, given: ReadonlySet<string>): Promise<void> {
  const { run } = session;
  const { declaration, ours: all, zones } = going;
  const isDestroy = await session.isDestroy();
  const wording = session.siblings.wording(declaration);
  const command = isDestroy ? "destroy" : "delete";
  const isMade = await makers(run, isDestroy ? [...all] : [], false);
  // System records are never removed, only released.
  const ours = isDestroy ? new Set([...all].filter((live) => live.hold || isMade(live))) : all;
  const adopted = [...all].filter((live) => !ours.has(live));
  const plan = planRecords({
    declared: [],
    zones,
    ours,
    declaredElsewhere: session.isAnothers(),
    adopt: true,
    may: declaration.may,
  });
  warnOf(run.reporter, duplicateReasons(plan.duplicates, wording));
  tellTaken(run, plan.released, wording, given);
  tellKept(run, plan.kept, wording);
  await passGates(session, plan, zones, isDestroy);
  const removed = await session.writer.remove(
    plan.removals.map(({ live }) => live),
    zones,
    takenSince([], session.isAnothers()),
  );
  const livesOf = (kind: "removed" | "taken"): LiveEntry[] =>
    removed.flatMap(({ live, outcome }) => (outcome.kind === kind ? [live] : []));
  tellTaken(run, livesOf("taken"), wording);
  // For one record, the engine's own line suffices.
  if (!declaration.may.single) tellRemoved(session, livesOf("removed"), wording);
  refuse(unremovedReasons(removed, wording, command));
  warnOf(run.reporter, domainReasons("live.adopted", adopted, wording));
  refuse(leftOverReasons(plan.leftOver, wording, command));
}

function tellRemoved({ run }: Session, removed: readonly LiveEntry[], wording: Wording): void {
  if (removed.length === 0) return;
  const domains = named(domainsOf(removed));
  run.reporter.info(
    `${domains}: ${count(removed.length, "record")} removed: ${livesText(removed, wording, 3)}`,
  );
}

/**
 * Counts the deletions that the engine asks for at once together.
 * @throws Refusal
 */
async function passGates(
  { deletions, gates }: Session,
  plan: Plan,
  zones: Zones,
  isDestroy: boolean,
): Promise<void> {
  if (plan.removals.length === 0 || (isDestroy && !gates.mayRefuse(plan, zones))) return;
  gates.add(plan);
  deletions.heard();
  await deletions.wait();
  refuse(gates.stop(plan, zones, isDestroy ? "destroy" : "up"));
}
