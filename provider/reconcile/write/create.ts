/**
 * Makes records, each exactly once. Creations within a quiet window join one job. A job that is refused as a
 * whole is split until the culprit stands alone.
 */
import { ServiceError } from "../../api";
import { QuietPeriod } from "../../support/clock";
import { placeOf, recordKey, type DeclaredRecord } from "../../dns";
import { domainsOf, gather, split } from "../../support/collections";
import { defined } from "../../support/defined";
import { halvesOf, makesOf, planJobs, type Job } from "../plan/jobs";
import type { Run } from "../run";
import { errorText, named } from "../../support/text";
import { waiting } from "../../support/reporter";
import { asDeclaredAmong, look, lostJob, unreadText } from "../look";
import { windowOfJob } from "../timeline";
import type { Snapshot } from "../zones/zone";
import { creationsIn } from "./job";
import { entriesOf, notSent, type Result } from "./result";
import { notedRefusal, Outdated, sendJob, type Queued, type Uncertain, type Write } from "./send";
import { inParts, LostAnswers } from "./series";
import { Turns } from "../../support/semaphore";

/** Milliseconds. */
const quietWindow = 100;
const jobsAtOnce = 4;

export class Creator {
  /** Key → receivers. A record that two resources request is created once. */
  private readonly asked = new Map<string, ((result: Result) => void)[]>();
  private waiting: DeclaredRecord[] = [];
  private readonly quiet: QuietPeriod;
  private gathering: Promise<void> | undefined;
  private readonly turns = new Turns(jobsAtOnce);

  constructor(private readonly run: Run) {
    this.quiet = new QuietPeriod(run.clock, quietWindow);
  }

  /** Never rejects. The results are in the order of the records, none of which is live. */
  async create(records: readonly DeclaredRecord[]): Promise<Result[]> {
    const early = await this.withoutDefaultLine(records);
    const results = await this.join(records);
    // A name needs a record on the default line first (service-notes.md, code 31). Another resource's job may
    // be creating it.
    const refused = records.filter((record, i) => early.has(record) && results[i]?.kind === "refused");
    if (refused.length === 0) return results;
    await this.othersEnd();
    const stillWithout = await this.withoutDefaultLine(refused);
    const again = refused.filter((record) => !stillWithout.has(record));
    const second = new Map((await this.join(again)).map((result, i) => [again[i], result]));
    return results.map((result, i) => second.get(records[i]) ?? result);
  }

  private async withoutDefaultLine(records: readonly DeclaredRecord[]): Promise<ReadonlySet<DeclaredRecord>> {
    const ofOthers = records.filter(({ line }) => line !== undefined);
    const { read } = await this.run.zones.readable(domainsOf(ofOthers));
    return new Set(
      ofOthers.filter(({ domain, name }) => read.get(domain)?.zone.byPlace.has(placeOf({ name })) !== true),
    );
  }

  private join(records: readonly DeclaredRecord[]): Promise<Result[]> {
    if (records.length === 0) return Promise.resolve([]);
    const results = records.map(
      (record) =>
        new Promise<Result>((resolve) => {
          const asked = gather(this.asked, recordKey(record), []);
          if (asked.push(resolve) === 1) this.waiting.push(record);
        }),
    );
    this.quiet.restart();
    this.gathering ??= this.gather();
    return Promise.all(results);
  }

  private answer(record: DeclaredRecord, result: Result): void {
    const asked = this.asked.get(recordKey(record)) ?? [];
    this.asked.delete(recordKey(record));
    for (const resolve of asked) resolve(result);
  }

  private async othersEnd(): Promise<void> {
    const { clock, settings } = this.run;
    const last = clock.now() + settings.jobTimeout * 1000;
    while ((!this.turns.isIdle || this.gathering !== undefined) && clock.now() < last)
      await clock.sleep(quietWindow);
  }

  private async gather(): Promise<void> {
    await this.quiet.wait();
    const records = this.waiting;
    this.waiting = [];
    this.gathering = undefined;
    const lost = new LostAnswers();
    try {
      for (const stage of this.jobsFor(records))
        await Promise.all(stage.map((job) => this.turns.take(() => this.make(job, lost))));
    } catch (error) {
      // A defect of this program.
      const since = Math.ceil(this.run.clock.now() / 1000);
      for (const record of records) this.answer(record, { kind: "uncertain", since, text: errorText(error) });
    }
  }

  private jobsFor(records: readonly DeclaredRecord[]): Job[][] {
    const { settings, zones } = this.run;
    return planJobs(records, { ...settings, defaultLine: (domain) => zones.defaultLine(domain) });
  }

  private async make(whole: Job, lost: LostAnswers): Promise<void> {
    await inParts(whole, async (job, maySplit) => {
      const makes = makesOf(job);
      if (lost.stop !== undefined) return this.notMade(makes, lost.stop);
      const read = await this.run.zones
        .snapshots(job.domains)
        .catch((error: unknown) => this.notMade(makes, error));
      if (Array.isArray(read)) return read;
      // Other jobs came first, and the zone was read again.
      const missing = makes.filter((record) => {
        const [first, ...others] = read.get(record.domain)?.liveOf(recordKey(record)) ?? [];
        if (first) this.answer(record, { kind: "appeared", live: [first, ...others] });
        return first === undefined;
      });
      if (missing.length < makes.length) return this.jobsFor(missing).flat();
      const sent = await sendJob(this.run, this.creationOf(job, read));
      if (sent.kind === "uncertain") return this.findOutJob(sent, job, lost, maySplit);
      if (sent.kind === "queued") return this.answerFrom(sent, makes, lost, maySplit);
      if (sent.error instanceof Outdated && maySplit) return [job];
      return this.afterRefusal(sent.error, job, maySplit);
    });
  }

  private afterRefusal(error: unknown, job: Job, maySplit: boolean): readonly Job[] {
    const halves = maySplit && mayConcernOnePart(error, job) ? halvesOf(job) : [];
    return halves.length > 0 ? halves : this.notMade(makesOf(job), error);
  }

  private notMade(records: readonly DeclaredRecord[], error: unknown): [] {
    for (const record of records) this.answer(record, notSent(error));
    return [];
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
      beforeSending: () => {
        if (records.some(isLive))
          throw new Outdated("Batch.Record.Create", domains, "the zone shows one of its records by now");
      },
    };
  }

  /** Sends again only what the job provably has not made. */
  private async findOutJob(
    sent: Uncertain,
    job: Job,
    lost: LostAnswers,
    maySend: boolean,
  ): Promise<readonly Job[]> {
    const { entry, error, why } = sent;
    const makes = makesOf(job);
    lost.add(sent, why);
    const { absent, results } = await this.findOut(makes, why);
    const kinds = new Set([...results.values()].map(({ kind }) => kind));
    const madeNothing = absent.length === makes.length;
    if (madeNothing) entry.notDone();
    else if (!kinds.has("uncertain")) entry.ended(entriesOf(results.values()));
    for (const [record, result] of results) this.answer(record, result);
    const isRefusal = madeNothing && notedRefusal(this.run, error);
    if (isRefusal || (absent.length === 0 && !kinds.has("uncertain"))) lost.delete(sent);
    if (isRefusal) return this.afterRefusal(error, job, maySend);
    if (madeNothing && maySend) return [job];
    return maySend ? this.jobsFor(absent).flat() : this.notMade(absent, error);
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
    waiting(reporter, domainsOf(records), window.last - clock.now(), lostJob);
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

  private async answerFrom(
    { jobId: job, since, end, entry }: Queued,
    makes: DeclaredRecord[],
    lost: LostAnswers,
    maySend: boolean,
  ): Promise<readonly Job[]> {
    const now = this.run.clock.now();
    const { results, unclear } = creationsIn(this.run, end.detail, Math.ceil(now / 1000), makes);
    const made = entriesOf(results.values());
    this.run.zones.lay(made, now, true);
    const unnamed = makes.filter((record) => {
      const result = results.get(recordKey(record));
      if (result) this.answer(record, result);
      return result === undefined;
    });
    if (unnamed.length === 0) lost.clear();
    if (end.kind === "open") {
      for (const record of unnamed) this.answer(record, { kind: "uncertain", job, since, text: end.text });
      return [];
    }
    const why = `job ${job} ended without naming the record`;
    const { absent, results: found } =
      unnamed.length === 0
        ? { absent: [], results: new Map<DeclaredRecord, Result>() }
        : await this.findOut(unnamed, why);
    for (const [record, result] of found) this.answer(record, result);
    const [otherwise, unmade] = split(absent, (record) => unclear.has(record));
    for (const record of otherwise)
      this.answer(record, { kind: "uncertain", job, since, text: why, isUnclear: true });
    if (otherwise.length === 0 && [...found.values()].every(({ kind }) => kind !== "uncertain"))
      entry.ended([...made, ...entriesOf(found.values())]);
    if (absent.length > 0) lost.add(entry, why);
    return maySend ? this.jobsFor(unmade).flat() : this.notMade(unmade, new Error(why));
  }
}

function mayConcernOnePart(error: unknown, job: Job): boolean {
  if (!(error instanceof ServiceError) || ["account", "moment", "call"].includes(error.about)) return false;
  return job.domains.length > 1 || error.about !== "domain";
}
