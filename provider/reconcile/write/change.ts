/** Changes live records with the operations outside api.md (service-notes.md). */
import { placeOf, recordKey, toWire, type DnsRecord } from "../../dns";
import { defined } from "../../support/defined";
import { chunks, domainsOf, groupBy, halves, split } from "../../support/collections";
import type { JournalEntry } from "../memory/journal";
import { becomesAnother, type Change } from "../plan/pairing";
import { sameTtl } from "../plan/plan";
import type { Run } from "../run";
import type { Settings } from "../../settings";
import { count, errorText, named } from "../../support/text";
import { isAsWanted, lostJob, type Judge } from "../look";
import { secondsOf, windowOfEdit, windowOfJob } from "../timeline";
import { asDeclared, isLike, isUnchanged, storedAs } from "../zones/own-forms";
import { readAtIn, type LiveEntry, type Zones } from "../zones/zone";
import { resultsIn } from "./job";
import { entriesOf, notSent, type Result } from "./result";
import { isRefusal, send, sendJob, type QueuedJob, type UnansweredWrite } from "./send";
import { inSeries, stopFor, type Attempt } from "./calls";
import { LostAnswers, search, settleWrite, type SearchResult } from "./lost";
import type { IsTakenOver, UnderWay } from "./under-way";

const fewestForJob = 3;

type ChangeAttempt = Attempt<readonly Change[], Change, Result>;

export class Changes {
  private readonly locked = new Set<string>();
  private readonly lost = new LostAnswers();

  constructor(
    private readonly run: Run,
    private readonly underWay: UnderWay,
    private readonly zones: Zones,
    private readonly isTakenOver: IsTakenOver,
  ) {}

  /** Never rejects. */
  carryOut(changes: readonly Change[]): Promise<ReadonlyMap<Change, Result>> {
    const calls = callsFor(changes, this.run.settings.maxRecordsPerJob);
    return inSeries<Change, Result>(this.run, calls, {
      doing: "changing",
      lost: this.lost,
      domainOf: ({ record }) => record.domain,
      attempt: (call, maySend) => this.attempt(call, maySend),
    });
  }

  private async attempt(call: readonly Change[], maySend: boolean): Promise<ChangeAttempt> {
    const [staying, own] = this.parted(call, (change) => this.givesWay(change));
    const [first] = own;
    if (first === undefined) return { results: staying };
    const live = own.map((change) => change.live);
    const { results, ...rest } = await this.underWay.during(live, () =>
      call.length === 1 ? this.changeOne(first, maySend) : this.changeTogether(first, own, maySend),
    );
    return { ...rest, results: new Map([...staying, ...(results ?? [])]) };
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
      ? `another resource of this program now declares, owns or ignores record ${live.id}, so it stays; \`pulumi up\` makes this one beside it`
      : undefined;
  }

  /** @returns the results of the changes with a reason to stay, and the others */
  private parted(
    changes: readonly Change[],
    whyNot: (change: Change) => string | undefined,
  ): [Map<Change, Result>, Change[]] {
    const staying = new Map<Change, Result>();
    for (const change of changes) {
      const why = whyNot(change);
      if (why !== undefined) staying.set(change, notSent(why));
    }
    return [staying, changes.filter((change) => !staying.has(change))];
  }

  private async changeOne(change: Change, maySend: boolean): Promise<ChangeAttempt> {
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
    if (sent.kind === "uncertain") return this.afterLostAnswer([change], sent, maySend, false);
    if (sent.kind === "answered") return this.made(change, sent.entry, sent.answer.value);
    const { error, hindrance } = sent;
    if (hindrance === "taken") return { results: this.parted([change], (each) => this.stays(each))[0] };
    if (!isRefusal(error)) return { stop: stopFor(error, domain) };
    const results = refused([change], error.message);
    if (error.about !== "record or domain") return { results };
    // The second locked record of a domain: it is the domain that is locked.
    const isLocked = this.locked.has(domain);
    this.locked.add(domain);
    return { results, stop: isLocked ? { error, domain } : undefined };
  }

  private writeOf(changes: readonly Change[]) {
    return {
      deed: "change" as const,
      records: changes.map(({ record }) => record),
      live: changes.map(({ live }) => live),
      readAt: readAtIn(this.zones),
      givesWay: changes.some(becomesAnother),
      whyNot: () =>
        changes.some((change) => this.stays(change) !== undefined) ? ("taken" as const) : undefined,
    };
  }

  private made(change: Change, entry: JournalEntry, stored?: string | DnsRecord): ChangeAttempt {
    this.lost.clear();
    const made = this.changed(change, stored);
    entry.ended(entriesOf([made]));
    return { results: new Map([[change, made]]) };
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
    return { kind: "made", entry: made, since: secondsOf(now) };
  }

  private async changeTogether(
    first: Change,
    changes: readonly Change[],
    maySend: boolean,
  ): Promise<ChangeAttempt> {
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
    if (sent.kind === "queued") return this.reported(sent, changes, maySend);
    if (sent.kind === "uncertain") return this.afterLostAnswer(changes, sent, maySend, true);
    if (sent.hindrance === "taken") {
      const [staying, going] = this.parted(changes, (each) => this.stays(each));
      return { results: staying, parts: [going] };
    }
    return isRefusal(sent.error)
      ? afterRefusal(changes, sent.error, maySend)
      : { stop: { error: sent.error } };
  }

  private async reported(
    { jobId: job, since, end, entry }: QueuedJob,
    changes: readonly Change[],
    maySend: boolean,
  ): Promise<ChangeAttempt> {
    const byId = new Map(resultsIn(end.detail).map((result) => [result.record.recordId, result]));
    const resultOf = (change: Change): Result | undefined => {
      const result = byId.get(change.live.id);
      if (result?.status === "done") return this.changed(change, result.record.value);
      if (result?.status === "refused") return { kind: "refused", text: result.text };
      return end.kind === "open" ? { kind: "uncertain", job, since, text: end.text } : undefined;
    };
    const results = new Map<Change, Result>();
    for (const change of changes) {
      const result = resultOf(change);
      if (result) results.set(change, result);
    }
    const unnamed = changes.filter((change) => !results.has(change));
    const why = `job ${job} ended without naming the record`;
    const { left, results: found } = await this.searchChanged(unnamed, why, true);
    const all = new Map([...results, ...found]);
    const outcomes = [...all.values()];
    if (outcomes.every(({ kind }) => kind !== "uncertain")) entry.ended(entriesOf(outcomes));
    if (left.length > 0) this.lost.add(entry, why);
    return sentAgain({ left, results: all }, new Error(why), maySend);
  }

  private async afterLostAnswer(
    changes: readonly Change[],
    sent: UnansweredWrite,
    maySend: boolean,
    isJob: boolean,
  ): Promise<ChangeAttempt> {
    const { entry, error, why } = sent;
    this.lost.add(entry, why);
    const found = await this.searchChanged(changes, why, isJob);
    return settleWrite(this.run, sent, found, this.lost)
      ? afterRefusal(changes, error, maySend)
      : sentAgain(found, error, maySend);
  }

  private async searchChanged(
    changes: readonly Change[],
    why: string,
    isJob: boolean,
  ): Promise<SearchResult<Change>> {
    const { clock, settings } = this.run;
    const how = {
      window: isJob ? windowOfJob(settings, clock.now()) : windowOfEdit(settings, clock.now()),
      what: isJob ? lostJob : `the outcome of a change of ${count(changes.length, "record")}`,
      isEnough: isAsWanted,
    };
    const sought = changes.map((change) => ({ domain: change.live.domain, change }));
    const found = await search(this.run, sought, isChanged, how, why, ({ change }, verdict) => {
      if (verdict.is === "as wanted") return this.changed(change, verdict.live[0].record);
      if (verdict.is === "otherwise" && isUnchanged(change.live, verdict.live[0])) return undefined;
      return notSent(`${why} The record has become another meanwhile; \`pulumi up\` looks again`);
    });
    return {
      left: found.left.map(({ change }) => change),
      results: new Map([...found.results].map(([{ change }, result]) => [change, result])),
    };
  }
}

function sentAgain({ left, results }: SearchResult<Change>, why: unknown, maySend: boolean): ChangeAttempt {
  return { results, why, parts: maySend && left.length > 0 ? [left] : [] };
}

function afterRefusal(changes: readonly Change[], error: unknown, maySend: boolean): ChangeAttempt {
  if (changes.length > 1 && maySend) return { parts: halves(changes) };
  return { results: refused(changes, errorText(error)) };
}

function refused(changes: readonly Change[], text: string): ReadonlyMap<Change, Result> {
  return new Map(changes.map((change) => [change, { kind: "refused", text }]));
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

/** @returns undefined if the answer names the former data, a person's edit, or an SRV record without its priority */
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
  // A TTL's change keeps the data, so other data is an edit.
  return isFormer !== becomesAnother(change) || isLike(stored, record) ? stored : undefined;
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
