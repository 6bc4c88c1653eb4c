/** The canonical record. Two records are the same if their texts (text.ts) are equal; the TTL is no part of the text. */
export interface DnsRecord {
  /** The zone: lower case A-labels without the trailing dot, such as `example.com`. */
  readonly domain: string;
  /** Labels relative to the zone, in lower case A-labels; `@` is the apex. */
  readonly name: string;
  /** In upper case. Only ASCII letters have a case. */
  readonly type: string;
  /**
   * Canonical data without the MX priority: an address, a host name with the dot, a text without quotes, `priority weight
   * port target.` (SRV), or `flags tag "value"` (CAA). The data of an unknown type is byte-exact.
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
