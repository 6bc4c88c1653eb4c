/**
 * The order of a plan's steps: what stands in the way goes first, then records become others, then new ones are made, and
 * what is no longer wanted goes last, and only where all went well. So a name that is declared before and after resolves
 * at every moment, and a run that fails half-way has taken nothing away that its successor was to replace.
 */
import type { Allowance } from "../allowance";
import type { Removal } from "../plan/pairing";
import type { Plan } from "../plan/plan";
import { placeOf, type Zone } from "../zones/zone";
import type { Applier } from "./applier";
import type { Changer, IsTaken } from "./changer";
import { notSent, type Outcome, type RemovalOutcome, type Removed } from "./outcome";

export interface Done {
  /** Of the plan's changes, then of its creations, in their order. */
  readonly outcomes: readonly Outcome[];
  readonly removals: readonly Removed[];
}

interface StepParts {
  readonly applier: Applier;
  readonly changer: Changer;
  readonly allowance: Allowance;
}

/** Carries the plan out; what went wrong is in the outcomes. */
export async function carryOut(plan: Plan, zones: ReadonlyMap<string, Zone>, parts: StepParts, isTaken: IsTaken): Promise<Done> {
  const { applier, changer, allowance } = parts;
  const full = await allowance.mustGoFirst(plan, zones);
  const isFirst = (removal: Removal): boolean => removal.first || full.has(removal.live);
  const removals = await remove(plan.removals.filter(isFirst), changer, isTaken);
  const stuck = new Set(removals.filter(({ outcome }) => outcome.kind !== "removed").map(({ live }) => `${live.record.domain} ${placeOf(live.record)}`));
  const possible = plan.changes.filter(({ record }) => !stuck.has(`${record.domain} ${placeOf(record)}`));
  const changed = new Map((await changer.change(possible, isTaken)).map((outcome, i) => [possible[i], outcome]));
  const inTheWay = notSent("a record in its way could not be removed");
  const outcomes = [...plan.changes.map((change) => changed.get(change) ?? inTheWay), ...(await applier.create(plan.create))];

  const failed = new Set<string>();
  for (const [i, { record }] of [...plan.changes, ...plan.create.map((each) => ({ record: each }))].entries()) {
    const kind = outcomes[i]?.kind;
    if (kind !== "made" && kind !== "appeared") failed.add(record.domain);
  }
  const waits = notSentYet();
  for (const removal of plan.removals.filter((each) => !isFirst(each))) {
    if (failed.has(removal.live.record.domain)) removals.push({ live: removal.live, outcome: waits });
  }
  removals.push(...(await remove(plan.removals.filter((each) => !isFirst(each) && !failed.has(each.live.record.domain)), changer, isTaken)));
  return { outcomes, removals };
}

/** Removes; records on other lines before the default line's, which they may need (service-notes.md, code 31). */
export async function remove(going: readonly Pick<Removal, "live">[], changer: Changer, isTaken: IsTaken): Promise<Removed[]> {
  const entries = going.map(({ live }) => live);
  const ofOthers = entries.filter(({ record }) => record.line !== undefined);
  const ofDefault = entries.filter(({ record }) => record.line === undefined);
  const removals: Removed[] = [];
  for (const part of [ofOthers, ofDefault]) {
    const outcomes = await changer.remove(part, isTaken);
    removals.push(...part.flatMap((live, i) => (outcomes[i] ? [{ live, outcome: outcomes[i] }] : [])));
  }
  return removals;
}

function notSentYet(): RemovalOutcome {
  return { kind: "not-sent", error: new Error("it waits until all else of its domain is done, so that nothing is missing meanwhile; the next `pulumi up` removes it") };
}
