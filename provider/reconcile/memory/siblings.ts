/** The records that the resources of one run declare and own, and their secrets. */
import { QuietPeriod, type Clock } from "../../support/clock";
import {
  digest,
  recordKey,
  roleOf,
  type DeclaredRecord,
  type DnsRecord,
  type Role,
  type UnknownRecord,
} from "../../dns";
import { gather } from "../../support/collections";
import { howOf, type Declaration, type Ignores } from "../declaration";
import type { Hideable, Wording } from "../wording";
import { listed } from "../../support/text";
import { isOpaque, OwnForms } from "../zones/own-forms";
import { liveAs, type LiveEntry, type Zones } from "../zones/zone";
import { digestOf, refOf, type Ledger, type RecordRef } from "./ledger";

/** Milliseconds after the last declaration. A later declaration of a dropped record is unlikely. */
const quietWindow = 500;

interface Declared {
  readonly domain: string;
  readonly role: Role;
  readonly resource?: string | undefined;
  /** Only another resource's manifest names it. */
  readonly isClaim: boolean;
}

export class Siblings {
  private readonly declaredSoFar = new Map<string, Declared>();
  /** Digests that the program constructed, and that the `check` of their resource did not get. */
  private readonly dropped = new Set<string>();
  private readonly unread: (() => void)[] = [];
  /** By `refOf`: whether a resource created it. */
  private readonly owned = new Map<string, boolean>();
  /** Digests of records with a secret value. */
  private readonly secret = new Set<string>();
  /** Digests of public records that a resource with secrets declares, or did at its last update. */
  private readonly shown = new Set<string>();
  private refreshed = false;
  /** A resource came without a manifest: the program is of another language. */
  private comeOneByOne = false;
  /** Domain → the `ignore` of each resource there: as refreshed, and from the first check on as checked. */
  private ignored = new Map<string, ((record: DnsRecord) => boolean)[]>();
  /** In a preview: domain → roles of declared records with an unknown value or name. */
  private readonly unknown = new Map<string, Set<Role>>();
  private hasChecked = false;
  private readonly looked = new Set<string>();
  /** Live records that a preview would delete or change. Undefined from the first update on. */
  private leaving: Set<string> | undefined = new Set();
  readonly quiet: QuietPeriod;
  readonly forms = new OwnForms((key) => this.isDeclared(key));

  constructor(clock: Clock) {
    this.quiet = new QuietPeriod(clock, quietWindow);
  }

  /**
   * @param records read at once if values are secret, else when first needed
   * @param constructed digests that other resources' manifests name. A transform may have dropped some
   */
  declare(
    records: () => readonly DeclaredRecord[],
    sensitive: boolean,
    by: Pick<Declared, "resource"> & { readonly hasManifest?: boolean } = {},
    constructed: () => readonly string[] = () => [],
  ): void {
    const { hasManifest = true, ...named } = by;
    if (!hasManifest) this.comeOneByOne = true;
    this.unread.push(() => {
      for (const record of records())
        this.declaredSoFar.set(digestOf(record), {
          domain: record.domain,
          role: roleOf(record),
          isClaim: false,
          ...named,
        });
      for (const digest of constructed()) {
        if (this.declaredSoFar.get(digest)?.isClaim === false) continue;
        this.declaredSoFar.delete(digest);
        this.dropped.add(digest);
      }
    });
    if (sensitive) this.conceal(records());
    this.quiet.restart();
  }

  declareUnknown(unknowns: readonly UnknownRecord[]): void {
    for (const unknown of unknowns) {
      if (!("record" in unknown)) continue;
      const { domain, name, type } = unknown.record;
      gather(this.unknown, domain, new Set()).add(roleOf({ name: name === "" ? "@" : name, type }));
    }
  }

  /** The engine may check the record's resource later. */
  declareElsewhere(digest: string, record: Pick<Declared, "domain" | "role">, secret: boolean): void {
    if (!this.dropped.has(digest)) gather(this.declaredSoFar, digest, { ...record, isClaim: true });
    if (secret) this.secret.add(digest);
  }

  hold(records: readonly DeclaredRecord[], zones: Zones): void {
    this.refreshed = true;
    for (const live of liveAs(records, zones)) gather(this.owned, refOf(live), false);
    this.quiet.restart();
  }

  /** @param before the former declaration: what the program now says about a value counts */
  conceal(records: readonly DeclaredRecord[], before: readonly DeclaredRecord[] = []): void {
    const isSecret = new Map<string, boolean>();
    for (const record of [...records, ...before]) gather(isSecret, digestOf(record), record.secret === true);
    for (const [key, secret] of isSecret) (secret ? this.secret : this.shown).add(key);
  }

  claim(records: readonly DeclaredRecord[], { owned, stale }: Ledger): void {
    for (const record of owned.size === 0 ? [] : records) {
      const known = owned.get(digestOf(record));
      if (known === undefined) continue;
      const { made, form } = known;
      this.own(known, made);
      this.forms.own(known, digestOf(record), form, isOpaque(record));
      if (form !== undefined && this.isSecret(recordKey(record))) this.secret.add(form);
    }
    for (const each of stale) {
      const { made, stored } = each;
      this.own(each, made);
      if (stored !== undefined) this.forms.own(each, stored.of, stored.form, true);
    }
  }

  private own(ref: RecordRef, made: boolean): void {
    const key = refOf(ref);
    this.owned.set(key, made || this.owned.get(key) === true);
  }

  isCreated(record: RecordRef): boolean {
    return this.owned.get(refOf(record)) === true;
  }

  /** @returns those that no other resource has claimed since they were found */
  claimUnowned<T extends RecordRef>(found: readonly T[]): T[] {
    const free = found.filter((record) => !this.owned.has(refOf(record)));
    for (const record of free) this.owned.set(refOf(record), false);
    return free;
  }

  get hasRefreshed(): boolean {
    return this.refreshed;
  }

  /** A resource that is checked later may declare them. */
  leave(entries: readonly LiveEntry[]): void {
    for (const live of entries) this.leaving?.add(refOf(live));
  }

  isLeaving(live: RecordRef): boolean {
    return this.leaving?.has(refOf(live)) === true;
  }

  beginUpdate(): void {
    this.leaving = undefined;
  }

  /** @returns true once for each domain */
  looksFirst(domain: string): boolean {
    return !this.looked.has(domain) && this.looked.add(domain).size > 0;
  }

  isDeclared(key: string): boolean {
    return this.declaresAny && this.declared.has(digest(key));
  }

  isChecked(key: string): boolean {
    return this.declared.get(digest(key))?.isClaim === false;
  }

  isSecret(key: string): boolean {
    return this.haveSecrets && this.secret.has(digest(key));
  }

  /** A text of somebody else is possibly a token. */
  concealForeign(entries: readonly LiveEntry[]): void {
    for (const { key, record } of entries) if (this.isForeignText(record, key)) this.secret.add(digest(key));
  }

  private isForeignText({ type }: DnsRecord, key: string): boolean {
    return type === "TXT" && !this.isDeclared(key);
  }

  get haveSecrets(): boolean {
    return this.secret.size > 0;
  }

  mayBeSecret(record: Hideable, id?: string): boolean {
    const key = recordKey(record);
    if (record.secret === true || this.isSecret(key)) return true;
    return id !== undefined && this.haveSecrets && !this.isDeclared(key);
  }

  rolesIn(domain: string): ReadonlySet<Role> {
    const found = new Set(this.unknown.get(domain));
    for (const each of this.declared.values()) if (each.domain === domain) found.add(each.role);
    return found;
  }

  declarersOf(keys: readonly string[]): string {
    const names = new Set(
      keys.map((key) => this.declared.get(digest(key))?.resource ?? "another resource of this program"),
    );
    return listed([...names], 3);
  }

  get declaresAny(): boolean {
    return this.declared.size > 0;
  }

  ignore(ignores: Ignores | undefined, by: "refresh" | "check"): void {
    if (by === "check" && !this.hasChecked) this.ignored = new Map();
    this.hasChecked ||= by === "check";
    if (ignores === undefined) return;
    for (const domain of ignores.domains) gather(this.ignored, domain, []).push(ignores.ignored);
  }

  /** No resource of the run declares, owns or ignores it. */
  isUnmanaged(live: LiveEntry): boolean {
    const ignored = this.ignored.get(live.domain) ?? [];
    return (
      !this.isDeclared(live.key) &&
      !this.owned.has(refOf(live)) &&
      !ignored.some((matches) => matches(live.record))
    );
  }

  wording(declaration: Declaration): Wording {
    const { sensitive } = declaration;
    return {
      how: { ...howOf(declaration), mayDeclareLater: this.comeOneByOne, hasRefreshed: this.refreshed },
      hides: (record) => {
        if (record.secret === true || this.isSecret(recordKey(record))) return true;
        // Any other record may be an earlier secret.
        return sensitive && !this.shown.has(digestOf(record));
      },
      hidesForeign: (record) => {
        const key = recordKey(record);
        return this.isSecret(key) || this.isForeignText(record, key);
      },
    };
  }

  private get declared(): ReadonlyMap<string, Declared> {
    for (const read of this.unread.splice(0)) read();
    return this.declaredSoFar;
  }
}
