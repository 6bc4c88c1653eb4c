/**
 * The canonical record: what every room above dns/ holds, compares and writes. Two records are the same when their
 * texts (text.ts) are equal; TTL is not identity.
 */
export interface DnsRecord {
  /** The zone, lower case A-labels without the trailing dot: `example.com`. */
  readonly domain: string;
  /** Host label(s) relative to the zone, lower case A-labels; `@` is the apex. */
  readonly name: string;
  /** Upper case; of other letters than those of ASCII as it is. */
  readonly type: string;
  /**
   * Canonical data without the MX priority: an address, an absolute host name with the dot, the TXT string itself
   * (not quoted), `priority weight port target.` (SRV), `flags tag "value"` (CAA), byte-exact for an unknown type.
   */
  readonly value: string;
  /** MX only, 0-65535. */
  readonly priority?: number;
  /** The resolution line's name; absent on the default line. */
  readonly line?: string;
}

/** Seconds from 1, or the word `default`: omitted by the program, sent as the default, matches any live TTL. */
export type Ttl = number | "default";

/** A record and the TTL that a program asks for. */
export interface DeclaredRecord extends DnsRecord {
  readonly ttl: Ttl;
  /** Its value is secret: no message shows it. */
  readonly secret?: true;
}
