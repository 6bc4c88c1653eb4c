/** Releases the records of a deleted resource. */
import { refuse } from "../problems/refusal";
import { describeRecord, recordKey } from "../dns";
import { domainsOf, groupBy, split } from "../support/collections";
import { count, listed, named } from "../support/text";
import { warnOf } from "../support/reporter";
import { abandonedIn, reportTakenOver, retainedReasons } from "./account/departures";
import type { Declaration } from "./declaration";
import { digestOf, refOf, staleIn, type Ledger } from "./memory/ledger";
import { ownedIn, planRecords, type Plan, type Task } from "./plan/plan";
import { goneReasons, read } from "./read";
import type { Run } from "./run";
import { settleOwn } from "./settle/open-writes";
import { readZones } from "./settle/read-zones";
import {
  domainReasons,
  duplicateReasons,
  liveText,
  pendingReasons,
  unremovedReasons,
  untrackedReasons,
  type Wording,
  wordingOf,
} from "./wording";
import { liveAs, type LiveEntry, type Zones } from "./zones/zone";

/** It names the records that killed runs have left in its zones, even if it fails. */
export async function release(run: Run, whole: Declaration, given: Ledger): Promise<void> {
  run.neighbours.enter();
  try {
    await releaseAll(run, whole, given).finally(() => keepAbandoned(run, whole, given));
  } finally {
    await run.neighbours.leave();
  }
}

function keepAbandoned(run: Run, whole: Declaration, given: Ledger): void {
  const domains = domainsOf([...whole.records, ...given.held]);
  const read = domains.flatMap((domain) => run.zones.latest(domain)?.zone ?? []);
  const zones = new Map(read.map((zone) => [zone.domain, zone]));
  run.neighbours.keepAbandoned([...abandonedIn(run, zones), ...unheldIn(run, whole, given, zones)]);
}

/** Records that killed runs created and that the resource could not take over, such as those with another TTL. */
function unheldIn(run: Run, { records }: Declaration, { held }: Ledger, zones: Zones): LiveEntry[] {
  const known = new Set(held.map(refOf));
  const unheld = liveAs(records, zones).filter((live) => !known.has(refOf(live)));
  for (const live of unheld) run.siblings.owned.release(live);
  return unheld.filter(run.createdAmong(unheld));
}

async function releaseAll(run: Run, whole: Declaration, given: Ledger): Promise<void> {
  const { siblings } = run;
  const [declared, records] = split(whole.records, (record) => siblings.declared.has(recordKey(record)));
  const ledger = releaseDeclared(run, { ...whole, records: declared }, run.register(whole, [], given));
  const declaration = { ...whole, records };
  if (records.length + ledger.held.length + ledger.openWrites.length === 0) return;
  if (declaration.removal === "retain") {
    if (records.length > 0) await siblings.declared.complete();
    const retained = await retainedReasons(run, declaration, { records, ledger });
    return warnOf(run.reporter, [...retained, ...untrackedReasons(ledger.openWrites, whole)]);
  }
  const isDestroy = await run.isDestroy();
  const command = isDestroy ? "destroy" : "delete";
  const { aside, task } = await read(run, { declaration, before: whole.records, ledger }, command);
  const settled = await settleOwn(run, task, "jobs");
  const zones = await readZones(run, task.declaration.records, settled);
  await removeOwn(run, { ...task, ledger: settled }, zones, command);
  warnOf(run.reporter, untrackedReasons(settled.openWrites, whole));
  const reasons = goneReasons(aside, wordingOf(siblings, whole), isDestroy ? "kept" : "released");
  if (isDestroy) refuse(reasons);
  warnOf(run.reporter, reasons);
}

/** @returns the ledger without the records that other resources declare */
function releaseDeclared(run: Run, declaration: Declaration, ledger: Ledger): Ledger {
  const { records } = declaration;
  if (records.length === 0) return ledger;
  const held = groupBy(ledger.held, ({ digest }) => digest);
  // A digest may name twins, so each held record counts.
  const entries = records.flatMap((record) =>
    (held.get(digestOf(record)) ?? [{ id: "" }]).map(({ id }) => ({
      record,
      domain: record.domain,
      id,
      key: recordKey(record),
    })),
  );
  const { hides } = wordingOf(run.siblings, declaration);
  reportTakenOver(run, entries, ({ id, record }) => {
    const number = id === "" ? "" : ` (record ${id})`;
    return `${describeRecord(record, hides(record))}${number}`;
  });
  return { ...ledger, held: staleIn(ledger, records) };
}

async function removeOwn(run: Run, task: Task, zones: Zones, command: "delete" | "destroy"): Promise<void> {
  const { before: records, declaration, ledger } = task;
  const all = ownedIn(ledger, zones);
  const { reporter } = run;
  const isDestroy = command === "destroy";
  const wording = wordingOf(run.siblings, declaration);
  const isCreated = run.createdAmong(isDestroy ? [...all] : []);
  // System records are never removed.
  const [leaves, adopted] = split(all, (live) => !isDestroy || live.hold || isCreated(live));
  const plan = planRecords({
    records: [],
    zones,
    owned: new Set(leaves),
    declaredElsewhere: run.isOwnedElsewhere(),
    adopt: true,
    may: declaration.may,
  });
  warnOf(reporter, duplicateReasons(plan.duplicates, wording));
  const textOf = (live: LiveEntry): string => liveText(live, wording);
  reportTakenOver(run, plan.released, textOf);
  await passGates(run, plan, zones, wording, isDestroy);
  const leaving = plan.removals.map(({ live }) => live);
  const results = await run.writer.remove(leaving, zones, run.isOwnedElsewhere());
  const livesOf = (kind: "removed" | "taken"): LiveEntry[] =>
    results.flatMap(({ live, outcome }) => (outcome.kind === kind ? [live] : []));
  reportTakenOver(run, livesOf("taken"), textOf);
  const removed = livesOf("removed");
  // For one record, the engine's own line suffices.
  if (!declaration.may.single && removed.length > 0)
    reporter.info(
      `${named(domainsOf(removed))}: ${count(removed.length, "record")} removed: ${listed(removed.map(textOf), 3)}`,
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
  { deletions, gates }: Run,
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
