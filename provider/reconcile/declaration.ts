import type { DeclaredRecord, DnsRecord, UnknownRecord } from "../dns";
import type { How, RemovalSetBy } from "../problems";
import type { Removal } from "../settings";

export interface Permissions {
  readonly change: boolean;
  /** Undeclared records may be removed or get other data. */
  readonly remove: boolean;
  /** The resource is one record. */
  readonly single: boolean;
}

export const createOnly: Permissions = { change: false, remove: false, single: false };

/** Records that nobody reports as unmanaged. */
export interface Ignores {
  readonly domains: readonly string[];
  readonly ignored: (record: DnsRecord) => boolean;
}

/** Options of the safety gates. */
export interface GateOptions {
  readonly domains: readonly string[];
  readonly isProtected: ((record: DnsRecord) => boolean) | undefined;
  readonly maxChangeShare: number | undefined;
}

export interface Declaration {
  /** A digest of the resource's URN, if the front end or the last check knows it. */
  readonly urn?: string | undefined;
  readonly records: readonly DeclaredRecord[];
  /** In a preview: declared records with unknown values. */
  readonly unknowns?: readonly UnknownRecord[] | undefined;
  /** In a preview: all records are known, and no other resource declares records in its domains. */
  readonly isAlone?: boolean;
  readonly removal: Removal;
  readonly adopt: boolean;
  /** A value is or was secret. Messages then show only records that were declared without a secret. */
  readonly sensitive: boolean;
  readonly removalSetBy: RemovalSetBy;
  /** In a deletion: the program declares this resource's replacement. */
  readonly isReplaced?: boolean;
  readonly may: Permissions;
  readonly ignores?: Ignores;
  readonly gates?: GateOptions;
  /** No other record may live in these domains, except ignored ones. */
  readonly absent?: Ignores;
  /** Look for undeclared live records in these domains. */
  readonly report?: Ignores & {
    /** Remove them instead of reporting them. */
    readonly remove: boolean;
  };
}

export function howOf({ removalSetBy, isReplaced, may, report }: Declaration): How {
  const { change, remove: full, single } = may;
  return { removalSetBy, isReplaced, change, full, single, removesUndeclared: report?.remove === true };
}
