/** Two records are the same if their canonical texts are equal; the TTL is no part of the text. */
export interface DnsRecord {
  /** Lower case A-labels without the trailing dot. */
  readonly domain: string;
  /** Relative to the zone; `@` is the apex. */
  readonly name: string;
  readonly type: string;
  /**
   * Canonical data: a host has its dot, a text no quotes. SRV: `priority weight port target.`. CAA:
   * `flags tag "value"`. Unknown types: byte-exact.
   */
  readonly value: string;
  /** MX only, 0-65535. */
  readonly priority?: number;
  readonly line?: string;
}

/** Seconds, or `default`: sent as the setting `defaultTtl`, matches any live TTL. */
export type Ttl = number | "default";

export interface DeclaredRecord extends DnsRecord {
  readonly ttl: Ttl;
  /** No message shows its value. */
  readonly secret?: true;
}
