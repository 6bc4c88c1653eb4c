/** Checks of a record by itself and of its place: long TTLs, private addresses, wildcards that answer for nothing. */
import ipaddr from "ipaddr.js";
import type { DeclaredRecord, DnsRecord } from "../record";
import { reason } from "../../problems";
import type { Found } from "./found";
import { parentOf, type ZoneIndex } from "./view";

/** Seconds of a week. */
const longTtl = 604_800;

/** A TTL above a week: a mistake would stay in caches for as long. */
export function checkTtl(record: DeclaredRecord, found: Found): void {
  if (record.ttl === "default" || record.ttl <= longTtl) return;
  found.add(record, reason("ttl-long", { ttl: record.ttl, week: longTtl }));
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
  if (
    (type !== "A" && type !== "AAAA") ||
    name === "localhost" ||
    name.endsWith(".localhost") ||
    !ipaddr.isValid(value)
  )
    return;
  const of = privateRanges.get(ipaddr.process(value).range());
  if (of !== undefined) found.add(record, reason("private-address", { of }));
}

/** A wildcard below a delegation, or one that repeats the wildcard above it: neither answers for anything of its own. */
export function checkWildcard(record: DnsRecord, zone: ZoneIndex, found: Found): void {
  const { name } = record;
  if (!name.startsWith("*.") && name !== "*") return;
  const parent = parentOf(name);
  const delegated = parent === "@" ? undefined : zone.delegationOf(parent);
  if (delegated !== undefined) {
    found.add(record, reason("wildcard-idle", { delegated: zone.shown(delegated, record) }));
    return;
  }
  // A name with data of its own, or with names below it, is not of the wildcard above, so that one of its own is needed.
  if (!zone.isWhole || parent === "@" || zone.population(parent) > 1) return;
  const same = zone
    .wildcardOver(parent, 1)
    .some(
      (above) =>
        above.type === record.type &&
        above.value === record.value &&
        above.priority === record.priority &&
        above.line === record.line,
    );
  if (same) found.add(record, reason("wildcard-idle", { parent: zone.shown(parent, record) }));
}
