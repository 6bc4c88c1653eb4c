/** Records whose value, priority or TTL a preview does not know yet. */
import type { DnsRecord, Ttl } from "./record";

/** A record that is not known yet. */
export interface UnknownRecord {
  /** Its value is empty unless the TTL alone is not known. */
  readonly record: DnsRecord;
  readonly ttl: Ttl;
  /** What is not known. */
  readonly what: "value" | "priority" | "ttl";
}
