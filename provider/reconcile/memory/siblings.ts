/**
 * What the resources of one run declare, hold and answer for. So no deletion removes what another resource declares, no live
 * record that a resource knows counts as undeclared, and no message shows another resource's secret.
 */
import { Quiet, type Clock } from "../../clock";
import { digest, recordKey, setOf, type DeclaredRecord, type DnsRecord } from "../../dns";
import { gather } from "../../gather";
import type { Declaration } from "../declaration";
import type { Hideable, Wording } from "../wording";
import { listed } from "../../words";
import type { LiveEntry } from "../zones/zone";
import { digestOf, refOf, type Ledger, type RecordRef } from "./ledger";

/** Milliseconds after the last declaration: a sibling hardly declares afterwards what another has dropped. */
const quietWindow = 500;

/** A resource of the program, as far as it has told of itself. */
interface Declarer {
  readonly by: string | undefined;
  readonly urn: string | undefined;
}

export class Siblings {
  /** By key of what the program declares, as far as it has been read: by which resource. */
  private readonly declaredBy = new Map<string, Declarer>();
  /** Of these the names, types and lines. */
  private readonly sets = new Set<string>();
  /** What reads what is declared and has not been read. */
  private readonly unread: (() => void)[] = [];
  /** Digests of what the program declares, told before the engine asks about it. */
  private readonly digests = new Set<string>();
  private readonly secretDigests = new Set<string>();
  /** Keys of what a resource's state holds. */
  private readonly held = new Set<string>();
  /** By key, of resources that have secrets: whether the value is secret in one of them, or in none. */
  private readonly values = new Map<string, "secret" | "open">();
  private haveSecretValues = false;
  /** Records that some resource answers for, whether this stack made them, and whether they were declared without a secret. */
  private readonly answeredFor = new Map<string, { readonly made: boolean; readonly open: boolean }>();
  /** Domains in which resources declare MX records that the engine has not asked about yet: whether one is at the apex. */
  readonly mail = new Map<string, boolean>();
  /** Whether this run has refreshed, so that every resource of the state has been read. */
  private hasRefreshed = false;
  /** Hears of each resource that is asked about: others may follow within a moment. */
  readonly quiet: Quiet;

  constructor(clock: Clock) {
    this.quiet = new Quiet(clock, quietWindow);
  }

  /**
   * Notes what a resource declares. @param records read at once where values are secret, else when first needed @param by
   * the resource: `Record "www"` @param urn a digest of its URN
   */
  declare(records: () => readonly DeclaredRecord[], sensitive: boolean, by?: string, urn?: string): void {
    this.unread.push(() => {
      for (const record of records()) {
        this.declaredBy.set(recordKey(record), { by, urn });
        this.sets.add(setOf(record));
      }
    });
    if (sensitive) this.conceal(records());
    this.quiet.heard();
  }

  /** @param secret those of records whose value is secret */
  declareBeside(digests: readonly string[], secret: readonly string[]): void {
    for (const each of digests) this.digests.add(each);
    for (const each of secret) this.secretDigests.add(each);
  }

  /** Notes in which domains resources declare MX records. @param domains whether one is at the apex */
  declareMail(domains: ReadonlyMap<string, boolean>): void {
    for (const [domain, atApex] of domains) this.mail.set(domain, atApex || this.mail.get(domain) === true);
  }

  /** Notes the records of a resource's state, as a refresh reads them. */
  hold(records: readonly DeclaredRecord[]): void {
    this.hasRefreshed = true;
    for (const record of records) this.held.add(recordKey(record));
    this.quiet.heard();
  }

  /**
   * Notes which values of a resource with secrets are secret. @param before what it declared until now: a value that the
   * program shows in the meantime is no secret any more
   */
  conceal(records: readonly DeclaredRecord[], before: readonly DeclaredRecord[] = []): void {
    const open = new Set<string>();
    for (const record of [...records, ...before]) {
      const key = recordKey(record);
      if (record.secret !== true) open.add(key);
      else if (!open.has(key)) {
        this.values.set(key, "secret");
        this.haveSecretValues = true;
      }
    }
    for (const key of open) gather(this.values, key, "open");
  }

  /** Notes the records that a resource answers for, and who made them. */
  claim(records: readonly DeclaredRecord[], { owned, leftOver }: Ledger): void {
    const own = (owned.size === 0 ? [] : records).flatMap((record) => {
      const known = owned.get(digestOf(record));
      return known === undefined
        ? []
        : [{ domain: record.domain, id: known.id, made: known.made, open: record.secret !== true }];
    });
    for (const { made, open = false, ...ref } of [...own, ...leftOver]) {
      const known = this.answeredFor.get(refOf(ref));
      this.answeredFor.set(refOf(ref), {
        made: made || known?.made === true,
        open: open || known?.open === true,
      });
    }
  }

  /** Whether this stack made a record, as far as the run's ledgers tell. */
  isMade(record: RecordRef): boolean {
    return this.answeredFor.get(refOf(record))?.made === true;
  }

  /** Takes on those of these undeclared records that no resource has taken on. */
  takeOn<T extends RecordRef>(found: readonly T[]): T[] {
    const free = this.free(found);
    for (const record of free) this.answeredFor.set(refOf(record), { made: false, open: false });
    return free;
  }

  /**
   * Those of these records, which a refresh listed as undeclared, that no resource answers for. None if this run has not
   * refreshed: it does not know the records of resources that the engine has not checked yet.
   */
  free<T extends RecordRef>(found: readonly T[]): T[] {
    return this.hasRefreshed ? found.filter((record) => !this.answeredFor.has(refOf(record))) : [];
  }

  isDeclared(key: string): boolean {
    return this.declared.has(key) || (this.digests.size > 0 && this.digests.has(digest(key)));
  }

  /** Whether some resource has a record's value as a secret. */
  isSecret(key: string): boolean {
    return (
      this.values.get(key) === "secret" ||
      (this.secretDigests.size > 0 && this.secretDigests.has(digest(key)))
    );
  }

  /** Whether some resource of the run has a secret value. */
  get haveSecrets(): boolean {
    return this.haveSecretValues || this.secretDigests.size > 0;
  }

  /** Whether a record's value is, or was, a secret. @param id of a live record */
  mayBeSecret(record: Hideable, id?: string): boolean {
    const key = recordKey(record);
    if (record.secret === true || this.isSecret(key)) return true;
    return id !== undefined && this.haveSecrets && !this.isDeclared(key) && !this.isOpen(record, id);
  }

  /** Whether a record was declared without a secret, by a resource that has some. */
  private isOpen(record: DnsRecord, id: string | undefined): boolean {
    return (
      this.values.get(recordKey(record)) === "open" ||
      (id !== undefined && this.answeredFor.get(refOf({ domain: record.domain, id }))?.open === true)
    );
  }

  /** Who declares these records: `Record "www"`. */
  takers(keys: readonly string[]): string {
    const names = new Set(
      keys.map((key) => this.declared.get(key)?.by ?? "another resource of this program"),
    );
    return listed([...names], 3);
  }

  /** The resource that declares these records, where it has told its name: `Record "www"`. */
  resourceOf([first]: readonly DeclaredRecord[]): string | undefined {
    return this.declarerOf(first)?.by;
  }

  /** A digest of the URN of the resource that declares these records, where it has told it. */
  urnOf([first]: readonly DeclaredRecord[]): string | undefined {
    return this.declarerOf(first)?.urn;
  }

  get declareAny(): boolean {
    return this.digests.size + this.declared.size > 0;
  }

  /** Whether no resource of the run declares, holds or answers for a live record. */
  isNobodys(live: LiveEntry): boolean {
    return !this.isDeclared(live.key) && !this.held.has(live.key) && !this.answeredFor.has(refOf(live));
  }

  /** How a resource's messages may speak: of its own records, and of others'. */
  wording({ sensitive, removalSetBy, isReplaced, may }: Declaration): Wording {
    return {
      how: {
        removalSetBy,
        isReplaced,
        change: may.change,
        full: may.remove,
      },
      hides: (record, id) => {
        if (record.secret === true || this.isSecret(recordKey(record))) return true;
        // What is live and was never declared without a secret may be an earlier secret.
        return sensitive && !this.isOpen(record, id);
      },
      hidesOfAnybody: (record) => {
        const key = recordKey(record);
        return (
          this.isSecret(key) || (record.type === "TXT" && !this.declared.has(key) && !this.held.has(key))
        );
      },
      declaresBeside: (record) => this.declared.size > 0 && this.sets.has(setOf(record)),
    };
  }

  private declarerOf(record: DeclaredRecord | undefined): Declarer | undefined {
    return record === undefined ? undefined : this.declared.get(recordKey(record));
  }

  private get declared(): ReadonlyMap<string, Declarer> {
    for (const read of this.unread.splice(0)) read();
    return this.declaredBy;
  }
}
