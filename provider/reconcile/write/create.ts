/**
 * Makes records, each exactly once. A job that is refused as a whole is split until the culprit stands alone.
 */
import { ServiceError } from "../../api";
import { placeOf, recordKey, type DeclaredRecord } from "../../dns";
import { domainsOf, split } from "../../support/collections";
import { defined } from "../../support/defined";
import { halvesOf, makesOf, planJobs, type Job } from "../plan/jobs";
import type { Run } from "../run";
import { named } from "../../support/text";
import { waiting } from "../../support/reporter";
import { asDeclaredAmong, look, lostJob, unreadText } from "../look";
import { windowOfJob } from "../timeline";
import type { Snapshot } from "../zones/zone";
import { creationsIn } from "./job";
import { JobQueue, type Answer } from "./job-queue";
import { entriesOf, notSent, type Result } from "./result";
import { isUnsent, notedRefusal, sendJob, type QueuedJob, type UnansweredWrite, type Write } from "./send";
import { carryOut, LostAnswers, type Attempt } from "./calls";
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
        itemsOf: makesOf,
        domainOf: ({ domain }) => domain,
        attempt: (job, maySplit) => this.attempt(job, lost, maySplit),
        enter: answer,
      });
  }

  private jobsFor(records: readonly DeclaredRecord[]): Job[][] {
    const { settings, zones } = this.run;
    return planJobs(records, { ...settings, defaultLine: (domain) => zones.defaultLine(domain) });
  }

  private async attempt(job: Job, lost: LostAnswers, maySplit: boolean): Promise<JobAttempt> {
    const makes = makesOf(job);
    let read: ReadonlyMap<string, Snapshot>;
    try {
      read = await this.run.zones.snapshots(job.domains);
    } catch (error) {
      return notMade(makes, error);
    }
    // Other jobs came first, and the zone was read again.
    const appeared = new Map(
      makes.flatMap((record): [DeclaredRecord, Result][] => {
        const [first, ...others] = read.get(record.domain)?.liveOf(recordKey(record)) ?? [];
        return first === undefined ? [] : [[record, { kind: "appeared", live: [first, ...others] }]];
      }),
    );
    if (appeared.size > 0)
      return {
        results: appeared,
        parts: this.jobsFor(makes.filter((record) => !appeared.has(record))).flat(),
      };
    const sent = await sendJob(this.run, this.creationOf(job, read));
    if (sent.kind === "uncertain") return this.findOutJob(sent, job, lost, maySplit);
    if (sent.kind === "queued") return this.resultsFrom(sent, makes, lost, maySplit);
    if (isUnsent(sent.error, "outdated", "listed") && maySplit) return { parts: [job] };
    return afterRefusal(sent.error, job, maySplit);
  }

  private creationOf(job: Job, read: ReadonlyMap<string, Snapshot>): Write<"Batch.Record.Create"> {
    const { domains, objects } = job;
    const records = makesOf(job);
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
  private async findOutJob(
    sent: UnansweredWrite,
    job: Job,
    lost: LostAnswers,
    maySend: boolean,
  ): Promise<JobAttempt> {
    const { entry, error, why } = sent;
    const makes = makesOf(job);
    lost.add(sent, why);
    const { absent, results } = await this.findOut(makes, why);
    const isOpen = [...results.values()].some(({ kind }) => kind === "uncertain");
    const madeNothing = absent.length === makes.length;
    if (madeNothing) entry.notDone();
    else if (!isOpen) entry.ended(entriesOf(results.values()));
    const isRefusal = madeNothing && notedRefusal(this.run, error);
    if (isRefusal || (absent.length === 0 && !isOpen)) lost.delete(sent);
    if (isRefusal) return afterRefusal(error, job, maySend);
    if (!maySend) return joined(results, notMade(absent, error));
    return { results, parts: madeNothing ? [job] : this.jobsFor(absent).flat() };
  }

  /**
   * Looks until a job that was sent just now must have ended.
   * @returns `absent`: provably not made. The others are uncertain if their zone could not be read
   */
  private async findOut(
    records: readonly DeclaredRecord[],
    why: string,
  ): Promise<{ readonly absent: DeclaredRecord[]; readonly results: ReadonlyMap<DeclaredRecord, Result> }> {
    const { clock, reporter, settings } = this.run;
    // The last try may have been now. Rounded up, so that the next run waits long enough.
    const since = Math.ceil(clock.now() / 1000);
    const window = windowOfJob(settings, clock.now());
    if (records.length > 0) waiting(reporter, domainsOf(records), window.last - clock.now(), lostJob);
    const verdicts = await look(this.run, records, asDeclaredAmong(this.run, records), window);
    const absent: DeclaredRecord[] = [];
    const results = new Map<DeclaredRecord, Result>();
    for (const [record, verdict] of verdicts)
      if (verdict.is === "absent") absent.push(record);
      else if (verdict.is === "unread")
        results.set(record, { kind: "uncertain", since, text: `${why} ${unreadText(verdict.error)}` });
      else if (verdict.is === "otherwise") results.set(record, { kind: "appeared", live: verdict.live });
      else results.set(record, { kind: "made", entry: verdict.live[0], since, live: verdict.live });
    return { absent, results };
  }

  private async resultsFrom(
    { jobId: job, since, end, entry }: QueuedJob,
    makes: readonly DeclaredRecord[],
    lost: LostAnswers,
    maySend: boolean,
  ): Promise<JobAttempt> {
    const now = this.run.clock.now();
    const { results: reported, unclear } = creationsIn(this.run, end.detail, Math.ceil(now / 1000), makes);
    const made = entriesOf(reported.values());
    this.run.zones.lay(made, now, true);
    const results = new Map<DeclaredRecord, Result>();
    for (const record of makes) {
      const result = reported.get(recordKey(record));
      if (result) results.set(record, result);
    }
    const unnamed = makes.filter((record) => !results.has(record));
    if (unnamed.length === 0) lost.clear();
    if (end.kind === "open") {
      for (const record of unnamed) results.set(record, { kind: "uncertain", job, since, text: end.text });
      return { results };
    }
    const why = `job ${job} ended without naming the record`;
    const { absent, results: found } = await this.findOut(unnamed, why);
    const [otherwise, unmade] = split(absent, (record) => unclear.has(record));
    for (const record of otherwise)
      results.set(record, { kind: "uncertain", job, since, text: why, isUnclear: true });
    if (otherwise.length === 0 && [...found.values()].every(({ kind }) => kind !== "uncertain"))
      entry.ended([...made, ...entriesOf(found.values())]);
    if (absent.length > 0) lost.add(entry, why);
    const all = new Map([...results, ...found]);
    return maySend
      ? { results: all, parts: this.jobsFor(unmade).flat() }
      : joined(all, notMade(unmade, new Error(why)));
  }
}

function afterRefusal(error: unknown, job: Job, maySplit: boolean): JobAttempt {
  const parts = maySplit && mayConcernOnePart(error, job) ? halvesOf(job) : [];
  return parts.length > 0 ? { parts } : notMade(makesOf(job), error);
}

function notMade(records: readonly DeclaredRecord[], error: unknown): JobAttempt {
  return { results: new Map(records.map((record) => [record, notSent(error)])) };
}

function joined(results: CreationResults, { results: more = new Map(), ...rest }: JobAttempt): JobAttempt {
  return { ...rest, results: new Map([...results, ...more]) };
}

function mayConcernOnePart(error: unknown, job: Job): boolean {
  if (!(error instanceof ServiceError) || ["account", "moment", "call"].includes(error.about)) return false;
  return job.domains.length > 1 || error.about !== "domain";
}
