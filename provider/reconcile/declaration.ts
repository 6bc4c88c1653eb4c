/** What one resource declares, and how it is to be brought about. */
import type { DeclaredRecord, DnsRecord } from "../dns";
import type { RemovalSetBy } from "../problems";
import type { Removal } from "../settings";

/** What the service may be asked beside creations. */
export interface Means {
  /** A record may be given another TTL, and be enabled. */
  readonly change: boolean;
  /** A record that is no longer declared may be removed, or become one that is. */
  readonly remove: boolean;
  /** It may not only because the program may yet declare what would be removed. */
  readonly unproven?: boolean;
  /** The resource is one record: whatever it becomes, it is changed in place. */
  readonly single: boolean;
}

/** The documented interface creates records, and that is all. */
export const createOnly: Means = { change: false, remove: false, single: false };

export interface Declaration {
  readonly records: readonly DeclaredRecord[];
  readonly removal: Removal;
  readonly adopt: boolean;
  /** True when a value is secret: messages then name records by a mark. */
  readonly sensitive: boolean;
  readonly removalSetBy: RemovalSetBy;
  /** What the service may be asked beside creations. */
  readonly may: Means;
  /** Look for live records of these domains that nobody declares, but for those that `ignored` takes in. */
  readonly report?: {
    readonly domains: readonly string[];
    readonly ignored: (record: DnsRecord) => boolean;
    /** Remove what a refresh has found, rather than name it only. */
    readonly remove: boolean;
    /** They were to be removed, but the program may yet declare them. */
    readonly withheld?: boolean;
  };
}
