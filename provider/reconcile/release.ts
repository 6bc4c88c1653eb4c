/** Releases the records of a deleted resource. */
import { describeRecord, recordKey, type DeclaredRecord } from "../dns";
import { domainsOf, split } from "../support/collections";
import { count, named } from "../support/text";
import { warnOf } from "../support/reporter";
import { noteReleased, creators, retain, reportTakenOver, printTakenOver } from "./account/departures";
import type { Declaration } from "./declaration";
import { digestOf, type Ledger, type Uncertain } from "./memory/ledger";
import { ownedIn, planRecords, type Plan, type Task } from "./plan/plan";
import { refuse, type Session } from "./session";
import { goneReasons } from "./settle/gone-domains";
import { readZones } from "./settle/read-zones";
import {
  domainReasons,
  duplicateReasons,
  livesText,
  pendingReasons,
  unremovedReasons,
  untrackedReasons,
  type Wording,
} from "./wording";
import type { LiveEntry, Zones } from "./zones/zone";

export async function release(session: Session, whole: Declaration, ledger: Ledger): Promise<void> {
  const { run, siblings } = session;
  const current = session.register(whole, [], ledger);
  const [declared, records] = split(whole.records, (record) => siblings.isDeclared(recordKey(record)));
  releaseDeclared(session, { ...whole, records: declared }, current);
  const declaration = { ...whole, records };
  if (records.length + current.stale.length + current.uncertain.length === 0) return;
  if (declaration.removal === "retain") {
    await retain(run, declaration, current, records);
    return warnOf(run.reporter, untrackedReasons(current.uncertain, whole));
  }
  const task = { declaration, before: whole.records, ledger: current };
  const { result, aside } = await session.withoutGone(task, (rest) => ready(session, rest), "delete");
  await removeOwn(session, result);
  warnOf(run.reporter, untrackedReasons(result.pending, whole));
  const fate = (await session.isDestroy()) ? "kept" : "released";
  const reasons = goneReasons(aside, siblings.wording(whole), fate);
  if (fate === "kept") refuse(reasons);
  warnOf(run.reporter, reasons);
}

interface Going {
  readonly declaration: Declaration;
  readonly owned: ReadonlySet<LiveEntry>;
  readonly zones: Zones;
  /** Jobs that have not ended. */
  readonly pending: readonly Uncertain[];
  readonly records: readonly DeclaredRecord[];
}

async function ready(session: Session, task: Task): Promise<Going> {
  const { declaration, before } = task;
  const ledger = await session.settle(task, "jobs");
  const zones = await readZones(session.run, declaration.records, ledger);
  const owned = ownedIn(ledger, declaration.records, zones);
  return { declaration, owned, zones, pending: ledger.uncertain, records: before };
}

function releaseDeclared({ run, siblings }: Session, declaration: Declaration, { owned }: Ledger): void {
  const { records } = declaration;
  if (records.length === 0) return;
  const entries = records.map((record) => ({
    record,
    domain: record.domain,
    id: owned.get(digestOf(record))?.id ?? "",
    key: recordKey(record),
  }));
  noteReleased(run, entries);
  const { hides } = siblings.wording(declaration);
  const texts = entries.map(
    ({ id, record }) => `${describeRecord(record, hides(record))}${id === "" ? "" : ` (record ${id})`}`,
  );
  const keys = entries.map(({ key }) => key);
  printTakenOver(run, keys, texts);
}

async function removeOwn(session: Session, going: Going): Promise<void> {
  const { declaration, owned: all, pending, records, zones } = going;
  const { run } = session;
  const { reporter } = run;
  const isDestroy = await session.isDestroy();
  const wording = session.siblings.wording(declaration);
  const command = isDestroy ? "destroy" : "delete";
  const isCreated = await creators(run, isDestroy ? [...all] : [], false);
  // System records are never removed.
  const [leaves, adopted] = split(all, (live) => !isDestroy || live.hold || isCreated(live));
  const plan = planRecords({
    records: [],
    zones,
    owned: new Set(leaves),
    declaredElsewhere: session.isOwnedElsewhere(),
    adopt: true,
    may: declaration.may,
  });
  warnOf(reporter, duplicateReasons(plan.duplicates, wording));
  reportTakenOver(run, plan.released, wording);
  await passGates(session, plan, zones, wording, isDestroy);
  const leaving = plan.removals.map(({ live }) => live);
  const results = await session.writer.remove(leaving, zones, session.isOwnedElsewhere());
  const livesOf = (kind: "removed" | "taken"): LiveEntry[] =>
    results.flatMap(({ live, outcome }) => (outcome.kind === kind ? [live] : []));
  reportTakenOver(run, livesOf("taken"), wording);
  const removed = livesOf("removed");
  // For one record, the engine's own line suffices.
  if (!declaration.may.single && removed.length > 0)
    reporter.info(
      `${named(domainsOf(removed))}: ${count(removed.length, "record")} removed: ${livesText(removed, wording)}`,
    );
  const stale = domainReasons("live.left-over", plan.stale, wording, command);
  const open = [
    ...unremovedReasons(results, wording, command),
    ...pendingReasons(pending, records, wording, command),
  ];
  if (open.length > 0) refuse([...open, ...stale]);
  warnOf(reporter, domainReasons("live.adopted", adopted, wording));
  refuse(stale);
}

/** Counts the deletions that the engine asks for at once together. */
async function passGates(
  { deletions, gates }: Session,
  plan: Plan,
  zones: Zones,
  wording: Wording,
  isDestroy: boolean,
): Promise<void> {
  if (plan.removals.length === 0 || (isDestroy && !gates.mayRefuse(plan, zones))) return;
  gates.add(plan, wording);
  deletions.restart();
  await deletions.wait();
  refuse(gates.refusals(plan, zones, false, isDestroy ? "destroy" : "up"));
}
