/** The records whose values messages must not show. */
import { digest, recordKey, type DeclaredRecord, type DnsRecord } from "../../../dns";
import { gather } from "../../../support/collections";
import type { LiveEntry } from "../../zones/zone";
import { digestOf } from "../ledger";
import type { DeclaredRecords } from "./declared";

export type Hideable = DnsRecord & { readonly secret?: true };

export class SecretRecords {
  /** By digest. */
  private readonly secret = new Set<string>();
  /** Digests of public records that a resource with secrets declares, or did at its last update. */
  private readonly shown = new Set<string>();

  constructor(private readonly declared: DeclaredRecords) {}

  /** @param before the former declaration: what the program now says about a value counts */
  add(records: readonly DeclaredRecord[], before: readonly DeclaredRecord[] = []): void {
    const isSecret = new Map<string, boolean>();
    for (const record of [...records, ...before]) gather(isSecret, digestOf(record), record.secret === true);
    for (const [key, secret] of isSecret) (secret ? this.secret : this.shown).add(key);
  }

  addDigest(key: string): void {
    this.secret.add(key);
  }

  /** A text of somebody else is possibly a token. */
  addForeign(entries: readonly LiveEntry[]): void {
    for (const { key, record } of entries) if (this.isForeignText(record, key)) this.secret.add(digest(key));
  }

  has(key: string): boolean {
    return !this.isEmpty && this.secret.has(digest(key));
  }

  get isEmpty(): boolean {
    return this.secret.size === 0;
  }

  /** @param id of a record that a request names by its id only */
  mayHave(record: Hideable, id?: string): boolean {
    const key = recordKey(record);
    if (record.secret === true || this.has(key)) return true;
    return id !== undefined && !this.isEmpty && !this.declared.has(key);
  }

  /** @param sensitive whether a value of the resource is or was secret */
  hides(record: Hideable, sensitive: boolean): boolean {
    if (record.secret === true || this.has(recordKey(record))) return true;
    // Any other record may be an earlier secret.
    return sensitive && !this.shown.has(digestOf(record));
  }

  hidesForeign(record: DnsRecord): boolean {
    const key = recordKey(record);
    return this.has(key) || this.isForeignText(record, key);
  }

  private isForeignText({ type }: DnsRecord, key: string): boolean {
    return type === "TXT" && !this.declared.has(key);
  }
}
