/**
 * The changer: makes live records others, with the operations outside api.md (service-notes.md); many of one change go in
 * one job. After a lost answer to a change of one record, or an answer that is no refusal, the record itself is asked for,
 * since Record.Info tells the present; a job of many is found out by reading.
 */
import { LegacyDnsError, ServiceError } from "../../api";
import { lookAgain } from "../../clock";
import { placeOf, recordKey, toWire } from "../../dns";
import { chunks, domainsOf, groupBy, halves } from "../../gather";
import { digestOf } from "../memory/ledger";
import { becomesAnother, type Change } from "../plan/pairing";
import { sameTtl } from "../plan/plan";
import type { Run } from "../run";
import { count, errorText, named } from "../../words";
import type { IsThere } from "../zones/reader";
import type { LiveEntry, Zones } from "../zones/zone";
import { saidBy } from "./job";
import type { IsTaken } from "./remove";
import { notSent, type Result } from "./result";
import { findOut, isRefusal, send, sendJob, type InDoubt, type Queued, type Write } from "./send";
import { inSeries, stopFor, type Consequence, type Doubts, type UnderWay } from "./series";

/** So many records with the same change are worth a job and its polls. */
const fewestForJob = 3;
/** Splits of one refused job. */
const mostSplits = 12;

/** What the changes of one series share. */
interface ChangeSeries {
  readonly doubts: Doubts;
  /** Domains in which one record was locked. */
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

  /** Makes the changes; the results are in their order. Never rejects: what went wrong is a result. */
  async change(changes: readonly Change[], isTaken: IsTaken, read: Zones): Promise<Result[]> {
    const shared = {
      locked: new Set<string>(),
      readAt: (domain: string): number => read.get(domain)?.readAt ?? 0,
    };
    const results = await inSeries<Change, Result>(this.run, {
      doing: "changing",
      calls: callsFor(changes, this.run.settings.maxRecordsPerJob),
      work: (call, known, doubts) => {
        const series: ChangeSeries = { ...shared, doubts };
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

  /** Why a change is left to another resource of the run. */
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
    if (sent.kind === "in doubt") {
      const result = await this.findOutChange(change, sent);
      results.set(change, result);
      if (result.kind !== "made") series.doubts.add(sent.why);
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

  /** The record is as it was to become: the listing may show it as it was for a while. */
  private changed(change: Change): Result {
    const now = this.run.clock.now();
    const made = becomes(change);
    this.run.zones.lay([made], now, false);
    return { kind: "made", entry: made, since: Math.ceil(now / 1000) };
  }

  /** After a lost answer: the record itself tells, at once or when the write that is still on its way has arrived. */
  private async findOutChange(change: Change, { entry, error, sentAt, why }: InDoubt): Promise<Result> {
    const { clock, reporter, settings, zones } = this.run;
    const { live, record } = change;
    const happened = error instanceof LegacyDnsError ? error.happened : why;
    reporter.info(
      `${record.domain}: what became of a change of record ${live.id} is not known: ${happened} Looking at the record`,
    );
    const seen: { isMade: boolean; isThere?: boolean; failure: string } = { isMade: false, failure: "" };
    await lookAgain(clock, clock.now(), clock.now() + settings.indexDelay * 1000, async () => {
      try {
        seen.isMade = isDone(change, await zones.record(record.domain, live.id));
        Object.assign(seen, { isThere: true, failure: "" });
      } catch (failure) {
        if (failure instanceof ServiceError && failure.noSuch("record")) seen.isThere = false;
        else seen.failure = ` Then the record could not be read: ${errorText(failure)}`;
      }
      return seen.isMade;
    });
    if (seen.isMade) {
      entry.ended([digestOf(record)]);
      return this.changed(change);
    }
    try {
      if (seen.isThere === false && !(await zones.get(record.domain, clock.now())).zone.byId.has(live.id))
        return { kind: "refused", text: `record ${live.id} is gone` };
    } catch (failure) {
      seen.failure = ` Then the zone could not be read: ${errorText(failure)}`;
    }
    const waited = Math.round((clock.now() - sentAt) / 1000);
    const left =
      seen.isThere === undefined
        ? `What record ${live.id} is now is not known`
        : `Record ${live.id} was still as it was ${waited} s later`;
    return {
      kind: "refused",
      text: `${why}${seen.failure} ${left}; \`pulumi up\` looks again before it sends anything`,
    };
  }

  /** Changes in one job, which is split where it is refused. */
  private async changeTogether(
    changes: readonly Change[],
    series: ChangeSeries,
    results: Results,
    splits = { left: mostSplits },
  ): Promise<Consequence> {
    const [first] = changes;
    if (first === undefined) return {};
    const sent = await sendJob(this.run, this.batchOf(first, changes, series));
    if (sent.kind === "queued") this.noteFrom(sent, changes, results);
    else if (sent.kind === "in doubt") {
      await this.findOutTogether(changes, sent, results);
      if (changes.some((change) => results.get(change)?.kind !== "made")) series.doubts.add(sent.why);
    } else if (!isRefusal(sent.error)) return { stop: { error: sent.error } };
    else if (changes.length > 1 && splits.left > 0) {
      splits.left -= 1;
      for (const half of halves(changes)) {
        const { stopped: error } = series.doubts;
        const { stop } =
          error === undefined
            ? await this.changeTogether(half, series, results, splits)
            : { stop: { error } };
        // The rest of a job is not sent after an error that concerns all.
        if (stop) return { stop };
      }
    } else for (const change of changes) results.set(change, { kind: "refused", text: sent.error.message });
    return {};
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
      else if (end.kind === "open") results.set(change, { kind: "pending", job, since, text: end.text });
      else
        results.set(change, {
          kind: "unconfirmed",
          since,
          text: `job ${job} ended without naming record ${change.live.id}`,
        });
    }
    const isOpen = changes.some((change) =>
      ["pending", "unconfirmed"].includes(results.get(change)?.kind ?? ""),
    );
    if (!isOpen)
      entry.ended(
        changes
          .filter((change) => results.get(change)?.kind === "made")
          .map(({ record }) => digestOf(record)),
      );
  }

  /** After a lost answer to a job of many: the listing tells, once it must show what was changed. */
  private async findOutTogether(
    changes: readonly Change[],
    { entry: noted, why, sentAt }: InDoubt,
    results: Results,
  ): Promise<void> {
    const byKey = new Map(changes.map((change) => [recordKey(change.record), change]));
    const isThere: IsThere = (record, live) => {
      const change = byKey.get(recordKey(record));
      return change !== undefined && live.some((entry) => isDone(change, entry));
    };
    const since = Math.ceil(this.run.clock.now() / 1000);
    const { found, text } = await findOut(
      this.run,
      changes.map(({ record }) => record),
      { why, sentAt, done: "changed", isThere },
    );
    for (const change of changes) {
      const entry = found.get(recordKey(change.record))?.find((each) => isDone(change, each));
      if (entry) results.set(change, { kind: "made", entry, since });
      else results.set(change, { kind: "unconfirmed", since, text });
    }
    if (changes.every((change) => results.get(change)?.kind === "made"))
      noted.ended(changes.map(({ record }) => digestOf(record)));
  }
}

/** What a live record is to be; a TTL that is not declared stays as it is. */
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

/** The calls that make the changes: jobs, each of at most so many records, then changes by themselves. */
function callsFor(changes: readonly Change[], most: number): Change[][] {
  const groups = [...groupBy(changes, (change) => sameChange(change) ?? change).values()];
  const isJob = (group: readonly Change[]): boolean => group.length >= fewestForJob;
  const alone = groups.filter((group) => !isJob(group)).flat();
  return [
    ...groups.filter(isJob).flatMap((group) => chunks(group, most)),
    ...alone.map((change) => [change]),
  ];
}

/** The change in a word, equal for those that one job can make; undefined for one that must be made by itself. */
function sameChange(change: Change): string | undefined {
  const { live, record, kind } = change;
  if (!live.enabled) return undefined;
  if (kind === "ttl") return `ttl ${record.ttl}`;
  const samePlace = placeOf(live.record) === placeOf(record) && live.record.type === record.type;
  const isValueAlone =
    samePlace && record.priority === undefined && live.apart === undefined && sameTtl(record, live);
  return becomesAnother(change) && isValueAlone ? `value ${record.type} ${toWire(record).value}` : undefined;
}
