import ipaddr from "ipaddr.js";
import type { DnsRecord } from "../record";
import type { ZoneIndex, ZoneRecord } from "./view";

/** A week. A mistake would stay in caches for as long. */
const longTtl = 604_800;

export function ttlLong({ ttl }: ZoneRecord): { readonly ttl: number; readonly week: number } | undefined {
  return typeof ttl === "number" && ttl > longTtl ? { ttl, week: longTtl } : undefined;
}

/** RFC 2181 §5.2. */
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

/** `localhost` is meant to be private (RFC 1912 §4.1). */
export function privateAddress({ value, name }: DnsRecord): { readonly of: string } | undefined {
  if (name === "localhost" || name.endsWith(".localhost") || !ipaddr.isValid(value)) return undefined;
  const of = privateRanges.get(ipaddr.process(value).range());
  return of === undefined ? undefined : { of };
}

/** Undefined if another record is the lead, or others may follow. */
function caaTags(record: ZoneRecord, zone: ZoneIndex): ReadonlySet<string> | undefined {
  const { records, lead } = zone.setOf(record);
  if (lead !== record || !zone.isWhole) return undefined;
  return new Set(records.map(({ value }) => value.split(" ")[1] ?? ""));
}

/** `iodef` or `issuemail` alone (RFC 8659 §4.1). */
export function caaOpen(record: ZoneRecord, zone: ZoneIndex): { readonly lacks: string } | undefined {
  const tags = caaTags(record, zone);
  return tags === undefined || tags.has("issue") || tags.has("issuewild") ? undefined : { lacks: "issue" };
}

/** `issue` counts for wildcards, too (RFC 8659 §4.3). */
export function caaWildcard(record: ZoneRecord, zone: ZoneIndex): { readonly lacks: string } | undefined {
  const tags = caaTags(record, zone);
  return tags?.has("issue") === true && !tags.has("issuewild") ? { lacks: "issuewild" } : undefined;
}

/** 128 is critical; other bits are reserved (RFC 8659 §4.1). */
export function caaFlags({ value }: DnsRecord): { readonly known: string } | undefined {
  return /^(?:0|128) /.test(value) ? undefined : { known: "0 or 128" };
}
