/**
 * What the resources of one run declare, hold and answer for. So no deletion removes what another resource declares, no live
 * record that a resource knows counts as undeclared, and no message shows another resource's secret.
 */
import type { Client } from "../../api";
import { Quiet, type Clock } from "../../clock";
import { digest, recordKey, type DeclaredRecord } from "../../dns";
import type { Declaration } from "../declaration";
import type { Wording } from "../wording";
import { listed } from "../../words";
import type { LiveEntry } from "../zones/zone";
import { refOf, type Ledger, type RecordRef } from "./ledger";

/** Milliseconds after the last declaration: a sibling hardly declares afterwards what another has dropped. */
const quietWindow = 500;

interface Said {
  readonly as: "declared" | "held";
  readonly by: string | undefined;
}

export class Siblings {
  /** By key: declared by a resource of this run, or only held in the state. */
  private readonly records = new Map<string, Said>();
  /** Digests of what the program declares, told before the engine asks about it. */
  private readonly digests = new Set<string>();
  /** Declared, and not read yet. */
  private readonly unread: { readonly records: () => readonly DeclaredRecord[]; readonly by: string | undefined }[] = [];
  /** Keys whose value is secret in some resource. */
  private readonly secrets = new Set<string>();
  /** Keys whose value is no secret in a resource that has secrets. */
  private readonly open = new Set<string>();
  /** Records that some resource answers for, whether this stack made them, and whether they were declared without a secret. */
  private readonly answeredFor = new Map<string, { readonly made: boolean; readonly open: boolean }>();
  /** By domain: resources that may declare more there than this process knows. */
  private readonly unsure = new Map<string, string>();
  /** Whether the program has declared everything; undefined before the first resource has said so. */
  private isWhole: boolean | undefined;
  private readonly quiet: Quiet;

  /** @param client hides secret values in the service's own words */
  constructor(
    clock: Clock,
    private readonly client: Pick<Client, "conceal">,
  ) {
    this.quiet = new Quiet(clock, quietWindow);
  }

  /**
   * Notes what a resource declares. @param records read at once where values are secret, else when first needed @param by
   * the resource: `Record "www"`
   */
  declare(records: () => readonly DeclaredRecord[], sensitive: boolean, by?: string): void {
    if (sensitive) this.note(records(), sensitive, { as: "declared", by });
    else this.unread.push({ records, by });
    this.heard();
  }

  declareBeside(digests: readonly string[]): void {
    for (const each of digests) this.digests.add(each);
  }

  /** Notes whether a resource says that its program has declared everything. One "no" counts. */
  declaredAll(isWhole: boolean): void {
    this.isWhole = isWhole && this.isWhole !== false;
  }

  /** Whether it is proven that the program has declared everything. */
  get haveDeclaredAll(): boolean {
    return this.isWhole === true;
  }

  /** Notes resources that may declare more in these domains: nothing there counts as undeclared then. */
  mayDeclareMore(domains: readonly string[], names: string): void {
    for (const domain of domains) this.unsure.set(domain, names);
  }

  /** Notes what a resource's state holds. */
  hold(records: readonly DeclaredRecord[], sensitive: boolean): void {
    this.note(records, sensitive, { as: "held", by: undefined });
    this.heard();
  }

  private note(records: readonly DeclaredRecord[], sensitive: boolean, said: Said): void {
    for (const record of records) {
      const key = recordKey(record);
      if (said.as === "declared" || !this.records.has(key)) this.records.set(key, said);
    }
    if (sensitive) this.conceal(records);
  }

  /**
   * Notes which values of a resource with secrets are secret: no text of the service shows them from now on. @param before what
   * it declared until now: what the program has made known since is a secret no more
   */
  conceal(records: readonly DeclaredRecord[], before: readonly DeclaredRecord[] = []): void {
    const known = new Set<string>();
    for (const record of [...records, ...before]) {
      const key = recordKey(record);
      if (record.secret !== true) known.add(key);
      else if (!known.has(key)) {
        this.secrets.add(key);
        this.client.conceal([record.value]);
      }
    }
    for (const key of known) this.open.add(key);
  }

  /** Notes the records that a resource answers for, and who made them. */
  claim(records: readonly DeclaredRecord[], { owned, leftOver }: Ledger): void {
    const note = ({ domain, id }: RecordRef, made: boolean, open: boolean): void => {
      const known = this.answeredFor.get(refOf({ domain, id }));
      this.answeredFor.set(refOf({ domain, id }), { made: made || known?.made === true, open: open || known?.open === true });
    };
    for (const record of owned.size === 0 ? [] : records) {
      const known = owned.get(digest(recordKey(record)));
      if (known !== undefined) note({ domain: record.domain, id: known.id }, known.made, record.secret !== true);
    }
    for (const each of leftOver) note(each, each.made, each.open === true);
  }

  /** Whether this stack made a record, as far as the run's ledgers tell. */
  isMade(domain: string, id: string): boolean {
    return this.answeredFor.get(refOf({ domain, id }))?.made === true;
  }

  /** Takes on those of these undeclared records that no resource has taken on. */
  takeOn<T extends RecordRef>(found: readonly T[]): T[] {
    const free = this.free(found);
    for (const record of free) this.answeredFor.set(refOf(record), { made: false, open: false });
    return free;
  }

  /** Those of these records that are still undeclared. */
  free<T extends RecordRef>(found: readonly T[]): T[] {
    return found.filter((record) => !this.unsure.has(record.domain) && !this.answeredFor.has(refOf(record)));
  }

  /** A resource was asked about: others may follow. */
  heard(): void {
    this.quiet.heard();
  }

  /** Waits until no resource has declared anything for a moment. */
  settled(): Promise<void> {
    return this.quiet.wait();
  }

  isDeclared(key: string): boolean {
    return this.said(key)?.as === "declared" || (this.digests.size > 0 && this.digests.has(digest(key)));
  }

  /** Who declares these records: `Record "www"`. */
  takers(keys: readonly string[]): string {
    const names = new Set(keys.map((key) => this.said(key)?.by ?? "another resource of this program"));
    return listed([...names], 3);
  }

  get declareAny(): boolean {
    this.read();
    return this.digests.size > 0 || [...this.records.values()].some(({ as }) => as === "declared");
  }

  /** Whether no resource of the run declares, holds or answers for a live record. */
  isNobodys({ key, id, record: { domain } }: LiveEntry): boolean {
    return !this.isDeclared(key) && this.said(key) === undefined && !this.answeredFor.has(refOf({ domain, id }));
  }

  /** The resources that may declare more in this domain. */
  unsureOf(domain: string): string | undefined {
    return this.unsure.get(domain);
  }

  /** How a resource's messages may speak: of its own records, and of others'. */
  wording({ sensitive, removalSetBy, may }: Declaration): Wording {
    const isOpen = (key: string, live: RecordRef | undefined): boolean =>
      this.open.has(key) || (live !== undefined && this.answeredFor.get(refOf(live))?.open === true);
    return {
      how: { removalSetBy, change: may.change, full: may.remove, unproven: may.unproven === true },
      // What is live and was never declared without a secret may be an earlier secret.
      hides: (record, id) => {
        const key = recordKey(record);
        if (record.secret === true || this.secrets.has(key)) return true;
        return sensitive && !isOpen(key, id === undefined ? undefined : { domain: record.domain, id });
      },
      hidesOfStranger: (record) => {
        const key = recordKey(record);
        return this.secrets.has(key) || (record.type === "TXT" && this.said(key) === undefined);
      },
    };
  }

  private said(key: string): Said | undefined {
    this.read();
    return this.records.get(key);
  }

  /** Takes down what was declared since it was last asked for. */
  private read(): void {
    for (const { records, by } of this.unread.splice(0)) this.note(records(), false, { as: "declared", by });
  }
}
