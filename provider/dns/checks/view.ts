import { gather, groupBy } from "../../support/collections";
import { ownerOf, relativeTo } from "../names";
import type { DeclaredRecord, DnsRecord } from "../record";

/** A live record has its TTL unless another resource may change it. */
export type ZoneRecord = DnsRecord & Partial<Pick<DeclaredRecord, "ttl" | "secret">>;

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
}

export type Presence = "here" | "missing" | "unknown";

/** The records of a name, type and line. */
export interface RecordSet {
  readonly records: readonly ZoneRecord[];
  /** The declared record that a finding about the set names. The order does not matter. */
  readonly lead: ZoneRecord | undefined;
}

export class ZoneIndex {
  readonly domain: string;
  readonly isWhole: boolean;
  private readonly declared: ReadonlySet<DnsRecord>;
  private readonly byName = new Map<string, ZoneRecord[]>();
  private readonly sets = new Map<string, ReadonlyMap<string, RecordSet>>();
  /** Name → number of names with records at or below it. */
  private readonly populations = new Map<string, number>();
  private readonly delegated = new Set<string>();
  private readonly existing: ReadonlySet<string> | undefined;

  constructor({ domain, declared, beside, whole, live }: ZoneView) {
    this.domain = domain;
    this.isWhole = whole;
    this.declared = new Set<DnsRecord>(declared);
    for (const record of declared) this.add(record);
    for (const record of beside) this.add(record);
    for (const name of this.byName.keys())
      for (const each of upwards(name)) this.populations.set(each, (this.populations.get(each) ?? 0) + 1);
    this.existing = live && new Set([...live].flatMap((name) => [...upwards(name)]));
  }

  private add(record: ZoneRecord): void {
    const { name, type } = record;
    gather<string, ZoneRecord[]>(this.byName, name, []).push(record);
    if (type === "NS" && name !== "@") this.delegated.add(name);
  }

  isDeclared(record: DnsRecord): boolean {
    return this.declared.has(record);
  }

  names(): Iterable<string> {
    return this.byName.keys();
  }

  /** No records at or below the name before the run. */
  isNew(name: string): boolean {
    return name !== "@" && this.existing?.has(name) === false;
  }

  at(name: string): readonly ZoneRecord[] {
    return this.byName.get(name) ?? [];
  }

  setOf(record: ZoneRecord): RecordSet {
    const there = this.at(record.name);
    if (there.length === 1) return { records: there, lead: record };
    const keyOf = ({ type, line = "" }: ZoneRecord): string => `${type} ${line}`;
    let sets = this.sets.get(record.name);
    if (sets === undefined) {
      sets = new Map([...groupBy(there, keyOf)].map(([key, records]) => [key, this.withLead(records)]));
      this.sets.set(record.name, sets);
    }
    return sets.get(keyOf(record)) ?? { records: [], lead: undefined };
  }

  withLead(records: readonly ZoneRecord[]): RecordSet {
    let lead: ZoneRecord | undefined;
    for (const record of records)
      if (this.isDeclared(record) && (lead === undefined || isBefore(record, lead))) lead = record;
    return { records, lead };
  }

  population(name: string): number {
    return this.populations.get(name) ?? 0;
  }

  /** Undefined outside of the zone. */
  inside(host: string): string | undefined {
    const bare = host.endsWith(".") ? host.slice(0, -1) : host;
    if (bare !== this.domain && !bare.endsWith(`.${this.domain}`)) return undefined;
    return relativeTo(bare, this.domain);
  }

  /** The highest delegated name at or above another. */
  delegationOf(name: string): string | undefined {
    let highest: string | undefined;
    if (this.delegated.size > 0)
      for (const each of upwards(name)) if (this.delegated.has(each)) highest = each;
    return highest;
  }

  /** The records of a name, or of the wildcard that matches it (RFC 4592 §2.2). */
  answering(name: string): readonly ZoneRecord[] {
    if (this.delegationOf(name) !== undefined) return [];
    // Another resource may declare the name.
    return this.population(name) > 0 || name === "@" || !this.isWhole
      ? this.at(name)
      : this.wildcardOver(name, 0);
  }

  /** @param without number of names below the missing name that do not count */
  wildcardOver(name: string, without: number): readonly ZoneRecord[] {
    for (const each of upwards(name)) {
      const parent = parentOf(each);
      // Only the wildcard of the closest existing name counts.
      if (parent === "@") return this.at("*");
      if (this.population(parent) > without) return this.at(`*.${parent}`);
    }
    return [];
  }

  /** Known to be missing. */
  presence(name: string, fits: (record: ZoneRecord) => boolean): Presence {
    if (this.answering(name).some(fits)) return "here";
    return this.isWhole && this.delegationOf(name) === undefined ? "missing" : "unknown";
  }

  /** Hides the name if the record that points to it is secret. */
  shown(name: string, from: ZoneRecord): string {
    return isSecret(from) ? "a name in this zone" : ownerOf(name, this.domain);
  }
}

export function perZone<T>(compute: (zone: ZoneIndex) => T): (zone: ZoneIndex) => T {
  const known = new WeakMap<ZoneIndex, { readonly value: T }>();
  return (zone) => {
    const found = known.get(zone) ?? { value: compute(zone) };
    known.set(zone, found);
    return found.value;
  };
}

export function* upwards(name: string): Generator<string> {
  if (name === "@") return;
  for (let at = 0; at !== -1;) {
    yield at === 0 ? name : name.slice(at);
    const dot = name.indexOf(".", at);
    at = dot === -1 ? -1 : dot + 1;
  }
}

export function parentOf(name: string): string {
  const dot = name.indexOf(".");
  return dot === -1 ? "@" : name.slice(dot + 1);
}

export function isAtOrBelow(name: string, parent: string): boolean {
  return name === parent || name.endsWith(`.${parent}`);
}

export function isSecret(record: ZoneRecord): boolean {
  return record.secret === true;
}

function isBefore(a: ZoneRecord, b: ZoneRecord): boolean {
  return a.value === b.value ? (a.priority ?? 0) < (b.priority ?? 0) : a.value < b.value;
}
