/** A zone as its checks see it. */
import { groupBy } from "../../support/collections";
import type { CheckCode } from "../../problems";
import { isWithin, ownerOf, relativeTo, withoutDot } from "../names";
import type { DeclaredRecord, DnsRecord } from "../record";

/** A live record has its TTL unless another resource may change it. */
export type ZoneRecord = DnsRecord & Partial<Pick<DeclaredRecord, "ttl" | "secret">>;

/** @returns whether there is a finding, or its note beside the record */
export type Check = (record: ZoneRecord, zone: ZoneIndex) => boolean | string | undefined;
export type Checks = Readonly<Record<CheckCode, Check>>;

export interface ZoneView {
  readonly domain: string;
  /** Findings are about these. */
  readonly declared: readonly DeclaredRecord[];
  /** Live records that stay. */
  readonly beside: readonly ZoneRecord[];
  /** Nothing else is in the zone. Otherwise, no name is known to be missing. */
  readonly whole: boolean;
  /** Names with live records before the run; without them, no name is new. */
  readonly live?: Iterable<string>;
  /** Milliseconds since the epoch. If it is missing, no check warns that a permission ends soon. */
  readonly now?: number;
}

export class ZoneIndex {
  readonly domain: string;
  readonly isWhole: boolean;
  readonly now: number;
  private readonly declared: ReadonlySet<DnsRecord>;
  private readonly byName: ReadonlyMap<string, readonly ZoneRecord[]>;
  /** Name, type and line → records. */
  private readonly sets = new Map<string, readonly ZoneRecord[]>();
  private readonly leads = new WeakMap<readonly ZoneRecord[], ZoneRecord>();
  /** Name → number of names with records at or below it. */
  private populations: Map<string, number> | undefined;
  private readonly delegated: ReadonlySet<string>;
  private readonly live: Iterable<string> | undefined;
  private existing: ReadonlySet<string> | undefined;

  constructor({ domain, declared, beside, whole, live, now = 0 }: ZoneView) {
    this.domain = domain;
    this.now = now;
    this.isWhole = whole;
    this.declared = new Set<DnsRecord>(declared);
    const records: ZoneRecord[] = [...declared, ...beside];
    this.byName = groupBy(records, ({ name }) => name);
    const delegated = records.filter(({ name, type }) => type === "NS" && name !== "@");
    this.delegated = new Set(delegated.map(({ name }) => name));
    this.live = live;
  }

  names(): Iterable<string> {
    return this.byName.keys();
  }

  isNew(name: string): boolean {
    if (name === "@" || this.live === undefined) return false;
    this.existing ??= new Set([...this.live].flatMap((each) => [...upwards(each)]));
    return !this.existing.has(name);
  }

  at(name: string): readonly ZoneRecord[] {
    return this.byName.get(name) ?? [];
  }

  setOf(record: ZoneRecord): readonly ZoneRecord[] {
    const there = this.at(record.name);
    if (there.length === 1) return there;
    const key = setKey(record);
    if (!this.sets.has(key))
      for (const [each, records] of groupBy(there, setKey)) this.sets.set(each, records);
    return this.sets.get(key) ?? [];
  }

  isLead(record: ZoneRecord, records = this.setOf(record)): boolean {
    if (records.length < 2) return records[0] === record;
    const known = this.leads.get(records);
    const lead = known ?? this.leadOf(records);
    if (known === undefined && lead !== undefined) this.leads.set(records, lead);
    return lead === record;
  }

  private leadOf(records: readonly ZoneRecord[]): ZoneRecord | undefined {
    const [first, ...others] = records.filter((each) => this.declared.has(each));
    return first && others.reduce(earlier, first);
  }

  population(name: string): number {
    this.populations ??= this.counted();
    return this.populations.get(name) ?? 0;
  }

  private counted(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const name of this.byName.keys())
      for (const each of upwards(name)) counts.set(each, (counts.get(each) ?? 0) + 1);
    return counts;
  }

  inside(host: string): string | undefined {
    const bare = withoutDot(host);
    return isWithin(bare, this.domain) ? relativeTo(bare, this.domain) : undefined;
  }

  delegationOf(name: string): string | undefined {
    if (this.delegated.size === 0) return undefined;
    return [...upwards(name)].filter((each) => this.delegated.has(each)).at(-1);
  }

  answering(name: string): readonly ZoneRecord[] {
    if (this.delegationOf(name) !== undefined) return [];
    // Another resource may declare the name.
    return this.population(name) > 0 || name === "@" || !this.isWhole
      ? this.at(name)
      : this.wildcardOver(name, 0);
  }

  wildcardOver(name: string, without: number): readonly ZoneRecord[] {
    for (const each of upwards(name)) {
      const parent = parentOf(each);
      // Only the wildcard of the closest existing name counts.
      if (parent === "@") return this.at("*");
      if (this.population(parent) > without) return this.at(`*.${parent}`);
    }
    return [];
  }

  lacks(name: string, fits: (record: ZoneRecord) => boolean): boolean {
    return this.isWhole && this.delegationOf(name) === undefined && !this.answering(name).some(fits);
  }

  /** Hides the name if the record that points to it is secret. */
  shown(name: string, from: ZoneRecord): string {
    return from.secret === true ? "a name in this zone" : ownerOf(name, this.domain);
  }
}

export function* upwards(name: string): Generator<string> {
  for (let each = name; each !== "@"; each = parentOf(each)) yield each;
}

export function parentOf(name: string): string {
  const dot = name.indexOf(".");
  return dot === -1 ? "@" : name.slice(dot + 1);
}

function setKey({ name, type, line = "" }: ZoneRecord): string {
  return `${name} ${type} ${line}`;
}

function earlier(a: ZoneRecord, b: ZoneRecord): ZoneRecord {
  const isBefore = a.value === b.value ? (a.priority ?? 0) <= (b.priority ?? 0) : a.value < b.value;
  return isBefore ? a : b;
}
