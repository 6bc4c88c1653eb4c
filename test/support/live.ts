import { recordKey, type DnsRecord } from "../../provider/dns";
import type { LiveEntry } from "../../provider/reconcile/zones/zone";

/** A live record that is served. */
export function liveEntry(record: DnsRecord, id = "1", ttl = 600): LiveEntry {
  return { domain: record.domain, record, key: recordKey(record), id, ttl, enabled: true, hold: false };
}
