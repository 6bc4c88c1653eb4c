/** Releases the records of a deleted resource. */
import { describeRecord, recordKey } from "../dns";
import { domainsOf } from "../support/collections";
import { count, named } from "../support/text";
import { warnOf } from "../support/reporter";
import {
  noteReleased,
  creators,
  retain,
  reportSystemRecords,
  reportTakenOver,
  printTakenOver,
} from "./account/departures";
import type { Declaration } from "./declaration";
import { digestOf, type Ledger } from "./memory/ledger";
import { planRecords, type Plan } from "./plan/plan";
import { ownedIn, type Task } from "./plan/task";
import { refuse, type Session } from "./session";
import { goneReasons } from "./settle/gone-domains";
import { readZones } from "./settle/read-zones";
import {
  domainReasons,
  duplicateReasons,
  livesText,
  uncertainReason,
  unremovedReasons,
  type Wording,
} from "./wording";
import type { LiveEntry, Zones } from "./zones/zone";

export async function release(session: Session, declaration: Declaration, ledger: Ledger): Promise<void> {
  const { gone, reporter, siblings } = session.run;
  const { records } = declaration;
  const current = session.register(declaration, [], ledger);
  const transferred = releaseDeclared(session, declaration, current);
  const own = records.filter((record) => !siblings.isDeclared(recordKey(record)));
  if (own.length + current.stale.length + current.uncertain.length === 0) return;
  if (declaration.removal === "retain") return retain(session.run, declaration, current, own);
  const task = { declaration, before: records, ledger: current };
  const { result, aside } = await session.withoutGone(task, (rest) => ready(session, rest), "delete");
  await removeOwn(session, result, transferred);
  const fate = (await session.isDestroy()) ? "kept" : "released";
  const reasons = goneReasons(aside, fate);
  if (fate === "kept") refuse(reasons);
  warnOf(reporter, gone.notReported(reasons));
}

interface Going {
  readonly declaration: Declaration;
  readonly owned: ReadonlySet<LiveEntry>;
  readonly zones: Zones;
}

/** @throws Refusal if a write of an earlier run is still open */
async function ready(session: Session, { declaration, ledger }: Task): Promise<Going> {
  const { records } = declaration;
  const settled = await session.settle({ declaration, before: [], ledger }, "jobs");
  const wording = session.siblings.wording(declaration);
  refuse([
    ...settled.ledger.uncertain.map((job) => uncertainReason(job, records, wording)),
    ...settled.conflicts,
  ]);
  const zones = await readZones(session.run, records, settled.ledger);
  return { declaration, owned: ownedIn(settled.ledger, records, zones), zones };
}

/** @returns the keys of the records that other resources declare */
function releaseDeclared(
  { run, siblings }: Session,
  declaration: Declaration,
  { owned }: Ledger,
): ReadonlySet<string> {
  const transferred = declaration.records.filter((record) => siblings.isDeclared(recordKey(record)));
  const keys = transferred.map((record) => recordKey(record));
  if (transferred.length === 0) return new Set();
  const entries = transferred.map((record) => ({
    domain: record.domain,
    id: owned.get(digestOf(record))?.id ?? "",
    key: recordKey(record),
  }));
  noteReleased(run, entries);
  const { hides } = siblings.wording(declaration);
  const texts = transferred.map((record) => describeRecord(record, hides(record)));
  printTakenOver(run, keys, texts);
  return new Set(keys);
}

/**
 * Removes the records of a deleted resource and reports those that stay.
 * @param transferred records reported as taken over
 * @throws Refusal with the records that cannot be removed
 */
async function removeOwn(session: Session, going: Going, transferred: ReadonlySet<string>): Promise<void> {
  const { run } = session;
  const { declaration, owned: all, zones } = going;
  const isDestroy = await session.isDestroy();
  const wording = session.siblings.wording(declaration);
  const command = isDestroy ? "destroy" : "delete";
  const isCreated = await creators(run, isDestroy ? [...all] : [], false);
  // System records are never removed, only released.
  const owned = isDestroy ? new Set([...all].filter((live) => live.hold || isCreated(live))) : all;
  const adopted = [...all].filter((live) => !owned.has(live));
  const plan = planRecords({
    declared: [],
    zones,
    owned,
    declaredElsewhere: session.isOwnedElsewhere(),
    adopt: true,
    may: declaration.may,
  });
  warnOf(run.reporter, duplicateReasons(plan.duplicates, wording));
  reportTakenOver(run, plan.released, wording, transferred);
  reportSystemRecords(run, plan.kept, wording);
  await passGates(session, plan, zones, isDestroy);
  const removed = await session.writer.remove(
    plan.removals.map(({ live }) => live),
    zones,
    session.isOwnedElsewhere(),
  );
  const livesOf = (kind: "removed" | "taken"): LiveEntry[] =>
    removed.flatMap(({ live, outcome }) => (outcome.kind === kind ? [live] : []));
  reportTakenOver(run, livesOf("taken"), wording);
  // For one record, the engine's own line suffices.
  if (!declaration.may.single) reportRemoved(session, livesOf("removed"), wording);
  refuse(unremovedReasons(removed, wording, command));
  warnOf(run.reporter, domainReasons("live.adopted", adopted, wording));
  refuse(domainReasons("live.left-over", plan.stale, wording, command));
}

function reportRemoved({ run }: Session, removed: readonly LiveEntry[], wording: Wording): void {
  if (removed.length === 0) return;
  const domains = named(domainsOf(removed));
  run.reporter.info(`${domains}: ${count(removed.length, "record")} removed: ${livesText(removed, wording)}`);
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
  deletions.restart();
  await deletions.wait();
  refuse(gates.stop(plan, zones, isDestroy ? "destroy" : "up"));
}
