/**
 * The service's console, and functions that only an emulator has: clock, faults, held jobs, the log of
 * calls. The HTTP interface under `/_admin` and in-process tests use these functions.
 */
import { z } from "zod";
import type { Box, Call } from "./box";
import { Console } from "./console";
import { faultSchema, type ActiveFault, type FaultSpec } from "./faults";
import { jobSummary, recordPage, type JobSummary, type RecordFilter, type RecordPage } from "./overview";
import { Refusal } from "./service/envelope";
import { finish, itemStatus, progress, recordStatus, release, stick } from "./service/jobs";
import { linesOf, renameLines } from "./service/lines";
import type { Job } from "./service/model";
import { operations } from "./service/operations";
import { recordTypes } from "./service/rules";
import { seedJob, type JobInput } from "./service/seedJob";
import { settingsSchema, type Settings, type SettingsInput } from "./service/settings";
import { snapshot, type Snapshot } from "./service/snapshot";
import { undocumented } from "./service/undocumented";

/** A job as the emulator shows it to people. */
export interface JobView {
  readonly id: number;
  readonly type: string;
  readonly done: boolean;
  readonly stuck: boolean;
  readonly total: number;
  readonly success: number;
  readonly fail: number;
  readonly items: readonly {
    readonly domain: string;
    readonly status: string;
    readonly records: readonly {
      readonly name: string;
      readonly type: string;
      readonly value: string;
      readonly status: string;
      readonly error: string | null;
    }[];
  }[];
}

/** The whole service at a glance, without records and calls themselves. */
export interface Overview {
  /** By how much the clock was moved (ms). */
  readonly offset: number;
  readonly settings: Settings;
  /** `revision` grows with every change of the domain's records. */
  readonly domains: readonly {
    readonly id: number;
    readonly name: string;
    readonly owner: string;
    readonly status: string;
    readonly extStatus: string;
    readonly records: number;
    readonly revision: number;
  }[];
  /** The latest, newest first. */
  readonly jobs: readonly JobSummary[];
  readonly faults: readonly ActiveFault[];
  /** How many calls the log holds, the number of the oldest, and how many calls each operation had. */
  readonly calls: {
    readonly kept: number;
    readonly oldest: number;
    readonly counts: Readonly<Record<string, number>>;
  };
}

/** The options of the console's forms. */
export interface Choices {
  readonly types: readonly string[];
  /** Names of the domain's resolution lines, the default line first; none without a domain. */
  readonly lines: readonly string[];
  readonly operations: readonly string[];
}

const shownJobs = 100;

export class Admin extends Console {
  /** @param clock lets the emulator's clock be moved; the offset is in milliseconds */
  constructor(
    box: Box,
    private readonly clock: { offset: number },
  ) {
    super(box);
  }

  // At a glance

  overview(): Overview {
    const calls = this.box.calls();
    return {
      domains: this.domains().map((domain) => ({
        ...domain,
        revision: this.world.domains.get(domain.id)?.revision ?? 0,
      })),
      offset: this.clock.offset,
      settings: this.settings(),
      jobs: [...this.world.jobs.values()].slice(-shownJobs).reverse().map(jobSummary),
      faults: this.faults(),
      calls: { kept: calls.length, oldest: calls[0]?.number ?? 0, counts: this.counts() },
    };
  }

  /** A page of a domain's records. @throws Refusal for an unknown domain, ZodError for a wrong filter */
  records(domain: string | number, filter: RecordFilter = {}): RecordPage {
    const zone = this.zone(domain, { hold: true });
    return recordPage(this.domain(domain).name, zone, filter);
  }

  choices(domain?: string | number): Choices {
    const lines =
      domain === undefined ? [] : linesOf(this.domain(domain), this.world.settings).map(({ name }) => name);
    return { types: recordTypes, lines, operations: [...operations.keys(), ...undocumented.keys()].sort() };
  }

  // Jobs

  jobs(): JobView[] {
    this.box.service.settle();
    return [...this.world.jobs.values()].map((job) => this.jobView(job));
  }

  /** One job with its records. @throws Refusal for an unknown one */
  jobDetail(id: number): JobView {
    return this.jobView(this.job(id));
  }

  /** Holds a job. */
  pauseJob(id: number): void {
    stick(this.job(id));
  }

  /** Lets a held job go on. */
  resumeJob(id: number): void {
    release(this.world, this.job(id));
  }

  /** Executes the rest of a job now. */
  finishJob(id: number): void {
    finish(this.world, this.job(id));
  }

  /** Puts a finished job of any type into the history, for Batch.Detail. @returns its id */
  addJob(input: JobInput): number {
    return seedJob(this.world, input).id;
  }

  // Clock, settings, faults, calls

  /** The emulator's time, and by how much it was moved (ms). */
  clockInfo(): { now: number; iso: string; offset: number } {
    const now = this.world.now();
    return { now, iso: new Date(now).toISOString(), offset: this.clock.offset };
  }

  /** Moves the clock forward and executes everything that was due. */
  advanceClock(ms: number): void {
    this.clock.offset += z.number().min(0).parse(ms);
    this.box.service.settle();
  }

  settings(): Settings {
    return { ...this.world.settings };
  }

  /** Changes settings; the others stay. @throws ZodError for a setting or value that is not known */
  set(change: SettingsInput | Readonly<Record<string, unknown>>): Settings {
    Object.assign(this.world.settings, settingsSchema.parse({ ...this.world.settings, ...change }));
    renameLines(this.world);
    return this.settings();
  }

  addFault(spec: FaultSpec): number {
    return this.box.faults.add(faultSchema.parse(spec));
  }

  faults(): readonly ActiveFault[] {
    return this.box.faults.list();
  }

  clearFaults(id?: number): void {
    this.box.faults.clear(id);
  }

  /** The log of calls. Default: of all operations. */
  calls(operation?: string): Call[] {
    return this.box.calls().filter((call) => operation === undefined || call.operation === operation);
  }

  /** One call with all that was sent. @throws Refusal for one that the log does not hold, or no longer */
  call(number: number): Call {
    const call = this.box.calls().find((each) => each.number === number);
    if (call === undefined) throw new Refusal("8", `No call ${number} in the log`);
    return call;
  }

  /** How many calls each operation had since the log was cleared. */
  counts(): Record<string, number> {
    return this.box.counts();
  }

  clearCalls(): void {
    this.box.clearCalls();
  }

  /** The whole state in the form of a state file. */
  snapshot(): Snapshot {
    this.box.service.settle();
    return snapshot(this.world);
  }

  private job(id: number): Job {
    this.box.service.settle();
    const job = this.world.jobs.get(id);
    if (job === undefined) throw new Refusal("8", `No job ${id}`);
    return job;
  }

  private jobView(job: Job): JobView {
    const now = this.world.now();
    return {
      id: job.id,
      type: job.type,
      done: job.done,
      stuck: job.stuck,
      ...progress(job),
      items: job.items.map((item) => ({
        domain: item.domain,
        status: itemStatus(job, item, now),
        records: item.records.map((record) => ({
          name: record.name,
          type: record.type,
          value: record.value,
          status: recordStatus(job, item, record, now),
          error: record.error,
        })),
      })),
    };
  }
}
