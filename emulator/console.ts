/** The console of the service: a person edits the data by hand. */
import { z } from "zod";
import type { Box } from "./box";
import { accountNamed, findByName } from "./service/context";
import { Refusal } from "./service/envelope";
import { hostLabel } from "./service/labels";
import { defaultLine, lineNamed, linesOf } from "./service/lines";
import { catchUp } from "./service/listing";
import type { Domain, Rec, World } from "./service/model";
import { purviewSchema } from "./service/purview";
import { judge, wantedOf, wholeValue, type Shaped } from "./service/rules";
import {
  customLineSchema,
  defined,
  recordSeedSchema,
  type AccountInput,
  type CustomLineInput,
  type DomainInput,
  type MonitorInput,
  type RecordInput,
  type Share,
  type ShareInput,
} from "./service/schemas";
import { addAccount, addDomain, addMonitor, placeRecord } from "./service/seed";
import { leave, reshape } from "./service/zone";

export type RecordView = ReturnType<typeof view>;

export interface EditOptions {
  /** Skips the service's rules: nonsense may enter. */
  readonly force?: boolean | undefined;
  /** Record.List shows it at once. */
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
export type RecordChange = z.input<typeof recordChangeSchema>;

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
export type DomainChange = z.input<typeof domainChangeSchema>;

export class Console {
  constructor(protected readonly box: Box) {}

  protected get world(): World {
    return this.box.service.world;
  }

  addRecord(domain: string | number, input: RecordInput, options: EditOptions = {}): RecordView {
    const zone = this.domain(domain);
    const seed = recordSeedSchema.parse(input);
    if (options.force !== true) seed.value = judge(this.world, zone, seed).value;
    const record = placeRecord(this.world, zone, seed);
    const now = this.world.now();
    record.updatedAt = now;
    record.visibleAt = options.indexed === true ? now : now + this.world.settings.indexDelay * 1000;
    zone.updatedAt = now;
    return view(record);
  }

  /** The record keeps its id, and the index follows at once. */
  setRecord(
    domain: string | number,
    ref: RecordRef,
    change: RecordChange,
    options: EditOptions = {},
  ): RecordView {
    const zone = this.domain(domain);
    const record = this.record(zone, ref);
    const wanted = { ...wantedOf(record), ...defined(change) };
    const now = this.world.now();
    if (Object.keys(defined(change)).some((key) => key !== "enabled" && key !== "remark")) {
      reshape(zone, record, this.shaped(zone, wanted, record, options), now);
    }
    if (change.enabled !== undefined) record.enabled = change.enabled;
    if (change.remark !== undefined) record.remark = change.remark;
    catchUp(record);
    record.updatedAt = now;
    zone.updatedAt = now;
    zone.revision += 1;
    return view(record);
  }

  private shaped(
    zone: Domain,
    wanted: ReturnType<typeof wantedOf>,
    record: Rec,
    options: EditOptions,
  ): Shaped {
    if (options.force !== true) return judge(this.world, zone, wanted, record);
    const line = lineNamed(linesOf(zone, this.world.settings), wanted.line);
    if (line === undefined) throw new Refusal("26", `Line ${wanted.line} is not known`);
    const { type, value, ttl, mx } = wanted;
    return { name: hostLabel(wanted.name), type, value, lineName: line.name, lineId: line.id, ttl, mx };
  }

  disableRecord(domain: string | number, ref: RecordRef): RecordView {
    return this.setRecord(domain, ref, { enabled: false });
  }

  enableRecord(domain: string | number, ref: RecordRef): RecordView {
    return this.setRecord(domain, ref, { enabled: true });
  }

  removeRecord(domain: string | number, ref: RecordRef): void {
    const zone = this.domain(domain);
    leave(zone, this.record(zone, ref), this.world.now());
  }

  /** Omits the service's own NS records unless asked for. */
  zone(domain: string | number, options: { readonly hold?: boolean } = {}): RecordView[] {
    const records = [...this.domain(domain).records.values()];
    return records.filter((record) => options.hold === true || !record.hold).map(view);
  }

  /** Sorted lines: `www 600 A 192.0.2.1`, with `[line]` and `(disabled)`. */
  zoneText(domain: string | number): string[] {
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
      const { id, name, owner, status, extStatus, records, revision } = domain;
      return { id, name, owner: owner.email, status, extStatus, records: records.size, revision };
    });
  }

  addDomain(input: DomainInput) {
    const { id, name } = addDomain(this.world, input);
    return { id, name };
  }

  setDomain(domain: string | number, change: DomainChange): void {
    const target = this.domain(domain);
    const { owner, purview, ...rest } = domainChangeSchema.parse(change);
    if (owner !== undefined) target.owner = accountNamed(this.world, owner);
    Object.assign(target, defined(rest));
    if (purview !== undefined) target.purview = { ...target.purview, ...defined(purview) };
    target.updatedAt = this.world.now();
  }

  removeDomain(domain: string | number): void {
    const target = this.domain(domain);
    this.world.domains.delete(target.id);
    this.world.domainByName.delete(target.name);
    this.world.domainByName.delete(target.punycode);
  }

  addAccount(input: AccountInput) {
    const { id, email, token } = addAccount(this.world, input);
    return { id, email, token };
  }

  accounts() {
    return this.world.accounts.map(({ id, email, token, verified }) => ({ id, email, token, verified }));
  }

  /** Creates a missing account. */
  addShare(domain: string | number, share: ShareInput): void {
    const email = share.email.toLowerCase();
    if (!this.world.accounts.some((account) => account.email === email)) addAccount(this.world, { email });
    this.domain(domain).shares.push({ email, mode: share.mode ?? "r", subDomain: share.subDomain ?? "" });
  }

  removeShare(domain: string | number, email: string): void {
    const { shares } = this.domain(domain);
    for (let index = shares.length - 1; index >= 0; index -= 1) {
      if (shares[index]?.email === email.toLowerCase()) shares.splice(index, 1);
    }
  }

  shares(domain: string | number): Share[] {
    return this.domain(domain).shares.map((share) => ({ ...share }));
  }

  addMonitor(domain: string | number, input: MonitorInput): void {
    addMonitor(this.world, this.domain(domain), input);
  }

  addCustomLine(domain: string | number, line: CustomLineInput): void {
    this.domain(domain).customLines.push(customLineSchema.parse(line));
  }

  /** Executes everything that was due. */
  protected domain(ref: string | number): Domain {
    this.box.service.settle();
    const domain = typeof ref === "number" ? this.world.domains.get(ref) : findByName(this.world, ref);
    if (domain === undefined) throw new Refusal("8", `No domain ${ref}`);
    return domain;
  }

  private record(domain: Domain, ref: RecordRef): Rec {
    if (typeof ref === "number") {
      const record = domain.records.get(ref);
      if (record === undefined) throw new Refusal("8", `No record ${ref} in ${domain.name}`);
      return record;
    }
    const found = (domain.byName.get(ref.name.toLowerCase()) ?? []).filter(
      (record) => record.type === ref.type && (ref.value === undefined || record.value === ref.value),
    );
    const [record] = found;
    if (record === undefined || found.length > 1) {
      throw new Refusal("8", `${found.length} records ${ref.name} ${ref.type} in ${domain.name}`);
    }
    return record;
  }
}

function view(record: Rec) {
  const { id, name, type, value, ttl, mx, enabled, hold, remark } = record;
  return { id, name, type, value, line: record.lineName, ttl, mx, enabled, hold, remark };
}
