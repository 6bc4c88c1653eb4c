/** Records of which a preview does not know everything yet. */
import type { DnsRecord, Ttl } from "./record";

/** A record that is not known yet. */
export type UnknownRecord =
  | {
      /** Its value is empty unless the TTL alone is not known, or the name alone; its name is empty where that is not known. */
      readonly record: DnsRecord;
      readonly ttl: Ttl;
      /** What is not known; of a record without a name the value may be unknown, too. */
      readonly what: "value" | "priority" | "ttl" | "name";
    }
  /** A spec, or a whole list of them, of which nothing is known: how many records it makes is not known either. */
  | { readonly what: "spec" | "specs" };
