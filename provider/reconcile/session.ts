/** The common parts of the four operations of one run. */
import { PurviewReader, type Client } from "../api";
import { QuietPeriod, Stamps, type Clock } from "../support/clock";
import { union } from "../support/collections";
import type { DeclaredRecord } from "../dns";
import type { Reason } from "../problems";
import { Refusal } from "../problems/refusal";
import type { Reporter } from "../support/reporter";
import type { Settings } from "../settings";
import { Neighbours } from "./account/neighbours";
import { Allowance } from "./checks/allowance";
import { Gates } from "./checks/gates";
import type { Declaration } from "./declaration";
import { createdAmong } from "./memory/created";
import { Journal } from "./memory/journal";
import { withTimes, type Ledger } from "./memory/ledger";
import { newSiblings, type Siblings } from "./memory/siblings/siblings";
import { isAsDeclared, planTask, type Task, type TaskPlan } from "./plan/plan";
import type { Run } from "./run";
import { settleOwn, type Patience } from "./settle/open-writes";
import { Writer } from "./write/writer";
import { ZoneReader } from "./zones/reader";
import { liveAs, type LiveEntry, type Zones } from "./zones/zone";
import { wordingOf } from "./wording";

/** Milliseconds. By then all concurrent deletions of the engine have arrived. */
const releaseWindow = 200;

export interface ReconcilerParts {
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

export class Session {
  readonly siblings: Siblings;
  readonly zones: ZoneReader;
  readonly journal: Journal;
  readonly run: Run;
  readonly gates: Gates;
  readonly writer: Writer;
  readonly deletions: QuietPeriod;
  /** By `refOf`: live records that a preview would delete or change. A resource that is checked later may declare them. */
  readonly leaving = new Set<string>();
  hasUpdated = false;
  /** Domains that a refresh has reported as gone. */
  private readonly gone = new Set<string>();
  private readonly stamps: Stamps;
  private readonly programRan: (() => Promise<boolean>) | undefined;

  constructor({ client, clock, engine, programRan, project, reporter, settings }: ReconcilerParts) {
    this.stamps = new Stamps(clock);
    this.programRan = programRan;
    this.siblings = newSiblings(clock);
    this.journal = new Journal(settings, clock, reporter, project, this.stamps, engine);
    this.zones = new ZoneReader(client, settings, clock, (...listing) => this.journal.noteAbsent(...listing));
    this.run = {
      client,
      clock,
      reporter,
      settings,
      siblings: this.siblings,
      zones: this.zones,
      journal: this.journal,
      neighbours: new Neighbours(this.siblings, reporter),
      allowance: new Allowance(new PurviewReader(client, settings), settings),
      refusals: new Set(),
      polls: new Map(),
    };
    this.gates = new Gates(settings, this.siblings.declared);
    this.writer = new Writer(this.run);
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
    this.gates.obey(declaration.gates, declaration.urn ?? ledger.urn);
    if (sensitive) this.siblings.secrets.add(records, before);
    this.siblings.owned.add(union(records, before), ledger);
    this.zones.expect(records);
    return withTimes(ledger, (at) => this.stamps.read(at));
  }

  stored(ledger: Ledger): Ledger {
    return withTimes(ledger, (at) => this.stamps.stored(at));
  }

  async settle(task: Task, patience: Patience): Promise<Ledger> {
    const { before, declaration } = task;
    const settled = await settleOwn(this.run, task, wordingOf(this.siblings, declaration), patience);
    this.siblings.owned.add([...declaration.records, ...before], settled);
    return settled;
  }

  /** By this process's resources, or by another provider's. */
  isOwnedElsewhere(): (live: LiveEntry) => boolean {
    // The journal's files are read only for plans that release records.
    let isTakenOver: ((live: LiveEntry) => boolean) | undefined;
    return (live) => this.siblings.declared.has(live.key) || (isTakenOver ??= this.journal.takenOver())(live);
  }
}

export function planOf(
  session: Session,
  { task, zones }: { readonly task: Task; readonly zones: Zones },
): TaskPlan {
  const { adopt, records } = task.declaration;
  // Only a record that must not be adopted asks for its creator. A killed run sent it as it is declared.
  const live = records.flatMap((record) =>
    adopt ? [] : liveAs([record], zones).filter((each) => isAsDeclared(record, each)),
  );
  return planTask(task, zones, session.isOwnedElsewhere(), createdAmong(session.run, live));
}

export function refuse(reasons: readonly Reason[]): void {
  if (reasons.length > 0) throw new Refusal(reasons);
}
