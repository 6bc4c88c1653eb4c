/** The records that the resources of one run declare, as far as the process knows by now. */
import { digest, roleOf, type DeclaredRecord, type Role, type UnknownRecord } from "../../../dns";
import { QuietPeriod, type Clock } from "../../../support/clock";
import { gather } from "../../../support/collections";
import { listed } from "../../../support/text";
import { digestOf } from "../ledger";

/** Milliseconds after the last declaration. A later declaration of a dropped record is unlikely. */
const quietWindow = 500;

interface Declarer {
  readonly domain: string;
  readonly role: Role;
  readonly resource?: string | undefined;
  /** Only another resource's manifest names it. */
  readonly isClaim: boolean;
}

export class DeclaredRecords {
  /** By digest. */
  private readonly declaredSoFar = new Map<string, Declarer>();
  /** Digests that the program constructed, and that the `check` of their resource did not get. */
  private readonly dropped = new Set<string>();
  private readonly unread: (() => void)[] = [];
  /** In a preview: domain → roles of declared records with an unknown value or name. */
  private readonly unknown = new Map<string, Set<Role>>();
  private readonly quiet: QuietPeriod;
  private comeOneByOne = false;

  constructor(clock: Clock) {
    this.quiet = new QuietPeriod(clock, quietWindow);
  }

  /**
   * @param records read when first needed
   * @param constructed digests that other resources' manifests name. A transform may have dropped some
   */
  add(
    records: () => readonly DeclaredRecord[],
    by: Pick<Declarer, "resource"> & { readonly hasManifest?: boolean } = {},
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
      for (const each of constructed()) {
        if (this.declaredSoFar.get(each)?.isClaim === false) continue;
        this.declaredSoFar.delete(each);
        this.dropped.add(each);
      }
    });
    this.expectMore();
  }

  addUnknown(unknowns: readonly UnknownRecord[]): void {
    for (const unknown of unknowns) {
      if (!("record" in unknown)) continue;
      const { domain, name, type } = unknown.record;
      gather(this.unknown, domain, new Set()).add(roleOf({ name: name === "" ? "@" : name, type }));
    }
  }

  /** The engine may check the record's resource later. */
  addClaim(key: string, record: Pick<Declarer, "domain" | "role">): void {
    if (!this.dropped.has(key)) gather(this.declaredSoFar, key, { ...record, isClaim: true });
  }

  has(key: string): boolean {
    return !this.isEmpty && this.all.has(digest(key));
  }

  get isEmpty(): boolean {
    return this.all.size === 0;
  }

  isChecked(key: string): boolean {
    return this.all.get(digest(key))?.isClaim === false;
  }

  /** A resource came without a manifest: the program is of another language. */
  get mayGrow(): boolean {
    return this.comeOneByOne;
  }

  rolesIn(domain: string): ReadonlySet<Role> {
    const found = new Set(this.unknown.get(domain));
    for (const each of this.all.values()) if (each.domain === domain) found.add(each.role);
    return found;
  }

  declarersOf(keys: readonly string[]): string {
    const names = new Set(
      keys.map((key) => this.all.get(digest(key))?.resource ?? "another resource of this program"),
    );
    return listed([...names], 3);
  }

  expectMore(): void {
    this.quiet.restart();
  }

  /** The only wait for resources that are checked or read at the same time. */
  complete(): Promise<void> {
    return this.quiet.wait();
  }

  private get all(): ReadonlyMap<string, Declarer> {
    for (const read of this.unread.splice(0)) read();
    return this.declaredSoFar;
  }
}
