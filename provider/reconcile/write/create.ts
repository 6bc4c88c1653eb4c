/**
 * Makes records, each exactly once. A job that is refused as a whole is split until the culprit stands alone.
 */
import { ServiceError } from "../../api";
import { placeOf, recordKey, type DeclaredRecord } from "../../dns";
import { domainsOf, split } from "../../support/collections";
import { defined } from "../../support/defined";
import { halvesOf, planJobs, type Job } from "../plan/jobs";
import type { Run } from "../run";
import { named } from "../../support/text";
import { asDeclaredAmong, lostJob } from "../look";
import { secondsOf, windowOfJob } from "../timeline";
import type { Snapshot } from "../zones/zone";
import { creationsIn } from "./job";
import { JobQueue, type Answer } from "./job-queue";
import { LostAnswers, search, settleWrite, type SearchResult } from "./lost";
import { entriesOf, type Result } from "./result";
import { sendJob, type QueuedJob, type UnansweredWrite, type Write } from "./send";
import { carryOut, type Attempt } from "./calls";
import { Turns } from "../../support/semaphore";

const jobsAtOnce = 4;

type CreationResults = ReadonlyMap<DeclaredRecord, Result>;
type JobAttempt = Attempt<Job, DeclaredRecord, Result>;

export class Creator {
  private readonly queue: JobQueue;
  private readonly turns = new Turns(jobsAtOnce);

  constructor(private readonly run: Run) {
    this.queue = new JobQueue(run.clock, (records, answer) => this.carryOut(records, answer));
  }

  /** Never rejects. None of the records is live. */
  async create(records: readonly DeclaredRecord[]): Promise<CreationResults> {
    const early = await this.withoutDefaultLine(records);
    const results = await this.queue.join(records);
    // A name needs a record on the default line first (service-notes.md, code 31). Another resource's job may
    // be creating it.
    const refused = records.filter((each) => early.has(each) && results.get(each)?.kind === "refused");
    if (refused.length === 0) return results;
    const { clock, settings } = this.run;
    await this.queue.ended(() => this.turns.isIdle, clock.now() + settings.jobTimeout * 1000);
    const stillWithout = await this.withoutDefaultLine(refused);
    const again = refused.filter((record) => !stillWithout.has(record));
    return new Map([...results, ...(await this.queue.join(again))]);
  }

  private async withoutDefaultLine(records: readonly DeclaredRecord[]): Promise<ReadonlySet<DeclaredRecord>> {
    const ofOthers = records.filter(({ line }) => line !== undefined);
    const { read } = await this.run.zones.readable(domainsOf(ofOthers));
    return new Set(
      ofOthers.filter(({ domain, name }) => read.get(domain)?.zone.byPlace.has(placeOf({ name })) !== true),
    );
  }

  private async carryOut(records: readonly DeclaredRecord[], answer: Answer): Promise<void> {
    const lost = new LostAnswers();
    for (const stage of this.jobsFor(records))
      await carryOut<Job, DeclaredRecord, Result>(stage, {
        turns: this.turns,
        lost,
        itemsOf: ({ records: these }) => these,
        domainOf: ({ domain }) => domain,
        attempt: (job, maySend) => this.attempt(job, lost, maySend),
        enter: answer,
      });
  }

  private jobsFor(records: readonly DeclaredRecord[]): Job[][] {
    const { settings, zones } = this.run;
    return planJobs(records, { ...settings, defaultLine: (domain) => zones.defaultLine(domain) });
  }

  private async attempt(job: Job, lost: LostAnswers, maySend: boolean): Promise<JobAttempt> {
    const { domains, records } = job;
    let read: ReadonlyMap<string, Snapshot>;
    try {
      read = await this.run.zones.snapshots(domains);
    } catch (error) {
      return { why: error };
    }
    // Other jobs came first, and the zone was read again.
    const appeared = new Map(
      records.flatMap((record): [DeclaredRecord, Result][] => {
        const [first, ...others] = read.get(record.domain)?.liveOf(recordKey(record)) ?? [];
        return first === undefined ? [] : [[record, { kind: "appeared", live: [first, ...others] }]];
      }),
    );
    if (appeared.size > 0)
      return {
        results: appeared,
        parts: this.jobsFor(records.filter((record) => !appeared.has(record))).flat(),
      };
    const sent = await sendJob(this.run, this.creationOf(job, read));
    if (sent.kind === "uncertain") return this.afterLostAnswer(sent, job, lost, maySend);
    if (sent.kind === "queued") return this.resultsFrom(sent, records, lost, maySend);
    return sent.hindrance === "listed" && maySend ? { parts: [job] } : afterRefusal(sent.error, job, maySend);
  }

  private creationOf(job: Job, read: ReadonlyMap<string, Snapshot>): Write<"Batch.Record.Create"> {
    const { domains, objects, records } = job;
    const isLive = (record: DeclaredRecord): boolean =>
      (this.run.zones.latest(record.domain)?.liveOf(recordKey(record)) ?? []).length > 0;
    return {
      operation: "Batch.Record.Create",
      request: {
        domainIds: domains.map((domain) => read.get(domain)?.head.id ?? ""),
        records: objects.map(({ labels, ...data }) =>
          defined({ subDomains: labels.map(({ subDomain }) => subDomain), ...data }),
        ),
      },
      target: named(domains),
      deed: "create",
      records,
      readAt: (domain) => read.get(domain)?.head.readAt ?? 0,
      givesWay: true,
      whyNot: () => (records.some(isLive) ? "listed" : undefined),
    };
  }

  /** Sends again only what the job provably has not made. */
  private async afterLostAnswer(
    sent: UnansweredWrite,
    job: Job,
    lost: LostAnswers,
    maySend: boolean,
  ): Promise<JobAttempt> {
    const { entry, error, why } = sent;
    lost.add(entry, why);
    const found = await this.searchCreated(job.records, why);
    if (settleWrite(this.run, sent, found, lost)) return afterRefusal(error, job, maySend);
    const { left, results } = found;
    const again = results.size === 0 ? [job] : this.jobsFor(left).flat();
    return { results, why: error, parts: maySend ? again : [] };
  }

  private searchCreated(
    records: readonly DeclaredRecord[],
    why: string,
  ): Promise<SearchResult<DeclaredRecord>> {
    const { clock, settings } = this.run;
    const how = { window: windowOfJob(settings, clock.now()), what: lostJob };
    const judge = asDeclaredAmong(this.run, records);
    return search(this.run, records, judge, how, why, (_record, verdict, since) => {
      if (verdict.is === "absent") return undefined;
      const { live } = verdict;
      return verdict.is === "otherwise"
        ? { kind: "appeared", live }
        : { kind: "made", entry: live[0], since, live };
    });
  }

  private async resultsFrom(
    { jobId: job, since, end, entry }: QueuedJob,
    records: readonly DeclaredRecord[],
    lost: LostAnswers,
    maySend: boolean,
  ): Promise<JobAttempt> {
    const now = this.run.clock.now();
    const { results: reported, unclear } = creationsIn(this.run, end.detail, secondsOf(now), records);
    const made = entriesOf(reported.values());
    this.run.zones.lay(made, now, true);
    const results = new Map<DeclaredRecord, Result>();
    for (const record of records) {
      const result = reported.get(recordKey(record));
      if (result) results.set(record, result);
    }
    const unnamed = records.filter((record) => !results.has(record));
    if (unnamed.length === 0) {
      lost.clear();
      if (end.kind === "ended") entry.ended(made);
      return { results };
    }
    if (end.kind === "open") {
      for (const record of unnamed) results.set(record, { kind: "uncertain", job, since, text: end.text });
      return { results };
    }
    const why = `job ${job} ended without naming the record`;
    const { left, results: found } = await this.searchCreated(unnamed, why);
    const [otherwise, unmade] = split(left, (record) => unclear.has(record));
    for (const record of otherwise)
      results.set(record, { kind: "uncertain", job, since, text: why, isUnclear: true });
    if (otherwise.length === 0 && [...found.values()].every(({ kind }) => kind !== "uncertain"))
      entry.ended([...made, ...entriesOf(found.values())]);
    if (left.length > 0) lost.add(entry, why);
    const parts = maySend ? this.jobsFor(unmade).flat() : [];
    return { results: new Map([...results, ...found]), why: new Error(why), parts };
  }
}

function afterRefusal(error: unknown, job: Job, maySend: boolean): JobAttempt {
  return { why: error, parts: maySend && mayConcernOnePart(error, job) ? halvesOf(job) : [] };
}

function mayConcernOnePart(error: unknown, job: Job): boolean {
  if (!(error instanceof ServiceError) || ["account", "moment", "call"].includes(error.about)) return false;
  return job.domains.length > 1 || error.about !== "domain";
}
