/** The console of the service, and functions that only an emulator has. */
import { z } from "zod";
import type { Box, Call } from "./box";
import type { ActiveFault, FaultSpec } from "./faults";
import { accountNamed, findByName } from "./service/context";
import { Refusal } from "./service/envelope";
import { finish, itemStatus, progress, recordStatus, release, stick } from "./service/jobs";
import { defaultLine, lineNamed, linesOf, renameLines } from "./service/lines";
import type { Domain, Job, Rec, World } from "./service/model";
import { purviewSchema } from "./service/purview";
import { hostLabel, judge, wantedOf, wholeValue } from "./service/rules";
import {
  defined,
  recordSeedSchema,
  type AccountInput,
  type DomainInput,
  type RecordInput,
  type Share,
  type ShareInput,
} from "./service/schemas";
import { addAccount, addDomain, placeRecord, snapshot } from "./service/seed";
import { settingsSchema, type Settings, type SettingsInput } from "./service/settings";
import { catchUp, leave, reshape } from "./service/zone";

export type RecordView = ReturnType<typeof recordView>;

export interface EditOptions {
  /** Skips the service's rules: nonsense may enter. */
  readonly force?: boolean | undefined;
  /** Record.List shows a new record at once. */
  readonly indexed?: boolean | undefined;
}

/** An id, or the only record of a name and type (and value). */
export type RecordRef =
  number | { readonly name: string; readonly type: string; readonly value?: string | undefined };

export const recordChangeSchema = z.strictObject({
  name: z.string().optional(),
  type: z.string().optional(),
  value: z.string().optional(),
  line: z.string().optional(),
  ttl: z.int().optional(),
  mx: z.int().optional(),
  enabled: z.boolean().optional(),
  remark: z.string().optional(),
});

export const domainChangeSchema = z.strictObject({
  status: z.enum(["enable", "pause", "spam", "lock"]).optional(),
  extStatus: z.enum(["", "notexist", "dnserror"]).optional(),
  owner: z.string().optional(),
  ttl: z.int().positive().optional(),
  remark: z.string().optional(),
  mark: z.boolean().optional(),
  groupId: z.int().positive().optional(),
  purview: purviewSchema.partial().optional(),
});

export type DomainRef = string | number;

/** A later year has more than four digits, which the envelope's time has no room for. */
const latest = Date.UTC(9999, 0);

export class Admin {
  constructor(
    private readonly box: Box,
    private readonly clock: { offset: number },
  ) {}

  private get world(): World {
    return this.box.service.world;
  }

  addRecord(domain: DomainRef, input: RecordInput, { force, indexed }: EditOptions = {}): RecordView {
    const zone = this.domain(domain);
    const seed = recordSeedSchema.parse(input);
    if (force !== true) seed.value = judge(this.world, zone, seed).value;
    const record = placeRecord(this.world, zone, seed);
    const now = this.world.now();
    record.updatedAt = now;
    record.visibleAt = indexed === true ? now : now + this.world.settings.indexDelay * 1000;
    zone.updatedAt = now;
    return recordView(record);
  }

  /** The index follows at once. */
  setRecord(
    domain: DomainRef,
    ref: RecordRef,
    change: z.input<typeof recordChangeSchema>,
    { force }: EditOptions = {},
  ): RecordView {
    const zone = this.domain(domain);
    const record = this.record(zone, ref);
    const { enabled = record.enabled, remark = record.remark, ...content } = defined(change);
    const before = wantedOf(record);
    const wanted = { ...before, ...content };
    const now = this.world.now();
    if (JSON.stringify(wanted) !== JSON.stringify(before)) {
      const { line, name, ...rest } = wanted;
      const shaped =
        force === true
          ? { ...rest, ...this.line(zone, line), name: hostLabel(name) }
          : judge(this.world, zone, wanted, record);
      reshape(zone, record, shaped, now);
    }
    Object.assign(record, { enabled, remark, updatedAt: now });
    catchUp(record);
    zone.updatedAt = now;
    zone.revision += 1;
    return recordView(record);
  }

  private line(zone: Domain, name: string) {
    const line = lineNamed(linesOf(zone, this.world.settings), name);
    if (line === undefined) throw new Refusal("26", `Line ${name} is not known`);
    return { lineName: line.name, lineId: line.id };
  }

  disableRecord(domain: DomainRef, ref: RecordRef): RecordView {
    return this.setRecord(domain, ref, { enabled: false });
  }

  removeRecord(domain: DomainRef, ref: RecordRef): void {
    const zone = this.domain(domain);
    leave(zone, this.record(zone, ref), this.world.now());
  }

  zone(domain: DomainRef, options: { readonly hold?: boolean } = {}): RecordView[] {
    const records = [...this.domain(domain).records.values()];
    return records.filter((record) => options.hold === true || !record.hold).map(recordView);
  }

  /** Sorted lines: `www 600 A 192.0.2.1`, with `[line]` and `(disabled)`. */
  zoneText(domain: DomainRef): string[] {
    const normal = defaultLine(this.world.settings);
    return this.zone(domain)
      .map((record) => {
        const line = record.line === normal ? "" : ` [${record.line}]`;
        return `${record.name} ${record.ttl} ${record.type} ${wholeValue(record)}${line}${record.enabled ? "" : " (disabled)"}`;
      })
      .sort();
  }

  domains() {
    this.box.service.settle();
    return [...this.world.domains.values()].map((domain) => {
      const { id, name, owner, status, extStatus, records } = domain;
      return { id, name, owner: owner.email, status, extStatus, records: records.size };
    });
  }

  addDomain(input: DomainInput) {
    const { id, name } = addDomain(this.world, input);
    return { id, name };
  }

  setDomain(domain: DomainRef, change: z.input<typeof domainChangeSchema>): void {
    const target = this.domain(domain);
    const { owner, purview, ...rest } = domainChangeSchema.parse(change);
    if (owner !== undefined) target.owner = accountNamed(this.world, owner);
    Object.assign(target, defined(rest));
    if (purview !== undefined) target.purview = { ...target.purview, ...defined(purview) };
    target.updatedAt = this.world.now();
  }

  removeDomain(domain: DomainRef): void {
    const target = this.domain(domain);
    this.world.domains.delete(target.id);
    this.world.domainByName.delete(target.name);
    this.world.domainByName.delete(target.punycode);
  }

  addAccount(input: AccountInput) {
    const { id, email, token } = addAccount(this.world, input);
    return { id, email, token };
  }

  addShare(domain: DomainRef, { email, mode = "r", subDomain = "" }: ShareInput): void {
    const person = email.toLowerCase();
    if (!this.world.accounts.some((account) => account.email === person))
      addAccount(this.world, { email: person });
    this.domain(domain).shares.push({ email: person, mode, subDomain });
  }

  removeShare(domain: DomainRef, email: string): void {
    const target = this.domain(domain);
    target.shares = target.shares.filter((share) => share.email !== email.toLowerCase());
  }

  shares(domain: DomainRef): Share[] {
    return this.domain(domain).shares.map((share) => ({ ...share }));
  }

  lines(domain: DomainRef): string[] {
    return linesOf(this.domain(domain), this.world.settings).map(({ name }) => name);
  }

  jobs() {
    this.box.service.settle();
    return [...this.world.jobs.values()].map((job) => jobView(job, this.world.now()));
  }

  pauseJob(id: number): void {
    stick(this.jobOf(id));
  }

  resumeJob(id: number): void {
    release(this.world, this.jobOf(id));
  }

  finishJob(id: number): void {
    finish(this.world, this.jobOf(id));
  }

  clockInfo() {
    const now = this.world.now();
    return { now, iso: new Date(now).toISOString(), offset: this.clock.offset };
  }

  advanceClock(ms: number): void {
    const most = latest - this.world.now();
    this.clock.offset += z.number().min(0).max(most).parse(ms);
    this.box.service.settle();
  }

  settings(): Settings {
    return { ...this.world.settings };
  }

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

  counts(): Record<string, number> {
    return this.box.counts();
  }

  clearCalls(): void {
    this.box.clearCalls();
  }

  snapshot() {
    this.box.service.settle();
    return snapshot(this.world);
  }

  private domain(ref: DomainRef): Domain {
    this.box.service.settle();
    const domain = typeof ref === "number" ? this.world.domains.get(ref) : findByName(this.world, ref);
    if (domain === undefined) throw new Refusal("8", `No domain ${ref}`);
    return domain;
  }

  private record({ name, records, byName }: Domain, ref: RecordRef): Rec {
    const found =
      typeof ref === "number"
        ? [records.get(ref)]
        : (byName.get(ref.name.toLowerCase()) ?? []).filter(
            ({ type, value }) => type === ref.type && (ref.value === undefined || value === ref.value),
          );
    const [record, ...others] = found;
    if (record !== undefined && others.length === 0) return record;
    throw new Refusal("8", `No single record ${JSON.stringify(ref)} in ${name}`);
  }

  private jobOf(id: number): Job {
    this.box.service.settle();
    const job = this.world.jobs.get(id);
    if (job === undefined) throw new Refusal("8", `No job ${id}`);
    return job;
  }
}

export function recordView(record: Rec) {
  const { id, name, type, value, lineName, ttl, mx, enabled, hold, remark } = record;
  return { id, name, type, value, line: lineName, ttl, mx, enabled, hold, remark };
}

function jobView(job: Job, now: number) {
  const { id, type, done, stuck } = job;
  const items = job.items.map((item) => ({
    domain: item.domain,
    status: itemStatus(job, item, now),
    records: item.records.map((record) => {
      const { name, type: ofRecord, value, error } = record;
      return { name, type: ofRecord, value, status: recordStatus(job, item, record, now), error };
    }),
  }));
  return { id, type, done, stuck, ...progress(job), items };
}
