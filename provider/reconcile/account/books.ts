/**
 * The books of one update: the ledger that follows from each write, and the failures that the user must hear. Nothing is
 * sent from here.
 */
import { digest, recordKey, type DeclaredRecord } from "../../dns";
import { gather } from "../../gather";
import type { Ledger, LeftOver, OwnedRecord, RemovedRecord } from "../memory/ledger";
import { obstacleReason, recordsName, refusedReason, unchangedReason, unremovedReasons, withoutValue, type Wording } from "../wording";
import { reason, type Reason } from "../../problems";
import { becomesAnother, type Change } from "../plan/pairing";
import { isAsDeclared, obstacleOf, type Plan } from "../plan/plan";
import type { Removed, Result } from "../write/result";
import type { LiveEntry, Zone } from "../zones/zone";

export type Written = { readonly record: DeclaredRecord } & Partial<Omit<Change, "record">>;

/** Records that failed for one reason. */
interface Failed {
  readonly code: "write.unconfirmed" | "write.not-sent";
  readonly said: string;
  readonly records: DeclaredRecord[];
}

export interface BooksParts {
  readonly wording: Wording;
  /** Whether a value of the resource is, or was, secret. */
  readonly hasSecrets: boolean;
  readonly adopt: boolean;
  readonly ours: ReadonlySet<LiveEntry>;
  /** Whether this stack made a live record, rather than adopted it. */
  readonly isMade: (live: LiveEntry) => boolean;
  readonly known: Ledger;
  /** Seconds since the epoch: what was made later may not be listed yet. */
  readonly oldest: () => number;
}

export class Books {
  readonly failures: Reason[] = [];
  readonly duplicates: Plan["duplicates"][number][];
  readonly leftOver: LeftOver[] = [];
  private readonly owned = new Map<string, OwnedRecord>();
  private readonly removed: RemovedRecord[];
  private readonly jobs = new Map<string, { since: number; digests: string[]; text: string }>();
  private readonly lost = new Map<string, { since: number; digests: string[] }>();
  private readonly failed = new Map<string, Failed>();

  /** Opens with what the plan found done and what it cannot do. */
  constructor(
    private readonly parts: BooksParts,
    plan: Plan,
    before: Ledger,
  ) {
    for (const { record, live } of plan.present) {
      const known = before.owned.get(digest(recordKey(record)));
      this.own(record, live, known?.id === live.id ? known.since : (live.since ?? 0));
    }
    for (const obstacle of plan.obstacles) {
      const { record, live, kind } = obstacle;
      // A record of ours that is live otherwise than declared stays ours.
      if (kind !== "blocked" && parts.ours.has(live[0])) this.own(record, live[0], live[0].since ?? 0);
      this.failures.push(obstacleReason(obstacle, parts.wording));
    }
    this.duplicates = [...plan.duplicates];
    this.removed = [...before.removed];
  }

  /** @param reread the zone as read after the refusal */
  enter(write: Written, outcome: Result, reread: Zone | undefined): void {
    const { parts } = this;
    const { wording, adopt, ours } = parts;
    const { record } = write;
    const key = digest(recordKey(record));
    if (outcome.kind !== "made") this.keepAsBefore(write);
    switch (outcome.kind) {
      case "made":
        // A record that becomes another stays adopted where it was adopted.
        this.own(record, outcome.entry, outcome.since, write.live === undefined || parts.isMade(write.live));
        this.noteDuplicate(record, outcome.live ?? []);
        break;
      case "refused": {
        const live = reread?.byKey.get(recordKey(record)) ?? [];
        const [twin] = live;
        this.noteDuplicate(record, live);
        if (twin && isAsDeclared(record, twin) && adopt) this.own(record, twin, twin.since ?? 0);
        else if (write.live) this.failures.push(unchangedReason(write.live, record, outcome.text, wording));
        else this.failures.push(refusedReason(record, outcome, reread, wording));
        break;
      }
      case "appeared": {
        const [twin] = outcome.live;
        this.noteDuplicate(record, outcome.live);
        const kind = obstacleOf(record, twin, { adopt, ours });
        if (kind === undefined) this.own(record, twin, twin.since ?? 0);
        else this.failures.push(obstacleReason({ kind, record, live: outcome.live, drift: true }, wording));
        break;
      }
      case "pending":
        gather(this.jobs, outcome.job, { since: outcome.since, digests: [], text: outcome.text }).digests.push(key);
        break;
      case "unconfirmed":
        gather(this.lost, `${outcome.since} ${outcome.text}`, { since: outcome.since, digests: [] }).digests.push(key);
        this.fail(record, "write.unconfirmed", outcome.text);
        break;
      case "not-sent":
        this.fail(record, "write.not-sent", withoutValue(outcome.error.message, record, wording));
        break;
    }
  }

  /** Reports failures by reason, and the jobs at work. */
  sumUp(): void {
    for (const { code, said, records } of this.failed.values()) this.failures.push(reason(code, { what: recordsName(records, this.parts.wording), said }));
    for (const [job, { digests, text }] of this.jobs) this.failures.push(reason("job.pending", { records: digests.length, job, said: text }));
  }

  /** @returns what another resource has declared meanwhile */
  enterRemovals(removals: readonly Removed[]): LiveEntry[] {
    const taken: LiveEntry[] = [];
    for (const { live, outcome } of removals) {
      if (outcome.kind === "removed") this.removed.push({ domain: live.record.domain, id: live.id, since: outcome.since });
      else if (outcome.kind === "taken") taken.push(live);
      else this.leaveOver([live]);
    }
    this.failures.push(...unremovedReasons(removals, this.parts.wording));
    return taken;
  }

  /** Enters left-over records; a young one with its time, since no listing may show it. */
  leaveOver(entries: readonly LiveEntry[]): void {
    const { hasSecrets, isMade, known, oldest, wording } = this.parts;
    const written = new Map([...known.owned.values(), ...known.leftOver].map(({ id, since }) => [id, since]));
    for (const live of entries) {
      const young = Math.max(live.since ?? 0, written.get(live.id) ?? 0);
      const open = hasSecrets && !wording.hides(live.record, live.id) ? { open: true as const } : {};
      this.leftOver.push({ domain: live.record.domain, id: live.id, ...(young > oldest() ? { since: young } : {}), made: isMade(live), ...open });
    }
  }

  /** @param isYoung what was written then may not be listed yet */
  ledger(isYoung: (since: number) => boolean): Ledger {
    const { owned, leftOver } = this;
    const removed = this.removed.filter(({ since }) => isYoung(since));
    const jobs = [...this.jobs].map(([id, { since, digests }]) => ({ id, since, digests }));
    return { owned, leftOver, removed, undeclared: [], gone: [], jobs, unconfirmed: [...this.lost.values()] };
  }

  private own(record: DeclaredRecord, live: LiveEntry, since: number, made = this.parts.isMade(live)): void {
    this.owned.set(digest(recordKey(record)), { id: live.id, since, made });
  }

  /** A failed change leaves the record as it was, and ours. */
  private keepAsBefore(write: Written): void {
    const { live, record } = write;
    if (live === undefined) return;
    if (becomesAnother(write)) this.leaveOver([live]);
    else this.own(record, live, live.since ?? 0);
  }

  private noteDuplicate(record: DeclaredRecord, live: readonly LiveEntry[]): void {
    if (live.length > 1) this.duplicates.push({ record, live });
  }

  private fail(record: DeclaredRecord, code: Failed["code"], said: string): void {
    gather<string, Failed>(this.failed, `${code} ${said}`, { code, said, records: [] }).records.push(record);
  }
}
