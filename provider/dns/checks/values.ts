/** Checks of TTLs, addresses and certificate authorities. */
import ipaddr from "ipaddr.js";
import type { Checks, ZoneIndex, ZoneRecord } from "./view";

/** A mistake would stay in caches for as long. */
const week = 604_800;

/** Range of ipaddr.js → text. */
const privateRanges: ReadonlyMap<string, string> = new Map([
  ["private", "a private network"],
  ["uniqueLocal", "a private network"],
  ["loopback", "the machine itself that asks"],
  ["linkLocal", "one link"],
  ["carrierGradeNat", "a provider's own network"],
]);

/** The tags of a name. Undefined if another record is the lead, or others may follow. */
function caaTags(record: ZoneRecord, zone: ZoneIndex): ReadonlySet<string> | undefined {
  if (!zone.isWhole || !zone.isLead(record)) return undefined;
  return new Set(zone.setOf(record).map(({ value }) => value.split(" ")[1] ?? ""));
}

export const valueChecks = {
  "ttl-long": ({ ttl }) => (typeof ttl === "number" && ttl > week ? { ttl, week } : undefined),
  // RFC 2181 §5.2.
  "ttl-differs": (record, zone) => {
    const records = zone.setOf(record);
    if (records.length < 2 || !zone.isLead(record)) return undefined;
    const ttls = new Set(records.flatMap(({ ttl }) => (typeof ttl === "number" ? [ttl] : [])));
    return ttls.size < 2 ? undefined : { ttls: [...ttls].sort((a, b) => a - b).join(", ") };
  },
  // `localhost` is meant to be private (RFC 1912 §4.1).
  "private-address": ({ value, name }) => {
    if (/(?:^|\.)localhost$/.test(name) || !ipaddr.isValid(value)) return undefined;
    const of = privateRanges.get(ipaddr.process(value).range());
    return of === undefined ? undefined : { of };
  },
  // `iodef` or `issuemail` alone (RFC 8659 §4.1).
  "caa-open": (record, zone) => {
    const tags = caaTags(record, zone);
    return tags !== undefined && !tags.has("issue") && !tags.has("issuewild");
  },
  // `issue` counts for wildcards, too (RFC 8659 §4.3).
  "caa-wildcard": (record, zone) => {
    const tags = caaTags(record, zone);
    return tags?.has("issue") === true && !tags.has("issuewild");
  },
  // 128 is critical; other bits are reserved (RFC 8659 §4.1).
  "caa-flags": ({ value }) => !/^(?:0|128) /.test(value),
} satisfies Partial<Checks>;
