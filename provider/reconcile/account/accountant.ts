/**
 * Ends an update: it enters each write into the books, tells what leaves the resource and stays, and makes the ledger. It
 * writes nothing.
 */
import { recordKey, type DeclaredRecord } from "../../dns";
import type { Allowance } from "../allowance";
import type { Lines } from "../lines";
import type { Ledger } from "../memory/ledger";
import type { Siblings } from "../memory/siblings";
import { duplicateReasons, leftOverReason, liveText, livesText } from "../wording";
import type { Task, TaskPlan } from "../plan/ours";
import type { Plan } from "../plan/plan";
import { textOf } from "../../problems";
import type { Run } from "../run";
import { count } from "../../words";
import type { Result } from "../write/result";
import type { Done } from "../write/writer";
import type { LiveEntry, Zones } from "../zones/zone";
import { Books, type Written } from "./books";
import { handOver, makers, retain, tellKept, unlisted } from "./departures";
import { tellOtherStrangers } from "./strangers";

interface AccountParts extends Run {
  readonly allowance: Allowance;
  readonly lines: Lines;
}

export interface Update {
  readonly task: Task;
  readonly plan: TaskPlan;
  readonly zones: Zones;
  /** With earlier jobs settled. */
  readonly ledger: Ledger;
}

export class Accountant {
  constructor(private readonly parts: AccountParts) {}

  /** Opens the books before anything is written: later nobody may know who made what is live. */
  async open({ task: { declaration, known }, plan, ledger }: Update): Promise<Books> {
    const { clock, settings, siblings } = this.parts;
    const isMade = await makers(this.parts, [...plan.present, ...plan.changes].map(({ live }) => live), plan.adopted.length > 0);
    const oldest = (): number => clock.now() / 1000 - settings.indexDelay;
    return new Books({ wording: siblings.wording(declaration), hasSecrets: declaration.sensitive, adopt: declaration.adopt, ours: plan.ours, isMade, known, oldest }, plan, ledger);
  }

  /** Enters what was done and says what must be said. @returns the new ledger */
  async close(books: Books, update: Update, done: Done): Promise<Ledger> {
    const { reporter, settings, siblings } = this.parts;
    const { before, declaration, known } = update.task;
    const wording = siblings.wording(declaration);
    await this.enter(books, update.plan, done.results);
    for (const each of duplicateReasons(books.duplicates, wording)) reporter.warn(textOf(each));
    await tellOtherStrangers(this.parts, declaration, [...known.undeclared, ...books.leftOver]);
    if (declaration.removal === "retain") {
      await retain(this.parts, declaration, update.ledger, unlisted(before, declaration.records, known, update.zones, settings.indexDelay));
    }
    tellKept(this.parts, update.plan.kept, wording);
    this.handOver(books, update, done);
    await this.tellLeftOver(books, update);
    const ledger = books.ledger((since) => this.isYoung(since));
    siblings.claim(declaration.records, ledger);
    return ledger;
  }

  private async enter(books: Books, plan: Plan, results: readonly Result[]): Promise<void> {
    const writes: readonly Written[] = [...plan.changes, ...plan.create.map((record) => ({ record }))];
    const reread = await this.rereadRefused(plan.create, results.slice(plan.changes.length));
    const entries = await Promise.all(
      writes.map(async (write, i) => {
        const zone = reread.get(write.record.domain);
        const result = results[i];
        return { write, zone, result: zone && result?.kind === "refused" ? await this.parts.lines.explained(result, write.record, zone) : result };
      }),
    );
    for (const { write, result, zone } of entries) if (result) books.enter(write, result, zone);
    books.sumUp();
  }

  /** Reads the zones of refused records once more: a refused record may be there. */
  private async rereadRefused(records: readonly DeclaredRecord[], results: readonly Result[]): Promise<Zones> {
    const { allowance, clock, zones } = this.parts;
    const domains = new Set(records.filter((_, i) => results[i]?.kind === "refused").map((record) => record.domain));
    if (domains.size === 0) return new Map();
    // The limits that are kept may be stale.
    for (const domain of domains) allowance.forget(domain);
    try {
      return await zones.getAll(domains, clock.now());
    } catch {
      // The refusals are what the user must hear.
      return new Map();
    }
  }

  private handOver(books: Books, { task: { declaration }, plan }: Update, { removals }: Done): void {
    const { reporter, siblings } = this.parts;
    const handedOver = [...plan.released, ...books.enterRemovals(removals)];
    if (handedOver.length === 0) return;
    handOver(this.parts, handedOver);
    const wording = siblings.wording(declaration);
    reporter.info(`${count(handedOver.length, "record")} taken over by ${siblings.takers(handedOver.map(({ key }) => key))}: ${livesText(handedOver, wording, 3)}`);
  }

  /** What is left over: let go of under `retain`, else a failure. */
  private async tellLeftOver(books: Books, { task: { declaration }, plan }: Update): Promise<void> {
    const { leftOver } = plan;
    if (leftOver.length === 0) return;
    const { retained, siblings } = this.parts;
    const wording = siblings.wording(declaration);
    if (declaration.removal === "retain") {
      await retained.tell(leftOver.map((entry) => liveText(entry, wording)), "no longer declared, left in the zone (removal: retain)");
      return;
    }
    books.leaveOver(leftOver);
    const others = besideObstacles(plan);
    if (others.length > 0) books.failures.push(leftOverReason(others, wording, "live.left-over", "up", declaration.records));
  }

  private isYoung(since: number): boolean {
    const { clock, settings } = this.parts;
    return settings.indexDelay > 0 && clock.now() - since * 1000 < settings.indexDelay * 1000;
  }
}

/** What is left over, without what blocks a declared record: the obstacle names that. */
export function besideObstacles({ leftOver, obstacles }: Plan): LiveEntry[] {
  const inTheWay = new Set(obstacles.flatMap(({ live }) => live));
  return leftOver.filter((entry) => !inTheWay.has(entry));
}

/** Whether a sibling has declared a record since the plan was made. */
export function takenSince(records: readonly DeclaredRecord[], siblings: Siblings): (live: LiveEntry) => boolean {
  const own = new Set(records.map((record) => recordKey(record)));
  return ({ key }) => !own.has(key) && siblings.isDeclared(key);
}
