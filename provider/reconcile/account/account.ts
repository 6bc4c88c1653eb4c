/** The account of an update: the next ledger and messages, from the plan and the results of its writes. Pure. */
import type { DeclaredRecord } from "../../dns";
import type { Reason } from "../../problems";
import type { Settings } from "../../settings";
import { append, groupBy } from "../../support/collections";
import { defined } from "../../support/defined";
import { explainLine } from "../checks/lines";
import {
  blocksAny,
  digestOf,
  heldByDigest,
  heldByRef,
  isAwaited,
  refOf,
  type HeldRecord,
  type Ledger,
  type OpenWrite,
  type RemovedRecord,
} from "../memory/ledger";
import { becomesAnother, type Match } from "../plan/pairing";
import { obstacleOf, type Plan, type Task, type TaskPlan } from "../plan/plan";
import { isYoungInNextRun } from "../timeline";
import {
  declaredLines,
  domainReasons,
  duplicateReasons,
  notSentReason,
  obstacleReason,
  refusedReason,
  storedReasons,
  uncertainReason,
  unremovedReasons,
  type Wording,
} from "../wording";
import type { Result } from "../write/result";
import type { RecordWrite, WriteResults } from "../write/writer";
import { heldRecord, isNewForm } from "../zones/own-forms";
import type { LiveEntry } from "../zones/zone";
import { splitStale } from "./departures";

export interface AccountContext {
  /** Whether this stack created a live record. */
  readonly isCreated: (live: LiveEntry) => boolean;
  /** Milliseconds since the epoch, after the writes. */
  readonly now: number;
  readonly settings: Settings;
  readonly wording: Wording;
}

export interface Account {
  readonly ledger: Ledger;
  /** Empty if every declared record is live and no stale record is left. */
  readonly failures: readonly Reason[];
  readonly warnings: readonly Reason[];
  /** By other resources, which declare these records. */
  readonly takenOver: readonly LiveEntry[];
}

export function account(task: Task, plan: TaskPlan, done: WriteResults, context: AccountContext): Account {
  return new Books(task, plan, done, context).close();
}

type UnmadeResult = Extract<Result, { readonly kind: "uncertain" | "not-sent" }>;

class Books {
  private readonly failures: Reason[] = [];
  private readonly duplicates: Plan["duplicates"][number][];
  /** By `refOf`. */
  private readonly held = new Map<string, HeldRecord>();
  private readonly removed: RemovedRecord[];
  private readonly openWrites: OpenWrite[];
  private readonly takenOver: LiveEntry[];
  /** Live in a form of the service's own that the ledger did not have. */
  private readonly otherwise: Match[] = [];

  constructor(
    private readonly task: Task,
    private readonly plan: TaskPlan,
    private readonly done: WriteResults,
    private readonly context: AccountContext,
  ) {
    this.duplicates = [...plan.duplicates];
    this.removed = [...task.ledger.removed];
    this.openWrites = [...task.ledger.openWrites];
    this.takenOver = [...plan.released];
  }

  close(): Account {
    const { failures, context, takenOver } = this;
    const { wording } = context;
    this.enterLive();
    this.enterWaiting();
    this.enterWrites();
    this.enterRemovals();
    const retained = this.enterStale();
    const warnings = [
      ...duplicateReasons(this.duplicates, wording),
      ...storedReasons(this.otherwise, wording),
      ...domainReasons("live.retained", retained, wording),
    ];
    return { ledger: this.ledger(), failures, warnings, takenOver };
  }

  private enterLive(): void {
    const { context, plan } = this;
    for (const { record, live } of plan.present) this.own(record, live);
    for (const obstacle of plan.obstacles) {
      const { record, live, kind } = obstacle;
      if (kind !== "blocked" && plan.owned.has(live[0])) this.own(record, live[0]);
      this.failures.push(obstacleReason(obstacle, context.wording));
    }
  }

  private enterWaiting(): void {
    const { context, plan, task } = this;
    const { declaration, ledger } = task;
    for (const change of plan.waiting.changes)
      if (becomesAnother(change)) this.noteStale([change.live]);
      else this.own(change.record, change.live);
    this.noteStale(plan.waiting.removals.map(({ live }) => live));
    for (const write of ledger.openWrites)
      if (blocksAny(write, declaration.records))
        this.failures.push(uncertainReason(write, declaration.records, context.wording));
  }

  private enterWrites(): void {
    const unmade: { readonly record: DeclaredRecord; readonly outcome: UnmadeResult }[] = [];
    for (const [write, result] of this.done.written) {
      const { live, record } = write;
      if (result.kind === "made") {
        this.own(record, result.entry, result.since, live === undefined || this.context.isCreated(live));
        if (result.live && result.live.length > 1) this.duplicates.push({ record, live: result.live });
        continue;
      }
      // A failed change leaves the record unchanged. The resource owns every record that the plan could
      // change.
      if (live && becomesAnother(write)) this.noteStale([live]);
      else if (live) this.own(record, live);
      if (result.kind === "refused" || result.kind === "appeared") this.enterFound(write, result);
      else unmade.push({ record, outcome: result });
    }
    for (const group of groupBy(unmade, ({ outcome }) => nameOf(outcome)).values()) {
      const records = group.map(({ record }) => record);
      this.enterUnmade(group[0].outcome, records);
    }
  }

  /** A record that was not made is possibly live: unmanaged, or changed since. */
  private enterFound(
    { live, record }: RecordWrite,
    outcome: Extract<Result, { readonly kind: "refused" | "appeared" }>,
  ): void {
    const { done, context, plan, task } = this;
    const { settings, wording } = context;
    const found = outcome.kind === "appeared" ? outcome.live : (done.found.get(record) ?? []);
    const [twin] = found;
    if (found.length > 1) this.duplicates.push({ record, live: found });
    const kind = twin && obstacleOf(record, twin, { adopt: task.declaration.adopt, owned: plan.owned });
    if (twin && kind === undefined) this.own(record, twin);
    else if (outcome.kind === "appeared") {
      if (kind) this.failures.push(obstacleReason({ kind, record, live: outcome.live }, wording));
    } else {
      const zone = done.reread.get(record.domain);
      const { text } = outcome;
      const explained = zone
        ? explainLine(text, record, zone, settings.defaultLine)
        : { text, hasLine: false };
      this.failures.push(refusedReason(record, live, explained, zone, wording));
    }
  }

  private enterUnmade(outcome: UnmadeResult, records: readonly DeclaredRecord[]): void {
    const { wording } = this.context;
    const byDomain = groupBy(records, (record) => record.domain);
    if (outcome.kind === "not-sent") {
      for (const [domain, these] of byDomain)
        this.failures.push(
          notSentReason(outcome, { domain, done: "written" }, declaredLines(these, wording)),
        );
      return;
    }
    const { job, since, text: detail, isUnclear } = outcome;
    for (const [domain, these] of byDomain) {
      const write = defined({ domain, job, since, digests: these.map(digestOf), isUnclear });
      this.openWrites.push(write);
      this.failures.push(uncertainReason({ ...write, detail }, these, wording));
    }
  }

  private enterRemovals(): void {
    const { done, context, failures, task } = this;
    const unmanaged = new Set(task.unmanaged?.map(refOf));
    for (const { live, outcome } of done.removals) {
      if (outcome.kind === "removed")
        this.removed.push({ domain: live.domain, id: live.id, since: outcome.since });
      else if (outcome.kind !== "taken") this.noteStale([live]);
      // An unmanaged record that stays never was the resource's.
      else if (!unmanaged.has(refOf(live))) this.takenOver.push(live);
    }
    append(failures, unremovedReasons(done.removals, context.wording, "up"));
  }

  /** @returns stale records that `retain` releases: all but obstacles of declared records */
  private enterStale(): LiveEntry[] {
    const { done, context, plan, task } = this;
    // A refused record may be there in another form.
    const recognised = [...done.found.values()].flat().filter(({ stored }) => stored !== undefined);
    const known = new Set(recognised.map(refOf));
    const stale = plan.stale.filter((live) => !known.has(refOf(live)));
    const { others, blocking } = splitStale({ ...plan, stale });
    this.noteStale(blocking);
    if (task.declaration.removal === "retain") return others;
    this.noteStale(others);
    append(this.failures, domainReasons("live.left-over", others, context.wording));
    return [];
  }

  private noteStale(entries: readonly LiveEntry[]): void {
    for (const live of entries) this.hold(live);
  }

  private hold(
    live: LiveEntry,
    record?: DeclaredRecord,
    since = this.writtenAt(live),
    made = this.isCreated(live, record),
  ): void {
    this.held.set(refOf(live), heldRecord(live, since, made, record));
  }

  private isCreated(live: LiveEntry, record: DeclaredRecord | undefined): boolean {
    const isDue = record !== undefined && isAwaited(this.task.ledger, live, record);
    return isDue || this.context.isCreated(live);
  }

  /** The latest possible time, because listings may not show a young record yet. */
  private writtenAt(live: LiveEntry): number {
    return Math.max(heldByRef(this.task.ledger).get(refOf(live))?.since ?? 0, live.since ?? 0);
  }

  private ledger(): Ledger {
    const { context, task } = this;
    const held = [...this.held.values()];
    // Another run's job is in the journal.
    const openWrites = this.openWrites.filter(({ file }) => file === undefined);
    const removed = this.removed.filter(({ since }) =>
      isYoungInNextRun(context.settings, since, context.now),
    );
    const urn = task.declaration.urn ?? task.ledger.urn;
    return { held, removed, openWrites, urn };
  }

  private own(record: DeclaredRecord, live: LiveEntry, ...write: [since?: number, made?: boolean]): void {
    this.hold(live, record, ...write);
    const known = heldByDigest(this.task.ledger).get(digestOf(record));
    if (isNewForm(live, known)) this.otherwise.push({ record, live });
  }
}

function nameOf(outcome: UnmadeResult): string {
  return outcome.kind === "not-sent" ? outcome.error.message : `${outcome.since} ${outcome.text}`;
}
