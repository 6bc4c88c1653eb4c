/** Refreshes a resource. Writes nothing. */
import type { Reason } from "../problems";
import { warnOf } from "../support/reporter";
import { abandonedIn, abandonedReasons } from "./account/departures";
import { besideIn } from "./account/neighbours";
import { findingsOf, unmanagedIn, withFound, type Observed } from "./account/observed";
import { createOnly, type Declaration } from "./declaration";
import { createdAmong } from "./memory/created";
import { blocksAny, digestOf, joined, type Ledger } from "./memory/ledger";
import { ownedIn, planTask, type Plan, type Task } from "./plan/plan";
import { goneReasons, read } from "./read";
import type { Session } from "./session";
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

export function observe(session: Session, whole: Declaration, given: Ledger): Promise<Observed> {
  return session.run.neighbours.duringReading(() => observeAll(session, whole, given));
}

async function observeAll(session: Session, whole: Declaration, given: Ledger): Promise<Observed> {
  const { run } = session;
  run.siblings.declared.expectMore();
  const { aside, task } = await read(run, { declaration: whole, before: whole.records, ledger: given });
  const observed = await observeRest(session, task);
  const gone = goneReasons(aside, wordingOf(run.siblings, whole), "gone");
  warnOf(
    run.reporter,
    gone.filter(({ parts: { domain } }) => session.isNewlyGone(String(domain))),
  );
  const unread = aside.declaration.records.map((record) => ({ state: "unread", record }) as const);
  return {
    ...observed,
    findings: [...observed.findings, ...unread],
    ledger: joined(observed.ledger, aside.ledger),
  };
}

async function observeRest(session: Session, task: Task): Promise<Observed> {
  const { run } = session;
  const { declaration } = task;
  const { reporter, siblings } = run;
  const { absent, adopt, records, report } = declaration;
  const wording = wordingOf(siblings, declaration);
  const settled = await settle(session, task, wording);
  const zones = await readAfterEdits(run, records, settled);
  const comparison = { ...declaration, adopt: true, may: createOnly };
  const ledger = { ...settled, openWrites: [] };
  const plan = planTask({ declaration: comparison, ledger }, zones, () => false);
  siblings.owned.addLive(records, zones);
  siblings.owned.ignore(declaration.ignores ?? report, declaration.urn ?? task.ledger.urn);
  const live = [...plan.present, ...plan.obstacles].flatMap((each) => each.live);
  const isMade = createdAmong(run, live);
  const abandoned = abandonedIn(run, zones);
  const unadopted = adopt ? [] : plan.adopted;
  // A resource that is read later may own a record, or have a changed value as its secret.
  const areUnclear = [abandoned, unadopted, plan.stale].some(({ length }) => length > 0);
  if (areUnclear || report !== undefined || absent !== undefined) await siblings.declared.complete();
  const unmanaged = await unmanagedIn(run, report);
  const newlySeen = newlyOwned(plan, settled);
  const reasons = [
    ...duplicateReasons(plan.duplicates, wording),
    ...abandonedReasons(run, abandoned),
    ...run.neighbours.undeclaredReasons(declaration, unmanaged),
    ...existsReasons(unadopted, isMade, wording),
    ...storedReasons(newlySeen, wording),
  ];
  warnOf(reporter, reasons);
  run.neighbours.keep(besideIn(siblings, declaration, zones, plan));
  const removed = report?.remove === true ? unmanaged : [];
  const undeclared = [...removed, ...(await unmanagedIn(run, absent))];
  // A text of somebody else is possibly a token.
  const foreign = undeclared.filter(({ record }) => wording.hidesForeign(record));
  const found = [...plan.stale, ...undeclared];
  const refused = new Set(unadopted.map(({ live }) => live));
  const adopted = newlySeen.filter(({ live }) => !refused.has(live));
  return {
    findings: findingsOf(plan, settled, refused),
    strays: plan.stale,
    undeclared,
    secrets: new Set([...found.filter(({ key }) => siblings.secrets.has(key)), ...foreign]),
    ledger: session.stored(withFound(settled, adopted, zones, isMade)),
  };
}

/** Without waiting: a refresh warns of the declared records of open writes. */
async function settle(session: Session, { declaration, ledger }: Task, wording: Wording): Promise<Ledger> {
  const { records } = declaration;
  const registered = session.register(declaration, [], ledger);
  const settled = await session.settle({ declaration, before: [], ledger: registered }, "index");
  const open = settled.openWrites.filter((write) => blocksAny(write, records));
  warnOf(
    session.run.reporter,
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
function newlyOwned({ present }: Plan, { owned }: Ledger): Match[] {
  return present.filter(({ record, live }) => {
    const known = owned.get(digestOf(record));
    return known?.id !== live.id || isNewForm(live, known);
  });
}

/** The live records that a resource holds, for a plan of its deletion. */
export async function holdings(
  session: Session,
  declaration: Declaration,
  ledger: Ledger,
): Promise<{ readonly held: readonly LiveEntry[]; readonly zones: Zones }> {
  const current = session.register(declaration, [], ledger);
  const zones = await readZones(session.run, declaration.records, current);
  return { held: [...ownedIn(current, zones)], zones };
}
