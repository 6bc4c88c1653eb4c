/**
 * The applier: makes records, each exactly once. Creations that come within a quiet window of 100 ms join one job;
 * a job refused as a whole is split until the culprit stands alone; a lost answer, or one that is no refusal, is found out
 * by reading after the index delay; a job that does not end in time is handed back with its id. It never sends a write
 * twice.
 */
import { LegacyDnsError, ServiceError, type Client, type JobDetail } from "../../api";
import type { Clock } from "../../clock";
import { canonicalDomain, digest, fromLive, recordKey, type DeclaredRecord, type DnsRecord } from "../../dns";
import type { Reporter } from "../../report";
import type { Settings } from "../../settings";
import { gather } from "../gather";
import { wantedOf, type Entry, type Journal } from "../memory/journal";
import type { PendingJob } from "../memory/ledger";
import { makesOf, planJobs, splitJob, type Job } from "../plan/jobs";
import { sameTtl } from "../plan/plan";
import { clause, named } from "../words";
import type { ZoneReader } from "../zones/reader";
import { placeOf, type LiveEntry, type Zone } from "../zones/zone";
import { explain, notSent, type Outcome } from "./outcome";
import { pollJob, type JobEnd } from "./poll";

/** What one job's parts may still do. */
interface Budget {
  splits: number;
  doubts: number;
}

interface Waiting {
  readonly record: DeclaredRecord;
  readonly resolve: (outcome: Outcome) => void;
}

export interface ApplierParts {
  readonly client: Client;
  readonly zones: ZoneReader;
  readonly journal: Journal;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly reporter: Reporter;
}

/** Milliseconds without a further creation after which a job is sent. */
const quietWindow = 100;
const jobsAtOnce = 4;
/** Splits of one refused job: enough for one culprit among thousands, too few for a storm of calls. */
const mostSplits = 12;
/** Splits after an answer that is no refusal: each is waited for as long as a job may take. The next run goes on. */
const mostDoubts = 4;
/** Milliseconds beyond the index delay that a job whose number was lost is given to show its records. */
export const slowJob = 10_000;

export class Applier {
  private waiting: Waiting[] = [];
  private lastAdded = 0;
  private gathering: Promise<void> | undefined;
  private running = 0;
  private readonly queue: (() => void)[] = [];

  constructor(private readonly parts: ApplierParts) {}

  private readonly defaultLine = (domain: string): string => this.parts.zones.defaultLine(domain);

  /**
   * Makes the records; the outcomes are in their order. Never rejects: what went wrong is an outcome. The caller has
   * read the zones and knows that none of the records is live.
   */
  async create(records: readonly DeclaredRecord[]): Promise<Outcome[]> {
    const early = new Set<DeclaredRecord>();
    for (const record of records) {
      if (record.line !== undefined && (await this.hasDefaultLine(record)) === false) early.add(record);
    }
    const outcomes = await this.send(records);
    // A name wants a record on the default line before those on others (service-notes.md, code 31). Another resource's
    // job may have been making it: what was refused for that is sent once more.
    if (!records.some((record, i) => early.has(record) && outcomes[i]?.kind === "refused")) return outcomes;
    await this.othersEnd();
    const again: number[] = [];
    for (const [i, record] of records.entries()) {
      if (early.has(record) && outcomes[i]?.kind === "refused" && (await this.hasDefaultLine(record)) === true) again.push(i);
    }
    const second = await this.send(again.flatMap((i) => records[i] ?? []));
    for (const [n, i] of again.entries()) outcomes[i] = second[n] ?? notSent("no outcome");
    return outcomes;
  }

  /** Hands records to the next job that is gathered. */
  private send(records: readonly DeclaredRecord[]): Promise<Outcome[]> {
    if (records.length === 0) return Promise.resolve([]);
    const outcomes = records.map(
      (record) => new Promise<Outcome>((resolve) => this.waiting.push({ record, resolve })),
    );
    this.lastAdded = this.parts.clock.now();
    this.gathering ??= this.gather();
    return Promise.all(outcomes);
  }

  /** Undefined where the zone cannot be read. */
  private async hasDefaultLine({ domain, name }: DeclaredRecord): Promise<boolean | undefined> {
    try {
      return (await this.parts.zones.get(domain)).byPlace.has(placeOf({ name }));
    } catch {
      return undefined;
    }
  }

  /** Waits for the jobs of other resources, no longer than a job may take. */
  private async othersEnd(): Promise<void> {
    const { clock, settings } = this.parts;
    const last = clock.now() + settings.jobTimeout * 1000;
    while ((this.running > 0 || this.gathering !== undefined) && clock.now() < last) await clock.sleep(quietWindow);
  }

  /**
   * Waits for the end of a job that an earlier run left behind.
   * @returns by digest of the record's key what became of it, and where the job has not ended in time, what it says:
   * records that are not named are then pending. Undefined when the service no longer knows the job; what every listing
   * then shows is all that it made.
   */
  async settle(
    { id: jobId, since }: Pick<PendingJob, "id" | "since">,
    domains: readonly string[],
  ): Promise<{ outcomes: ReadonlyMap<string, Outcome>; open: string | undefined } | undefined> {
    try {
      const end = await pollJob(this.parts, jobId, domains);
      const ended = this.results(end.detail, since).filter(({ status }) => status === "ended");
      const outcomes = new Map(ended.map(({ key, outcome }) => [digest(key), outcome]));
      if (end.kind === "ended") this.parts.journal.sawEnd(jobId, outcomes);
      return {
        outcomes,
        open: end.kind === "timeout" ? end.text : undefined,
      };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return error.noSuch("job") ? undefined : { outcomes: new Map(), open: clause(error.message) };
    }
  }

  private async gather(): Promise<void> {
    const { clock } = this.parts;
    for (;;) {
      const quiet = clock.now() - this.lastAdded;
      if (quiet >= quietWindow) break;
      await clock.sleep(quietWindow - quiet);
    }
    const batch = this.waiting;
    this.waiting = [];
    this.gathering = undefined;
    // Two resources may ask for one record at the same moment: it is made once and both hear of it.
    const byKey = new Map<string, Waiting[]>();
    for (const each of batch) {
      const key = recordKey(each.record);
      const same = byKey.get(key);
      if (same) same.push(each);
      else byKey.set(key, [each]);
    }
    const answer = (record: DeclaredRecord, outcome: Outcome): void => {
      const key = recordKey(record);
      for (const each of byKey.get(key) ?? []) each.resolve(outcome);
      byKey.delete(key);
    };
    const records = [...byKey.values()].flatMap(([first]) => (first ? [first.record] : []));
    try {
      for (const stage of planJobs(records, this.parts.settings, this.defaultLine)) {
        await Promise.all(stage.map((job) => this.withPlace(() => this.run(job, answer))));
      }
    } catch (error) {
      for (const waiting of [...byKey.values()].flat()) answer(waiting.record, notSent(error));
    }
  }

  /** At most four jobs at once, whichever resources they are for. */
  private async withPlace(work: () => Promise<void>): Promise<void> {
    if (this.running >= jobsAtOnce) await new Promise<void>((resolve) => this.queue.push(resolve));
    else this.running += 1;
    try {
      await work();
    } finally {
      // The place is handed over, so that nobody slips in between.
      const next = this.queue.shift();
      if (next) next();
      else this.running -= 1;
    }
  }

  private async run(
    job: Job,
    answer: (record: DeclaredRecord, outcome: Outcome) => void,
    budget: Budget = { splits: mostSplits, doubts: mostDoubts },
  ): Promise<void> {
    const makes = makesOf(job);
    let read: ReadonlyMap<string, Zone>;
    try {
      read = await this.parts.zones.getAll(job.domains);
    } catch (error) {
      for (const record of makes) answer(record, notSent(error));
      return;
    }
    // The plan may be older than the zone: other jobs came first, and what they led to was read.
    const liveOf = (record: DeclaredRecord): readonly LiveEntry[] => read.get(record.domain)?.byKey.get(recordKey(record)) ?? [];
    if (makes.some((record) => liveOf(record).length > 0)) {
      const missing: DeclaredRecord[] = [];
      for (const record of makes) {
        const [first, ...others] = liveOf(record);
        if (first === undefined) missing.push(record);
        else answer(record, { kind: "appeared", live: [first, ...others] });
      }
      for (const part of planJobs(missing, this.parts.settings, this.defaultLine).flat()) await this.run(part, answer, budget);
      return;
    }
    const sentAt = this.parts.clock.now();
    let jobId: string;
    let entry: Entry;
    try {
      ({ jobId, entry } = await this.sendJob(job, read));
    } catch (error) {
      return this.afterError(error, job, sentAt, answer, budget);
    }
    // It left no later than now, perhaps at a second try; rounded up, lest the next run wait too short.
    const since = Math.ceil(this.parts.clock.now() / 1000);
    try {
      const end = await pollJob(this.parts, jobId, job.domains);
      await this.answerFrom(end, jobId, entry, makes, since, sentAt, answer);
    } catch (error) {
      const text = `job ${jobId} was accepted, but its result could not be read: ${explain(error)}`;
      for (const record of makes) answer(record, { kind: "pending", job: jobId, since, text });
    }
  }

  /** A job that was not accepted, as far as the answer tells. */
  private async afterError(
    error: unknown,
    job: Job,
    sentAt: number,
    answer: (record: DeclaredRecord, outcome: Outcome) => void,
    budget: Budget,
  ): Promise<void> {
    if (error instanceof Overtaken && budget.splits > 0) {
      budget.splits -= 1;
      return this.run(job, answer, budget);
    }
    const isDoubt = !(error instanceof LegacyDnsError) || error.outcome === "unknown";
    const maySplit = budget.splits > 0 && (budget.doubts > 0 || !isDoubt) && mayConcernOnePart(error, job);
    const halves = maySplit ? splitJob(job) : undefined;
    const makes = makesOf(job);
    // What is no refusal may have been carried out: it is sent again, in parts, once the zone proves that it was not.
    if (isDoubt && !(await this.findOut(makes, sentAt, explain(error), answer, halves === undefined ? "unconfirmed" : "not made"))) return;
    if (halves === undefined) {
      for (const record of makes) answer(record, notSent(error));
      return;
    }
    budget.splits -= 1;
    if (isDoubt) budget.doubts -= 1;
    for (const half of halves) await this.run(half, answer, budget);
  }

  private async answerFrom(
    end: JobEnd,
    jobId: string,
    entry: Entry,
    makes: readonly DeclaredRecord[],
    since: number,
    sentAt: number,
    answer: (record: DeclaredRecord, outcome: Outcome) => void,
  ): Promise<void> {
    // The index delay counts from the record's making, which was no later than now: rounded up, lest a wait be short.
    const made = Math.ceil(this.parts.clock.now() / 1000);
    const results = new Map(this.results(end.detail, made).map((result) => [result.key, result]));
    await this.remember([...results.values()].map((result) => result.outcome));
    const unmatched: DeclaredRecord[] = [];
    for (const record of makes) {
      const result = results.get(recordKey(record));
      if (result && result.status === "ended") answer(record, result.outcome);
      else if (end.kind === "timeout") answer(record, { kind: "pending", job: jobId, since, text: end.text });
      else unmatched.push(record);
    }
    if (end.kind === "ended" && unmatched.length === 0) {
      const made = makes.map((record) => recordKey(record)).filter((key) => results.get(key)?.outcome.kind === "made");
      entry.ended(made.map((key) => digest(key)));
    }
    // The service may name a record in a form of its own: the zone, not the job, tells then whether it is there.
    const errors = new Map(end.detail.items.flatMap(({ domain, status, error }) => (status === "error" && domain !== undefined ? [[zoneName(domain), error ?? ""] as const] : [])));
    const bySaid = new Map<string, DeclaredRecord[]>();
    for (const record of unmatched) {
      const error = errors.get(record.domain);
      const said = error === undefined ? "" : ` It ended in an error for ${record.domain}${error === "" ? "" : `: "${error}"`}.`;
      gather<string, DeclaredRecord[]>(bySaid, `Job ${jobId} ended without naming the record.${said}`, []).push(record);
    }
    await Promise.all([...bySaid].map(async ([said, records]) => this.findOut(records, sentAt, said, answer)));
  }

  private async sendJob(job: Job, read: ReadonlyMap<string, Zone>): Promise<{ jobId: string; entry: Entry }> {
    const { client, journal } = this.parts;
    const records = job.objects.map(({ type, line, value, ttl, priority, labels }) => ({
      subDomains: labels.map((label) => label.subDomain),
      type,
      line,
      value,
      ttl,
      ...(priority === undefined ? {} : { priority }),
    }));
    const domainIds = job.domains.map((domain) => read.get(domain)?.id ?? "");
    const makes = makesOf(job);
    const entry = journal.begin(job.domains, makes.map((record) => digest(recordKey(record))));
    // Looked at before each try: minutes may lie between two.
    const onSend = (): void => {
      entry.sending();
      giveWay(journal, "Batch.Record.Create", makes, (domain) => read.get(domain)?.readAt ?? 0);
      if (makes.some((record) => this.parts.zones.latest(record.domain)?.byKey.has(recordKey(record)) === true)) throw new Overtaken(job);
    };
    try {
      const { jobId } = await client.call("Batch.Record.Create", { domainIds, records }, { target: named(job.domains), onSend });
      entry.accepted(jobId);
      return { jobId, entry };
    } catch (error) {
      if (error instanceof LegacyDnsError && error.outcome !== "unknown") entry.refused();
      throw error;
    }
  }

  /**
   * After a lost answer, or one that is no refusal: wait out the index delay, read, and take what appeared; the job may
   * still be at work.
   * @param ends `not made`: it is looked for as long as a job may take, and where nothing appears, nothing is answered
   * @returns whether it was proved that nothing was made: then nothing has been answered
   */
  private async findOut(
    records: readonly DeclaredRecord[],
    sentAt: number,
    why: string,
    answer: (record: DeclaredRecord, outcome: Outcome) => void,
    ends: "unconfirmed" | "not made" = "unconfirmed",
  ): Promise<boolean> {
    const { clock, reporter, settings, zones } = this.parts;
    // It left no later than now, perhaps at a second try; rounded up, lest the next run wait too short.
    const since = Math.ceil(clock.now() / 1000);
    const domains = [...new Set(records.map((record) => record.domain))];
    const first = clock.now() + settings.indexDelay * 1000;
    const longest = settings.jobTimeout * 1000;
    const last = first + (ends === "not made" ? longest : Math.min(longest, slowJob));
    const upTo = ends === "not made" ? `; it is sent in parts once ${Math.ceil((last - clock.now()) / 1000)} s have shown that nothing was` : "";
    reporter.info(`${named(domains)}: ${why} Waiting ${settings.indexDelay} s for the service's index, to read what was made${upTo}`);
    const { found, failure } = await zones.lookFor(records, first, last);
    if (ends === "not made" && found.size === 0 && failure === undefined) return true;
    const waited = Math.round((clock.now() - sentAt) / 1000);
    const text = failure === undefined ? `${why} Not in the zone ${waited} s later` : `${why} Then the zone could not be read: ${explain(failure)}`;
    for (const record of records) {
      const live = found.get(recordKey(record));
      const made = live?.find((entry) => entry.enabled && sameTtl(record, entry));
      if (live && made) answer(record, { kind: "made", entry: made, since, live });
      // Live otherwise than it was sent: somebody else's, or changed since.
      else answer(record, live ? { kind: "appeared", live } : { kind: "unconfirmed", since, text });
    }
    return false;
  }

  /** A job's record items by identity: never by position, never from the echo. */
  private results(detail: JobDetail, since: number): JobResult[] {
    const { defaultLine } = this.parts.settings;
    return detail.items.flatMap((item) =>
      item.records.flatMap((each): JobResult[] => {
        const { subDomain: name, type, line, value, priority } = each;
        // What names no record tells nothing about one: the zone does, once it is read.
        if (item.domain === undefined || name === undefined || type === undefined || line === undefined || value === undefined) return [];
        const domain = zoneName(item.domain);
        const live = { domain, name, type, line: line === this.defaultLine(domain) ? "" : line, value, priority };
        const record = fromLive(live, { defaultLine });
        const key = recordKey(record);
        const failed = each.status === "error" || (item.status === "error" && each.status !== "ok");
        if (failed) {
          const text = each.error ?? item.error ?? "the service gave no reason";
          return [{ key, status: "ended", outcome: { kind: "refused", text } }];
        }
        if (each.status !== "ok" || each.recordId === undefined) {
          const text = "the job names no record id";
          return [{ key, status: "open", outcome: { kind: "unconfirmed", since, text } }];
        }
        const entry: LiveEntry = { record, key, id: each.recordId, ttl: each.ttl ?? this.parts.settings.defaultTtl, enabled: true, hold: false };
        return [{ key, status: "ended", outcome: { kind: "made", entry, since } }];
      }),
    );
  }

  private async remember(outcomes: readonly Outcome[]): Promise<void> {
    const byDomain = new Map<string, LiveEntry[]>();
    for (const outcome of outcomes) {
      if (outcome.kind !== "made") continue;
      const list = byDomain.get(outcome.entry.record.domain);
      if (list) list.push(outcome.entry);
      else byDomain.set(outcome.entry.record.domain, [outcome.entry]);
    }
    const now = this.parts.clock.now();
    await Promise.all([...byDomain].map(([domain, entries]) => this.parts.zones.add(domain, entries, now)));
  }
}

/** Since a job was put together, the zone has been read anew and shows one of its records. */
class Overtaken extends LegacyDnsError {
  constructor({ domains }: Job) {
    super({ operation: "Batch.Record.Create", target: named(domains), meaning: "not sent, since the zone shows one of its records by now", hint: "", outcome: "not-sent" });
  }
}

/**
 * Lets another process go first that began to write the same records since the zones were read. Called when this process's
 * own entry stands: of two that begin at once, one at least sees the other.
 * @throws LegacyDnsError where there is such a process; nothing is sent then
 */
export function giveWay(journal: Journal, operation: string, records: readonly DnsRecord[], readAt: (domain: string) => number): void {
  if (journal.othersOf(wantedOf(records), readAt).length === 0) return;
  const domains = [...new Set(records.map(({ domain }) => domain))];
  throw new LegacyDnsError({
    operation,
    target: named(domains),
    meaning: "another run began to make the same records at this moment; nothing was sent",
    hint: "Run `pulumi up` again, which waits for it.",
    outcome: "not-sent",
  });
}

/** A zone's name as records have it. */
function zoneName(listed: string): string {
  const found = canonicalDomain(listed);
  return "domain" in found ? found.domain : listed;
}

interface JobResult {
  readonly key: string;
  readonly status: "ended" | "open";
  readonly outcome: Outcome;
}

/**
 * Whether splitting can find the culprit: a refusal of the whole account, of the moment or of a gateway concerns all of
 * a job, and one of a domain concerns all of that domain.
 */
function mayConcernOnePart(error: unknown, job: Job): boolean {
  if (!(error instanceof ServiceError)) return false;
  if (error.about === "account" || error.about === "moment" || error.about === "call") return false;
  return job.domains.length > 1 || error.about !== "domain";
}
