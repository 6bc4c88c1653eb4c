/**
 * Reconciles a declaration with its zones. `apply`, `observe` and `release` first settle open writes of
 * earlier runs. They and `preview` read the zones and plan. Only `apply` and `release` write, and account for
 * the results.
 */
import { LineReader, PurviewReader, type Client } from "../api";
import { Quiet, Stamps, type Clock } from "../clock";
import { recordKey, type DeclaredRecord } from "../dns";
import { domainsOf, split } from "../gather";
import { count, named } from "../words";
import { isOf, type Reason } from "../problems";
import { Refusal } from "../problems/refusal";
import { warnOf, type Reporter } from "../report";
import type { Settings } from "../settings";
import { Books, type Update } from "./account/books";
import {
  handOver,
  makers,
  partLeftOver,
  readable,
  retain,
  takenSince,
  tellKept,
  tellTaken,
} from "./account/departures";
import { findingsOf, withFound, type Observed } from "./account/observed";
import { findUndeclared, tellUndeclared } from "./account/undeclared";
import { Allowance } from "./allowance";
import { createOnly, type Declaration } from "./declaration";
import { Lines } from "./lines";
import { Journal } from "./memory/journal";
import { digestOf, emptyLedger, withTimes, type Ledger } from "./memory/ledger";
import { Siblings } from "./memory/siblings";
import {
  duplicateReasons,
  domainReasons,
  leftOverReasons,
  livesText,
  obstacleReason,
  recordsName,
  uncertainReason,
  unremovedReasons,
  type Wording,
} from "./wording";
import { Gates } from "./plan/gates";
import { hasWrites, oursOf, planTask, type Task, type TaskPlan } from "./plan/task";
import { becomesAnother } from "./plan/pairing";
import { planRecords, type Plan } from "./plan/plan";
import type { Run } from "./run";
import { settleEarlier, type Patience, type Settled } from "./settle/earlier";
import { GoneDomains, goneReasons, withAll, withDeclared, type Aside } from "./settle/gone-domains";
import { awaitOthers } from "./settle/others";
import { readZones, withWayOut } from "./settle/read-zones";
import type { Removed } from "./write/result";
import { Writer } from "./write/writer";
import { ZoneReader } from "./zones/reader";
import type { LiveEntry, Zones } from "./zones/zone";

export type { Finding, Observed } from "./account/observed";

export interface Preview {
  /** Impossible requests of the program. */
  readonly refusals: readonly Reason[];
  /** Declared records that are refused separately. */
  readonly refused: ReadonlySet<DeclaredRecord>;
  /** Warnings. */
  readonly warnings: readonly Reason[];
  /** Errors at the end of the `up`, after all other changes. */
  readonly failures: readonly Reason[];
  /** Undeclared records that stay under `retain`. */
  readonly stays: readonly Reason[];
  readonly plan: Plan;
  /** Domains that have left the account. The plan has no record of them. */
  readonly gone: ReadonlySet<string>;
}

export interface Applied {
  readonly ledger: Ledger;
  /** Empty if every declared record is live and no stale record is left. */
  readonly failures: readonly Reason[];
}

export interface ReconcilerParts {
  readonly client: Client;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly reporter: Reporter;
  /** Whether this run has a program, even an empty one. A destroy has none. */
  readonly programRan?: () => Promise<boolean>;
  readonly project?: string;
  /** The engine's address, which the processes of one update have in common. */
  readonly engine?: string;
}

/** Milliseconds. After such a pause, all concurrent deletions of the engine have arrived. */
const releaseWindow = 200;

export class Reconciler {
  readonly siblings: Siblings;
  readonly zones: ZoneReader;
  readonly writer: Writer;
  readonly journal: Journal;
  private readonly run: Run;
  private readonly gates: Gates;
  private readonly stamps: Stamps;
  private readonly deletions: Quiet;

  constructor(private readonly parts: ReconcilerParts) {
    const { client, clock, project, reporter, settings } = parts;
    this.siblings = new Siblings(clock);
    this.zones = new ZoneReader(client, settings, clock);
    this.gates = new Gates(settings, this.siblings);
    this.stamps = new Stamps(clock);
    this.deletions = new Quiet(clock, releaseWindow);
    this.journal = new Journal(settings, clock, reporter, project, this.stamps, parts.engine);
    this.run = {
      client,
      clock,
      reporter,
      settings,
      siblings: this.siblings,
      zones: this.zones,
      journal: this.journal,
      allowance: new Allowance(new PurviewReader(client, settings), settings),
      lines: new Lines(new LineReader(client), settings),
      gone: new GoneDomains(clock),
    };
    this.writer = new Writer(this.run);
  }

  /** To be called at the end of the process, after the engine has every answer. */
  close(): void {
    this.run.journal.close();
  }

  /** The plan that `apply` would carry out now. @param before the declaration at the time of the ledger */
  async preview(
    declaration: Declaration,
    before: readonly DeclaredRecord[] = [],
    ledger: Ledger = emptyLedger,
  ): Promise<Preview> {
    const { result, aside } = await this.beside({ declaration, before, ledger }, (rest) =>
      this.previewOf(rest),
    );
    const [declared, released] = split(goneReasons(aside), (why) => isOf(why, "zone.gone"));
    return {
      ...result,
      warnings: [...result.warnings, ...released],
      failures: [...result.failures, ...declared],
      gone: aside.domains,
    };
  }

  private async previewOf({ declaration, before, ledger }: Task): Promise<Omit<Preview, "gone">> {
    const current = this.hear(declaration, before, ledger);
    const task = {
      declaration,
      before,
      ledger: { ...current, undeclared: this.siblings.free(current.undeclared) },
    };
    const zones = await this.zonesOf(task);
    const plan = this.planOf(task, await this.withAbandoned(zones, task));
    this.gates.add(plan);
    const wording = this.siblings.wording(declaration);
    const allowed = await this.run.allowance.check(plan, zones);
    const onLines = await this.run.lines.refusals(plan, declaration, zones, wording);
    const leftOver = partLeftOver(plan).beside;
    const [failing, staying] = declaration.removal === "retain" ? [[], leftOver] : [leftOver, []];
    return {
      plan,
      refusals: [...allowed.refusals, ...this.gates.refusals(plan, zones), ...onLines.map(({ why }) => why)],
      refused: new Set([...allowed.refused, ...onLines.flatMap(({ records }) => records)]),
      warnings: [...allowed.warnings, ...duplicateReasons(plan.duplicates, wording)],
      failures: [...this.obstacleReasons(plan, declaration), ...leftOverReasons(failing, wording, "up")],
      stays: domainReasons("live.retained", staying, wording),
    };
  }

  /**
   * Makes the declaration live. Later failures are in `failures`.
   * @throws Refusal before any write; LegacyDnsError if a zone cannot be read
   */
  async apply(declaration: Declaration, before: readonly DeclaredRecord[], ledger: Ledger): Promise<Applied> {
    const { result: update, aside } = await this.beside({ declaration, before, ledger }, (rest) =>
      this.readyUpdate(rest),
    );
    const [declared, released] = split(goneReasons(aside), (why) => isOf(why, "zone.gone"));
    warnOf(this.parts.reporter, released);
    const books = await Books.open(this.run, update);
    const done = await this.writer.carryOut(
      update.plan,
      update.zones,
      takenSince(update.task.declaration.records, this.isAnothers()),
    );
    const accounted = await books.close(done);
    return {
      ledger: withDeclared(this.stored(accounted), aside),
      failures: [...books.failures, ...declared],
    };
  }

  /**
   * Settles open writes of earlier runs, and plans. Waits for an earlier job only if nothing else is left to
   * do.
   */
  private async readyUpdate(task: Task): Promise<Update> {
    const { ledger } = await this.settle(task, "lost writes");
    const undeclared = this.siblings.takeOn(ledger.undeclared);
    const update = await this.planUpdate({ ...task, ledger: { ...ledger, undeclared } });
    if (update.task.ledger.uncertain.length === 0 || hasWrites(update.plan)) return update;
    const settled = await this.settleHeard(update.task, "jobs");
    return this.planUpdate({ ...update.task, ledger: settled.ledger });
  }

  /** Works on a task without the domains that have left the account. */
  private beside<T>(
    task: Task,
    work: (rest: Task) => Promise<T>,
    command: "up" | "delete" = "up",
  ): Promise<{ result: T; aside: Aside }> {
    const declaration = command === "up" ? task.declaration : { ...task.declaration, records: [] };
    return withWayOut(declaration, command, () => this.run.gone.beside(task, work));
  }

  /** The live state of a declaration. A record that an uncertain write may be creating counts as unread. */
  async observe(declaration: Declaration, ledger: Ledger): Promise<Observed> {
    this.siblings.quiet.heard();
    const { result, aside } = await this.run.gone.beside(
      { declaration, before: declaration.records, ledger },
      (rest) => this.observeRest(rest),
    );
    warnOf(this.parts.reporter, this.run.gone.untold(goneReasons(aside, "gone")));
    const unread = aside.declaration.records.map((record) => ({ state: "unread", record }) as const);
    return {
      ...result,
      findings: [...result.findings, ...unread],
      ledger: withAll(result.ledger, aside),
    };
  }

  private async observeRest({ declaration, ledger }: Task): Promise<Observed> {
    const { records } = declaration;
    const { ledger: settled } = await this.settle({ declaration, before: [], ledger }, "index");
    const wording = this.siblings.wording(declaration);
    const uncertain = settled.uncertain.map((write) => uncertainReason(write, records, wording));
    warnOf(this.parts.reporter, uncertain);
    const zones = await readZones(this.run, records, settled);
    const plan = planTask(
      {
        declaration: { ...declaration, adopt: true, may: createOnly },
        before: records,
        ledger: { ...settled, undeclared: [], uncertain: [] },
      },
      zones,
      () => false,
    );
    this.warnOfDuplicates(plan, declaration);
    this.siblings.hold(records, zones);
    const undeclared = await findUndeclared(this.run, declaration);
    tellUndeclared(this.run, declaration, undeclared);
    const going = declaration.report?.remove === true ? undeclared : [];
    const found = [...plan.leftOver, ...going];
    // The changed value may be a secret of a resource that is not checked yet.
    if (found.length > 0) await this.siblings.quiet.wait();
    const secrets = new Set(found.filter(({ key }) => this.siblings.isSecret(key)));
    const entered = await this.entered(settled, plan, declaration, zones);
    const refs = going.map(({ domain, id }) => ({ domain, id }));
    return {
      findings: findingsOf(plan, settled),
      strays: plan.leftOver,
      undeclared: going,
      secrets,
      ledger: this.stored({ ...entered, undeclared: refs }),
    };
  }

  /**
   * The live records that a resource of the state holds, for a plan of its deletion.
   * @returns with them, domain -> live records that are not the service's own
   */
  async holdings(
    declaration: Declaration,
    ledger: Ledger,
  ): Promise<{ readonly held: readonly LiveEntry[]; readonly live: ReadonlyMap<string, number> }> {
    const current = this.hear(declaration, [], ledger);
    const zones = await readZones(this.run, declaration.records, current);
    const live = [...zones].map(
      ([domain, { entries }]) => [domain, entries.filter(({ hold }) => !hold).length] as const,
    );
    return { held: [...oursOf(current, declaration.records, zones)], live: new Map(live) };
  }

  /**
   * Releases the records of a resource. A destroy deletes created records and keeps adopted ones.
   * @throws Refusal if a record cannot be deleted; the others are deleted then
   */
  async release(declaration: Declaration, ledger: Ledger): Promise<void> {
    const { records } = declaration;
    const current = this.hear(declaration, [], ledger);
    const given = this.handOver(declaration, ledger);
    const own = records.filter((record) => !this.siblings.isDeclared(recordKey(record)));
    if (own.length + ledger.leftOver.length + ledger.uncertain.length === 0) return;
    if (declaration.removal === "retain") return retain(this.run, declaration, current, own);
    const task = { declaration, before: records, ledger };
    const { result, aside } = await this.beside(task, (rest) => this.readyRelease(rest), "delete");
    await this.removeOwn(result.declaration, result.ours, result.zones, given);
    const fate = (await this.isDestroy()) ? "kept" : "released";
    const reasons = goneReasons(aside, fate);
    if (fate === "kept") refuse(reasons);
    warnOf(this.parts.reporter, this.run.gone.untold(reasons));
  }

  /**
   * Settles open writes of earlier runs.
   * @returns the resource's records
   * @throws Refusal if a write is still open
   */
  private async readyRelease({ declaration, ledger }: Task) {
    const { records } = declaration;
    const settled = await this.settle({ declaration, before: [], ledger }, "jobs");
    const wording = this.siblings.wording(declaration);
    refuse([
      ...settled.ledger.uncertain.map((job) => uncertainReason(job, records, wording)),
      ...settled.beside,
    ]);
    const zones = await readZones(this.run, records, settled.ledger);
    return { declaration, ours: oursOf(settled.ledger, records, zones), zones };
  }

  /** Whether the run is a destroy. An update runs a program, even an empty one; a destroy does not. */
  async isDestroy(): Promise<boolean> {
    return !this.siblings.declaresAny && (await this.parts.programRan?.()) !== true;
  }

  /**
   * Notes a resource's current and former declaration and its records.
   * @returns its ledger with times of this process's clock
   */
  private hear(
    { records, sensitive }: Declaration,
    before: readonly DeclaredRecord[],
    ledger: Ledger,
  ): Ledger {
    if (sensitive) this.siblings.conceal(records, before);
    this.siblings.claim([...records, ...before], ledger);
    this.zones.expect(records);
    return withTimes(ledger, (at) => this.stamps.read(at));
  }

  private stored(ledger: Ledger): Ledger {
    return withTimes(ledger, (at) => this.stamps.stored(at));
  }

  /** Settles open writes of the resource's earlier runs. */
  private settle(task: Task, patience: Patience): Promise<Settled> {
    const { declaration, before, ledger } = task;
    return this.settleHeard({ ...task, ledger: this.hear(declaration, before, ledger) }, patience);
  }

  private async settleHeard({ declaration, before, ledger }: Task, patience: Patience): Promise<Settled> {
    const records = [...declaration.records, ...before];
    const wording = this.siblings.wording(declaration);
    const settled = await settleEarlier(this.run, ledger, records, wording, patience);
    this.siblings.claim(records, settled.ledger);
    return settled;
  }

  /** The zones of a task. Under `retain`, zones with former or stale records only need not be readable. */
  private zonesOf({ declaration, before, ledger }: Task): Promise<Zones> {
    const { records } = declaration;
    const letsGo = declaration.removal === "retain";
    return readZones(
      this.run,
      letsGo ? records : [...records, ...before],
      letsGo ? { ...ledger, leftOver: [] } : ledger,
    );
  }

  /** Adds the zones that the declaration has left under `retain`, if they can be read. */
  private async withAbandoned(zones: Zones, { declaration, before, ledger }: Task): Promise<Zones> {
    if (declaration.removal !== "retain") return zones;
    const domains = [...before, ...ledger.leftOver]
      .map(({ domain }) => domain)
      .filter((domain) => !zones.has(domain));
    return domains.length === 0 ? zones : new Map([...zones, ...(await readable(this.run, domains)).zones]);
  }

  /** Whether another resource has a live record, of this process or of another provider's. */
  private isAnothers(): (live: LiveEntry) => boolean {
    // The journal's files are read only for plans that release records.
    let isTaken: ((live: LiveEntry) => boolean) | undefined;
    return (live) =>
      this.siblings.isDeclared(live.key) || (isTaken ??= this.run.journal.claims.takenBeside())(live);
  }

  private planOf(task: Task, zones: Zones): TaskPlan {
    return planTask(task, zones, this.isAnothers());
  }

  /**
   * The plan to carry out, made again until no other process and no other resource changes its zones.
   * @throws Refusal
   */
  private async planUpdate(ready: Task): Promise<Update> {
    let task = ready;
    let zones = await this.zonesOf(task);
    let plan = this.planOf(task, zones);
    // What is taken over may be about to go or to become another, in another process or in this one.
    const takesOver = ({ adopted, changes, ours }: TaskPlan): LiveEntry[] =>
      [...adopted, ...changes].map(({ live }) => live).filter((live) => !ours.has(live));
    for (;;) {
      const { any, open } = await awaitOthers(this.run, plan, zones);
      if (!any && !(await this.writer.underWay.ended(takesOver(plan)))) break;
      task = { ...task, ledger: { ...task.ledger, uncertain: [...task.ledger.uncertain, ...open] } };
      zones = await this.zonesOf(task);
      plan = this.planOf(task, zones);
    }
    if (plan.leftOver.length > 0 || plan.removals.length > 0 || plan.changes.some(becomesAnother)) {
      await this.siblings.quiet.wait();
      plan = this.planOf(task, zones);
    }
    refuse(this.gates.stop(plan, zones));
    this.run.journal.claims.take(takesOver(plan));
    return { task, plan, zones };
  }

  private obstacleReasons({ obstacles }: Pick<Plan, "obstacles">, declaration: Declaration): Reason[] {
    const wording = this.siblings.wording(declaration);
    return obstacles.map((each) => obstacleReason(each, wording));
  }

  private warnOfDuplicates({ duplicates }: Plan, declaration: Declaration): void {
    warnOf(this.parts.reporter, duplicateReasons(duplicates, this.siblings.wording(declaration)));
  }

  /**
   * The ledger with the records that a refresh found live as declared. Records that must not be adopted are
   * reported.
   */
  private async entered(ledger: Ledger, plan: Plan, declaration: Declaration, zones: Zones): Promise<Ledger> {
    const strange = declaration.adopt ? [] : plan.adopted;
    const obstacles = strange.map(({ record, live }) => ({ kind: "exists", record, live: [live] }) as const);
    warnOf(this.parts.reporter, this.obstacleReasons({ obstacles }, declaration));
    const refused = new Set(strange.map(({ live }) => live));
    const found = plan.present.filter(
      ({ record, live }) => !refused.has(live) && ledger.owned.get(digestOf(record))?.id !== live.id,
    );
    return withFound(
      ledger,
      found,
      zones,
      await makers(
        this.run,
        found.map(({ live }) => live),
        false,
      ),
    );
  }

  /** Passes records to the resources that declare them. @returns the keys of these records */
  private handOver(declaration: Declaration, { owned }: Ledger): ReadonlySet<string> {
    const given = declaration.records.filter((record) => this.siblings.isDeclared(recordKey(record)));
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
    this.parts.reporter.info(
      `${recordsName(given, this.siblings.wording(declaration))}: taken over by ${this.siblings.takers(keys)}`,
    );
    return new Set(keys);
  }

  /**
   * Removes the records of a deleted resource and reports those that stay.
   * @param given records reported as taken over
   * @throws Refusal with the records that cannot be removed
   */
  private async removeOwn(
    declaration: Declaration,
    all: ReadonlySet<LiveEntry>,
    zones: Zones,
    given: ReadonlySet<string>,
  ): Promise<void> {
    const isDestroy = await this.isDestroy();
    const wording = this.siblings.wording(declaration);
    const command = isDestroy ? "destroy" : "delete";
    const isMade = await makers(this.run, isDestroy ? [...all] : [], false);
    // System records are never removed, only released.
    const ours = isDestroy ? new Set([...all].filter((live) => live.hold || isMade(live))) : all;
    const adopted = [...all].filter((live) => !ours.has(live));
    const plan = planRecords({
      declared: [],
      zones,
      ours,
      declaredElsewhere: this.isAnothers(),
      adopt: true,
      may: declaration.may,
    });
    this.warnOfDuplicates(plan, declaration);
    tellTaken(this.run, plan.released, wording, given);
    tellKept(this.run, plan.kept, wording);
    await this.passGates(plan, zones, isDestroy);
    const removals = await this.removeLive(plan, zones, declaration, wording);
    refuse(unremovedReasons(removals, wording, command));
    warnOf(this.parts.reporter, domainReasons("live.adopted", adopted, wording));
    refuse(leftOverReasons(plan.leftOver, wording, command));
  }

  /** Removes the live records of a plan and reports those that went. */
  private async removeLive(
    plan: Plan,
    zones: Zones,
    declaration: Declaration,
    wording: Wording,
  ): Promise<readonly Removed[]> {
    const removals = await this.writer.remover.remove(
      plan.removals.map(({ live }) => live),
      zones,
      takenSince([], this.isAnothers()),
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
      this.parts.reporter.info(
        `${named(domainsOf(removed))}: ${count(removed.length, "record")} removed: ${livesText(removed, wording, 3)}`,
      );
    return removals;
  }

  /** Checks a deletion together with the others that the engine asks for at once. @throws Refusal */
  private async passGates(plan: Plan, zones: Zones, isDestroy: boolean): Promise<void> {
    if (plan.removals.length === 0 || (isDestroy && !this.gates.mayRefuse(plan, zones))) return;
    this.gates.add(plan);
    this.deletions.heard();
    await this.deletions.wait();
    refuse(this.gates.stop(plan, zones, isDestroy ? "destroy" : "up"));
  }
}

function refuse(reasons: readonly Reason[]): void {
  if (reasons.length > 0) throw new Refusal(reasons);
}
