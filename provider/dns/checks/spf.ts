/** Checks of the content of SPF records (RFC 7208). */
import { isSpf, lookupTerms, mostLookups } from "../spf";
import { isSpfRecord } from "./mail";
import { isAlias } from "./targets";
import { perZone, type Checks, type ZoneIndex, type ZoneRecord } from "./view";

/** The record includes itself. */
const endless = mostLookups + 1;

/** Name in the zone → look-ups of its record. */
const counts = perZone(() => new Map<string, number>());

function lookupsOf(text: string, zone: ZoneIndex, depth = 0): number {
  let sum = 0;
  for (const { follows } of lookupTerms(text))
    sum += 1 + (follows === undefined ? 0 : lookupsAt(zone.inside(follows), zone, depth));
  return Math.min(sum, 1_000_000);
}

function lookupsAt(name: string | undefined, zone: ZoneIndex, depth: number): number {
  if (name === undefined) return 0;
  const known = counts(zone).get(name);
  if (known !== undefined) return known;
  // A longer chain must not overflow the stack.
  if (depth > 500) return endless;
  counts(zone).set(name, endless);
  const record = zone.answering(name).find(isSpfRecord);
  const count = record === undefined ? 0 : lookupsOf(record.value, zone, depth + 1);
  counts(zone).set(name, count);
  return count;
}

function hasTerm({ value }: ZoneRecord, pattern: RegExp): boolean {
  return isSpf(value) && value.split(" ").some((term) => pattern.test(term));
}

export const spfChecks = {
  "spf-lookups": ({ value }, zone) => {
    const count = isSpf(value) ? lookupsOf(value, zone) : 0;
    return count > mostLookups ? { count: Math.min(count, 100), most: mostLookups } : undefined;
  },
  // Receivers report an error (RFC 7208 §5.2, §6.1). A macro is another name in each check.
  "spf-dangling": (record, zone) => {
    const followed = isSpf(record.value) ? lookupTerms(record.value) : [];
    const host = followed
      .flatMap(({ follows = "%" }) => (follows.includes("%") ? [] : [zone.inside(follows)]))
      .find((name) => name !== undefined && zone.lacks(name, (each) => isAlias(each) || isSpfRecord(each)));
    return host === undefined ? undefined : { host: zone.shown(host, record) };
  },
  "spf-open": (record) => hasTerm(record, /^\+?all$/i),
  "spf-neutral": (record) => isSpf(record.value) && !hasTerm(record, /^(?:[+~-]?all|redirect=.*)$/i),
  // RFC 7208 §5.5.
  "spf-ptr": (record) => hasTerm(record, /^[+?~-]?ptr(?::.*)?$/i),
  // RFC 7208 §3.1.
  "spf-type": ({ type }) => type === "SPF",
} satisfies Partial<Checks>;
