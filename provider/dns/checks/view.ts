/** A zone as its checks see it: what is declared, what stands beside it, and what is known of a name. */
import { gather } from "../../gather";
import { ownerOf, relativeTo } from "../names";
import type { DeclaredRecord, DnsRecord } from "../record";

/** The records of one zone as they will be. */
export interface ZoneView {
  readonly domain: string;
  /** What a resource declares: findings are about these. */
  readonly declared: readonly DeclaredRecord[];
  /** What is live beside it and stays. */
  readonly beside: readonly (DnsRecord & Pick<DeclaredRecord, "secret">)[];
  /** Whether nothing else is in the zone: only then is a name that is in neither list known not to be there. */
  readonly whole: boolean;
}

/** What is known of a name below or at the domain. */
export type Presence = "here" | "missing" | "unknown";

/** Records by name, and where the zone ends. */
export class ZoneIndex {
  readonly domain: string;
  readonly declared: ReadonlySet<DnsRecord>;
  readonly byName = new Map<string, DnsRecord[]>();
  /** How many names with records are at a name or below it. */
  private readonly populations = new Map<string, number>();
  private readonly delegated = new Set<string>();

  constructor(private readonly view: ZoneView) {
    this.domain = view.domain;
    this.declared = new Set<DnsRecord>(view.declared);
    for (const record of view.declared) this.add(record);
    for (const record of view.beside) this.add(record);
    for (const name of this.byName.keys())
      for (const each of upwards(name)) this.populations.set(each, (this.populations.get(each) ?? 0) + 1);
  }

  private add(record: DnsRecord): void {
    const { name, type } = record;
    gather<string, DnsRecord[]>(this.byName, name, []).push(record);
    if (type === "NS" && name !== "@") this.delegated.add(name);
  }

  /** Whether a name without records is known not to be there. */
  get isWhole(): boolean {
    return this.view.whole;
  }

  at(name: string): readonly DnsRecord[] {
    return this.byName.get(name) ?? [];
  }

  /** How many names with records are at a name or below it. */
  population(name: string): number {
    return this.populations.get(name) ?? 0;
  }

  /** An absolute host's name in this zone; undefined outside of it. */
  inside(host: string): string | undefined {
    const bare = host.endsWith(".") ? host.slice(0, -1) : host;
    if (bare !== this.domain && !bare.endsWith(`.${this.domain}`)) return undefined;
    return relativeTo(bare, this.domain);
  }

  /** The name at or above another that other servers answer for. */
  delegationOf(name: string): string | undefined {
    for (const each of upwards(name)) if (this.delegated.has(each)) return each;
    return undefined;
  }

  /** What answers for a name: its own records, or else those of the wildcard that takes it in (RFC 4592 §2.2). */
  answering(name: string): readonly DnsRecord[] {
    // What is not known may be a name of its own.
    return this.population(name) > 0 || name === "@" || !this.isWhole
      ? this.at(name)
      : this.wildcardOver(name, 0);
  }

  /**
   * The records of the wildcard that takes in a name which is not there.
   * @param without how many of the names below the one are not to count
   */
  wildcardOver(name: string, without: number): readonly DnsRecord[] {
    for (const each of upwards(name)) {
      const parent = parentOf(each);
      // The closest name that exists: its wildcard counts, and no other.
      if (parent === "@") return this.at("*");
      if (this.population(parent) > without) return this.at(`*.${parent}`);
    }
    return [];
  }

  /** Whether a name has records of a kind, as far as that is known. */
  presence(name: string, fits: (record: DnsRecord) => boolean): Presence {
    if (this.answering(name).some(fits)) return "here";
    if (!this.view.whole || this.delegationOf(name) !== undefined) return "unknown";
    return "missing";
  }

  /** A name in the zone with the dot, in a message about a record that points to it. */
  shown(name: string, from: DnsRecord): string {
    return isSecret(from) ? "a name in this zone" : ownerOf(name, this.domain);
  }
}

/** The name itself and those above it, without the apex. */
export function* upwards(name: string): Generator<string> {
  if (name === "@") return;
  for (let at = 0; at !== -1;) {
    yield at === 0 ? name : name.slice(at);
    const dot = name.indexOf(".", at);
    at = dot === -1 ? -1 : dot + 1;
  }
}

/** The name one label up; `@` above the last. */
export function parentOf(name: string): string {
  const dot = name.indexOf(".");
  return dot === -1 ? "@" : name.slice(dot + 1);
}

/** Whether nothing of a record's data may be shown. */
export function isSecret(record: DnsRecord & { readonly secret?: true }): boolean {
  return record.secret === true;
}
