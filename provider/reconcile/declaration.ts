/** What one resource declares, and how it is to be brought about. */
import type { DeclaredRecord, DnsRecord, UnknownRecord } from "../dns";
import type { RemovalSetBy } from "../problems";
import type { Removal } from "../settings";

export interface Permissions {
  /** Records may get another TTL, and be enabled. */
  readonly change: boolean;
  /** Records that are no longer declared may be removed, or become others. */
  readonly remove: boolean;
  /** The resource is one record, which is changed in place. */
  readonly single: boolean;
}

export const createOnly: Permissions = { change: false, remove: false, single: false };

export interface Declaration {
  readonly records: readonly DeclaredRecord[];
  /** In a preview: what is declared beside them and not known yet. */
  readonly unknowns?: readonly UnknownRecord[];
  /** In a preview: all of it is known, and nothing else of the program declares records in its domains. */
  readonly isAlone?: boolean;
  readonly removal: Removal;
  readonly adopt: boolean;
  /**
   * True when a value is, or was, secret: messages then show what was declared without a secret (`secret` of each record), and
   * name everything else by a mark.
   */
  readonly sensitive: boolean;
  readonly removalSetBy: RemovalSetBy;
  /** Of a deletion: the program declares the resource that has taken the place of this one. */
  readonly isReplaced?: boolean;
  readonly may: Permissions;
  /** Look for undeclared live records in these domains. */
  readonly report?: {
    readonly domains: readonly string[];
    readonly ignored: (record: DnsRecord) => boolean;
    /** Remove them, rather than name them. */
    readonly remove: boolean;
  };
}
