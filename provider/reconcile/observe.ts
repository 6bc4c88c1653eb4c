/** Refreshes a resource. Writes nothing. */
import { warnOf } from "../support/reporter";
import { reportAbandoned } from "./account/departures";
import { besideIn } from "./account/neighbours";
import { findingsOf, findUnmanaged, withFound, type Observed } from "./account/observed";
import { createOnly, type Declaration } from "./declaration";
import { createdAmong, creators } from "./memory/created";
import { blocksAny, digestOf, joined, type Ledger } from "./memory/ledger";
import { ownedIn, planTask, type Plan, type Task } from "./plan/plan";
import { goneReasons, read } from "./read";
import type { Run } from "./run";
import type { Session } from "./session";
import { readZones } from "./settle/read-zones";
import type { Match } from "./plan/pairing";
import { duplicateReasons, obstacleReason, storedReasons, uncertainReason } from "./wording";
import { isNewForm } from "./zones/own-forms";
import type { LiveEntry, Zones } from "./zones/zone";

export function observe(session: Session, whole: Declaration, given: Ledger): Promise<Observed> {
  return session.run.neighbours.duringReading(() => observeAll(session, whole, given));
}

async function observeAll(session: Session, whole: Declaration, given: Ledger): Promise<Observed> {
  const { run } = session;
  run.siblings.quiet.restart();
  const { aside, task } = await read(run, { declaration: whole, before: whole.records, ledger: given });
  const observed = await observeRest(session, task);
  const gone = goneReasons(aside, run.siblings.wording(whole), "gone");
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

async function observeRest(session: Session, { declaration, ledger }: Task): Promise<Observed> {
  const { run } = session;
  const { reporter, siblings } = run;
  const { records } = declaration;
  const registered = session.register(declaration, [], ledger);
  const settled = await session.settle({ declaration, before: [], ledger: registered }, "index");
  const wording = siblings.wording(declaration);
  warnOf(
    reporter,
    settled.openWrites
      .filter((write) => blocksAny(write, records))
      .map((write) => uncertainReason(write, records, wording)),
  );
  const zones = await readZones(run, records, settled);
  const task = {
    declaration: { ...declaration, adopt: true, may: createOnly },
    ledger: { ...settled, openWrites: [] },
  };
  const plan = planTask(task, zones, () => false);
  warnOf(reporter, duplicateReasons(plan.duplicates, wording));
  siblings.hold(records, zones);
  siblings.ignore(declaration.ignores ?? declaration.report, "refresh");
  const seen = [...plan.present, ...plan.obstacles].flatMap(({ live }) => live);
  const isMade = await creators(run, seen, false);
  await reportAbandoned(run, zones, declaration);
  const undeclared = await findUnmanaged(run, declaration.report);
  warnOf(reporter, run.neighbours.undeclaredReasons(declaration, undeclared));
  run.neighbours.keep(besideIn(siblings, declaration, zones, plan));
  const removed = declaration.report?.remove === true ? undeclared : [];
  const undesired = [...removed, ...(await findUnmanaged(run, declaration.absent))];
  const found = [...plan.stale, ...undesired];
  // The changed value may be a secret of a resource that is not checked yet.
  if (found.length > 0) await siblings.quiet.wait();
  // A text of somebody else is possibly a token.
  const foreign = undesired.filter(({ record }) => wording.hidesForeign(record));
  const secrets = new Set([...found.filter(({ key }) => siblings.isSecret(key)), ...foreign]);
  const refused = await refusedOf(run, plan, declaration);
  const newlySeen = newlyOwned(plan, settled);
  warnOf(reporter, storedReasons(newlySeen, wording));
  const adopted = newlySeen.filter(({ live }) => !refused.has(live));
  return {
    findings: findingsOf(plan, settled, refused),
    strays: plan.stale,
    undeclared: undesired,
    secrets,
    ledger: session.stored(withFound(settled, adopted, zones, isMade)),
  };
}

/** Live as declared, and not in the ledger as they are stored. */
function newlyOwned({ present }: Plan, { owned }: Ledger): Match[] {
  return present.filter(({ record, live }) => {
    const known = owned.get(digestOf(record));
    return known?.id !== live.id || isNewForm(live, known);
  });
}

/** The live records that must not be adopted. */
async function refusedOf(
  run: Run,
  { adopted }: Plan,
  declaration: Declaration,
): Promise<ReadonlySet<LiveEntry>> {
  const { reporter, siblings } = run;
  const foreign = declaration.adopt ? [] : adopted;
  if (foreign.length > 0) await siblings.quiet.wait();
  const wording = siblings.wording(declaration);
  const live = foreign.map((each) => each.live);
  const isCreated = createdAmong(run, live);
  const reasons = foreign
    .filter((each) => !isCreated(each.live))
    .map(({ record, live }) => obstacleReason({ kind: "exists", record, live: [live] }, wording));
  warnOf(reporter, reasons);
  return new Set(live);
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
