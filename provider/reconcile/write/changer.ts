/**
 * The changer: makes live records others, and removes them, with the operations outside api.md (service-notes.md). Each
 * is sent once: after a lost answer, or one that is no refusal, the record itself is asked for, since Record.Info tells the
 * present; that it is gone, only a listing tells.
 */
import { LegacyDnsError, ServiceError, type JobDetail } from "../../api";
import { digest, recordKey, toWire } from "../../dns";
import { gather } from "../gather";
import type { Entry } from "../memory/journal";
import type { Change } from "../plan/pairing";
import { count, named } from "../words";
import { entryOf, type LiveEntry } from "../zones/zone";
import { giveWay, slowJob, type ApplierParts } from "./applier";
import { explain, notSent, type Outcome, type RemovalOutcome } from "./outcome";
import { pollJob } from "./poll";
import { Remover } from "./remover";
import { domainsOf, inSeries, isRefusal, stopFor, type Stop } from "./series";
import { UnderWay } from "./under-way";

/** So many records with the same change are worth a job and its polls. */
const fewestForJob = 3;
/** Changes in doubt after which a series ends: each is looked for as long as the index may lag. */
const mostDoubts = 4;

/** What a series of changes has met so far. */
interface ChangeSeries {
  doubts: number;
  /** Domains in which one record was locked. */
  readonly locked: Set<string>;
}

/** Whether another resource has declared a live record since the plan was made; asked just before it would be lost. */
export type IsTaken = (live: LiveEntry) => boolean;
const nobody: IsTaken = () => false;

export class Changer {
  private readonly remover: Remover;
  private readonly underWay = new UnderWay();

  constructor(private readonly parts: ApplierParts) {
    this.remover = new Remover(parts, this.underWay);
  }

  /**
   * Waits for what is being changed or removed of these records, by whichever resource of this process.
   * @returns whether there was anything: the zones then hold something else.
   */
  ended(entries: readonly LiveEntry[]): Promise<boolean> {
    return this.underWay.ended(entries);
  }

  /** Removes the records; the outcomes are in their order. Never rejects: what went wrong is an outcome. */
  remove(entries: readonly LiveEntry[], isTaken: IsTaken = nobody): Promise<RemovalOutcome[]> {
    return this.remover.remove(entries, isTaken);
  }

  /** Makes the changes; the outcomes are in their order. Never rejects: what went wrong is an outcome. */
  async change(changes: readonly Change[], isTaken: IsTaken = nobody): Promise<Outcome[]> {
    const outcomes = new Map<Change, Outcome>();
    const bulk = new Map<string, Change[]>();
    const still = (change: Change): boolean => {
      if (change.kind !== "data" || !isTaken(change.live)) return true;
      outcomes.set(change, notSent(`another resource of this program has meanwhile declared what record ${change.live.id} is, so it stays; \`pulumi up\` makes this one beside it`));
      return false;
    };
    for (const change of changes) gather<string, Change[]>(bulk, sameChange(change) ?? "", []).push(change);
    const alone = bulk.get("") ?? [];
    bulk.delete("");
    for (const [key, group] of bulk) {
      if (group.length >= fewestForJob) continue;
      alone.push(...group);
      bulk.delete(key);
    }
    const { maxRecordsPerJob } = this.parts.settings;
    const jobs = [...bulk.values()].flatMap((group) => cut(group, maxRecordsPerJob));
    const doing = `${domainsOf(changes.map(({ record }) => record))}: changing`;
    await inSeries(this.parts, jobs, doing, {
      work: async (job) => {
        const own = job.filter(still);
        const error = await this.underWay.during(own.map(({ live }) => live), () => this.changeTogether(own, outcomes));
        return error === undefined ? undefined : { error };
      },
      skip: (job, error) => {
        for (const change of job) outcomes.set(change, notSent(error));
      },
      weight: (job) => job.length,
      domainOf: () => undefined,
    });
    const series: ChangeSeries = { doubts: 0, locked: new Set() };
    await inSeries(this.parts, alone, doing, {
      work: async (change) => {
        if (!still(change)) return undefined;
        if (this.underWay.has(change.live)) {
          outcomes.set(change, notSent(`another resource of this program is changing or removing record ${change.live.id} at this moment; \`pulumi up\` looks again`));
          return undefined;
        }
        const { outcome, stop } = await this.underWay.during([change.live], () => this.changeOne(change, series));
        outcomes.set(change, outcome);
        return stop;
      },
      skip: (change, error) => outcomes.set(change, notSent(error)),
      domainOf: (change) => change.record.domain,
    });
    return changes.map((change) => outcomes.get(change) ?? notSent("no outcome"));
  }

  private async changeOne(change: Change, series: ChangeSeries): Promise<{ outcome: Outcome; stop?: Stop | undefined }> {
    const { client, clock, journal } = this.parts;
    const { live, record } = change;
    const target = aimed(change, this.parts.zones.defaultLine(record.domain));
    const { subDomain, type, value, priority } = toWire(record, live.apart);
    const entry = journal.begin([record.domain], [digest(recordKey(record))], "change");
    const sentAt = clock.now();
    try {
      if (change.kind === "data") giveWay(journal, "Record.Modify", [record], this.parts.zones.lastRead);
      await client.call(
        "Record.Modify",
        {
          domain: record.domain,
          recordId: live.id,
          subDomain,
          type,
          line: target.line,
          value,
          ttl: target.ttl,
          ...(priority === undefined ? {} : { priority }),
          ...(live.weight === undefined ? {} : { weight: live.weight }),
        },
        { target: `record ${live.id} of ${record.domain}`, onSend: entry.sending },
      );
    } catch (error) {
      if (!(error instanceof LegacyDnsError) || error.outcome === "unknown") {
        const outcome = await this.findOutChange(change, sentAt, error, entry);
        if (outcome.kind !== "made") series.doubts += 1;
        return { outcome, stop: series.doubts < mostDoubts ? undefined : { error: new Error(`not sent, since what became of the changes before it is not known: ${explain(error)}`) } };
      }
      entry.refused();
      if (!isRefusal(error)) return { outcome: notSent(error), stop: stopFor(error, record.domain) };
      // The second locked record of a domain: it is the domain that is locked.
      const isLocked = error.about === "record or domain";
      const stop = isLocked && series.locked.has(record.domain) ? { error, domain: record.domain } : undefined;
      if (isLocked) series.locked.add(record.domain);
      return { outcome: { kind: "refused", text: error.message }, stop };
    }
    return { outcome: await this.changed(change, entry) };
  }

  private async changed(change: Change, entry: Entry): Promise<Outcome> {
    const { clock, zones } = this.parts;
    const now = clock.now();
    const made = becomes(change, aimed(change, this.parts.settings.defaultLine).ttl);
    entry.ended([digest(made.key)]);
    await zones.change(made.record.domain, [made], now);
    return { kind: "made", entry: made, since: Math.ceil(now / 1000) };
  }

  /** After a lost answer: the record itself tells, at once or when the write that is still on its way has arrived. */
  private async findOutChange(change: Change, sentAt: number, error: unknown, entry: Entry): Promise<Outcome> {
    const { clock, reporter, settings, zones } = this.parts;
    const { live, record } = change;
    const { ttl } = aimed(change, settings.defaultLine);
    let why = explain(error);
    reporter.info(`${record.domain}: what became of a change of record ${live.id} is not known: ${why} Looking at the record`);
    let seen = true;
    const last = clock.now() + settings.indexDelay * 1000;
    for (let pause = 1_000; ; pause *= 2) {
      try {
        const now = await this.present(record.domain, live.id);
        if (now !== undefined && now.key === recordKey(record) && now.enabled && now.ttl === ttl) return await this.changed(change, entry);
        seen = now !== undefined;
      } catch (failure) {
        why = explain(failure);
      }
      if (clock.now() >= last) break;
      await clock.sleep(Math.min(pause, last - clock.now()));
    }
    try {
      if (!seen && !(await zones.get(record.domain, clock.now())).byId.has(live.id)) return { kind: "refused", text: `record ${live.id} is gone` };
    } catch (failure) {
      why = `${why} Then the zone could not be read: ${explain(failure)}`;
    }
    const waited = Math.round((clock.now() - sentAt) / 1000);
    return { kind: "refused", text: `${why} Record ${live.id} was still as it was ${waited} s later; \`pulumi up\` looks again before it sends anything` };
  }

  private async changeTogether(changes: readonly Change[], outcomes: Map<Change, Outcome>, splits = { left: 12 }): Promise<Error | undefined> {
    const { client, clock, journal, settings } = this.parts;
    const [first] = changes;
    if (first === undefined) return undefined;
    const domains = [...new Set(changes.map(({ record }) => record.domain))];
    const { ttl } = aimed(first, settings.defaultLine);
    const what = first.kind === "data" ? { change: "value" as const, to: toWire(first.record).value } : { change: "ttl" as const, to: String(ttl) };
    const entry = journal.begin(domains, changes.map(({ record }) => digest(recordKey(record))), "change");
    const sentAt = clock.now();
    let jobId: string;
    try {
      if (first.kind === "data") giveWay(journal, "Batch.Record.Modify", changes.map(({ record }) => record), this.parts.zones.lastRead);
      const recordIds = changes.map(({ live }) => live.id);
      ({ jobId } = await client.call("Batch.Record.Modify", { recordIds, ...what }, { target: `${count(changes.length, "record")} of ${named(domains)}`, onSend: entry.sending }));
      entry.accepted(jobId);
    } catch (error) {
      if (!(error instanceof LegacyDnsError) || error.outcome === "unknown") {
        await this.findOutTogether(changes, sentAt, explain(error), outcomes);
        return undefined;
      }
      entry.refused();
      if (isRefusal(error) && changes.length > 1 && splits.left > 0) {
        splits.left -= 1;
        const half = Math.ceil(changes.length / 2);
        return (await this.changeTogether(changes.slice(0, half), outcomes, splits)) ?? this.changeTogether(changes.slice(half), outcomes, splits);
      }
      for (const change of changes) outcomes.set(change, isRefusal(error) ? { kind: "refused", text: error.message } : notSent(error));
      return isRefusal(error) ? undefined : error;
    }
    // It left no later than now, perhaps at a second try; rounded up, lest the next run wait too short.
    const since = Math.ceil(clock.now() / 1000);
    try {
      const end = await pollJob(this.parts, jobId, domains);
      const results = resultsById(end.detail);
      const ended: string[] = [];
      for (const change of changes) {
        const result = results.get(change.live.id);
        if (result?.status === "ok") ended.push(digest(recordKey(change.record)));
        if (result?.status === "ok") outcomes.set(change, await this.noted(change));
        else if (result?.status === "error") outcomes.set(change, { kind: "refused", text: result.error ?? "the service gave no reason" });
        else if (end.kind === "timeout") outcomes.set(change, { kind: "pending", job: jobId, since, text: end.text });
        else outcomes.set(change, { kind: "unconfirmed", since, text: `job ${jobId} ended without naming record ${change.live.id}` });
      }
      if (end.kind === "ended") entry.ended(ended);
    } catch (error) {
      const text = `job ${jobId} was accepted, but its result could not be read: ${explain(error)}`;
      for (const change of changes) outcomes.set(change, { kind: "pending", job: jobId, since, text });
    }
    return undefined;
  }

  /** After a lost answer to a job of many: the listing tells, once it must show what was changed. */
  private async findOutTogether(changes: readonly Change[], sentAt: number, why: string, outcomes: Map<Change, Outcome>): Promise<void> {
    const { clock, reporter, settings, zones } = this.parts;
    const since = Math.ceil(clock.now() / 1000);
    const domains = [...new Set(changes.map(({ record }) => record.domain))];
    reporter.info(`${named(domains)}: ${why} Waiting ${settings.indexDelay} s for the service's index, to read what was changed`);
    const byKey = new Map(changes.map((change) => [recordKey(change.record), change]));
    const asMade = (change: Change | undefined, live: readonly LiveEntry[]): LiveEntry | undefined =>
      change && live.find((entry) => entry.id === change.live.id && entry.enabled && entry.ttl === aimed(change, settings.defaultLine).ttl);
    const first = clock.now() + settings.indexDelay * 1000;
    const last = first + Math.min(settings.jobTimeout * 1000, slowJob);
    const { found, failure } = await zones.lookFor(changes.map(({ record }) => record), first, last, (record, live) => asMade(byKey.get(recordKey(record)), live) !== undefined);
    const text = failure === undefined ? `${why} Not changed in the zone ${Math.round((clock.now() - sentAt) / 1000)} s later` : `${why} Then the zone could not be read: ${explain(failure)}`;
    for (const change of changes) {
      const entry = asMade(change, found.get(recordKey(change.record)) ?? []);
      outcomes.set(change, entry ? { kind: "made", entry, since } : { kind: "unconfirmed", since, text });
    }
  }

  private async noted(change: Change): Promise<Outcome> {
    const now = this.parts.clock.now();
    const made = becomes(change, aimed(change, this.parts.settings.defaultLine).ttl);
    await this.parts.zones.change(made.record.domain, [made], now);
    return { kind: "made", entry: made, since: Math.ceil(now / 1000) };
  }

  /** The record as it is at this moment; undefined when it is gone. */
  private async present(domain: string, id: string): Promise<LiveEntry | undefined> {
    const { client, settings } = this.parts;
    try {
      const { record } = await client.call("Record.Info", { domain, recordId: id }, { target: `record ${id} of ${domain}` });
      return entryOf(domain, record, settings.defaultLine);
    } catch (error) {
      if (error instanceof ServiceError && error.noSuch("record")) return undefined;
      throw error;
    }
  }
}

/** What a modification sends beside the data: a TTL that is not declared stays as it is. */
function aimed({ live, record }: Change, defaultLine: string): { readonly ttl: number; readonly line: string } {
  return { ttl: record.ttl === "default" ? live.ttl : record.ttl, line: record.line ?? defaultLine };
}

function becomes({ live, record }: Change, ttl: number): LiveEntry {
  const { domain, name, type, value, priority, line } = record;
  const now = { domain, name, type, value, ...(priority === undefined ? {} : { priority }), ...(line === undefined ? {} : { line }) };
  return { ...live, record: now, key: recordKey(now), ttl, enabled: true };
}

/** The change in a word, equal for those that one job can make; undefined for one that must be made by itself. */
function sameChange({ live, record, kind }: Change): string | undefined {
  if (kind === "ttl" && live.enabled) return `ttl ${record.ttl}`;
  const sameRest =
    live.enabled &&
    live.record.name === record.name &&
    live.record.type === record.type &&
    live.record.line === record.line &&
    record.priority === undefined &&
    live.apart === undefined &&
    (record.ttl === "default" || record.ttl === live.ttl);
  return kind === "data" && sameRest ? `value ${record.type} ${toWire(record).value}` : undefined;
}

function resultsById(detail: JobDetail): Map<string, { readonly status: string | undefined; readonly error?: string | undefined }> {
  const results = new Map<string, { status: string | undefined; error?: string | undefined }>();
  for (const item of detail.items) {
    for (const { recordId, status, error } of item.records) {
      if (recordId === undefined) continue;
      const failed = status === "error" || (item.status === "error" && status !== "ok");
      results.set(recordId, failed ? { status: "error", error: error ?? item.error } : { status });
    }
  }
  return results;
}

function cut<T>(all: readonly T[], most: number): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < all.length; at += most) parts.push(all.slice(at, at + most));
  return parts;
}
