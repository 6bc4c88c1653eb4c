/**
 * What the resources of one run have said of themselves: what each declares, holds and answers for. So that no deletion
 * takes what another resource still declares, no live record counts as nobody's while some resource knows it, and no
 * message shows another resource's secret.
 */
import type { Client } from "../../api";
import type { Clock } from "../../clock";
import { digest, recordKey, type DeclaredRecord, type DnsRecord } from "../../dns";
import type { Declaration } from "../declaration";
import type { Wording } from "../wording";
import { Quiet } from "../quiet";
import { listed } from "../../words";
import type { LiveEntry } from "../zones/zone";
import type { Ledger } from "./ledger";

/** Milliseconds without a word from any resource after which a sibling will hardly declare what another has just dropped. */
const quietWindow = 500;

/** A record on the service, named without its data. */
interface Placed {
  readonly domain: string;
  readonly id: string;
}

/** What has been said of a record. */
interface Said {
  readonly as: "declared" | "held";
  /** The resource that declares it, where it has a name. */
  readonly by: string | undefined;
}

const placed = ({ domain, id }: Placed): string => `${domain} ${id}`;

export class Siblings {
  /** By key: whether this run declares the record, and which resource does, or only the state holds it: then it is no stranger. */
  private readonly records = new Map<string, Said>();
  /** Digests of what the program declares, told before the engine has asked about it. */
  private readonly digests = new Set<string>();
  /** Of resources that have declared what nobody has asked for yet. */
  private readonly unread: { readonly records: () => readonly DeclaredRecord[]; readonly by: string | undefined }[] = [];
  /** Keys whose value is secret in some resource: no message of another may show it. */
  private readonly secrets = new Set<string>();
  /** Records that some resource answers for, whatever they have become, and whether this stack made them. */
  private readonly answeredFor = new Map<string, { readonly made: boolean }>();
  /** By domain, resources that may declare more there than this process knows. */
  private readonly unsure = new Map<string, string>();
  /** Whether the program has declared everything, as its resources say; undefined before the first has spoken. */
  private isWhole: boolean | undefined;
  private readonly quiet: Quiet;

  /** @param client blots out of the service's own words what is secret in some resource */
  constructor(
    clock: Clock,
    private readonly client: Pick<Client, "conceal">,
  ) {
    this.quiet = new Quiet(clock, quietWindow);
  }

  /**
   * Notes what a resource of this run declares, so that no deletion takes it.
   * @param records asked for at once where values are secret, else when some other resource gives up a record.
   * @param by the resource, as messages name it: `Record "www"`.
   */
  declare(records: () => readonly DeclaredRecord[], sensitive: boolean, by?: string): void {
    if (sensitive) this.note(records(), sensitive, { as: "declared", by });
    else this.unread.push({ records, by });
    this.heard();
  }

  /** Notes digests of what the program's other resources declare, before the engine has asked about them. */
  declareBeside(digests: readonly string[]): void {
    for (const each of digests) this.digests.add(each);
  }

  /**
   * Notes what a resource says of its program: that everything is declared and known here, or that more may come. One that
   * cannot say it stands for others that come as late.
   */
  declaredAll(isWhole: boolean): void {
    this.isWhole = isWhole && this.isWhole !== false;
  }

  /** Whether it is proven that the program declares nothing that this process does not know. */
  get haveDeclaredAll(): boolean {
    return this.isWhole === true;
  }

  /** Notes who may declare records of these domains without this process knowing: then nothing there is nobody's. */
  leaveUndeclared(domains: readonly string[], names: string): void {
    for (const domain of domains) this.unsure.set(domain, names);
  }

  /** Notes what a resource's state holds: it may not be declared any more, but it is no stranger. */
  hold(records: readonly DeclaredRecord[], sensitive: boolean): void {
    this.note(records, sensitive, { as: "held", by: undefined });
    this.heard();
  }

  private note(records: readonly DeclaredRecord[], sensitive: boolean, said: Said): void {
    for (const record of records) {
      const key = recordKey(record);
      if (said.as === "declared" || !this.records.has(key)) this.records.set(key, said);
      if (sensitive) this.secrets.add(key);
    }
    this.conceal(records, sensitive);
  }

  /** Notes records; where their values are secret, no text of the service is shown with them from now on. */
  conceal(records: readonly DnsRecord[], sensitive: boolean): void {
    if (sensitive) this.client.conceal(records.map(({ value }) => value));
  }

  /** Notes the records that a resource answers for: no other takes them for nobody's, and who made them is known. */
  claim(records: readonly DnsRecord[], { owned, leftOver }: Ledger): void {
    const note = ({ domain, id }: Placed, made: boolean): void => {
      this.answeredFor.set(placed({ domain, id }), { made: made || this.isMade(domain, id) });
    };
    for (const record of owned.size === 0 ? [] : records) {
      const known = owned.get(digest(recordKey(record)));
      if (known !== undefined) note({ domain: record.domain, id: known.id }, known.made);
    }
    for (const each of leftOver) note(each, each.made);
  }

  /** Whether this stack made a record, as far as any resource's ledger has told in this run. */
  isMade(domain: string, id: string): boolean {
    return this.answeredFor.get(placed({ domain, id }))?.made === true;
  }

  /** Of records that a refresh found to be nobody's, those that no resource has taken on yet; they are taken on by this. */
  takeOn<T extends Placed>(found: readonly T[]): T[] {
    const free = this.free(found);
    for (const record of free) this.answeredFor.set(placed(record), { made: false });
    return free;
  }

  /** Of records that a refresh found to be nobody's, those that are so still. */
  free<T extends Placed>(found: readonly T[]): T[] {
    return found.filter((record) => !this.unsure.has(record.domain) && !this.answeredFor.has(placed(record)));
  }

  /** Notes that a resource has been asked for, of which more may come. */
  heard(): void {
    this.quiet.heard();
  }

  /** Waits until no resource has declared anything for a moment: what one drops, another may be about to declare. */
  settled(): Promise<void> {
    return this.quiet.comes();
  }

  /** Whether some resource of this run declares the record with this key. */
  isDeclared(key: string): boolean {
    return this.said(key)?.as === "declared" || (this.digests.size > 0 && this.digests.has(digest(key)));
  }

  /** Who declares these records, in words: `Record "www"`, or no name where none is known yet. */
  takers(keys: readonly string[]): string {
    const names = new Set(keys.map((key) => this.said(key)?.by ?? "another resource of this program"));
    return listed([...names], 3);
  }

  /** Whether any resource of this run declares a record. */
  get declareAny(): boolean {
    this.read();
    return this.digests.size > 0 || [...this.records.values()].some(({ as }) => as === "declared");
  }

  /** Whether no resource that has spoken yet declares, holds or answers for a live record. */
  isNobodys({ key, id, record: { domain } }: LiveEntry): boolean {
    return !this.isDeclared(key) && this.said(key) === undefined && !this.answeredFor.has(placed({ domain, id }));
  }

  /** The resources that may declare more in this domain, in words; undefined where there are none. */
  unsureOf(domain: string): string | undefined {
    return this.unsure.get(domain);
  }

  /** How a resource's messages may speak: of its own records, and of others'. */
  wording({ sensitive, removalSetBy, may }: Declaration): Wording {
    const isKnown = (key: string): boolean => this.said(key) !== undefined;
    return { how: { removalSetBy, change: may.change, full: may.remove, unproven: may.unproven === true }, sensitive, secrets: this.secrets, isKnown };
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
