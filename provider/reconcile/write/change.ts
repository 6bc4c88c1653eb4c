/** Changes live records with the operations outside api.md (service-notes.md). */
import { placeOf, recordKey, toWire, type DnsRecord } from "../../dns";
import { defined } from "../../support/defined";
import { append, chunks, domainsOf, groupBy, halves, split } from "../../support/collections";
import type { JournalEntry } from "../memory/journal";
import { becomesAnother, type Change } from "../plan/pairing";
import { sameTtl } from "../plan/plan";
import type { Settings } from "../../settings";
import { waiting } from "../../support/reporter";
import { count, errorText, named } from "../../support/text";
import { isAsWanted, look, lostJob, unreadText, type Judge } from "../look";
import { windowOfEdit, windowOfJob } from "../timeline";
import { asDeclared, isLike, isUnchanged, storedAs } from "../zones/own-forms";
import type { LiveEntry } from "../zones/zone";
import { resultsIn } from "./job";
import { entriesOf, notSent, type Result } from "./result";
import { isRefusal, notedRefusal, send, sendJob, TakenOver, type Queued, type Uncertain } from "./send";
import { inParts, Series, stopFor, type Stop } from "./series";

const fewestForJob = 3;

export class Changes extends Series<Change, Result> {
  private readonly locked = new Set<string>();

  /** Never rejects. The results are in the order of the changes. */
  async carryOut(changes: readonly Change[]): Promise<Result[]> {
    await this.send(callsFor(changes, this.run.settings.maxRecordsPerJob), "changing");
    return changes.map((change) => this.resultOf(change));
  }

  protected async make(call: readonly Change[]): Promise<Stop | undefined> {
    const own = this.going(call, (change) => this.givesWay(change));
    const [first] = own;
    if (first === undefined) return undefined;
    return this.underWay.during(
      own.map(({ live }) => live),
      () => (call.length === 1 ? this.changeOne(first) : this.changeTogether(own)),
    );
  }

  private givesWay(change: Change): string | undefined {
    const { live } = change;
    return (
      this.stays(change) ??
      (this.underWay.has(live)
        ? `another resource of this program is changing or removing record ${live.id} at this moment; \`pulumi up\` looks again`
        : undefined)
    );
  }

  private stays(change: Change): string | undefined {
    const { live } = change;
    return becomesAnother(change) && this.isTakenOver(this.underWay.asChanged(live))
      ? `another resource of this program has meanwhile declared what record ${live.id} is, so it stays; \`pulumi up\` makes this one beside it`
      : undefined;
  }

  /** @returns the changes without a reason to stay */
  private going(changes: readonly Change[], whyNot: (change: Change) => string | undefined): Change[] {
    return changes.filter((change) => {
      const why = whyNot(change);
      if (why !== undefined) this.results.set(change, notSent(why));
      return why === undefined;
    });
  }

  private async changeOne(change: Change): Promise<Stop | undefined> {
    const { live, record } = change;
    const { domain } = record;
    const line = record.line ?? this.run.zones.defaultLine(domain);
    const { ttl, weight } = becomes(change);
    const sent = await send(this.run, {
      ...this.writeOf([change]),
      operation: "Record.Modify",
      request: {
        domain,
        recordId: live.id,
        line,
        ttl,
        ...defined({ ...toWire(record, live.apart), weight }),
      },
      target: `record ${live.id} of ${domain}`,
    });
    if (sent.kind === "uncertain") return this.findOutOne(change, sent);
    if (sent.kind === "answered") this.enterMade(change, sent.entry, sent.answer.value);
    else if (sent.error instanceof TakenOver) this.going([change], (each) => this.stays(each));
    else if (!isRefusal(sent.error)) return stopFor(sent.error, domain);
    else {
      const { error } = sent;
      this.refused(change, error.message);
      if (error.about !== "record or domain") return undefined;
      // The second locked record of a domain: it is the domain that is locked.
      if (this.locked.has(domain)) return { error, domain };
      this.locked.add(domain);
    }
    return undefined;
  }

  private async findOutOne(change: Change, sent: Uncertain): Promise<Stop | undefined> {
    const again = await this.findOut([change], sent, true, false);
    if (again.length === 0) return undefined;
    if (this.lost.stop === undefined) return this.changeOne(change);
    this.results.set(change, notSent(this.lost.stop));
    return undefined;
  }

  private writeOf(changes: readonly Change[]) {
    return {
      deed: "change" as const,
      records: changes.map(({ record }) => record),
      live: changes.map(({ live }) => live),
      readAt: this.readAt,
      givesWay: changes.some(becomesAnother),
      beforeSending: () => {
        if (changes.some((change) => this.stays(change) !== undefined))
          throw new TakenOver("Record.Modify", domainsOf(changes.map(({ record }) => record)));
      },
    };
  }

  private refused(change: Change, text: string): void {
    this.results.set(change, { kind: "refused", text });
  }

  private enterMade(change: Change, entry: JournalEntry, stored?: string | DnsRecord): void {
    this.lost.clear();
    const made = this.changed(change, stored);
    entry.ended(entriesOf([made]));
    this.results.set(change, made);
  }

  /**
   * The listing may show the old data for a while.
   * @param given what the service stores, or its value in an answer
   */
  private changed(change: Change, given?: string | DnsRecord): Result {
    const { clock, settings } = this.run;
    const now = clock.now();
    const made = becomes(change, given === undefined ? undefined : storedBy(change, given, settings));
    this.run.zones.lay([made], now, false);
    this.underWay.noteChanged(made);
    return { kind: "made", entry: made, since: Math.ceil(now / 1000) };
  }

  private async changeTogether(all: readonly Change[]): Promise<Stop | undefined> {
    let stop: Error | undefined;
    await inParts(all, async (changes, maySplit) => {
      const [first] = changes;
      // After an error that concerns all.
      stop ??= this.lost.stop;
      if (first === undefined || stop !== undefined) return [];
      const write = this.writeOf(changes);
      const what = becomesAnother(first)
        ? { change: "value" as const, to: toWire(first.record).value }
        : { change: "ttl" as const, to: String(becomes(first).ttl) };
      const sent = await sendJob(this.run, {
        ...write,
        operation: "Batch.Record.Modify",
        request: { recordIds: write.live.map(({ id }) => id), ...what },
        target: `${count(changes.length, "record")} of ${named(domainsOf(write.records))}`,
      });
      if (sent.kind === "queued") this.noteFrom(sent, changes);
      else if (sent.kind === "not done" && sent.error instanceof TakenOver)
        return [this.going(changes, (each) => this.stays(each))];
      else if (sent.kind === "not done" && !isRefusal(sent.error)) stop = sent.error;
      else if (sent.kind === "uncertain") return this.findOut(changes, sent, maySplit, true);
      else return this.afterRefusal(changes, sent.error, maySplit);
      return [];
    });
    return stop && { error: stop };
  }

  private afterRefusal(
    changes: readonly Change[],
    error: unknown,
    maySplit: boolean,
  ): readonly (readonly Change[])[] {
    if (changes.length > 1 && maySplit) return halves(changes);
    for (const change of changes) this.refused(change, errorText(error));
    return [];
  }

  private noteFrom({ jobId: job, since, end, entry }: Queued, changes: readonly Change[]): void {
    const byId = new Map(resultsIn(end.detail).map((result) => [result.record.recordId, result]));
    const resultOf = (change: Change): Result => {
      const result = byId.get(change.live.id);
      if (result?.status === "done") return this.changed(change, result.record.value);
      if (result?.status === "refused") return { kind: "refused", text: result.text };
      if (end.kind === "open") return { kind: "uncertain", job, since, text: end.text };
      const text = `job ${job} ended without naming record ${change.live.id}`;
      return { kind: "uncertain", since, text };
    };
    for (const change of changes) this.results.set(change, resultOf(change));
    const results = changes.flatMap((change) => this.results.get(change) ?? []);
    if (results.every(({ kind }) => kind !== "uncertain")) entry.ended(entriesOf(results));
  }

  /** @returns the changes to send again: those that provably were not made */
  private async findOut(
    changes: readonly Change[],
    { entry, error, why }: Uncertain,
    maySend: boolean,
    isJob: boolean,
  ): Promise<readonly (readonly Change[])[]> {
    const { clock, reporter, settings } = this.run;
    this.lost.add(entry, why);
    const [now, since] = [clock.now(), Math.ceil(clock.now() / 1000)];
    const window = isJob ? windowOfJob(settings, now) : windowOfEdit(settings, now);
    const what = isJob ? lostJob : `the outcome of a change of ${count(changes.length, "record")}`;
    waiting(reporter, domainsOf(changes.map(({ record }) => record)), window.last - now, what);
    const sought = changes.map((change) => ({ domain: change.live.domain, change }));
    const verdicts = await look(this.run, sought, isChanged, window, isAsWanted);
    const left: Change[] = [];
    const made: LiveEntry[] = [];
    let isKnown = true;
    for (const [{ change }, verdict] of verdicts)
      if (verdict.is === "as wanted") {
        const result = this.changed(change, verdict.live[0].record);
        append(made, entriesOf([result]));
        this.results.set(change, result);
      } else if (verdict.is === "unread") {
        isKnown = false;
        this.results.set(change, { kind: "uncertain", since, text: `${why} ${unreadText(verdict.error)}` });
      } else if (verdict.is === "otherwise" && isUnchanged(change.live, verdict.live[0])) left.push(change);
      else
        this.results.set(
          change,
          notSent(`${why} The record has become another meanwhile; \`pulumi up\` looks again`),
        );
    if (left.length === changes.length) entry.notDone();
    else if (isKnown) entry.ended(made);
    if (made.length === changes.length) this.lost.delete(entry);
    if (left.length === changes.length && notedRefusal(this.run, error)) {
      this.lost.delete(entry);
      return this.afterRefusal(changes, error, maySend);
    }
    if (maySend) return left.length > 0 ? [left] : [];
    for (const change of left) this.results.set(change, notSent(error));
    return [];
  }
}

interface SoughtChange {
  readonly domain: string;
  readonly change: Change;
}

const isChanged: Judge<SoughtChange> = ({ change }, { zone }) => {
  const live = zone.byId.get(change.live.id);
  if (live === undefined) return { is: "absent" };
  const now = asChanged(change, live);
  return isDone(change, now) ? { is: "as wanted", live: [live] } : { is: "otherwise", live: [live] };
};

/** @returns undefined if the answer names the former data, or an SRV record without its priority */
function storedBy(
  change: Change,
  given: string | DnsRecord,
  { defaultLine }: Settings,
): DnsRecord | undefined {
  const { live, record } = change;
  if (typeof given !== "string") return given;
  if (live.apart) return undefined;
  const stored = storedAs(record, given, defaultLine);
  const isFormer = recordKey(stored) === recordKey(live.stored ?? live.record);
  return isFormer && becomesAnother(change) && !isLike(stored, record) ? undefined : stored;
}

function becomes({ live, record, kind }: Change, stored?: DnsRecord): LiveEntry {
  const { ttl } = record;
  return {
    ...asDeclared(live, record, stored ?? (kind === "data" ? undefined : live.stored)),
    ttl: ttl === "default" ? live.ttl : ttl,
    enabled: true,
  };
}

function isDone(change: Change, now: LiveEntry): boolean {
  const { id, key, ttl } = becomes(change);
  return now.id === id && now.key === key && now.ttl === ttl && now.enabled;
}

/** In the service's own form, too. */
function asChanged(change: Change, now: LiveEntry): LiveEntry {
  const { live, record } = change;
  const isFormer = now.key === recordKey(live.stored ?? live.record);
  const isSame = becomesAnother(change) ? !isFormer && isLike(now.record, record) : isFormer;
  return isSame ? asDeclared(now, record, now.record) : now;
}

function callsFor(changes: readonly Change[], most: number): Change[][] {
  const groups = groupBy(changes, (change) => sameChange(change) ?? change).values();
  const [jobs, others] = split(groups, ({ length }) => length >= fewestForJob);
  return [...jobs.flatMap((group) => chunks(group, most)), ...others.flat().map((change) => [change])];
}

/** Equal for changes that one job can make; undefined for a change that needs its own call. */
function sameChange(change: Change): string | undefined {
  const { live, record, kind } = change;
  if (!live.enabled) return undefined;
  if (kind === "ttl") return `ttl ${record.ttl}`;
  const samePlace = placeOf(live.record) === placeOf(record) && live.record.type === record.type;
  const isValueAlone =
    samePlace && record.priority === undefined && live.apart === undefined && sameTtl(record, live);
  return becomesAnother(change) && isValueAlone ? `value ${record.type} ${toWire(record).value}` : undefined;
}
