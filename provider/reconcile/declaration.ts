import type { DeclaredRecord, Matcher, UnknownRecord } from "../dns";
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

/** What a resource says of the records in its domains that it does not declare. */
export interface DomainOptions {
  readonly domains: readonly string[];
  /** Nobody reports these as unmanaged. */
  readonly isIgnored?: Matcher | undefined;
  readonly isProtected?: Matcher | undefined;
  /** These must not be live. */
  readonly isUnwanted?: Matcher | undefined;
  /** Of a safety gate, in percent. Default: the setting */
  readonly maxChangeShare?: number | undefined;
  /** What becomes of undeclared live records. Default: they are not looked for. */
  readonly undeclared?: "report" | "remove" | undefined;
}

export interface Declaration extends DomainOptions {
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
}

export function howOf({ removalSetBy, isReplaced, may, undeclared }: Declaration): How {
  const { change, remove: full, single } = may;
  return { removalSetBy, isReplaced, change, full, single, removesUndeclared: undeclared === "remove" };
}
