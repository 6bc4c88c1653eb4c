/** What the operations of one run have in common. */
import { PurviewReader, type Client } from "../api";
import { QuietPeriod, Stamps, type Clock } from "../support/clock";
import { union } from "../support/collections";
import type { DeclaredRecord } from "../dns";
import type { Reporter } from "../support/reporter";
import type { Settings } from "../settings";
import { Neighbours } from "./account/neighbours";
import { Allowance } from "./checks/allowance";
import { Gates } from "./checks/gates";
import type { Declaration } from "./declaration";
import { Journal } from "./memory/journal";
import { withTimes, type Ledger } from "./memory/ledger";
import { newSiblings, type Siblings } from "./memory/siblings/siblings";
import type { JobEnd } from "./write/job";
import { Writer } from "./write/writer";
import { ZoneReader } from "./zones/reader";
import type { LiveEntry } from "./zones/zone";

/** Milliseconds. By then all concurrent deletions of the engine have arrived. */
const releaseWindow = 200;

export interface RunParts {
  readonly client: Client;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly reporter: Reporter;
  /** A destroy has no program. */
  readonly programRan?: () => Promise<boolean>;
  readonly project?: string;
  /** The engine's address, which the processes of one update have in common. */
  readonly engine?: string;
}

export class Run {
  readonly client: Client;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly reporter: Reporter;
  readonly zones: ZoneReader;
  readonly journal: Journal;
  readonly siblings: Siblings;
  readonly neighbours: Neighbours;
  readonly allowance: Allowance;
  readonly gates: Gates;
  readonly writer: Writer;
  readonly deletions: QuietPeriod;
  /** Operations with undocumented codes that a reading has proved to be refusals. */
  readonly refusals = new Set<string>();
  /** Job and wait → the poll that is under way. */
  readonly polls = new Map<string, Promise<JobEnd>>();
  /** By `refOf`: live records that a preview would delete or change. A resource that is checked later may declare them. */
  readonly leaving = new Set<string>();
  hasUpdated = false;
  /** Domains that a refresh has reported as gone. */
  private readonly gone = new Set<string>();
  private readonly stamps: Stamps;
  private readonly programRan: (() => Promise<boolean>) | undefined;

  constructor({ client, clock, engine, programRan, project, reporter, settings }: RunParts) {
    this.client = client;
    this.settings = settings;
    this.clock = clock;
    this.reporter = reporter;
    this.programRan = programRan;
    this.stamps = new Stamps(clock);
    this.siblings = newSiblings(clock);
    this.journal = new Journal(settings, clock, reporter, project, this.stamps, engine);
    this.zones = new ZoneReader(client, settings, clock, (...listing) =>
      this.journal.created.noteAbsent(...listing),
    );
    this.neighbours = new Neighbours(this.siblings, reporter);
    this.allowance = new Allowance(new PurviewReader(client, settings), settings);
    this.gates = new Gates(settings, this.siblings.declared);
    this.writer = new Writer(this);
    this.deletions = new QuietPeriod(clock, releaseWindow);
  }

  /** After the engine has every answer. */
  close(): void {
    this.journal.close();
  }

  /** @returns true once for each domain */
  isNewlyGone(domain: string): boolean {
    return !this.gone.has(domain) && this.gone.add(domain).size > 0;
  }

  /** An update runs a program, even an empty one. */
  async isDestroy(): Promise<boolean> {
    return this.siblings.declared.isEmpty && (await this.programRan?.()) !== true;
  }

  /** @returns the ledger with times of this process's clock */
  register(declaration: Declaration, before: readonly DeclaredRecord[], ledger: Ledger): Ledger {
    const { records, sensitive } = declaration;
    this.gates.obey(declaration, declaration.urn ?? ledger.urn);
    if (sensitive) this.siblings.secrets.add(records, before);
    this.siblings.owned.add(union(records, before), ledger);
    this.zones.expect(records);
    return withTimes(ledger, (at) => this.stamps.read(at));
  }

  stored(ledger: Ledger): Ledger {
    return withTimes(ledger, (at) => this.stamps.stored(at));
  }

  /** By this process's resources, or by another provider's. */
  isOwnedElsewhere(): (live: LiveEntry) => boolean {
    // The journal's files are read only for plans that release records.
    let isTakenOver: ((live: LiveEntry) => boolean) | undefined;
    return (live) =>
      this.siblings.declared.has(live.key) || (isTakenOver ??= this.journal.handover.takenOver())(live);
  }

  /** By this stack: as another resource's ledger says, or the journal after a kill. */
  createdAmong(entries: readonly LiveEntry[]): (live: LiveEntry) => boolean {
    const ofJournal = this.journal.created.among(entries);
    return (live) => ofJournal.has(live) || this.siblings.owned.isCreated(live);
  }
}
