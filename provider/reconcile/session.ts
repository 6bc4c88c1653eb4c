/** The common parts of the four operations of one run. */
import { Stamps } from "../support/clock";
import type { DeclaredRecord } from "../dns";
import type { Reason } from "../problems";
import { Refusal } from "../problems/refusal";
import type { Declaration } from "./declaration";
import { withTimes, type Ledger } from "./memory/ledger";
import { Gates } from "./plan/gates";
import type { Task } from "./plan/task";
import type { Run } from "./run";
import { settleEarlier, type Patience, type Settled } from "./settle/earlier";
import type { Aside } from "./settle/gone-domains";
import { withWayOut } from "./settle/read-zones";
import { Writer } from "./write/writer";
import type { LiveEntry } from "./zones/zone";

export class Session {
  readonly gates: Gates;
  readonly writer: Writer;

  constructor(
    readonly run: Run,
    private readonly stamps: Stamps,
    private readonly programRan?: () => Promise<boolean>,
  ) {
    this.gates = new Gates(run.settings, run.siblings);
    this.writer = new Writer(run);
  }

  /** Works without the domains that have left the account. */
  beside<T>(
    task: Task,
    work: (rest: Task) => Promise<T>,
    command: "up" | "delete" = "up",
  ): Promise<{ result: T; aside: Aside }> {
    const declaration = command === "up" ? task.declaration : { ...task.declaration, records: [] };
    return withWayOut(declaration, command, () => this.run.gone.beside(task, work));
  }

  /** An update runs a program, even an empty one. */
  async isDestroy(): Promise<boolean> {
    return !this.run.siblings.declaresAny && (await this.programRan?.()) !== true;
  }

  /** @returns the ledger with times of this process's clock */
  hear({ records, sensitive }: Declaration, before: readonly DeclaredRecord[], ledger: Ledger): Ledger {
    if (sensitive) this.run.siblings.conceal(records, before);
    this.run.siblings.claim([...records, ...before], ledger);
    this.run.zones.expect(records);
    return withTimes(ledger, (at) => this.stamps.read(at));
  }

  stored(ledger: Ledger): Ledger {
    return withTimes(ledger, (at) => this.stamps.stored(at));
  }

  settle(task: Task, patience: Patience): Promise<Settled> {
    const { declaration, before, ledger } = task;
    return this.settleHeard({ ...task, ledger: this.hear(declaration, before, ledger) }, patience);
  }

  async settleHeard({ declaration, before, ledger }: Task, patience: Patience): Promise<Settled> {
    const records = [...declaration.records, ...before];
    const wording = this.run.siblings.wording(declaration);
    const settled = await settleEarlier(this.run, ledger, records, wording, patience);
    this.run.siblings.claim(records, settled.ledger);
    return settled;
  }

  /** By this process's resources, or by another provider's. */
  isAnothers(): (live: LiveEntry) => boolean {
    // The journal's files are read only for plans that release records.
    let isTaken: ((live: LiveEntry) => boolean) | undefined;
    return (live) =>
      this.run.siblings.isDeclared(live.key) || (isTaken ??= this.run.journal.claims.takenBeside())(live);
  }
}

export function refuse(reasons: readonly Reason[]): void {
  if (reasons.length > 0) throw new Refusal(reasons);
}
