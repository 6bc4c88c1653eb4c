/** Reconciles a declaration with its zones: read, settle open writes of earlier runs, plan, write, account. */
import type { DeclaredRecord } from "../dns";
import type { Reason } from "../problems";
import { domainsOf, split } from "../support/collections";
import { warnOf } from "../support/reporter";
import { Books, type Update } from "./account/books";
import { reportAbandoned, splitStale, readable, takenOverSince } from "./account/departures";
import { removable, type Observed } from "./account/observed";
import { checkLines } from "./checks/lines";
import type { Declaration } from "./declaration";
import { blocksAny, emptyLedger, type Ledger } from "./memory/ledger";
import { holdings, observe } from "./observe";
import { becomesAnother } from "./plan/pairing";
import { hasWrites, planTask, type Plan, type Task, type TaskPlan } from "./plan/plan";
import { release } from "./release";
import { refuse, Session } from "./session";
import { withDeclared } from "./settle/gone-domains";
import { awaitOthers } from "./settle/others";
import { readZones } from "./settle/read-zones";
import { domainReasons, duplicateReasons, obstacleReason } from "./wording";
import type { LiveEntry, Zones } from "./zones/zone";

export type { Observed } from "./account/observed";

export interface Preview {
  readonly refusals: readonly Reason[];
  readonly warnings: readonly Reason[];
  readonly failures: readonly Reason[];
  readonly stays: readonly Reason[];
  /** The update does not know them. */
  readonly moves: readonly Reason[];
  readonly plan: Plan;
  /** Domains that have left the account. The plan has none of their records. */
  readonly gone: ReadonlySet<string>;
}

export interface Applied {
  readonly ledger: Ledger;
  /** Empty if every declared record is live and no stale record is left. */
  readonly failures: readonly Reason[];
}

export class Reconciler extends Session {
  /** @param before the declaration at the time of the ledger */
  async preview(
    declaration: Declaration,
    before: readonly DeclaredRecord[] = [],
    ledger: Ledger = emptyLedger,
  ): Promise<Preview> {
    const task = { declaration, before, ledger };
    const { result, aside, ...gone } = await this.withoutGone(task, (rest) => this.previewOf(rest));
    return {
      ...result,
      warnings: [...result.warnings, ...gone.warnings],
      failures: [...result.failures, ...gone.failures],
      gone: aside.domains,
    };
  }

  private async previewOf({ declaration, before, ledger }: Task): Promise<Omit<Preview, "gone">> {
    const current = this.register(declaration, before, ledger);
    const unmanaged = await removable(this.run, declaration);
    const task = { declaration, before, ledger: current, unmanaged };
    const zones = await this.zonesOf(task);
    const plan = this.planOf(task, await this.withAbandoned(zones, task));
    const wording = this.siblings.wording(declaration);
    this.gates.add(plan, wording);
    const allowed = await this.run.allowance.check(plan, zones);
    const moved = this.movedTo(plan);
    const stale = splitStale(plan).others;
    const [failing, staying] = declaration.removal === "retain" ? [[], stale] : [stale, []];
    return {
      plan,
      refusals: [
        ...allowed.refusals,
        ...this.gates.refusals(plan, zones, declaration.isAlone === true),
        ...checkLines(plan, declaration, zones, wording),
      ],
      warnings: [...allowed.warnings, ...duplicateReasons(plan.duplicates, wording)],
      failures: [
        ...plan.obstacles.map((each) => obstacleReason(each, wording)),
        ...domainReasons("live.left-over", failing, wording),
      ],
      stays: domainReasons("live.retained", staying, wording),
      moves: domainReasons("live.moves", moved, wording),
    };
  }

  /** @returns the declared records that a resource would delete that was checked earlier */
  private movedTo({ changes, present, removals }: Plan): LiveEntry[] {
    const { siblings } = this;
    const [lost, kept] = split(changes, becomesAnother);
    siblings.leave([...removals, ...lost].map(({ live }) => live));
    return [...present, ...kept].flatMap(({ live }) => (siblings.isLeaving(live) ? [live] : []));
  }

  /** @throws Refusal before any write; LegacyDnsError if a zone cannot be read */
  async apply(declaration: Declaration, before: readonly DeclaredRecord[], ledger: Ledger): Promise<Applied> {
    this.siblings.beginUpdate();
    const task = { declaration, before, ledger };
    const ready = await this.withoutGone(task, (rest) => this.readyUpdate(rest));
    const { result: update, aside, failures, warnings } = ready;
    warnOf(this.run.reporter, warnings);
    const books = await Books.open(this.run, update);
    const isTakenOver = takenOverSince(update.task.declaration.records, this.isOwnedElsewhere(), this.zones);
    const done = await this.writer.carryOut(update.plan, update.zones, isTakenOver);
    const accounted = await books.close(done);
    await reportAbandoned(this.run, update.zones, declaration);
    return {
      ledger: withDeclared(this.stored(accounted), aside),
      failures: [...books.failures, ...failures],
    };
  }

  /** Waits for an earlier job only if nothing else is left to do. */
  private async readyUpdate(task: Task): Promise<Update> {
    const registered = this.register(task.declaration, task.before, task.ledger);
    const ledger = await this.settle({ ...task, ledger: registered }, "lost writes");
    // Another resource may still be checked, and ignore or declare a record.
    if (task.declaration.report?.remove === true) await this.siblings.quiet.wait();
    const unmanaged = this.siblings.claimUnowned(await removable(this.run, task.declaration));
    const update = await this.planUpdate({ ...task, ledger, unmanaged });
    const { uncertain } = update.task.ledger;
    const isBlocked = uncertain.some((write) => blocksAny(write, task.declaration.records));
    if (!isBlocked || hasWrites(update.plan)) return update;
    return this.planUpdate({ ...update.task, ledger: await this.settle(update.task, "jobs") });
  }

  /** Under `retain`, zones with former or stale records only need not be readable. */
  private zonesOf({ declaration, before, ledger, unmanaged }: Task): Promise<Zones> {
    const { records } = declaration;
    const releases = declaration.removal === "retain";
    const declared = new Set(domainsOf(records));
    const former = releases ? before.filter(({ domain }) => declared.has(domain)) : before;
    const own = releases ? { ...ledger, stale: [] } : ledger;
    return readZones(this.run, [...records, ...former], own, unmanaged);
  }

  private async withAbandoned(zones: Zones, { declaration, before, ledger }: Task): Promise<Zones> {
    if (declaration.removal !== "retain") return zones;
    const domains = [...before, ...ledger.stale]
      .map(({ domain }) => domain)
      .filter((domain) => !zones.has(domain));
    return domains.length === 0 ? zones : new Map([...zones, ...(await readable(this.run, domains)).zones]);
  }

  private planOf(task: Task, zones: Zones): TaskPlan {
    return planTask(task, zones, this.isOwnedElsewhere(), (live) => this.siblings.isCreated(live));
  }

  /** Planned again until no other process and no other resource changes its zones. */
  private async planUpdate(ready: Task): Promise<Update> {
    let task = ready;
    let zones = await this.zonesOf(task);
    let plan = this.planOf(task, zones);
    // Another resource or process may be about to change a record that is taken over.
    const takesOver = ({ adopted, changes, owned }: TaskPlan): LiveEntry[] =>
      [...adopted, ...changes].map(({ live }) => live).filter((live) => !owned.has(live));
    for (;;) {
      const { any, open } = await awaitOthers(this.run, plan, zones, task.ledger.uncertain);
      if (!any && !(await this.writer.underWay.ended(takesOver(plan)))) break;
      task = { ...task, ledger: { ...task.ledger, uncertain: [...task.ledger.uncertain, ...open] } };
      zones = await this.zonesOf(task);
      plan = this.planOf(task, zones);
    }
    if (plan.stale.length > 0 || plan.removals.length > 0 || plan.changes.some(becomesAnother)) {
      await this.siblings.quiet.wait();
      plan = this.planOf(task, zones);
    }
    this.gates.add(plan, this.siblings.wording(task.declaration));
    refuse(this.gates.refusals(plan, zones, false));
    this.journal.takeOver(takesOver(plan));
    return { task, plan, zones };
  }

  observe(declaration: Declaration, ledger: Ledger): Promise<Observed> {
    return observe(this, declaration, ledger);
  }

  holdings(declaration: Declaration, ledger: Ledger): ReturnType<typeof holdings> {
    return holdings(this, declaration, ledger);
  }

  /** @throws Refusal if a record cannot be deleted; the others are deleted then */
  release(declaration: Declaration, ledger: Ledger): Promise<void> {
    return release(this, declaration, ledger);
  }
}
