/** Checks of TTLs, addresses and certificate authorities. */
import ipaddr from "ipaddr.js";
import type { DnsRecord } from "../record";
import type { ZoneIndex, ZoneRecord } from "./view";

/** Seconds of a week. */
const longTtl = 604_800;

/** A TTL above a week: a mistake would stay in caches for as long. */
export function ttlLong({ ttl }: ZoneRecord): { readonly ttl: number; readonly week: number } | undefined {
  return typeof ttl === "number" && ttl > longTtl ? { ttl, week: longTtl } : undefined;
}

/** Several TTLs in one set, which has one for resolvers (RFC 2181 §5.2). */
export function ttlDiffers(record: ZoneRecord, zone: ZoneIndex): { readonly ttls: string } | undefined {
  const { records, lead } = zone.setOf(record);
  if (lead !== record || records.length < 2) return undefined;
  const ttls = new Set(records.flatMap(({ ttl }) => (typeof ttl === "number" ? [ttl] : [])));
  return ttls.size < 2 ? undefined : { ttls: [...ttls].sort((a, b) => a - b).join(", ") };
}

const privateRanges: ReadonlyMap<string, string> = new Map([
  ["private", "a private network"],
  ["uniqueLocal", "a private network"],
  ["loopback", "the machine itself that asks"],
  ["linkLocal", "one link"],
  ["carrierGradeNat", "a provider's own network"],
]);

/** An address that means another machine in every network; `localhost` is meant to (RFC 1912 §4.1). */
export function privateAddress({ value, name }: DnsRecord): { readonly of: string } | undefined {
  if (name === "localhost" || name.endsWith(".localhost") || !ipaddr.isValid(value)) return undefined;
  const of = privateRanges.get(ipaddr.process(value).range());
  return of === undefined ? undefined : { of };
}

/** The tags of the CAA records at a record's name. Undefined if the finding names another record, or others may follow. */
function caaTags(record: ZoneRecord, zone: ZoneIndex): ReadonlySet<string> | undefined {
  const { records, lead } = zone.setOf(record);
  if (lead !== record || !zone.isWhole) return undefined;
  return new Set(records.map(({ value }) => value.split(" ")[1] ?? ""));
}

/** CAA records that restrict no certificates of hosts, such as `iodef` or `issuemail` alone (RFC 8659 §4.1). */
export function caaOpen(record: ZoneRecord, zone: ZoneIndex): { readonly lacks: string } | undefined {
  const tags = caaTags(record, zone);
  return tags === undefined || tags.has("issue") || tags.has("issuewild") ? undefined : { lacks: "issue" };
}

/** Authorities without a word about wildcards: `issue` counts for them, too (RFC 8659 §4.3). */
export function caaWildcard(record: ZoneRecord, zone: ZoneIndex): { readonly lacks: string } | undefined {
  const tags = caaTags(record, zone);
  return tags?.has("issue") === true && !tags.has("issuewild") ? { lacks: "issuewild" } : undefined;
}

/** Flags without a meaning: 128 is critical, and the other bits are reserved (RFC 8659 §4.1). */
export function caaFlags({ value }: DnsRecord): { readonly known: string } | undefined {
  return /^(?:0|128) /.test(value) ? undefined : { known: "0 or 128" };
}
