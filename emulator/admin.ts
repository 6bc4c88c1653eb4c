/** The console, and functions that only an emulator has, for `/_admin` and in-process tests. */
import { z } from "zod";
import type { Box, Call } from "./box";
import { Console } from "./console";
import type { ActiveFault, FaultSpec } from "./faults";
import { jobSummary, recordPage, type RecordFilter, type RecordPage } from "./overview";
import { Refusal } from "./service/envelope";
import { finish, itemStatus, progress, recordStatus, release, stick } from "./service/jobs";
import { linesOf, renameLines } from "./service/lines";
import type { Job } from "./service/model";
import { operations } from "./service/operations";
import { recordTypes } from "./service/rules";
import { seedJob, type JobInput } from "./service/seedJob";
import { settingsSchema, type Settings, type SettingsInput } from "./service/settings";
import { snapshot, type Snapshot } from "./service/snapshot";

export type JobView = ReturnType<Admin["jobDetail"]>;
export type Overview = ReturnType<Admin["overview"]>;
export type Choices = ReturnType<Admin["choices"]>;

const shownJobs = 100;

export class Admin extends Console {
  constructor(
    box: Box,
    private readonly clock: { offset: number },
  ) {
    super(box);
  }

  overview() {
    const calls = this.box.calls();
    return {
      domains: this.domains(),
      offset: this.clock.offset,
      settings: this.settings(),
      jobs: [...this.world.jobs.values()].slice(-shownJobs).reverse().map(jobSummary),
      faults: this.faults(),
      // `kept` and `oldest` are of the log; `counts` has all calls since it was cleared.
      calls: { kept: calls.length, oldest: calls[0]?.number ?? 0, counts: this.counts() },
    };
  }

  /** @throws Refusal for an unknown domain, ZodError for a wrong filter */
  records(domain: string | number, filter: RecordFilter = {}): RecordPage {
    const zone = this.zone(domain, { hold: true });
    return recordPage(this.domain(domain).name, zone, filter);
  }

  choices(domain?: string | number) {
    const lines =
      domain === undefined ? [] : linesOf(this.domain(domain), this.world.settings).map(({ name }) => name);
    return { types: recordTypes, lines, operations: [...operations.keys()].sort() };
  }

  jobs() {
    this.box.service.settle();
    return [...this.world.jobs.values()].map((job) => this.jobView(job));
  }

  jobDetail(id: number) {
    return this.jobView(this.job(id));
  }

  pauseJob(id: number): void {
    stick(this.job(id));
  }

  resumeJob(id: number): void {
    release(this.world, this.job(id));
  }

  finishJob(id: number): void {
    finish(this.world, this.job(id));
  }

  /**
   * Puts a finished job into the history, for Batch.Detail.
   * @returns its id
   */
  addJob(input: JobInput): number {
    return seedJob(this.world, input).id;
  }

  clockInfo() {
    const now = this.world.now();
    return { now, iso: new Date(now).toISOString(), offset: this.clock.offset };
  }

  /** Executes everything that was due. */
  advanceClock(ms: number): void {
    this.clock.offset += z.number().min(0).parse(ms);
    this.box.service.settle();
  }

  settings(): Settings {
    return { ...this.world.settings };
  }

  /**
   * Other settings stay.
   * @throws ZodError for an unknown setting or value
   */
  set(change: SettingsInput | Readonly<Record<string, unknown>>): Settings {
    Object.assign(this.world.settings, settingsSchema.parse({ ...this.world.settings, ...change }));
    renameLines(this.world);
    return this.settings();
  }

  addFault(spec: FaultSpec): number {
    return this.box.faults.add(spec);
  }

  faults(): readonly ActiveFault[] {
    return this.box.faults.list();
  }

  clearFaults(id?: number): void {
    this.box.faults.clear(id);
  }

  calls(operation?: string): Call[] {
    return this.box.calls().filter((call) => operation === undefined || call.operation === operation);
  }

  call(number: number): Call {
    const call = this.box.calls().find((each) => each.number === number);
    if (call === undefined) throw new Refusal("8", `No call ${number} in the log`);
    return call;
  }

  counts(): Record<string, number> {
    return this.box.counts();
  }

  clearCalls(): void {
    this.box.clearCalls();
  }

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

  private jobView(job: Job) {
    const now = this.world.now();
    const { id, type, done, stuck } = job;
    return {
      ...{ id, type, done, stuck },
      ...progress(job),
      items: job.items.map((item) => ({
        domain: item.domain,
        status: itemStatus(job, item, now),
        records: item.records.map((record) => {
          const { name, type, value, error } = record;
          return { name, type, value, status: recordStatus(job, item, record, now), error };
        }),
      })),
    };
  }
}
