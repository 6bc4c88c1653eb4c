/** Refreshes a resource. Writes nothing. */
import type { Reason } from "../problems";
import { warnOf } from "../support/reporter";
import { abandonedIn } from "./account/departures";
import { besideIn } from "./account/neighbours";
import { findingsOf, unmanagedOf, withFound, type Observed, type UnmanagedRecords } from "./account/observed";
import { createOnly, type Declaration } from "./declaration";
import {
  blocksAny,
  digestOf,
  heldByRef,
  isAsHeld,
  isAwaited,
  joined,
  refOf,
  type Ledger,
} from "./memory/ledger";
import { ownedIn, planTask, type Plan, type Task } from "./plan/plan";
import { goneReasons, read } from "./read";
import type { Run } from "./run";
import { settleOwn } from "./settle/open-writes";
import { readAfterEdits, readZones } from "./settle/read-zones";
import type { Match } from "./plan/pairing";
import {
  duplicateReasons,
  obstacleReason,
  storedReasons,
  uncertainReason,
  type Wording,
  wordingOf,
} from "./wording";
import { isNewForm } from "./zones/own-forms";
import type { LiveEntry, Zones } from "./zones/zone";

export async function observe(run: Run, whole: Declaration, given: Ledger): Promise<Observed> {
  const { neighbours, reporter, siblings } = run;
  neighbours.enter();
  try {
    siblings.declared.expectMore();
    const { aside, task } = await read(run, { declaration: whole, before: whole.records, ledger: given });
    const wording = wordingOf(siblings, whole);
    const compared = await compare(run, task, wording);
    const unmanaged = await report(run, task.declaration, compared, wording);
    const { findings, ledger, ...others } = observedOf(run, compared, unmanaged, wording);
    const gone = goneReasons(aside, wordingOf(siblings, whole), "gone");
    warnOf(
      reporter,
      gone.filter(({ parts: { domain } }) => run.isNewlyGone(String(domain))),
    );
    const unread = aside.declaration.records.map((record) => ({ state: "unread", record }) as const);
    return { ...others, findings: [...findings, ...unread], ledger: joined(ledger, aside.ledger) };
  } finally {
    await neighbours.leave();
  }
}

/** What a resource's zones show of it. */
interface Comparison {
  readonly settled: Ledger;
  readonly zones: Zones;
  readonly plan: Plan;
  /** Live as declared, and not in the ledger as they are stored. */
  readonly newlySeen: readonly Match[];
  /** Live records that must not be adopted. */
  readonly unadopted: readonly Match[];
  /** Whether this stack created it. */
  readonly isMade: (live: LiveEntry) => boolean;
}

async function compare(run: Run, task: Task, wording: Wording): Promise<Comparison> {
  const { declaration } = task;
  const { adopt, records } = declaration;
  const { owned } = run.siblings;
  const settled = await settle(run, task, wording);
  const zones = await readAfterEdits(run, records, settled);
  const comparison = { ...declaration, adopt: true, may: createOnly };
  const plan = planTask(
    { declaration: comparison, ledger: { ...settled, openWrites: [] } },
    zones,
    () => false,
  );
  owned.addLive(records, zones);
  owned.ignore(declaration, declaration.urn ?? task.ledger.urn);
  const isMade = run.createdAmong([...plan.present, ...plan.obstacles].flatMap((each) => each.live));
  const mayAdopt = ({ live, record }: Match): boolean => adopt || isAwaited(settled, live, record);
  const unadopted = plan.adopted.filter((match) => !mayAdopt(match));
  return { settled, zones, plan, newlySeen: newlyOwned(plan, settled), unadopted, isMade };
}

/** @returns the unmanaged records that the resource is to remove, and those that `absent` names */
async function report(
  run: Run,
  declaration: Declaration,
  { isMade, newlySeen, plan, unadopted, zones }: Comparison,
  wording: Wording,
): Promise<UnmanagedRecords> {
  const { neighbours, reporter, siblings } = run;
  const { isUnwanted, undeclared } = declaration;
  const abandoned = abandonedIn(run, zones);
  // A resource that is read later may own a record, or have a changed value as its secret.
  const areUnclear = [abandoned, unadopted, plan.stale].some(({ length }) => length > 0);
  if (areUnclear || undeclared !== undefined || isUnwanted !== undefined) await siblings.declared.complete();
  const unmanaged = await unmanagedOf(run, declaration);
  warnOf(reporter, [
    ...duplicateReasons(plan.duplicates, wording),
    ...neighbours.abandonedReasons(abandoned),
    ...neighbours.undeclaredReasons(declaration, unmanaged.undeclared),
    ...existsReasons(unadopted, isMade, wording),
    ...storedReasons(newlySeen, wording),
  ]);
  neighbours.keep(besideIn(siblings, declaration, zones, plan));
  return { ...unmanaged, undeclared: undeclared === "remove" ? unmanaged.undeclared : [] };
}

function observedOf(
  run: Run,
  { isMade, newlySeen, plan, settled, unadopted, zones }: Comparison,
  { undeclared, unwanted }: UnmanagedRecords,
  wording: Wording,
): Observed {
  const others = [...undeclared, ...unwanted];
  const found = [...plan.stale, ...others];
  // A text of somebody else is possibly a token. One that the state lacks is possibly a killed run's secret.
  const unknown = [...plan.stale.filter((live) => !isAsHeld(live, settled)), ...others];
  const foreign = unknown.filter(({ record }) => wording.hidesForeign(record));
  const refused = new Set(unadopted.map(({ live }) => live));
  const adopted = newlySeen.filter(({ live }) => !refused.has(live));
  return {
    findings: findingsOf(plan, settled, refused),
    strays: plan.stale,
    undeclared: others,
    secrets: new Set([...found.filter(({ key }) => run.siblings.secrets.has(key)), ...foreign]),
    ledger: run.stored(withFound(settled, adopted, zones, isMade)),
  };
}

/** Without waiting: a refresh warns of the declared records of open writes. */
async function settle(run: Run, { declaration, ledger }: Task, wording: Wording): Promise<Ledger> {
  const { records } = declaration;
  const registered = run.register(declaration, [], ledger);
  const settled = await settleOwn(run, { declaration, before: [], ledger: registered }, "index");
  const open = settled.openWrites.filter((write) => blocksAny(write, records));
  warnOf(
    run.reporter,
    open.map((write) => uncertainReason(write, records, wording)),
  );
  return settled;
}

function existsReasons(
  matches: readonly Match[],
  isMade: (live: LiveEntry) => boolean,
  wording: Wording,
): Reason[] {
  const others = matches.filter(({ live }) => !isMade(live));
  return others.map(({ record, live }) => obstacleReason({ kind: "exists", record, live: [live] }, wording));
}

function newlyOwned({ present }: Plan, ledger: Ledger): Match[] {
  return present.filter(({ record, live }) => {
    const known = heldByRef(ledger).get(refOf(live));
    return known?.digest !== digestOf(record) || isNewForm(live, known);
  });
}

/** The live records that a resource holds, for a plan of its deletion. */
export async function holdings(
  run: Run,
  declaration: Declaration,
  ledger: Ledger,
): Promise<{ readonly held: readonly LiveEntry[]; readonly zones: Zones }> {
  const current = run.register(declaration, [], ledger);
  const zones = await readZones(run, declaration.records, current);
  return { held: [...ownedIn(current, zones)], zones };
}
