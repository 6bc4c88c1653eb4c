/** Shows what an update does. Writes nothing, and waits for no earlier write. */
import type { DeclaredRecord } from "../dns";
import type { Reason } from "../problems";
import { split } from "../support/collections";
import { readable, splitStale } from "./account/departures";
import { besideIn } from "./account/neighbours";
import { unmanagedOf, unwelcomeIn } from "./account/observed";
import { checkLines } from "./checks/lines";
import { becomesAnother } from "./plan/pairing";
import type { Declaration } from "./declaration";
import { refOf } from "./memory/ledger";
import type { Plan, Task } from "./plan/plan";
import { goneReasons, read } from "./read";
import { planOf, zonesOf, type PlannedTask } from "./recover";
import type { Run } from "./run";
import { domainReasons, duplicateReasons, obstacleReason, type Wording, wordingOf } from "./wording";
import type { LiveEntry, Zones } from "./zones/zone";

export interface Preview {
  readonly refusals: readonly Reason[];
  readonly warnings: readonly Reason[];
  readonly failures: readonly Reason[];
  readonly stays: readonly Reason[];
  /** The update does not know them. */
  readonly moves: readonly Reason[];
  /** Unmanaged records. A call counts as the report of them. */
  readonly unmanaged: () => readonly Reason[];
  readonly plan: Plan;
  readonly zones: Zones;
  /** Domains that have left the account. The plan has none of their records. */
  readonly gone: ReadonlySet<string>;
}

export async function preview(run: Run, given: Task): Promise<Preview> {
  const { aside, task: rest } = await read(run, given);
  const { before, declaration } = rest;
  const ledger = run.register(declaration, before, rest.ledger);
  const task = { ...rest, ledger, ...(await unwelcomeIn(run, declaration)) };
  const zones = await withAbandoned(run, task, await zonesOf(run, task));
  const plan = planOf(run, { task, zones });
  const known = { task, zones, plan };
  const wording = wordingOf(run.siblings, declaration);
  const checked = await check(run, known, wording);
  const unmanaged = await unmanagedBeside(run, known, wording);
  const gone = split(goneReasons(aside, wording), ({ code }) => code === "zone.gone");
  const reasons = reasonsOf(run, known, checked, gone, wording);
  return { ...reasons, unmanaged, plan, zones, gone: aside.domains };
}

/** @param gone reasons that fail the update, and others */
function reasonsOf(
  run: Run,
  { plan, task }: PlannedTask,
  { refusals, warnings }: CheckReasons,
  [failing, others]: [failing: readonly Reason[], others: readonly Reason[]],
  wording: Wording,
): Pick<Preview, "failures" | "moves" | "refusals" | "stays" | "warnings"> {
  const stale = splitStale(plan).others;
  const isRetained = task.declaration.removal === "retain";
  return {
    refusals,
    warnings: [...warnings, ...duplicateReasons(plan.duplicates, wording), ...others],
    failures: [
      ...plan.obstacles.map((each) => obstacleReason(each, wording)),
      ...domainReasons("live.left-over", isRetained ? [] : stale, wording),
      ...domainReasons("live.unwanted", task.unwanted ?? [], wording),
      ...failing,
    ],
    stays: domainReasons("live.retained", isRetained ? stale : [], wording),
    moves: domainReasons("live.moves", movedTo(run, plan), wording),
  };
}

async function unmanagedBeside(
  run: Run,
  { plan, task: { declaration }, zones }: PlannedTask,
  wording: Wording,
): Promise<Preview["unmanaged"]> {
  const { neighbours, siblings } = run;
  const undeclared = await stayingIn(run, declaration, plan);
  const beside = besideIn(siblings, declaration, zones, plan, newlyJoined(plan, declaration, wording));
  return () => [
    ...neighbours.undeclaredReasons(declaration, undeclared),
    ...neighbours.besideReasons(beside),
  ];
}

/** Without those that the update removes. */
async function stayingIn(
  run: Run,
  declaration: Declaration,
  { present, removals }: Plan,
): Promise<LiveEntry[]> {
  if (declaration.undeclared === undefined) return [];
  const own = new Set([...present, ...removals].map(({ live }) => live));
  return (await unmanagedOf(run, declaration)).undeclared.filter((live) => !own.has(live));
}

/** Without a manifest, a later `Record` often declares what is beside an unchanged one. */
function newlyJoined(
  { changes, create }: Plan,
  { may, records }: Declaration,
  { how }: Wording,
): readonly DeclaredRecord[] {
  const isPart = may.single && how.mayDeclareLater === true;
  return isPart ? [...create, ...changes.map(({ record }) => record)] : records;
}

type CheckReasons = Pick<Preview, "refusals" | "warnings">;

async function check(
  { allowance, gates, siblings }: Run,
  { task: { declaration }, zones, plan }: PlannedTask,
  wording: Wording,
): Promise<CheckReasons> {
  gates.add(plan, wording);
  const { refusals, warnings } = await allowance.check(plan, zones);
  const refused = () => gates.refusals(plan, zones, declaration.isAlone === true);
  // A resource that is checked later may declare what the zone would lose.
  if (refused().length > 0) await siblings.declared.complete();
  const gated = refused();
  return { warnings, refusals: [...refusals, ...gated, ...checkLines(plan, declaration, zones, wording)] };
}

/** Under `retain`, the zones of former records are shown if they can be read. */
async function withAbandoned(run: Run, task: Task, zones: Zones): Promise<Zones> {
  const { before, declaration, ledger } = task;
  if (declaration.removal !== "retain") return zones;
  const domains = [...before, ...ledger.held]
    .map(({ domain }) => domain)
    .filter((domain) => !zones.has(domain));
  return domains.length === 0 ? zones : new Map([...zones, ...(await readable(run, domains)).zones]);
}

/** @returns the declared records that a resource would delete that was checked earlier */
function movedTo({ hasUpdated, leaving }: Run, { changes, present, removals }: Plan): LiveEntry[] {
  if (hasUpdated) return [];
  const [lost, kept] = split(changes, becomesAnother);
  for (const { live } of [...removals, ...lost]) leaving.add(refOf(live));
  return [...present, ...kept].flatMap(({ live }) => (leaving.has(refOf(live)) ? [live] : []));
}
