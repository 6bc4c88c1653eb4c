/**
 * The changer: makes live records others, with the operations outside api.md (service-notes.md); many of one change go in
 * one job. After a lost answer to a change of one record, or an answer that is no refusal, the record itself is asked for,
 * since Record.Info tells the present; a job of many is found out by reading.
 */
import { ServiceError } from "../../api";
import { lookAgain } from "../../clock";
import { digest, recordKey, toWire } from "../../dns";
import { groupBy } from "../../gather";
import type { JournalEntry } from "../memory/journal";
import { becomesAnother, type Change } from "../plan/pairing";
import type { Run } from "../run";
import { count, named } from "../../words";
import type { LiveEntry, Zones } from "../zones/zone";
import { saidBy } from "./job";
import type { IsTaken } from "./remove";
import { explain, notSent, type Result } from "./result";
import { domainsOf, findOut, giveWay, isRefusal, send, sendJob, type Queued, type Write } from "./send";
import { inSeries, stopFor, type Outcome, type UnderWay } from "./series";

/** So many records with the same change are worth a job and its polls. */
const fewestForJob = 3;
/** Splits of one refused job. */
const mostSplits = 12;

/** What the changes of one series share. */
interface ChangeSeries {
  /** Domains in which one record was locked. */
  readonly locked: Set<string>;
  /** When the plan's reading of a domain began, in milliseconds since the epoch. */
  readonly readAt: (domain: string) => number;
}

type Results = Map<Change, Result>;

export class Changer {
  constructor(
    private readonly parts: Run,
    private readonly underWay: UnderWay,
  ) {}

  /** Makes the changes; the results are in their order. Never rejects: what went wrong is a result. */
  async change(changes: readonly Change[], isTaken: IsTaken = () => false, read: Zones = new Map()): Promise<Result[]> {
    const { jobs, alone } = grouped(changes, this.parts.settings.maxRecordsPerJob);
    const series: ChangeSeries = { locked: new Set(), readAt: (domain) => read.get(domain)?.readAt ?? 0 };
    const common = { doing: "changing", unsent: notSent } as const;
    const together = await inSeries(this.parts, jobs, { ...common, work: (job) => this.changeJob(job, isTaken, series) });
    const single = await inSeries(this.parts, alone.map((change) => [change]), { ...common, work: ([change]) => this.changeAlone(change as Change, isTaken, series) });
    return changes.map((change) => together.get(change) ?? single.get(change) ?? notSent("no outcome"));
  }

  private async changeJob(job: readonly Change[], isTaken: IsTaken, series: ChangeSeries): Promise<Outcome<Result>> {
    const results: Results = new Map();
    const own: Change[] = [];
    for (const change of job) {
      if (isTakenNow(change, isTaken)) results.set(change, taken(change));
      else own.push(change);
    }
    const error = await this.underWay.during(own.map(({ live }) => live), () => this.changeTogether(own, results, series));
    // The rest of a job that was split is not sent after an error that concerns all.
    return { results: job.map((change) => results.get(change) ?? notSent(error ?? "no outcome")), stop: error && { error } };
  }

  private async changeAlone(change: Change, isTaken: IsTaken, series: ChangeSeries): Promise<Outcome<Result>> {
    const { live } = change;
    if (isTakenNow(change, isTaken)) return { results: [taken(change)] };
    if (this.underWay.has(live)) return { results: [notSent(`another resource of this program is changing or removing record ${live.id} at this moment; \`pulumi up\` looks again`)] };
    return this.underWay.during([live], () => this.changeOne(change, series));
  }

  private async changeOne(change: Change, series: ChangeSeries): Promise<Outcome<Result>> {
    const { domain } = change.record;
    const sent = await send(this.parts, this.modificationOf(change, series));
    if (sent.kind === "answered") {
      sent.entry.ended([digest(recordKey(change.record))]);
      return { results: [await this.changed(change)] };
    }
    if (sent.kind === "in doubt") {
      const result = await this.findOutChange(change, sent.sentAt, sent.why, sent.entry);
      return { results: [result], doubt: result.kind === "made" ? undefined : sent.why };
    }
    const { error } = sent;
    if (!isRefusal(error)) return { results: [notSent(error)], stop: stopFor(error, domain) };
    // The second locked record of a domain: it is the domain that is locked.
    const isLocked = error.about === "record or domain";
    const stop = isLocked && series.locked.has(domain) ? { error, domain } : undefined;
    if (isLocked) series.locked.add(domain);
    return { results: [{ kind: "refused", text: error.message }], stop };
  }

  private modificationOf(change: Change, series: ChangeSeries): Write<"Record.Modify"> {
    const { live, record } = change;
    const { domain } = record;
    const { ttl, line } = aimed(change, this.parts.zones.defaultLine(domain));
    const { subDomain, type, value, priority } = toWire(record, live.apart);
    const rest = { ...(priority === undefined ? {} : { priority }), ...(live.weight === undefined ? {} : { weight: live.weight }) };
    const request = { domain, recordId: live.id, subDomain, type, line, value, ttl, ...rest };
    return { operation: "Record.Modify", request, target: `record ${live.id} of ${domain}`, deed: "change", records: [record], ...this.beforeSending("Record.Modify", [change], series) };
  }

  /** What makes another record of one gives way to whoever began to make the same. */
  private beforeSending(operation: string, changes: readonly Change[], { readAt }: ChangeSeries): { readonly beforeSending?: () => void } {
    const { journal } = this.parts;
    if (!changes.some(becomesAnother)) return {};
    return { beforeSending: () => giveWay(journal, operation, changes.map(({ record }) => record), readAt) };
  }

  /** The record is as it was to become: the listing may show it as it was for a while. */
  private async changed(change: Change): Promise<Result> {
    const now = this.parts.clock.now();
    const made = becomes(change, aimed(change, this.parts.settings.defaultLine).ttl);
    await this.parts.zones.lay(made.record.domain, [made], now, false);
    return { kind: "made", entry: made, since: Math.ceil(now / 1000) };
  }

  /** After a lost answer: the record itself tells, at once or when the write that is still on its way has arrived. */
  private async findOutChange(change: Change, sentAt: number, lost: string, entry: JournalEntry): Promise<Result> {
    const { clock, reporter, settings, zones } = this.parts;
    const { live, record } = change;
    const { ttl } = aimed(change, settings.defaultLine);
    let why = lost;
    reporter.info(`${record.domain}: what became of a change of record ${live.id} is not known: ${why} Looking at the record`);
    let [seen, isMade] = [true, false];
    await lookAgain(clock, clock.now(), clock.now() + settings.indexDelay * 1000, async () => {
      try {
        const now = await zones.record(record.domain, live.id);
        seen = true;
        isMade = now.key === recordKey(record) && now.enabled && now.ttl === ttl;
      } catch (failure) {
        if (failure instanceof ServiceError && failure.noSuch("record")) seen = false;
        else why = explain(failure);
      }
      return isMade;
    });
    if (isMade) {
      entry.ended([digest(recordKey(record))]);
      return this.changed(change);
    }
    try {
      if (!seen && !(await zones.get(record.domain, clock.now())).byId.has(live.id)) return { kind: "refused", text: `record ${live.id} is gone` };
    } catch (failure) {
      why = `${why} Then the zone could not be read: ${explain(failure)}`;
    }
    const waited = Math.round((clock.now() - sentAt) / 1000);
    return { kind: "refused", text: `${why} Record ${live.id} was still as it was ${waited} s later; \`pulumi up\` looks again before it sends anything` };
  }

  /** Changes in one job, which is split where it is refused. @returns what ends the changes to come */
  private async changeTogether(changes: readonly Change[], results: Results, series: ChangeSeries, splits = { left: mostSplits }): Promise<Error | undefined> {
    const [first] = changes;
    if (first === undefined) return undefined;
    const sent = await sendJob(this.parts, this.batchOf(first, changes, series));
    if (sent.kind === "queued") await this.noteFrom(sent, changes, results);
    else if (sent.kind === "in doubt") await this.findOutTogether(changes, sent, results);
    else {
      const { error } = sent;
      if (isRefusal(error) && changes.length > 1 && splits.left > 0) {
        splits.left -= 1;
        const half = Math.ceil(changes.length / 2);
        return (await this.changeTogether(changes.slice(0, half), results, series, splits)) ?? this.changeTogether(changes.slice(half), results, series, splits);
      }
      for (const change of changes) results.set(change, isRefusal(error) ? { kind: "refused", text: error.message } : notSent(error));
      return isRefusal(error) ? undefined : error;
    }
    return undefined;
  }

  private batchOf(first: Change, changes: readonly Change[], series: ChangeSeries): Write<"Batch.Record.Modify"> {
    const records = changes.map(({ record }) => record);
    const what = becomesAnother(first) ? { change: "value" as const, to: toWire(first.record).value } : { change: "ttl" as const, to: String(aimed(first, this.parts.settings.defaultLine).ttl) };
    const request = { recordIds: changes.map(({ live }) => live.id), ...what };
    const target = `${count(changes.length, "record")} of ${named(domainsOf(records))}`;
    return { operation: "Batch.Record.Modify", request, target, deed: "change", records, ...this.beforeSending("Batch.Record.Modify", changes, series) };
  }

  private async noteFrom({ jobId: job, since, end, entry }: Queued, changes: readonly Change[], results: Results): Promise<void> {
    const byId = new Map(saidBy(end.detail).map((said) => [said.record.recordId, said]));
    for (const change of changes) {
      const said = byId.get(change.live.id);
      if (said?.status === "done") results.set(change, await this.changed(change));
      else if (said?.status === "refused") results.set(change, { kind: "refused", text: said.text });
      else if (end.kind === "open") results.set(change, { kind: "pending", job, since, text: end.text });
      else results.set(change, { kind: "unconfirmed", since, text: `job ${job} ended without naming record ${change.live.id}` });
    }
    if (end.kind === "ended") entry.ended(changes.filter((change) => results.get(change)?.kind === "made").map(({ record }) => digest(recordKey(record))));
  }

  /** After a lost answer to a job of many: the listing tells, once it must show what was changed. */
  private async findOutTogether(changes: readonly Change[], { why, sentAt }: { readonly why: string; readonly sentAt: number }, results: Results): Promise<void> {
    const { defaultLine } = this.parts.settings;
    const byKey = new Map(changes.map((change) => [recordKey(change.record), change]));
    const asMade = (change: Change | undefined, live: readonly LiveEntry[]): LiveEntry | undefined =>
      change && live.find((entry) => entry.id === change.live.id && entry.enabled && entry.ttl === aimed(change, defaultLine).ttl);
    const isThere = (record: Change["record"], live: readonly LiveEntry[]): boolean => asMade(byKey.get(recordKey(record)), live) !== undefined;
    const since = Math.ceil(this.parts.clock.now() / 1000);
    const { found, text } = await findOut(this.parts, changes.map(({ record }) => record), { why, sentAt, done: "changed", isThere });
    for (const change of changes) {
      const entry = asMade(change, found.get(recordKey(change.record)) ?? []);
      results.set(change, entry ? { kind: "made", entry, since } : { kind: "unconfirmed", since, text });
    }
  }
}

/** Whether another resource of the run has declared what the record would no longer be. */
function isTakenNow(change: Change, isTaken: IsTaken): boolean {
  return becomesAnother(change) && isTaken(change.live);
}

function taken({ live }: Change): Result {
  return notSent(`another resource of this program has meanwhile declared what record ${live.id} is, so it stays; \`pulumi up\` makes this one beside it`);
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

/** The changes that go in jobs, each of at most so many records, and those that go alone. */
function grouped(changes: readonly Change[], most: number): { jobs: Change[][]; alone: Change[] } {
  const bySame = groupBy(changes, (change) => sameChange(change) ?? "");
  const alone = bySame.get("") ?? [];
  bySame.delete("");
  const jobs: Change[][] = [];
  for (const group of bySame.values()) {
    if (group.length < fewestForJob) alone.push(...group);
    else for (let at = 0; at < group.length; at += most) jobs.push(group.slice(at, at + most));
  }
  return { jobs, alone };
}

/** The change in a word, equal for those that one job can make; undefined for one that must be made by itself. */
function sameChange(change: Change): string | undefined {
  const { live, record, kind } = change;
  if (kind === "ttl" && live.enabled) return `ttl ${record.ttl}`;
  const sameRest =
    live.enabled &&
    live.record.name === record.name &&
    live.record.type === record.type &&
    live.record.line === record.line &&
    record.priority === undefined &&
    live.apart === undefined &&
    (record.ttl === "default" || record.ttl === live.ttl);
  return becomesAnother(change) && sameRest ? `value ${record.type} ${toWire(record).value}` : undefined;
}
