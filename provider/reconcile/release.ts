/** Releases the records of a deleted resource. */
import { Quiet } from "../support/clock";
import { recordKey } from "../dns";
import { domainsOf } from "../support/collections";
import { count, named } from "../support/text";
import { warnOf } from "../support/reporter";
import { handOver, makers, retain, takenSince, tellKept, tellTaken } from "./account/departures";
import type { Declaration } from "./declaration";
import { digestOf, type Ledger } from "./memory/ledger";
import { planRecords, type Plan } from "./plan/plan";
import { oursOf, type Task } from "./plan/task";
import type { Run } from "./run";
import { refuse, type Session } from "./session";
import { goneReasons } from "./settle/gone-domains";
import { readZones } from "./settle/read-zones";
import {
  domainReasons,
  duplicateReasons,
  leftOverReasons,
  livesText,
  recordsName,
  uncertainReason,
  unremovedReasons,
  type Wording,
} from "./wording";
import type { Removed } from "./write/result";
import type { LiveEntry, Zones } from "./zones/zone";

/** Milliseconds. By then all concurrent deletions of the engine have arrived. */
const releaseWindow = 200;

export class Releaser {
  private readonly run: Run;
  private readonly deletions: Quiet;

  constructor(private readonly session: Session) {
    this.run = session.run;
    this.deletions = new Quiet(this.run.clock, releaseWindow);
  }

  async release(declaration: Declaration, ledger: Ledger): Promise<void> {
    const { records } = declaration;
    const current = this.session.hear(declaration, [], ledger);
    const given = this.handOver(declaration, ledger);
    const own = records.filter((record) => !this.run.siblings.isDeclared(recordKey(record)));
    if (own.length + ledger.leftOver.length + ledger.uncertain.length === 0) return;
    if (declaration.removal === "retain") return retain(this.run, declaration, current, own);
    const task = { declaration, before: records, ledger };
    const { result, aside } = await this.session.beside(task, (rest) => this.readyRelease(rest), "delete");
    await this.removeOwn(result.declaration, result.ours, result.zones, given);
    const fate = (await this.session.isDestroy()) ? "kept" : "released";
    const reasons = goneReasons(aside, fate);
    if (fate === "kept") refuse(reasons);
    warnOf(this.run.reporter, this.run.gone.untold(reasons));
  }

  private async readyRelease({ declaration, ledger }: Task) {
    const { records } = declaration;
    const settled = await this.session.settle({ declaration, before: [], ledger }, "jobs");
    const wording = this.run.siblings.wording(declaration);
    refuse([
      ...settled.ledger.uncertain.map((job) => uncertainReason(job, records, wording)),
      ...settled.beside,
    ]);
    const zones = await readZones(this.run, records, settled.ledger);
    return { declaration, ours: oursOf(settled.ledger, records, zones), zones };
  }

  /** @returns the keys of the records that other resources declare */
  private handOver(declaration: Declaration, { owned }: Ledger): ReadonlySet<string> {
    const given = declaration.records.filter((record) => this.run.siblings.isDeclared(recordKey(record)));
    const keys = given.map((record) => recordKey(record));
    if (given.length === 0) return new Set();
    handOver(
      this.run,
      given.map((record) => ({
        domain: record.domain,
        id: owned.get(digestOf(record))?.id ?? "",
        key: recordKey(record),
      })),
    );
    this.run.reporter.info(
      `${recordsName(given, this.run.siblings.wording(declaration))}: taken over by ${this.run.siblings.takers(keys)}`,
    );
    return new Set(keys);
  }

  /** @param given records reported as taken over @throws Refusal with the records that cannot be removed */
  private async removeOwn(
    declaration: Declaration,
    all: ReadonlySet<LiveEntry>,
    zones: Zones,
    given: ReadonlySet<string>,
  ): Promise<void> {
    const isDestroy = await this.session.isDestroy();
    const wording = this.run.siblings.wording(declaration);
    const command = isDestroy ? "destroy" : "delete";
    const isMade = await makers(this.run, isDestroy ? [...all] : [], false);
    // System records are never removed, only released.
    const ours = isDestroy ? new Set([...all].filter((live) => live.hold || isMade(live))) : all;
    const adopted = [...all].filter((live) => !ours.has(live));
    const plan = planRecords({
      declared: [],
      zones,
      ours,
      declaredElsewhere: this.session.isAnothers(),
      adopt: true,
      may: declaration.may,
    });
    warnOf(this.run.reporter, duplicateReasons(plan.duplicates, this.run.siblings.wording(declaration)));
    tellTaken(this.run, plan.released, wording, given);
    tellKept(this.run, plan.kept, wording);
    await this.passGates(plan, zones, isDestroy);
    const removals = await this.removeLive(plan, zones, declaration, wording);
    refuse(unremovedReasons(removals, wording, command));
    warnOf(this.run.reporter, domainReasons("live.adopted", adopted, wording));
    refuse(leftOverReasons(plan.leftOver, wording, command));
  }

  private async removeLive(
    plan: Plan,
    zones: Zones,
    declaration: Declaration,
    wording: Wording,
  ): Promise<readonly Removed[]> {
    const removals = await this.session.writer.remover.remove(
      plan.removals.map(({ live }) => live),
      zones,
      takenSince([], this.session.isAnothers()),
    );
    tellTaken(
      this.run,
      removals.flatMap(({ live, outcome }) => (outcome.kind === "taken" ? [live] : [])),
      wording,
    );
    // For one record, the engine's own line suffices.
    const removed = declaration.may.single
      ? []
      : removals.flatMap(({ live, outcome }) => (outcome.kind === "removed" ? [live] : []));
    if (removed.length > 0)
      this.run.reporter.info(
        `${named(domainsOf(removed))}: ${count(removed.length, "record")} removed: ${livesText(removed, wording, 3)}`,
      );
    return removals;
  }

  /** Counts the deletions that the engine asks for at once together. @throws Refusal */
  private async passGates(plan: Plan, zones: Zones, isDestroy: boolean): Promise<void> {
    if (plan.removals.length === 0 || (isDestroy && !this.session.gates.mayRefuse(plan, zones))) return;
    this.session.gates.add(plan);
    this.deletions.heard();
    await this.deletions.wait();
    refuse(this.session.gates.stop(plan, zones, isDestroy ? "destroy" : "up"));
  }
}
