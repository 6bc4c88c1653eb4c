/** The account of one update: results of writes, records that leave, the next ledger, and messages. */
import { recordKey, type DeclaredRecord } from "../../dns";
import { defined } from "../../support/defined";
import { errorText } from "../../support/text";
import { append, domainsOf, groupBy, largest } from "../../support/collections";
import { reason, type Reason } from "../../problems";
import { warnOf } from "../../support/reporter";
import {
  blocksAny,
  digestOf,
  refOf,
  type Ledger,
  type StaleRecord,
  type OwnedRecord,
  type RemovedRecord,
  type OpenWrite,
} from "../memory/ledger";
import { creators } from "../memory/created";
import { explainLine } from "../checks/lines";
import type { Task, TaskPlan } from "../plan/plan";
import { becomesAnother, type Change, type Match } from "../plan/pairing";
import { obstacleOf, type Plan } from "../plan/plan";
import type { Run } from "../run";
import { isYoungInNextRun } from "../timeline";
import {
  duplicateReasons,
  declaredLines,
  domainReasons,
  obstacleReason,
  refusedReason,
  uncertainReason,
  notSentReason,
  storedReasons,
  unremovedReasons,
  type Wording,
} from "../wording";
import type { Removed, Result } from "../write/result";
import type { Done } from "../write/writer";
import { isNewForm, ownedAs, storedOf } from "../zones/own-forms";
import type { LiveEntry, Zone, Zones } from "../zones/zone";
import { splitStale, retain, reportTakenOver } from "./departures";
import { besideIn } from "./neighbours";
import { findUnmanaged } from "./observed";

interface Update {
  readonly task: Task;
  readonly plan: TaskPlan;
  readonly zones: Zones;
}

type Written = { readonly record: DeclaredRecord } & Partial<Omit<Change, "record">>;

type Unmade = Extract<Result, { readonly kind: "uncertain" | "not-sent" }>;

export class Books {
  readonly failures: Reason[] = [];
  private readonly wording: Wording;
  private readonly duplicates: Plan["duplicates"][number][];
  private readonly stale: StaleRecord[] = [];
  private readonly owned = new Map<string, OwnedRecord>();
  /** Live in a form of the service's own that the ledger did not have. */
  private readonly otherwise: Match[] = [];
  private readonly removed: RemovedRecord[];
  private readonly openWrites: OpenWrite[];
  /** The refused records that are live in another form, by `refOf`. */
  private readonly recognised = new Set<string>();
  /** By `refOf`: the times of its writes in the ledger. */
  private written: ReadonlyMap<string, readonly { readonly since?: number }[]> | undefined;

  /** Before any write, because the creators of live records may be unknown afterwards. */
  static async open(run: Run, update: Update): Promise<Books> {
    const { adopted, changes, obstacles, present } = update.plan;
    const seen = [...present, ...changes].map(({ live }) => live);
    return new Books(
      run,
      update,
      await creators(run, [...seen, ...obstacles.flatMap(({ live }) => live)], adopted.length > 0),
    );
  }

  private constructor(
    private readonly run: Run,
    private readonly update: Update,
    private readonly isCreated: (live: LiveEntry) => boolean,
  ) {
    const { plan, task } = update;
    this.wording = run.siblings.wording(task.declaration);
    for (const { record, live } of plan.present) {
      const known = task.ledger.owned.get(digestOf(record));
      this.own(record, live, known?.id === live.id ? known.since : live.since);
    }
    for (const obstacle of plan.obstacles) {
      const { record, live, kind } = obstacle;
      if (kind !== "blocked" && plan.owned.has(live[0])) this.own(record, live[0]);
      this.failures.push(obstacleReason(obstacle, this.wording));
    }
    this.enterWaiting();
    this.duplicates = [...plan.duplicates];
    this.removed = [...task.ledger.removed];
    this.openWrites = [...task.ledger.openWrites];
  }

  private enterWaiting(): void {
    const { plan, task } = this.update;
    const { declaration, ledger } = task;
    for (const change of plan.waiting.changes)
      if (becomesAnother(change)) this.noteStale([change.live]);
      else this.own(change.record, change.live);
    this.noteStale(plan.waiting.removals.map(({ live }) => live));
    for (const write of ledger.openWrites)
      if (blocksAny(write, declaration.records))
        this.failures.push(uncertainReason(write, declaration.records, this.wording));
  }

  async close({ changed, created, removals }: Done): Promise<Ledger> {
    const { run, update, wording } = this;
    const { declaration } = update.task;
    await this.enterWrites(changed, created);
    warnOf(run.reporter, duplicateReasons(this.duplicates, wording));
    warnOf(run.reporter, storedReasons(this.otherwise, wording));
    await this.reportOtherUndeclared();
    this.enterRemovals(removals);
    await this.enterStale();
    const ledger = this.ledger();
    run.siblings.claim(declaration.records, ledger);
    const beside = besideIn(run.siblings, declaration, update.zones, update.plan);
    warnOf(run.reporter, run.neighbours.besideReasons(beside));
    return ledger;
  }

  /** It never rejects, because the state must keep the written records. */
  private async reportOtherUndeclared(): Promise<void> {
    const { run, update } = this;
    const { declaration, unmanaged = [] } = update.task;
    const own = new Set([...unmanaged, ...this.stale].map(refOf));
    try {
      const undeclared = await findUnmanaged(run, declaration.report);
      const others = undeclared.filter((live) => !own.has(refOf(live)));
      warnOf(run.reporter, run.neighbours.undeclaredReasons(declaration, others));
    } catch (error) {
      warnOf(run.reporter, [reason("live.not-looked-for", { detail: errorText(error) })]);
    }
  }

  private async enterWrites(changed: Done["changed"], created: Done["created"]): Promise<void> {
    const writes = [...changed, ...[...created].map(([record, result]) => [{ record }, result] as const)];
    const refused = [...created].flatMap(([record, { kind }]) => (kind === "refused" ? record : []));
    const reread = await this.reread(refused);
    const unmade: { readonly record: DeclaredRecord; readonly outcome: Unmade }[] = [];
    for (const [write, result] of writes as readonly (readonly [Written, Result])[]) {
      const { live, record } = write;
      if (result.kind === "made") {
        this.own(record, result.entry, result.since, live === undefined || this.isCreated(live));
        if (result.live && result.live.length > 1) this.duplicates.push({ record, live: result.live });
        continue;
      }
      // A failed change leaves the record unchanged. The resource owns every record that the plan could
      // change.
      if (live && becomesAnother(write)) this.noteStale([live]);
      else if (live) this.own(record, live);
      if (result.kind === "refused" || result.kind === "appeared")
        await this.enterFound(write, result, reread.get(record.domain));
      else unmade.push({ record, outcome: result });
    }
    for (const group of groupBy(unmade, ({ outcome }) => nameOf(outcome)).values()) {
      const records = group.map(({ record }) => record);
      this.enterUnmade(group[0].outcome, records);
    }
  }

  private async reread(refused: readonly DeclaredRecord[]): Promise<Zones> {
    const { allowance, clock, zones } = this.run;
    const domains = domainsOf(refused);
    for (const domain of domains) allowance.forget(domain);
    return zones.getAll(domains, clock.now()).catch(() => new Map<string, Zone>());
  }

  /** A record that was not made is possibly live: unmanaged, or changed since. */
  private async enterFound(
    { live, record }: Written,
    outcome: Extract<Result, { readonly kind: "refused" | "appeared" }>,
    zone: Zone | undefined,
  ): Promise<void> {
    const { plan, task } = this.update;
    const found = outcome.kind === "appeared" ? outcome.live : this.liveOf(record, zone);
    const [twin] = found;
    if (found.length > 1) this.duplicates.push({ record, live: found });
    const kind = twin && obstacleOf(record, twin, { adopt: task.declaration.adopt, owned: plan.owned });
    if (twin && kind === undefined) this.own(record, twin);
    else if (outcome.kind === "appeared") {
      if (kind) this.failures.push(obstacleReason({ kind, record, live: outcome.live }, this.wording));
    } else {
      const explained = zone ? explainLine(outcome, record, zone, this.run.settings.defaultLine) : outcome;
      this.failures.push(refusedReason(record, live, explained, zone, this.wording));
    }
  }

  /** The service may have refused the record because it is there in another form. */
  private liveOf(record: DeclaredRecord, zone: Zone | undefined): readonly LiveEntry[] {
    const live = zone?.byKey.get(recordKey(record)) ?? [];
    if (zone === undefined || live.length > 0) return live;
    const { create, stale } = this.update.plan;
    const found = this.run.siblings.forms.find(zone, record, create, stale);
    if (found === undefined) return [];
    this.recognised.add(refOf(found));
    return [found];
  }

  private enterUnmade(outcome: Unmade, records: readonly DeclaredRecord[]): void {
    const byDomain = groupBy(records, (record) => record.domain);
    if (outcome.kind === "not-sent") {
      for (const [domain, these] of byDomain)
        this.failures.push(
          notSentReason(outcome, { domain, done: "created" }, declaredLines(these, this.wording)),
        );
      return;
    }
    const { job, since, text: detail, isUnclear } = outcome;
    for (const [domain, these] of byDomain) {
      const write = defined({ domain, job, since, digests: these.map(digestOf), isUnclear });
      this.openWrites.push(write);
      this.failures.push(uncertainReason({ ...write, detail }, these, this.wording));
    }
  }

  private enterRemovals(removals: readonly Removed[]): void {
    const { failures, run, wording } = this;
    const takenOver = [...this.update.plan.released];
    for (const { live, outcome } of removals) {
      if (outcome.kind === "removed")
        this.removed.push({ domain: live.domain, id: live.id, since: outcome.since });
      else if (outcome.kind === "taken") takenOver.push(live);
      else this.noteStale([live]);
    }
    append(failures, unremovedReasons(removals, wording, "up"));
    reportTakenOver(run, takenOver, wording);
  }

  /** `retain` releases stale records, except obstacles of declared records. */
  private async enterStale(): Promise<void> {
    const { run, wording } = this;
    const { plan, task, zones } = this.update;
    const { before, declaration, ledger } = task;
    const stale = plan.stale.filter((live) => !this.recognised.has(refOf(live)));
    const { others, blocking } = splitStale({ ...plan, stale });
    this.noteStale(blocking);
    if (declaration.removal === "retain") {
      warnOf(run.reporter, domainReasons("live.retained", others, wording));
      // Records that no listing shows yet.
      const declared = new Set(declaration.records.map(recordKey));
      const isListed = (domain: string, id: string): boolean => zones.get(domain)?.byId.has(id) === true;
      const given = before.filter((record) => {
        const known = declared.has(recordKey(record)) ? undefined : ledger.owned.get(digestOf(record));
        return known !== undefined && !isListed(record.domain, known.id);
      });
      const stale = ledger.stale.filter(({ domain, id }) => !isListed(domain, id));
      return retain(run, declaration, { ...ledger, stale }, given);
    }
    this.noteStale(others);
    append(this.failures, domainReasons("live.left-over", others, wording));
  }

  /** A young record gets the latest possible time, because listings may not show it yet. */
  private noteStale(entries: readonly LiveEntry[]): void {
    const { clock, settings } = this.run;
    const { ledger } = this.update.task;
    this.written ??= groupBy([...ledger.owned.values(), ...ledger.stale], refOf);
    for (const live of entries) {
      const times = (this.written.get(refOf(live)) ?? []).map((each) => each.since ?? 0);
      const since = largest(times, live.since ?? 0);
      this.stale.push({
        domain: live.domain,
        id: live.id,
        ...(isYoungInNextRun(settings, since, clock.now()) ? { since } : {}),
        made: this.isCreated(live),
        ...defined({ stored: storedOf(live) }),
      });
    }
  }

  private ledger(): Ledger {
    const { stale, owned, openWrites } = this;
    const { clock, settings } = this.run;
    const { declaration, ledger } = this.update.task;
    const removed = this.removed.filter(({ since }) => isYoungInNextRun(settings, since, clock.now()));
    const urn = declaration.urn ?? ledger.urn;
    return { owned, stale, removed, missing: [], openWrites, urn };
  }

  private own(
    record: DeclaredRecord,
    live: LiveEntry,
    since = live.since ?? 0,
    made = this.isCreated(live),
  ): void {
    this.owned.set(digestOf(record), ownedAs(live, since, made));
    if (isNewForm(live, this.update.task.ledger.owned.get(digestOf(record))))
      this.otherwise.push({ record, live });
  }
}

function nameOf(outcome: Unmade): string {
  return outcome.kind === "not-sent" ? outcome.error.message : `${outcome.since} ${outcome.text}`;
}
