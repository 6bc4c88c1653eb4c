/**
 * The account of one update: results of writes, records that leave the resource, the next ledger, and
 * messages.
 */
import { recordKey, type DeclaredRecord } from "../../dns";
import { append, gather, groupBy, largest } from "../../support/collections";
import { reason, type Reason } from "../../problems";
import { warnOf } from "../../support/reporter";
import {
  digestOf,
  type Ledger,
  type StaleRecord,
  type OwnedRecord,
  type RemovedRecord,
} from "../memory/ledger";
import type { Task, TaskPlan } from "../plan/task";
import { becomesAnother, type Change } from "../plan/pairing";
import { obstacleOf, type Plan } from "../plan/plan";
import type { Run } from "../run";
import { isYoung } from "../timeline";
import {
  duplicateReasons,
  declaredLines,
  domainReasons,
  staleReasons,
  obstacleReason,
  refusedReason,
  uncertainReason,
  unremovedReasons,
  type Wording,
} from "../wording";
import type { Removed, Result } from "../write/result";
import type { Done } from "../write/writer";
import type { LiveEntry, Zone, Zones } from "../zones/zone";
import { creators, splitStale, retain, reportSystemRecords, reportTakenOver, unlisted } from "./departures";
import { reportOtherUndeclared } from "./undeclared";

export interface Update {
  readonly task: Task;
  readonly plan: TaskPlan;
  readonly zones: Zones;
}

type Written = { readonly record: DeclaredRecord } & Partial<Omit<Change, "record">>;

interface Unmade {
  readonly outcome: Extract<Result, { readonly kind: "uncertain" | "not-sent" }>;
  readonly detail: string;
  readonly records: DeclaredRecord[];
}

export class Books {
  readonly failures: Reason[] = [];
  private readonly wording: Wording;
  private readonly duplicates: Plan["duplicates"][number][];
  private readonly stale: StaleRecord[] = [];
  private readonly owned = new Map<string, OwnedRecord>();
  private readonly removed: RemovedRecord[];
  private readonly unmade = new Map<string, Unmade>();
  private written: ReadonlyMap<string, readonly { readonly since?: number }[]> | undefined;

  /** Before any write, because the creators of live records may be unknown afterwards. */
  static async open(run: Run, update: Update): Promise<Books> {
    const { adopted, changes, present } = update.plan;
    return new Books(
      run,
      update,
      await creators(
        run,
        [...present, ...changes].map(({ live }) => live),
        adopted.length > 0,
      ),
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
      // An owned record that differs from its declaration stays owned.
      if (kind !== "blocked" && plan.owned.has(live[0])) this.own(record, live[0]);
      this.failures.push(obstacleReason(obstacle, this.wording));
    }
    this.enterWaiting();
    this.duplicates = [...plan.duplicates];
    this.removed = [...task.ledger.removed];
  }

  private enterWaiting(): void {
    const { plan, task } = this.update;
    const { before, declaration, ledger } = task;
    for (const change of plan.waiting.changes)
      if (becomesAnother(change)) this.noteStale([change.live]);
      else this.own(change.record, change.live);
    this.noteStale(plan.waiting.removals.map(({ live }) => live));
    for (const write of ledger.uncertain)
      this.failures.push(uncertainReason(write, [...declaration.records, ...before], this.wording));
  }

  async close({ results, removals }: Done): Promise<Ledger> {
    const { run, update, wording } = this;
    const { before, declaration, ledger: earlier } = update.task;
    await this.enterWrites(results);
    warnOf(run.reporter, duplicateReasons(this.duplicates, wording));
    await reportOtherUndeclared(run, declaration, [...earlier.undeclared, ...this.stale]);
    if (declaration.removal === "retain") {
      // The plan reports records that the zones list.
      const stale = earlier.stale.filter(({ domain, id }) => update.zones.get(domain)?.byId.has(id) !== true);
      await retain(
        run,
        declaration,
        { ...earlier, stale },
        unlisted(before, declaration.records, earlier, update.zones, run.settings.indexDelay),
      );
    }
    reportSystemRecords(run, update.plan.kept, wording);
    this.enterRemovals(removals);
    this.enterStale();
    const ledger = this.ledger();
    run.siblings.claim(declaration.records, ledger);
    return ledger;
  }

  private async enterWrites(results: readonly Result[]): Promise<void> {
    const { changes, create } = this.update.plan;
    const writes: readonly Written[] = [...changes, ...create.map((record) => ({ record }))];
    const reread = await this.reread(
      create.filter((_, i) => results[changes.length + i]?.kind === "refused"),
    );
    for (const [i, write] of writes.entries()) {
      const result = results[i];
      const zone = reread.get(write.record.domain);
      if (result)
        this.enter(
          write,
          zone && result.kind === "refused"
            ? await this.run.lines.explained(result, write.record, zone)
            : result,
          zone,
        );
    }
    for (const { outcome, detail, records } of this.unmade.values())
      for (const [domain, these] of groupBy(records, (record) => record.domain))
        this.failures.push(
          outcome.kind === "not-sent"
            ? reason("write.not-sent", { domain, detail }, declaredLines(these, this.wording))
            : uncertainReason({ ...outcome, digests: these.map(digestOf), detail }, these, this.wording),
        );
  }

  /** A refused record may be live. */
  private async reread(refused: readonly DeclaredRecord[]): Promise<Zones> {
    const { allowance, clock, zones } = this.run;
    const domains = new Set(refused.map(({ domain }) => domain));
    // The limits that are kept may be stale.
    for (const domain of domains) allowance.forget(domain);
    // If they cannot be read, the refusals are reported.
    return zones.getAll(domains, clock.now()).catch(() => new Map<string, Zone>());
  }

  private enter(write: Written, outcome: Result, reread: Zone | undefined): void {
    const {
      update: {
        plan: { owned },
        task: {
          declaration: { adopt },
        },
      },
      wording,
    } = this;
    const { live, record } = write;
    // A failed change leaves the record unchanged. The resource owns every record that the plan could change.
    if (outcome.kind !== "made" && live && !becomesAnother(write)) this.own(record, live);
    else if (outcome.kind !== "made" && live) this.noteStale([live]);
    const found =
      outcome.kind === "refused"
        ? (reread?.byKey.get(recordKey(record)) ?? [])
        : "live" in outcome
          ? outcome.live
          : [];
    const [twin] = found;
    if (found.length > 1) this.duplicates.push({ record, live: found });
    switch (outcome.kind) {
      case "made":
        // An adopted record stays adopted if its data changes.
        this.own(record, outcome.entry, outcome.since, live === undefined || this.isCreated(live));
        break;
      case "refused":
      case "appeared": {
        // Unmanaged, or changed since.
        const kind = twin && obstacleOf(record, twin, { adopt, owned });
        if (twin && kind === undefined) this.own(record, twin);
        else if (outcome.kind === "refused")
          this.failures.push(refusedReason(record, live, outcome, reread, wording));
        else if (kind) this.failures.push(obstacleReason({ kind, record, live: outcome.live }, wording));
        break;
      }
      case "uncertain":
      case "not-sent": {
        const [since, detail] =
          outcome.kind === "not-sent" ? [0, outcome.error.message] : [outcome.since, outcome.text];
        gather(this.unmade, `${outcome.kind} ${since} ${detail}`, {
          outcome,
          detail,
          records: [],
        }).records.push(record);
      }
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

  /** `retain` releases stale records, except obstacles of declared records. Otherwise they are failures. */
  private enterStale(): void {
    const { run, wording } = this;
    const {
      plan,
      task: { declaration },
    } = this.update;
    const { others, blocking } = splitStale(plan);
    this.noteStale(blocking);
    if (declaration.removal === "retain") {
      return warnOf(run.reporter, domainReasons("live.retained", others, wording));
    }
    this.noteStale(others);
    append(this.failures, staleReasons(others, wording, "up"));
  }

  /** A young record gets its time, because listings may not show it yet. */
  private noteStale(entries: readonly LiveEntry[]): void {
    const { clock, settings } = this.run;
    const { sensitive } = this.update.task.declaration;
    for (const live of entries) {
      const since = Math.max(live.since ?? 0, this.writtenAt(live.id));
      const open = sensitive && !this.wording.hides(live.record, live.id) ? { open: true as const } : {};
      this.stale.push({
        domain: live.domain,
        id: live.id,
        ...(isYoung(settings, since, clock.now()) ? { since } : {}),
        made: this.isCreated(live),
        ...open,
      });
    }
  }

  /**
   * The latest time of its last write, in seconds since the epoch: a wait may be too long, but not too short.
   */
  private writtenAt(id: string): number {
    const { ledger } = this.update.task;
    this.written ??= groupBy([...ledger.owned.values(), ...ledger.stale], (each) => each.id);
    return largest(
      (this.written.get(id) ?? []).map(({ since = 0 }) => since),
      0,
    );
  }

  private ledger(): Ledger {
    const { stale, owned } = this;
    const { clock, settings } = this.run;
    const removed = this.removed.filter(({ since }) => isYoung(settings, since, clock.now()));
    const uncertain = [...this.unmade.values()].flatMap(({ outcome, records }) => {
      if (outcome.kind === "not-sent") return [];
      const { job, since } = outcome;
      return [{ ...(job === undefined ? {} : { job }), since, digests: records.map(digestOf) }];
    });
    const {
      task: { declaration, ledger },
    } = this.update;
    return {
      owned,
      stale,
      removed,
      undeclared: [],
      gone: [],
      uncertain: [...ledger.uncertain, ...uncertain],
      urn: this.run.siblings.resourceOf(declaration.records).urn ?? ledger.urn,
    };
  }

  private own(
    record: DeclaredRecord,
    live: LiveEntry,
    since = live.since ?? 0,
    made = this.isCreated(live),
  ): void {
    this.owned.set(digestOf(record), { id: live.id, since, made });
  }
}
