/** Checks of the content of SPF records (RFC 7208). */
import { isSpf, lookupTerms, mostLookups } from "../spf";
import { isSpfRecord } from "./mail";
import { isAlias } from "./targets";
import { perZone, type ZoneIndex, type ZoneRecord } from "./view";

/** The record includes itself. */
const endless = mostLookups + 1;

/** Counts with this zone's included records; each record is counted once. */
class LookupCounter {
  private readonly counts = new Map<string, number>();
  private readonly open = new Set<string>();

  constructor(private readonly zone: ZoneIndex) {}

  count(text: string): number {
    let count = 0;
    for (const { follows } of lookupTerms(text))
      count += 1 + (follows === undefined ? 0 : this.within(follows));
    return Math.min(count, 1_000_000);
  }

  private within(domain: string): number {
    const name = this.zone.inside(domain);
    if (name === undefined) return 0;
    const known = this.counts.get(name);
    if (known !== undefined) return known;
    // A longer chain must not overflow the stack.
    if (this.open.has(name) || this.open.size > 500) return endless;
    this.open.add(name);
    const record = this.zone.answering(name).find(isSpfRecord);
    const count = record === undefined ? 0 : this.count(record.value);
    this.open.delete(name);
    this.counts.set(name, count);
    return count;
  }
}

const counters = perZone((zone) => new LookupCounter(zone));

export function lookups(
  { value }: ZoneRecord,
  zone: ZoneIndex,
): { readonly count: number; readonly most: number } | undefined {
  if (!isSpf(value)) return undefined;
  const count = counters(zone).count(value);
  return count > mostLookups ? { count: Math.min(count, 100), most: mostLookups } : undefined;
}

/** Receivers report an error (RFC 7208 §5.2, §6.1). */
export function missingInclude(record: ZoneRecord, zone: ZoneIndex): { readonly host: string } | undefined {
  if (!isSpf(record.value)) return undefined;
  for (const { follows = "" } of lookupTerms(record.value)) {
    // A macro is another name in each check.
    const name = follows === "" || follows.includes("%") ? undefined : zone.inside(follows);
    if (name !== undefined && zone.presence(name, (each) => isAlias(each) || isSpfRecord(each)) === "missing")
      return { host: zone.shown(name, record) };
  }
  return undefined;
}

function hasTerm({ value }: ZoneRecord, pattern: RegExp): boolean {
  return isSpf(value) && value.split(" ").some((term) => pattern.test(term));
}

export function open(record: ZoneRecord): { readonly term: string } | undefined {
  return hasTerm(record, /^\+?all$/i) ? { term: "+all" } : undefined;
}

export function neutral(record: ZoneRecord): { readonly ends: string } | undefined {
  return isSpf(record.value) && !hasTerm(record, /^(?:[+~-]?all|redirect=.*)$/i)
    ? { ends: "-all or ~all" }
    : undefined;
}

/** RFC 7208 §5.5. */
export function pointer(record: ZoneRecord): { readonly term: string } | undefined {
  return hasTerm(record, /^[+?~-]?ptr(?::.*)?$/i) ? { term: "ptr" } : undefined;
}

/** RFC 7208 §3.1. */
export function oldType({ type }: ZoneRecord): { readonly type: string } | undefined {
  return type === "SPF" ? { type } : undefined;
}
