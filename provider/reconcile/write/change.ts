/**
 * Changes live records with the operations outside api.md (service-notes.md). Record.Info shows the outcome
 * of an uncertain change of one record, a listing that of many.
 */
import { LegacyDnsError } from "../../api";
import { placeOf, recordKey, toWire, type DeclaredRecord } from "../../dns";
import { chunks, domainsOf, groupBy, halves } from "../../support/collections";
import { digestOf } from "../memory/ledger";
import { becomesAnother, type Change } from "../plan/pairing";
import { sameTtl } from "../plan/plan";
import type { Run } from "../run";
import { count, errorText, named } from "../../support/text";
import type { LiveEntry, Zones } from "../zones/zone";
import { saidBy } from "./job";
import type { IsTaken } from "./remove";
import { notSent, type Result } from "./result";
import { findOut, findOutOne } from "./find-out";
import {
  isRefusal,
  isUndocumented,
  notedRefusal,
  send,
  sendJob,
  type Queued,
  type Uncertain,
  type Write,
} from "./send";
import { inParts, inSeries, stopFor, type Consequence, type UncertainCalls, type UnderWay } from "./series";

/** So many records with the same change are worth a job and its polls. */
const fewestForJob = 3;

interface ChangeSeries {
  readonly uncertain: UncertainCalls;
  readonly locked: Set<string>;
  /** When the plan's reading of a domain began, in milliseconds since the epoch. */
  readonly readAt: (domain: string) => number;
}

type Results = Map<Change, Result>;

export class Changer {
  constructor(
    private readonly run: Run,
    private readonly underWay: UnderWay,
  ) {}

  /** Never rejects. The results are in the order of the changes. */
  async change(changes: readonly Change[], isTaken: IsTaken, read: Zones): Promise<Result[]> {
    const shared = {
      locked: new Set<string>(),
      readAt: (domain: string): number => read.get(domain)?.readAt ?? 0,
    };
    const results = await inSeries<Change, Result>(this.run, {
      doing: "changing",
      calls: callsFor(changes, this.run.settings.maxRecordsPerJob),
      work: (call, known, uncertain) => {
        const series: ChangeSeries = { ...shared, uncertain };
        const own = call.filter((change) => {
          const why = this.givesWay(change, isTaken);
          if (why !== undefined) known.set(change, notSent(why));
          return why === undefined;
        });
        const [first] = own;
        if (first === undefined) return Promise.resolve({});
        return this.underWay.during(
          own.map(({ live }) => live),
          () =>
            call.length === 1
              ? this.changeOne(first, series, known)
              : this.changeTogether(own, series, known),
        );
      },
    });
    return changes.map((change) => results.get(change) ?? notSent("no outcome"));
  }

  private givesWay(change: Change, isTaken: IsTaken): string | undefined {
    const { live } = change;
    if (becomesAnother(change) && isTaken(live)) {
      return `another resource of this program has meanwhile declared what record ${live.id} is, so it stays; \`pulumi up\` makes this one beside it`;
    }
    return this.underWay.has(live)
      ? `another resource of this program is changing or removing record ${live.id} at this moment; \`pulumi up\` looks again`
      : undefined;
  }

  private async changeOne(change: Change, series: ChangeSeries, results: Results): Promise<Consequence> {
    const { domain } = change.record;
    const sent = await send(this.run, this.modificationOf(change, series));
    if (sent.kind === "answered") {
      sent.entry.ended([digestOf(change.record)]);
      results.set(change, this.changed(change));
      return {};
    }
    if (sent.kind === "uncertain") {
      results.set(change, await this.findOutChange(change, sent, series));
      return {};
    }
    const { error } = sent;
    if (!isRefusal(error)) return { stop: stopFor(error, domain) };
    results.set(change, { kind: "refused", text: error.message });
    // The second locked record of a domain: it is the domain that is locked.
    if (error.about !== "record or domain") return {};
    const isLocked = series.locked.has(domain);
    series.locked.add(domain);
    return { stop: isLocked ? { error, domain } : undefined };
  }

  private modificationOf(change: Change, series: ChangeSeries): Write<"Record.Modify"> {
    const { live, record } = change;
    const { domain } = record;
    const line = record.line ?? this.run.zones.defaultLine(domain);
    const { subDomain, type, value, priority } = toWire(record, live.apart);
    const rest = {
      ...(priority === undefined ? {} : { priority }),
      ...(live.weight === undefined ? {} : { weight: live.weight }),
    };
    const request = {
      domain,
      recordId: live.id,
      subDomain,
      type,
      line,
      value,
      ttl: becomes(change).ttl,
      ...rest,
    };
    return {
      operation: "Record.Modify",
      request,
      target: `record ${live.id} of ${domain}`,
      deed: "change",
      records: [record],
      leaves: [live.record],
      readAt: series.readAt,
      givesWay: becomesAnother(change),
      live: [live],
    };
  }

  /** The listing may show the old data for a while. */
  private changed(change: Change): Result {
    const now = this.run.clock.now();
    const made = becomes(change);
    this.run.zones.lay([made], now, false);
    return { kind: "made", entry: made, since: Math.ceil(now / 1000) };
  }

  private async findOutChange(
    change: Change,
    { entry, error, why }: Uncertain,
    { uncertain }: ChangeSeries,
  ): Promise<Result> {
    const { clock, reporter, zones } = this.run;
    const { live, record } = change;
    const happened = error instanceof LegacyDnsError ? error.happened : why;
    reporter.info(
      `${record.domain}: what became of a change of record ${live.id} is not known: ${happened} Looking at the record`,
    );
    uncertain.add(why);
    const { isThere, ...asked } = await findOutOne(this.run, live, (now) => isDone(change, now));
    if (asked.isDone) {
      uncertain.settle();
      entry.ended([digestOf(record)]);
      return this.changed(change);
    }
    let { failure } = asked;
    if (isThere === true && failure === "" && notedRefusal(this.run, error)) {
      uncertain.settle();
      entry.notDone();
      return { kind: "refused", text: errorText(error) };
    }
    try {
      if (isThere === false && !(await zones.get(record.domain, clock.now())).zone.byId.has(live.id))
        return { kind: "refused", text: `record ${live.id} is gone` };
    } catch (unread) {
      failure = ` Then the zone could not be read: ${errorText(unread)}`;
    }
    const left =
      isThere === undefined
        ? `What record ${live.id} is now is not known`
        : `Record ${live.id} had not changed`;
    return {
      kind: "refused",
      text: `${why}${failure} ${left}; \`pulumi up\` looks again before it sends anything`,
    };
  }

  private async changeTogether(
    all: readonly Change[],
    series: ChangeSeries,
    results: Results,
  ): Promise<Consequence> {
    let stop: Consequence["stop"];
    await inParts(all, async (changes, maySplit) => {
      const [first] = changes;
      // After an error that concerns all.
      const error = stop?.error ?? series.uncertain.stopped;
      if (first === undefined || error !== undefined) {
        stop ??= error && { error };
        return [];
      }
      const sent = await sendJob(this.run, this.batchOf(first, changes, series));
      if (sent.kind === "queued") this.noteFrom(sent, changes, results);
      else if (sent.kind === "not done" && !isRefusal(sent.error)) stop = { error: sent.error };
      else if (sent.kind === "not done" || (await this.changedNothing(changes, sent, series, results))) {
        if (changes.length > 1 && maySplit) return halves(changes);
        for (const change of changes) results.set(change, { kind: "refused", text: errorText(sent.error) });
      }
      return [];
    });
    return { stop };
  }

  private batchOf(
    first: Change,
    changes: readonly Change[],
    series: ChangeSeries,
  ): Write<"Batch.Record.Modify"> {
    const records = changes.map(({ record }) => record);
    const what = becomesAnother(first)
      ? { change: "value" as const, to: toWire(first.record).value }
      : { change: "ttl" as const, to: String(becomes(first).ttl) };
    const request = { recordIds: changes.map(({ live }) => live.id), ...what };
    const target = `${count(changes.length, "record")} of ${named(domainsOf(records))}`;
    return {
      operation: "Batch.Record.Modify",
      request,
      target,
      deed: "change",
      records,
      leaves: changes.map(({ live }) => live.record),
      readAt: series.readAt,
      givesWay: becomesAnother(first),
      live: changes.map(({ live }) => live),
    };
  }

  private noteFrom(
    { jobId: job, since, end, entry }: Queued,
    changes: readonly Change[],
    results: Results,
  ): void {
    const byId = new Map(saidBy(end.detail).map((said) => [said.record.recordId, said]));
    for (const change of changes) {
      const said = byId.get(change.live.id);
      if (said?.status === "done") results.set(change, this.changed(change));
      else if (said?.status === "refused") results.set(change, { kind: "refused", text: said.text });
      else if (end.kind === "open") results.set(change, { kind: "uncertain", job, since, text: end.text });
      else
        results.set(change, {
          kind: "uncertain",
          since,
          text: `job ${job} ended without naming record ${change.live.id}`,
        });
    }
    if (changes.every((change) => results.get(change)?.kind !== "uncertain"))
      entry.ended(
        changes
          .filter((change) => results.get(change)?.kind === "made")
          .map(({ record }) => digestOf(record)),
      );
  }

  /** @returns whether the job is refused; if not, the results are set */
  private async changedNothing(
    changes: readonly Change[],
    { entry, error, why, sentAt }: Uncertain,
    { uncertain }: ChangeSeries,
    results: Results,
  ): Promise<boolean> {
    const records = changes.map(({ record }) => record);
    const byKey = new Map(changes.map((change) => [recordKey(change.record), change]));
    const isChanged = (record: DeclaredRecord, live: LiveEntry): boolean => {
      const change = byKey.get(recordKey(record));
      return change !== undefined && isDone(change, live);
    };
    const provesAbsence = isUndocumented(error);
    uncertain.add(why);
    const outcome = await findOut(this.run, records, { why, sentAt, provesAbsence, isChanged });
    if (outcome.made === "none" && notedRefusal(this.run, error)) {
      uncertain.settle();
      entry.notDone();
      return true;
    }
    for (const change of changes) results.set(change, outcome.results.get(change.record) ?? notSent(why));
    if (outcome.made === "all") {
      uncertain.settle();
      entry.ended(records.map(digestOf));
    }
    return false;
  }
}

/** An omitted TTL stays unchanged. */
function becomes({ live, record }: Change): LiveEntry {
  const { domain, name, type, value, priority, line } = record;
  const now = {
    domain,
    name,
    type,
    value,
    ...(priority === undefined ? {} : { priority }),
    ...(line === undefined ? {} : { line }),
  };
  return {
    ...live,
    record: now,
    key: recordKey(now),
    ttl: record.ttl === "default" ? live.ttl : record.ttl,
    enabled: true,
  };
}

function isDone(change: Change, now: LiveEntry): boolean {
  const { id, key, ttl } = becomes(change);
  return now.id === id && now.key === key && now.ttl === ttl && now.enabled;
}

function callsFor(changes: readonly Change[], most: number): Change[][] {
  const groups = [...groupBy(changes, (change) => sameChange(change) ?? change).values()];
  const isJob = (group: readonly Change[]): boolean => group.length >= fewestForJob;
  const alone = groups.filter((group) => !isJob(group)).flat();
  return [
    ...groups.filter(isJob).flatMap((group) => chunks(group, most)),
    ...alone.map((change) => [change]),
  ];
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
