/**
 * The creator: makes records, each exactly once. Creations that come within a quiet window of 100 ms join one job; a job
 * refused as a whole is split until the culprit stands alone; what is in doubt is found out by reading after the index
 * delay; a job that does not end in time is handed back with its number.
 */
import { ServiceError, type Requests } from "../../api";
import { Quiet } from "../../clock";
import { placeOf, recordKey, type DeclaredRecord } from "../../dns";
import { domainsOf, gather, groupBy } from "../../gather";
import { digestOf } from "../memory/ledger";
import { halvesOf, makesOf, planJobs, type Job } from "../plan/jobs";
import { isAsDeclared } from "../plan/plan";
import type { Run } from "../run";
import { errorText, named } from "../../words";
import type { Snapshot } from "../zones/snapshot";
import type { LiveEntry } from "../zones/zone";
import { creationsIn, zoneName, type JobEnd } from "./job";
import { notSent, type Result } from "./result";
import { findOut, Outdated, sendJob, type InDoubt, type Queued, type NotAccepted, type Write } from "./send";
import { Doubts } from "./series";
import { Turns } from "../../turns";

/** What the parts of one job share. */
interface Budget {
  splits: number;
  readonly doubts: Doubts;
}

/** Milliseconds without a further creation after which a job is sent. */
const quietWindow = 100;
/** Jobs under way at once, whichever resources they are for. */
const jobsAtOnce = 4;
/** Splits of one refused job: enough for one culprit among thousands, too few for a storm of calls. */
const mostSplits = 12;

export class Creator {
  /** By key, whom to tell what became of a record: two resources may ask for one; it is made once and both hear of it. */
  private readonly asked = new Map<string, ((result: Result) => void)[]>();
  /** Records for the next job. */
  private waiting: DeclaredRecord[] = [];
  private readonly quiet: Quiet;
  private gathering: Promise<void> | undefined;
  private readonly turns = new Turns(jobsAtOnce);
  /** Undocumented codes that are refusals: a search has proved that a job with this answer made nothing. */
  private readonly refusals = new Set<string>();

  constructor(private readonly run: Run) {
    this.quiet = new Quiet(run.clock, quietWindow);
  }

  /**
   * Makes the records; the results are in their order. Never rejects: what went wrong is a result. The caller has read the
   * zones and knows that none of the records is live.
   */
  async create(records: readonly DeclaredRecord[]): Promise<Result[]> {
    const early = await this.withoutDefaultLine(records);
    const results = await this.join(records);
    // A name wants a record on the default line before those on others (service-notes.md, code 31). Another resource's
    // job may have been making it: what was refused for that is sent once more.
    const refused = records.filter((record, i) => early.has(record) && results[i]?.kind === "refused");
    if (refused.length === 0) return results;
    await this.othersEnd();
    const stillWithout = await this.withoutDefaultLine(refused);
    const again = refused.filter((record) => !stillWithout.has(record));
    const second = new Map((await this.join(again)).map((result, i) => [again[i], result]));
    return results.map((result, i) => second.get(records[i]) ?? result);
  }

  /** Those on other lines whose name is not known to have a record on the default line. */
  private async withoutDefaultLine(records: readonly DeclaredRecord[]): Promise<ReadonlySet<DeclaredRecord>> {
    const ofOthers = records.filter(({ line }) => line !== undefined);
    const { read } = await this.run.zones.readable(domainsOf(ofOthers));
    return new Set(
      ofOthers.filter(({ domain, name }) => read.get(domain)?.zone.byPlace.has(placeOf({ name })) !== true),
    );
  }

  /** Hands records to the next job that is gathered. */
  private join(records: readonly DeclaredRecord[]): Promise<Result[]> {
    if (records.length === 0) return Promise.resolve([]);
    const results = records.map(
      (record) =>
        new Promise<Result>((resolve) => {
          const asked = gather(this.asked, recordKey(record), []);
          if (asked.push(resolve) === 1) this.waiting.push(record);
        }),
    );
    this.quiet.heard();
    this.gathering ??= this.gather();
    return Promise.all(results);
  }

  private answer(record: DeclaredRecord, result: Result): void {
    const asked = this.asked.get(recordKey(record)) ?? [];
    this.asked.delete(recordKey(record));
    for (const resolve of asked) resolve(result);
  }

  /** Waits for the jobs of other resources, no longer than a job may take. */
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
    try {
      for (const stage of this.jobsFor(records))
        await Promise.all(stage.map((job) => this.turns.take(() => this.make(job))));
    } catch (error) {
      // A fault of this program: what was sent nobody knows.
      const since = Math.ceil(this.run.clock.now() / 1000);
      for (const record of records)
        this.answer(record, { kind: "unconfirmed", since, text: errorText(error) });
    }
  }

  private jobsFor(records: readonly DeclaredRecord[]): Job[][] {
    const { settings, zones } = this.run;
    return planJobs(records, { ...settings, defaultLine: (domain) => zones.defaultLine(domain) });
  }

  private async make(
    job: Job,
    budget: Budget = { splits: mostSplits, doubts: new Doubts("creating") },
  ): Promise<void> {
    const makes = makesOf(job);
    const { stopped } = budget.doubts;
    if (stopped !== undefined) {
      for (const record of makes) this.answer(record, notSent(stopped));
      return;
    }
    const read = await this.run.zones.snapshots(job.domains).catch((error: unknown) => {
      for (const record of makes) this.answer(record, notSent(error));
    });
    if (read === undefined) return;
    // The plan may be older than the zone: other jobs came first, and what they led to was read.
    const liveOf = (record: DeclaredRecord): readonly LiveEntry[] =>
      read.get(record.domain)?.liveOf(recordKey(record)) ?? [];
    const missing = makes.filter((record) => liveOf(record).length === 0);
    if (missing.length < makes.length) {
      for (const record of makes) {
        const [first, ...others] = liveOf(record);
        if (first) this.answer(record, { kind: "appeared", live: [first, ...others] });
      }
      for (const part of this.jobsFor(missing).flat()) await this.make(part, budget);
      return;
    }
    const sentAt = this.run.clock.now();
    const sent = await sendJob(this.run, this.creationOf(job, read));
    if (sent.kind === "queued") await this.answerFrom(sent, makes, sentAt);
    else await this.afterFailure(sent, job, budget);
  }

  private creationOf(job: Job, read: ReadonlyMap<string, Snapshot>): Write<"Batch.Record.Create"> {
    const records = makesOf(job);
    const domainIds = job.domains.map((domain) => read.get(domain)?.head.id ?? "");
    const readAt = (domain: string): number => read.get(domain)?.head.readAt ?? 0;
    const isLive = (record: DeclaredRecord): boolean =>
      (this.run.zones.latest(record.domain)?.liveOf(recordKey(record)) ?? []).length > 0;
    const beforeSending = (): void => {
      if (records.some(isLive))
        throw new Outdated("Batch.Record.Create", job.domains, "the zone shows one of its records by now");
    };
    return {
      operation: "Batch.Record.Create",
      request: requestOf(job, domainIds),
      target: named(job.domains),
      deed: "create",
      records,
      readAt,
      givesWay: true,
      beforeSending,
    };
  }

  /** A job that was not accepted, as far as the answer tells: it is split where a part of it may be the culprit. */
  private async afterFailure(sent: NotAccepted, job: Job, budget: Budget): Promise<void> {
    if (sent.kind === "not done" && sent.error instanceof Outdated && budget.splits > 0) {
      budget.splits -= 1;
      return this.make(job, budget);
    }
    const halves = budget.splits > 0 && mayConcernOnePart(sent.error, job) ? halvesOf(job) : [];
    const makes = makesOf(job);
    if (sent.kind === "in doubt" && !(await this.madeNothing(sent, makes, halves.length > 0, budget.doubts)))
      return;
    if (halves.length === 0) {
      for (const record of makes) this.answer(record, notSent(sent.error));
      return;
    }
    budget.splits -= 1;
    for (const half of halves) await this.make(half, budget);
  }

  /**
   * Whether a job with an unknown outcome provably made nothing. If not, its records have been answered.
   * @param maySplit parts of the job can be sent again: then the search is long enough to prove it
   */
  private async madeNothing(
    { entry, error, sentAt, why }: InDoubt,
    makes: readonly DeclaredRecord[],
    maySplit: boolean,
    doubts: Doubts,
  ): Promise<boolean> {
    const undocumented = error instanceof ServiceError && error.isUndocumented ? error.code : undefined;
    if (undocumented === undefined || !this.refusals.has(undocumented)) {
      const found = await this.answerFound(makes, sentAt, why, maySplit && !doubts.isLast);
      if (found === "made") entry.ended(makes.map(digestOf));
      else doubts.add(why);
      if (found !== "none") return false;
      if (undocumented !== undefined) this.refusals.add(undocumented);
    }
    entry.notDone();
    return true;
  }

  private async answerFrom(
    { jobId, since, end, entry }: Queued,
    makes: readonly DeclaredRecord[],
    sentAt: number,
  ): Promise<void> {
    // The index delay counts from the record's making, which was no later than now: rounded up, lest a wait be short.
    const now = this.run.clock.now();
    const results = creationsIn(this.run, end.detail, Math.ceil(now / 1000));
    this.run.zones.lay(
      [...results.values()].flatMap((result) => (result.kind === "made" ? [result.entry] : [])),
      now,
      true,
    );
    const unmatched: DeclaredRecord[] = [];
    for (const record of makes) {
      const result = results.get(recordKey(record));
      if (result) this.answer(record, result);
      else if (end.kind === "open")
        this.answer(record, { kind: "pending", job: jobId, since, text: end.text });
      else unmatched.push(record);
    }
    // The service may name a record in a form of its own: the zone, not the job, tells then whether it is there.
    const said = gapsIn(end, jobId);
    const byReason = groupBy(unmatched, ({ domain }) => said(domain));
    const found = await Promise.all(
      [...byReason].map(([why, records]) => this.answerFound(records, sentAt, why)),
    );
    if (end.kind === "ended" && found.every((each) => each === "made"))
      entry.ended(makes.filter((record) => results.get(recordKey(record))?.kind !== "refused").map(digestOf));
  }

  /**
   * Reads which records a job with an unknown outcome made, and answers accordingly.
   * @param provesAbsence look as long as a job may take, and answer nothing if no record appears
   * @returns "made" if the job made all of them; "none" if it provably made none: then nothing has been answered
   */
  private async answerFound(
    records: readonly DeclaredRecord[],
    sentAt: number,
    why: string,
    provesAbsence = false,
  ): Promise<"made" | "none" | "open"> {
    // It left no later than now, perhaps at a second try; rounded up, lest the next run wait too short.
    const since = Math.ceil(this.run.clock.now() / 1000);
    const { found, text, isRead } = await findOut(this.run, records, {
      why,
      sentAt,
      done: "made",
      provesAbsence,
    });
    if (provesAbsence && found.size === 0 && isRead) return "none";
    let madeAll = true;
    for (const record of records) {
      const live = found.get(recordKey(record));
      const made = live?.find((entry) => isAsDeclared(record, entry));
      madeAll &&= made !== undefined;
      if (live && made) this.answer(record, { kind: "made", entry: made, since, live });
      // Live otherwise than it was sent: somebody else's, or changed since.
      else this.answer(record, live ? { kind: "appeared", live } : { kind: "unconfirmed", since, text });
    }
    return madeAll ? "made" : "open";
  }
}

function requestOf(job: Job, domainIds: string[]): Requests["Batch.Record.Create"] {
  const records = job.objects.map(({ labels, priority, ...data }) => {
    return {
      subDomains: labels.map(({ subDomain }) => subDomain),
      ...data,
      ...(priority === undefined ? {} : { priority }),
    };
  });
  return { domainIds, records };
}

/** By domain, why a job that has ended tells nothing of a record. */
function gapsIn(end: JobEnd, jobId: string): (domain: string) => string {
  const errors = new Map(
    end.detail.items.flatMap(({ domain, status, error = "" }) =>
      status === "error" && domain !== undefined ? [[zoneName(domain), error] as const] : [],
    ),
  );
  return (domain) => {
    const error = errors.get(domain);
    return `Job ${jobId} ended without naming the record.${error === undefined ? "" : ` It ended in an error for ${domain}${error === "" ? "" : `: "${error}"`}.`}`;
  };
}

/**
 * Whether splitting can find the culprit: a refusal of the whole account, of the moment or of a gateway concerns all of
 * a job, and one of a domain concerns all of that domain.
 */
function mayConcernOnePart(error: unknown, job: Job): boolean {
  if (
    !(error instanceof ServiceError) ||
    error.about === "account" ||
    error.about === "moment" ||
    error.about === "call"
  )
    return false;
  return job.domains.length > 1 || error.about !== "domain";
}
