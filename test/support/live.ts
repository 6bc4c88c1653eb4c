import { recordKey, type DnsRecord } from "../../provider/dns";
import { zoneOf, type LiveEntry } from "../../provider/reconcile/zones/zone";

/** A live record that is served. */
export function liveEntry(record: DnsRecord, id = "1", ttl = 600): LiveEntry {
  return { domain: record.domain, record, key: recordKey(record), id, ttl, enabled: true, hold: false };
}

/** A zone that was read at the time 0. */
export function zoneWith(entries: readonly LiveEntry[], domain = "example.com") {
  const head = { id: "1", grade: "", status: undefined, extStatus: undefined, defaultLine: undefined };
  return zoneOf({ domain, ...head }, entries, 0);
}
