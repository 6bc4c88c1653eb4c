/** Releases the records of a deleted resource. */
import { describeRecord, recordKey } from "../dns";
import { domainsOf, split } from "../support/collections";
import { count, named } from "../support/text";
import { warnOf } from "../support/reporter";
import { noteReleased, printTakenOver, reportTakenOver, retainedReasons } from "./account/departures";
import type { Declaration } from "./declaration";
import { createdAmong } from "./memory/created";
import { digestOf, type Ledger } from "./memory/ledger";
import { ownedIn, planRecords, type Plan, type Task } from "./plan/plan";
import { goneReasons, read } from "./read";
import { refuse, type Session } from "./session";
import { readZones } from "./settle/read-zones";
import {
  domainReasons,
  duplicateReasons,
  livesText,
  pendingReasons,
  unremovedReasons,
  untrackedReasons,
  type Wording,
  wordingOf,
} from "./wording";
import type { LiveEntry, Zones } from "./zones/zone";

export async function release(session: Session, whole: Declaration, given: Ledger): Promise<void> {
  const { run, siblings } = session;
  const [declared, records] = split(whole.records, (record) => siblings.declared.has(recordKey(record)));
  const ledger = releaseDeclared(
    session,
    { ...whole, records: declared },
    session.register(whole, [], given),
  );
  const declaration = { ...whole, records };
  if (records.length + ledger.stale.length + ledger.openWrites.length === 0) return;
  if (declaration.removal === "retain") {
    if (records.length > 0) await siblings.declared.complete();
    const retained = await retainedReasons(run, declaration, { records, ledger });
    return warnOf(run.reporter, [...retained, ...untrackedReasons(ledger.openWrites, whole)]);
  }
  const { aside, task } = await read(run, { declaration, before: whole.records, ledger }, "delete");
  const settled = await session.settle(task, "jobs");
  const zones = await readZones(run, task.declaration.records, settled);
  await removeOwn(session, { ...task, ledger: settled }, zones);
  warnOf(run.reporter, untrackedReasons(settled.openWrites, whole));
  const fate = (await session.isDestroy()) ? "kept" : "released";
  const reasons = goneReasons(aside, wordingOf(siblings, whole), fate);
  if (fate === "kept") refuse(reasons);
  warnOf(run.reporter, reasons);
}

/** @returns the ledger without the records that other resources declare */
function releaseDeclared({ run, siblings }: Session, declaration: Declaration, ledger: Ledger): Ledger {
  const { records } = declaration;
  if (records.length === 0) return ledger;
  const owned = new Map(ledger.owned);
  const entries = records.map((record) => ({
    record,
    domain: record.domain,
    id: owned.get(digestOf(record))?.id ?? "",
    key: recordKey(record),
  }));
  noteReleased(run, entries);
  const { hides } = wordingOf(siblings, declaration);
  const texts = entries.map(
    ({ id, record }) => `${describeRecord(record, hides(record))}${id === "" ? "" : ` (record ${id})`}`,
  );
  const keys = entries.map(({ key }) => key);
  printTakenOver(run, keys, texts);
  for (const record of records) owned.delete(digestOf(record));
  return { ...ledger, owned };
}

async function removeOwn(session: Session, task: Task, zones: Zones): Promise<void> {
  const { before: records, declaration, ledger } = task;
  const { run } = session;
  const all = ownedIn(ledger, zones);
  const { reporter } = run;
  const isDestroy = await session.isDestroy();
  const wording = wordingOf(session.siblings, declaration);
  const command = isDestroy ? "destroy" : "delete";
  const isCreated = createdAmong(run, isDestroy ? [...all] : []);
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
    ...pendingReasons(ledger.openWrites, records, wording, command),
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
