/** Checks of a record by itself and of its place: long TTLs, private addresses, wildcards that answer for nothing. */
import ipaddr from "ipaddr.js";
import type { DeclaredRecord, DnsRecord } from "../record";
import type { Found } from "./found";
import { parentOf, type ZoneIndex } from "./view";

/** Seconds of a week. */
const longTtl = 604_800;

/** A TTL above a week: a mistake would stay in caches for as long. */
export function checkTtl(record: DeclaredRecord, found: Found): void {
  if (record.ttl === "default" || record.ttl <= longTtl) return;
  found.add("ttl-long", record, `its TTL of ${record.ttl} seconds is above a week (${longTtl}), and caches keep a mistake for as long; declare a shorter one`);
}

const privateRanges: ReadonlyMap<string, string> = new Map([
  ["private", "a private network"],
  ["uniqueLocal", "a private network"],
  ["loopback", "the machine itself that asks"],
  ["linkLocal", "one link"],
  ["carrierGradeNat", "a provider's own network"],
]);

/** An address that means another machine in every network; `localhost` is meant to (RFC 1912 §4.1). */
export function checkAddress(record: DnsRecord, found: Found): void {
  const { type, value, name } = record;
  if ((type !== "A" && type !== "AAAA") || name === "localhost" || name.endsWith(".localhost") || !ipaddr.isValid(value)) return;
  const of = privateRanges.get(ipaddr.process(value).range());
  if (of !== undefined) found.add("private-address", record, `its address is one of ${of}, and this zone is public: nobody outside reaches it, and everybody learns of it; declare a public address, or keep the name in a zone of that network`);
}

/** A wildcard below a delegation, or one that repeats the wildcard above it: neither answers for anything of its own. */
export function checkWildcard(record: DnsRecord, zone: ZoneIndex, found: Found): void {
  const { name } = record;
  if (!name.startsWith("*.") && name !== "*") return;
  const parent = parentOf(name);
  const delegated = parent === "@" ? undefined : zone.delegationOf(parent);
  if (delegated !== undefined) {
    found.add("wildcard-idle", record, `other name servers answer for ${zone.shown(delegated, record)} and all below it, so that this wildcard is never asked for; declare it there`);
    return;
  }
  // A name with data of its own, or with names below it, is not of the wildcard above, so that one of its own is needed.
  if (!zone.isWhole || parent === "@" || zone.population(parent) > 1) return;
  const same = zone.wildcardOver(parent, 1).some((above) => above.type === record.type && above.value === record.value && above.priority === record.priority && above.line === record.line);
  if (same) found.add("wildcard-idle", record, `the wildcard above it gives the same answer, so that this one changes nothing but that ${zone.shown(parent, record)} itself has no answer any more; take it out`);
}
