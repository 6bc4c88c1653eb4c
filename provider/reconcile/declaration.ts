/** What one resource declares, and how it is to be brought about. */
import type { DeclaredRecord, DnsRecord } from "../dns";
import type { Removal } from "../settings";
import type { RemovalSetBy } from "./messages";
import type { Means } from "./plan";

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
