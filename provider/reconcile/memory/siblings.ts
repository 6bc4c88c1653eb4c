/**
 * What the resources of one run have said of themselves: what each declares, holds and answers for. So that no deletion
 * takes what another resource still declares, no live record counts as nobody's while some resource knows it, and no
 * message shows another resource's secret.
 */
import type { Client } from "../../api";
import type { Clock } from "../../clock";
import { digest, recordKey, type DeclaredRecord, type DnsRecord } from "../../dns";
import type { Declaration } from "../declaration";
import type { Wording } from "../messages";
import type { LiveEntry } from "../zones/zone";
import type { Ledger } from "./ledger";

/** Milliseconds without a word from any resource after which a sibling will hardly declare what another has just dropped. */
const quietWindow = 500;

export class Siblings {
  /** Keys of every record that this run declares, whichever resource it is in. */
  private readonly declared = new Set<string>();
  private readonly declaredDigests = new Set<string>();
  /** Of resources that have declared what nobody has asked for yet. */
  private readonly unread: (() => readonly DeclaredRecord[])[] = [];
  /** Keys whose value is secret in some resource: no message of another may show it. */
  private readonly secrets = new Set<string>();
  /** Keys of every record that the state holds, as far as this run has read it: not declared, but not strange either. */
  private readonly stated = new Set<string>();
  /** Records that some resource answers for, whatever they have become; a domain and an id each. */
  private readonly answeredFor = new Set<string>();
  /** Of them, those that this stack made. */
  private readonly made = new Set<string>();
  /** By domain, resources that may declare more there than this process knows. */
  private readonly unsure = new Map<string, string>();
  private lastHeard = 0;
  /** Whether the program has declared everything, as its resources say; undefined before the first has spoken. */
  private isWhole: boolean | undefined;

  /** @param client blots out of the service's own words what is secret in some resource */
  constructor(
    private readonly clock: Clock,
    private readonly client: Pick<Client, "conceal">,
  ) {}

  /**
   * Notes what a resource of this run declares, so that no deletion takes it.
   * @param records asked for at once where values are secret, else when some other resource gives up a record.
   */
  declare(records: () => readonly DeclaredRecord[], sensitive: boolean): void {
    if (sensitive) this.note(records(), sensitive, this.declared);
    else this.unread.push(records);
    this.heard();
  }

  /** Takes down what was declared since it was last asked for. */
  private read(): void {
    for (const records of this.unread.splice(0)) for (const record of records()) this.declared.add(recordKey(record));
  }

  /** Notes digests of what the program's other resources declare, before the engine has asked about them. */
  declareBeside(digests: readonly string[]): void {
    for (const each of digests) this.declaredDigests.add(each);
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
    this.note(records, sensitive, this.stated);
  }

  private note(records: readonly DeclaredRecord[], sensitive: boolean, keys: Set<string>): void {
    for (const record of records) {
      const key = recordKey(record);
      keys.add(key);
      if (sensitive) this.secrets.add(key);
    }
    this.conceal(records, sensitive);
    this.heard();
  }

  /** Notes records; where their values are secret, no text of the service is shown with them from now on. */
  conceal(records: readonly DnsRecord[], sensitive: boolean): void {
    if (sensitive) this.client.conceal(records.map(({ value }) => value));
  }

  /** Notes the records that a resource answers for: no other takes them for nobody's, and who made them is known. */
  claim(records: readonly DnsRecord[], { owned, leftOver }: Ledger): void {
    const note = (domain: string, id: string, made: boolean): void => {
      this.answeredFor.add(`${domain} ${id}`);
      if (made) this.made.add(`${domain} ${id}`);
    };
    for (const record of owned.size === 0 ? [] : records) {
      const known = owned.get(digest(recordKey(record)));
      if (known !== undefined) note(record.domain, known.id, known.made);
    }
    for (const { domain, id, made } of leftOver) note(domain, id, made);
  }

  /** Whether this stack made a record, as far as any resource's ledger has told in this run. */
  isMade(domain: string, id: string): boolean {
    return this.made.has(`${domain} ${id}`);
  }

  /** Of records that a refresh found to be nobody's, those that no resource has taken on yet; they are taken on by this. */
  takeOn<T extends { readonly domain: string; readonly id: string }>(found: readonly T[]): T[] {
    const free = this.free(found);
    for (const { domain, id } of free) this.answeredFor.add(`${domain} ${id}`);
    return free;
  }

  /** Of records that a refresh found to be nobody's, those that are so still. */
  free<T extends { readonly domain: string; readonly id: string }>(found: readonly T[]): T[] {
    return found.filter(({ domain, id }) => this.isSure(domain) && !this.isAnsweredFor(domain, id));
  }

  /** Notes that a resource has been asked for, of which more may come. */
  heard(): void {
    this.lastHeard = this.clock.now();
  }

  /** Waits until no resource has declared anything for a moment: what one drops, another may be about to declare. */
  async settled(): Promise<void> {
    while (this.clock.now() - this.lastHeard < quietWindow) await this.clock.sleep(quietWindow - (this.clock.now() - this.lastHeard));
  }

  /** Whether some resource of this run declares the record with this key. */
  isDeclared(key: string): boolean {
    this.read();
    return this.declared.has(key) || (this.declaredDigests.size > 0 && this.declaredDigests.has(digest(key)));
  }

  /** Whether any resource of this run declares a record. */
  get declareAny(): boolean {
    this.read();
    return this.declared.size > 0 || this.declaredDigests.size > 0;
  }

  isAnsweredFor(domain: string, id: string): boolean {
    return this.answeredFor.has(`${domain} ${id}`);
  }

  /** Whether no resource that has spoken yet declares, holds or answers for a live record. */
  isNobodys({ key, id, record }: LiveEntry): boolean {
    return !this.isDeclared(key) && !this.stated.has(key) && !this.isAnsweredFor(record.domain, id);
  }

  /** Whether it is certain that a record of this domain which nobody here declares is nobody's. */
  isSure(domain: string): boolean {
    return !this.unsure.has(domain);
  }

  /** The resources that may declare more in this domain, in words; undefined where there are none. */
  unsureOf(domain: string): string | undefined {
    return this.unsure.get(domain);
  }

  /** How a resource's messages may speak: of its own records, and of others'. */
  wording({ sensitive, removalSetBy, may }: Declaration): Wording {
    const isKnown = (key: string): boolean => (this.read(), this.declared.has(key)) || this.stated.has(key);
    return { sensitive, removalSetBy, secrets: this.secrets, isKnown, change: may.change, full: may.remove, unproven: may.unproven === true };
  }
}
