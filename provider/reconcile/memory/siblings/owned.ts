/** The live records that the resources of one run own or ignore. */
import { recordKey, type DeclaredRecord } from "../../../dns";
import { gather } from "../../../support/collections";
import type { DomainOptions } from "../../declaration";
import { isOpaque, OwnForms } from "../../zones/own-forms";
import { liveAs, type LiveEntry, type Zones } from "../../zones/zone";
import { byDigest, refOf, type Ledger, type RecordRef } from "../ledger";
import type { DeclaredRecords } from "./declared";
import type { SecretRecords } from "./secret";

export class OwnedRecords {
  readonly forms: OwnForms;
  /** By `refOf`: whether a resource created it. */
  private readonly owned = new Map<string, boolean>();
  /** By `refOf`: unmanaged records that a resource is to remove. */
  private readonly claimed = new Set<string>();
  /** Resource's URN digest, if it has one → its `ignore`: as refreshed, and from its check on as checked. */
  private readonly ignores = new Map<string | symbol, DomainOptions>();
  private refreshed = false;
  /** Of unchanged resources: their records and ledgers are read only if a resource asks whose a record is. */
  private readonly unread: (() => void)[] = [];

  constructor(
    private readonly declared: DeclaredRecords,
    private readonly secrets: SecretRecords,
  ) {
    this.forms = new OwnForms((key) => this.declared.has(key));
  }

  /** A refresh has found these records. */
  addLive(records: readonly DeclaredRecord[], zones: Zones): void {
    this.refreshed = true;
    for (const live of liveAs(records, zones)) gather(this.owned, refOf(live), false);
    this.declared.expectMore();
  }

  get hasRefreshed(): boolean {
    return this.refreshed;
  }

  add(records: readonly DeclaredRecord[], { held }: Ledger): void {
    // For a known type without another form, the digest suffices.
    const haveForms = held.some(({ form }) => form !== undefined);
    const declared = byDigest(held.length === 0 ? [] : records.filter((each) => haveForms || isOpaque(each)));
    for (const each of held) {
      const { digest, form, made } = each;
      const record = declared.get(digest);
      this.own(each, made);
      this.forms.own(each, digest, form, record !== undefined && isOpaque(record));
      if (form !== undefined && record && this.secrets.has(recordKey(record))) this.secrets.addDigest(form);
    }
  }

  addUnchanged(records: () => readonly DeclaredRecord[], ledger: () => Ledger): void {
    this.unread.push(() => this.add(records(), ledger()));
  }

  /** @returns those that no other resource has claimed or owned since they were found */
  claim<T extends RecordRef>(found: readonly T[]): T[] {
    const isTaken = (ref: string): boolean => this.owned.has(ref) || this.claimed.has(ref);
    const free = found.filter((record) => !isTaken(refOf(record)));
    for (const record of free) this.claimed.add(refOf(record));
    return free;
  }

  /** Its resource is deleted and does not hold it: a refresh only found it to be as declared. */
  release(record: RecordRef): void {
    if (this.owned.get(refOf(record)) === false) this.owned.delete(refOf(record));
  }

  isCreated(record: RecordRef): boolean {
    return this.owned.get(refOf(record)) === true;
  }

  ignore(options: DomainOptions, resource: string | symbol = Symbol()): void {
    if (options.isIgnored === undefined) this.ignores.delete(resource);
    else this.ignores.set(resource, options);
  }

  private isIgnored({ domain, record }: LiveEntry): boolean {
    return [...this.ignores.values()].some(
      ({ domains, isIgnored }) => isIgnored?.(record) === true && domains.includes(domain),
    );
  }

  /** A resource of the run declares, owns or ignores it. */
  isManaged(live: LiveEntry): boolean {
    if (this.unread.length > 0) for (const read of this.unread.splice(0)) read();
    return this.declared.has(live.key) || this.owned.has(refOf(live)) || this.isIgnored(live);
  }

  /** No resource of the run declares, owns or ignores it, or is to remove it. */
  isUnmanaged(live: LiveEntry): boolean {
    return !this.isManaged(live) && !this.claimed.has(refOf(live));
  }

  private own(ref: RecordRef, made: boolean): void {
    const key = refOf(ref);
    this.owned.set(key, made || this.owned.get(key) === true);
  }
}
