/** Refreshes a resource. Writes nothing. */
import type { Reason } from "../problems";
import { warnOf } from "../support/reporter";
import { abandonedIn } from "./account/departures";
import { besideIn } from "./account/neighbours";
import { findingsOf, unmanagedOf, withFound, type Observed } from "./account/observed";
import { createOnly, type Declaration } from "./declaration";
import { createdAmong } from "./memory/created";
import { blocksAny, digestOf, heldByRef, isAsHeld, joined, refOf, type Ledger } from "./memory/ledger";
import { ownedIn, planTask, type Plan, type Task } from "./plan/plan";
import { goneReasons, read } from "./read";
import type { Run } from "./run";
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

export function observe(run: Run, whole: Declaration, given: Ledger): Promise<Observed> {
  return run.neighbours.duringReading(() => observeAll(run, whole, given));
}

async function observeAll(run: Run, whole: Declaration, given: Ledger): Promise<Observed> {
  run.siblings.declared.expectMore();
  const { aside, task } = await read(run, { declaration: whole, before: whole.records, ledger: given });
  const observed = await observeRest(run, task);
  const gone = goneReasons(aside, wordingOf(run.siblings, whole), "gone");
  warnOf(
    run.reporter,
    gone.filter(({ parts: { domain } }) => run.isNewlyGone(String(domain))),
  );
  const unread = aside.declaration.records.map((record) => ({ state: "unread", record }) as const);
  return {
    ...observed,
    findings: [...observed.findings, ...unread],
    ledger: joined(observed.ledger, aside.ledger),
  };
}

async function observeRest(run: Run, task: Task): Promise<Observed> {
  const { declaration } = task;
  const { reporter, siblings } = run;
  const { adopt, records, undeclared } = declaration;
  const wording = wordingOf(siblings, declaration);
  const settled = await settle(run, task, wording);
  const zones = await readAfterEdits(run, records, settled);
  const comparison = { ...declaration, adopt: true, may: createOnly };
  const ledger = { ...settled, openWrites: [] };
  const plan = planTask({ declaration: comparison, ledger }, zones, () => false);
  siblings.owned.addLive(records, zones);
  siblings.owned.ignore(declaration, declaration.urn ?? task.ledger.urn);
  const live = [...plan.present, ...plan.obstacles].flatMap((each) => each.live);
  const isMade = createdAmong(run, live);
  const abandoned = abandonedIn(run, zones);
  const unadopted = adopt ? [] : plan.adopted;
  // A resource that is read later may own a record, or have a changed value as its secret.
  const areUnclear = [abandoned, unadopted, plan.stale].some(({ length }) => length > 0);
  if (areUnclear || undeclared !== undefined || declaration.isUnwanted !== undefined)
    await siblings.declared.complete();
  const unmanaged = await unmanagedOf(run, declaration);
  const newlySeen = newlyOwned(plan, settled);
  const reasons = [
    ...duplicateReasons(plan.duplicates, wording),
    ...run.neighbours.abandonedReasons(abandoned),
    ...run.neighbours.undeclaredReasons(declaration, unmanaged.undeclared),
    ...existsReasons(unadopted, isMade, wording),
    ...storedReasons(newlySeen, wording),
  ];
  warnOf(reporter, reasons);
  run.neighbours.keep(besideIn(siblings, declaration, zones, plan));
  const removed = undeclared === "remove" ? unmanaged.undeclared : [];
  const others = [...removed, ...unmanaged.unwanted];
  // A text of somebody else is possibly a token. One that the state lacks is possibly a killed run's secret.
  const unknown = [...plan.stale.filter((live) => !isAsHeld(live, settled)), ...others];
  const foreign = unknown.filter(({ record }) => wording.hidesForeign(record));
  const found = [...plan.stale, ...others];
  const refused = new Set(unadopted.map(({ live }) => live));
  const adopted = newlySeen.filter(({ live }) => !refused.has(live));
  return {
    findings: findingsOf(plan, settled, refused),
    strays: plan.stale,
    undeclared: others,
    secrets: new Set([...found.filter(({ key }) => siblings.secrets.has(key)), ...foreign]),
    ledger: run.stored(withFound(settled, adopted, zones, isMade)),
  };
}

/** Without waiting: a refresh warns of the declared records of open writes. */
async function settle(run: Run, { declaration, ledger }: Task, wording: Wording): Promise<Ledger> {
  const { records } = declaration;
  const registered = run.register(declaration, [], ledger);
  const settled = await run.settle({ declaration, before: [], ledger: registered }, "index");
  const open = settled.openWrites.filter((write) => blocksAny(write, records));
  warnOf(
    run.reporter,
    open.map((write) => uncertainReason(write, records, wording)),
  );
  return settled;
}

/** Of live records that must not be adopted. */
function existsReasons(
  matches: readonly Match[],
  isMade: (live: LiveEntry) => boolean,
  wording: Wording,
): Reason[] {
  const others = matches.filter(({ live }) => !isMade(live));
  return others.map(({ record, live }) => obstacleReason({ kind: "exists", record, live: [live] }, wording));
}

/** Live as declared, and not in the ledger as they are stored. */
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
