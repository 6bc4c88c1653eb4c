/**
 * The reconciler brings a declaration and the zones together: `preview` says what would happen, `apply` makes it so,
 * `observe` tells what is live, `release` lets go. Zones are read, records made, and nothing is ever sent twice.
 */
import { LegacyDnsError, LoginError, PurviewReader, ServiceError, type Client } from "../api";
import { Stamps, type Clock } from "../clock";
import { digest, recordKey, type DeclaredRecord } from "../dns";
import type { Reporter } from "../report";
import type { Settings } from "../settings";
import { withKnownLines } from "./account/advice";
import { Books, type Write } from "./account/books";
import { Departures, mostRetained } from "./account/departures";
import { asLeftOver, oursOf, unlisted, withFound, withoutGone } from "./account/holdings";
import { Allowance } from "./allowance";
import { createOnly, type Declaration } from "./declaration";
import { gather } from "./gather";
import { Journal } from "./memory/journal";
import { emptyLedger, isUnsettled, withTimes, type Ledger, type LeftOver } from "./memory/ledger";
import { Siblings } from "./memory/siblings";
import { adoptedMessage, duplicateNotes, keptMessage, leftOverMessage, liveText, obstacleMessage, recordsName, removalWay, strangerText, unprovenWhy, unremovedMessages } from "./messages";
import { Gates } from "./plan/gates";
import { planRecords, type Plan } from "./plan/plan";
import { Refusal } from "./refusal";
import { Settler } from "./settle/settler";
import { count, listed } from "./words";
import { explain, type Result } from "./write/result";
import { Writer } from "./write/writer";
import { ZoneReader } from "./zones/reader";
import type { LiveEntry, Zone } from "./zones/zone";

/** What an `up` would do. */
export interface Preview {
  /** What the program asks for and cannot have. */
  readonly refusals: readonly string[];
  /** What an `up` cannot repair, or will leave behind. */
  readonly warnings: readonly string[];
  readonly plan: Plan;
}

export interface Applied {
  readonly ledger: Ledger;
  /** Empty when everything declared is live and nothing else is left. */
  readonly failures: readonly string[];
  /** True when an earlier job is still at work: the declaration was not even looked at. */
  readonly untouched: boolean;
}

/** A declared record as read found it; `missing` ones are not live. */
export type Finding =
  | { readonly state: "as declared" | "disabled" | "other ttl"; readonly live: LiveEntry; readonly record: DeclaredRecord }
  | { readonly state: "missing"; readonly record: DeclaredRecord };

export interface Observed {
  readonly findings: readonly Finding[];
  /** Ours and live, but not as any record that is declared: changed in the console, or left over. */
  readonly strays: readonly LiveEntry[];
  /** Live, declared by nobody, and to be removed by the next update. */
  readonly undeclared: readonly LiveEntry[];
  /** As it was, or with pending jobs settled. */
  readonly ledger: Ledger;
}

export interface ReconcilerParts {
  readonly client: Client;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly reporter: Reporter;
  /** Whether this run has a program, even one that declares nothing: a destroy has none. */
  readonly programRan?: () => Promise<boolean>;
  /** The engine's project, where there is an engine. */
  readonly project?: string;
}

/** What one update plans from. */
interface Planned {
  readonly declaration: Declaration;
  /** What was declared when the ledger was written. */
  readonly before: readonly DeclaredRecord[];
  /** As the state holds it. */
  readonly ledger: Ledger;
  /** As it counts now. */
  readonly known: Ledger;
}

/** Milliseconds without a further deletion after which those that the engine asked for at once are all known. */
const releaseWindow = 200;

export class Reconciler {
  /** What this run's resources have said of themselves. */
  readonly siblings: Siblings;
  readonly zones: ZoneReader;
  readonly writer: Writer;
  private readonly gates: Gates;
  private lastReleased = 0;
  private readonly journal: Journal;
  readonly allowance: Allowance;
  private readonly settler: Settler;
  private readonly departures: Departures;
  private readonly stamps: Stamps;

  constructor(private readonly parts: ReconcilerParts) {
    this.siblings = new Siblings(parts.clock, parts.client);
    this.zones = new ZoneReader(parts.client, parts.settings, parts.clock);
    this.stamps = new Stamps(parts.clock);
    this.journal = new Journal(parts.settings, parts.clock, parts.reporter, parts.project, this.stamps);
    const own = { ...parts, zones: this.zones, journal: this.journal };
    this.gates = new Gates(parts.settings);
    this.allowance = new Allowance(new PurviewReader(parts.client, parts.settings), parts.settings);
    this.writer = new Writer(own, (plan, zones) => this.allowance.mustGoFirst(plan, zones));
    this.settler = new Settler(own);
    this.departures = new Departures({ ...own, siblings: this.siblings });
  }

  /** A ledger as it is stored, with its times as this process counts them. */
  private read(ledger: Ledger): Ledger {
    return withTimes(ledger, (at) => this.stamps.read(at));
  }

  /** The ledger as it is to be stored. */
  private stored(ledger: Ledger): Ledger {
    return withTimes(ledger, (at) => this.stamps.stored(at));
  }

  /** Ends well: nothing of this process is in doubt any more. */
  close(): void {
    this.journal.close();
  }

  /**
   * What an `up` would do: the plan that the run itself would make now.
   * @param before what was declared when the ledger was written
   * @param options `incomplete`: more will be declared than is known now, so nothing is said to be left over.
   */
  async preview(
    declaration: Declaration,
    before: readonly DeclaredRecord[] = [],
    ledger: Ledger = emptyLedger,
    { incomplete = false }: { readonly incomplete?: boolean } = {},
  ): Promise<Preview> {
    this.siblings.conceal([...declaration.records, ...before], declaration.sensitive);
    this.siblings.claim([...declaration.records, ...before], ledger);
    const current = this.read(ledger);
    const known = this.knownOf(declaration, current, this.siblings.free(current.undeclared));
    const zones = await withWayOut(declaration, "up", () => this.settler.read(recordsToRead(declaration, before), known));
    const plan = this.planOf({ declaration, before, ledger, known }, zones);
    const allowed = await this.allowance.check(declaration, plan, zones);
    const wording = this.siblings.wording(declaration);
    const leftOver = besideObstacles(plan);
    return {
      plan,
      refusals: [
        ...plan.obstacles.filter(({ drift }) => !drift).map((o) => obstacleMessage(o, wording)),
        ...allowed.refusals,
        ...this.gates.refusals(plan, zones),
      ],
      warnings: [
        ...allowed.warnings,
        ...plan.obstacles.filter(({ drift }) => drift).map((o) => obstacleMessage(o, wording)),
        ...duplicateNotes(plan.duplicates, wording),
        ...(leftOver.length > 0 && declaration.removal !== "retain" && !incomplete
          ? [`an up will end with an error until this is settled: ${leftOverMessage(leftOver, wording, "up", declaration.records)}`]
          : []),
      ],
    };
  }

  /** The ledger as a plan is made from it. @param undeclared of what a refresh found to be nobody's, what is so still */
  private knownOf({ removal }: Declaration, ledger: Ledger, undeclared: Ledger["undeclared"]): Ledger {
    return { ...ledger, undeclared, ...(removal === "retain" ? { leftOver: [] } : {}) };
  }

  /** The one place where a declaration and a ledger become a plan: so a preview and the run cannot differ. */
  private planOf({ declaration, before, ledger, known }: Planned, zones: ReadonlyMap<string, Zone>): Plan & { readonly ours: ReadonlySet<LiveEntry> } {
    const ttlBefore = new Map(before.map((record) => [recordKey(record), record.ttl]));
    // What a refresh found gone was declared until then, and still is.
    const gone = new Set(ledger.gone);
    const ours = oursOf(known, [...declaration.records, ...before], zones, declaration.report);
    const plan = planRecords({
      desired: declaration.records,
      zones,
      ours,
      declaredBefore: (record) => ttlBefore.get(recordKey(record)) === record.ttl || (gone.size > 0 && gone.has(digest(recordKey(record)))),
      declaredElsewhere: (key) => this.siblings.isDeclared(key),
      adopt: declaration.adopt,
      may: declaration.may,
    });
    return { ...plan, ours };
  }

  /**
   * Makes the declaration live.
   * @param before what was declared when the ledger was written.
   * @throws Refusal before any write, when the program asks for what cannot be done; LegacyDnsError when the zones
   * cannot be read. What goes wrong later is in `failures`, with the ledger of what was done.
   */
  async apply(declaration: Declaration, before: readonly DeclaredRecord[], ledger: Ledger): Promise<Applied> {
    const { clock, reporter, settings } = this.parts;
    const wording = this.siblings.wording(declaration);
    this.siblings.conceal([...declaration.records, ...before], declaration.sensitive);
    this.siblings.claim([...declaration.records, ...before], ledger);
    const settled = await this.settler.settle(this.read(ledger), [...declaration.records, ...before], wording);
    if (settled.stillOpen.length > 0) return { ledger: this.stored(settled.ledger), failures: settled.stillOpen, untouched: true };
    this.siblings.claim([...declaration.records, ...before], settled.ledger);
    const all = recordsToRead(declaration, before);
    const retain = declaration.removal === "retain";
    const known = this.knownOf(declaration, settled.ledger, this.siblings.takeOn(settled.ledger.undeclared));
    const planned = { declaration, before, ledger, known };
    let zones = await withWayOut(declaration, "up", () => this.settler.read(all, known));
    let plan = this.planOf(planned, zones);
    const refused = plan.obstacles.filter((obstacle) => !obstacle.drift);
    if (refused.length > 0) throw new Refusal(refused.map((obstacle) => obstacleMessage(obstacle, wording)));
    // What is taken over may be about to go or to become another, in another process or in this one.
    const takenOver = (): LiveEntry[] => [...plan.adopted, ...plan.changes].map(({ live }) => live).filter((live) => !plan.ours.has(live));
    while ((await this.settler.awaitOthers(plan, zones)) || (await this.writer.ended(takenOver()))) {
      zones = await this.settler.read(all, known);
      plan = this.planOf(planned, zones);
    }
    if (plan.leftOver.length > 0 || plan.removals.length > 0 || plan.changes.some(({ kind }) => kind === "data")) {
      await this.siblings.settled();
      plan = this.planOf(planned, zones);
    }
    const unasked = this.gates.refusals(plan, zones);
    if (unasked.length > 0) throw new Refusal(unasked);

    const isMade = await this.departures.makers([...plan.present, ...plan.changes].map(({ live }) => live), plan.adopted.length > 0);
    const keep = (entries: readonly LiveEntry[]): LeftOver[] => asLeftOver(entries, known, clock.now() / 1000 - settings.indexDelay, isMade);
    const books = new Books({ wording, adopt: declaration.adopt, ours: plan.ours, isMade, asLeftOver: keep }, plan, settled.ledger);
    const { results: outcomes, removals } = await this.writer.carryOut(plan, zones, this.takenSince(declaration));
    const writes: readonly Write[] = [...plan.changes, ...plan.create.map((record) => ({ record }))];
    const reread = await this.rereadRefused(plan.create, outcomes.slice(plan.changes.length));
    const advised = await withKnownLines(this.parts.client, writes.map(({ record }) => record), outcomes, reread, settings.defaultLine);
    for (const [i, write] of writes.entries()) {
      const outcome = advised[i];
      if (outcome) books.enter(write, outcome, reread.get(write.record.domain));
    }
    books.sumUp();
    for (const note of duplicateNotes(books.duplicates, wording)) reporter.warn(note);
    const found = new Set([...known.undeclared, ...books.leftOver].map(({ domain, id }) => `${domain} ${id}`));
    await this.reportStrangers(declaration, found);
    if (retain) await this.departures.retain(declaration, settled.ledger, unlisted(before, declaration.records, known, zones, settings.indexDelay * 1000));
    if (plan.kept.length > 0) reporter.info(keptMessage(plan.kept, wording));
    const handedOver = [...plan.released, ...books.enterRemovals(removals)];
    if (handedOver.length > 0) {
      this.departures.handOver(handedOver.map(({ record, key, id }) => ({ domain: record.domain, key, id })));
      reporter.info(`${count(handedOver.length, "record")} handed over to another resource of this program: ${listed(handedOver.map((entry) => liveText(entry, wording)), 3)}`);
    }
    if (plan.leftOver.length > 0) {
      if (retain) {
        reporter.warn(`${count(plan.leftOver.length, "record")} no longer declared stay in the zone (removal: retain): ${listed(plan.leftOver.map((entry) => liveText(entry, wording)), mostRetained)}${this.departures.seeAll(plan.leftOver.map(({ record }) => record))}`);
      } else {
        books.leftOver.push(...keep(plan.leftOver));
        const others = besideObstacles(plan);
        if (others.length > 0) books.failures.push(leftOverMessage(others, wording, "up", declaration.records));
      }
    }
    const done = books.ledger((since) => this.isYoung(since));
    this.siblings.claim(declaration.records, done);
    return { ledger: this.stored(done), failures: books.failures, untouched: false };
  }

  /** What is live of a declaration; jobs that were pending are waited for first. */
  async observe(declaration: Declaration, ledger: Ledger): Promise<Observed> {
    const wording = this.siblings.wording(declaration);
    this.siblings.conceal(declaration.records, declaration.sensitive);
    this.siblings.claim(declaration.records, ledger);
    this.siblings.heard();
    const settled = await this.settler.settle(this.read(ledger), declaration.records, wording);
    if (settled.stillOpen.length > 0) throw new Refusal(settled.stillOpen);
    const zones = await this.settler.read(declaration.records, settled.ledger);
    const ours = oursOf(settled.ledger, declaration.records, zones);
    const plan = planRecords({
      desired: declaration.records,
      zones,
      ours,
      declaredBefore: () => true,
      declaredElsewhere: () => false,
      adopt: true,
      may: createOnly,
    });
    for (const note of duplicateNotes(plan.duplicates, wording)) this.parts.reporter.warn(note);
    this.siblings.hold(declaration.records, declaration.sensitive);
    const undeclared = await this.undeclared(declaration);
    const removes = declaration.report?.remove === true;
    this.reportUndeclared(undeclared, declaration, () => (removes ? ". The next `pulumi up` removes them, unless a resource of the program may declare them" : ""));
    const findings: Finding[] = [
      ...plan.present.map(({ record, live }): Finding => ({ state: "as declared", record, live })),
      ...plan.create.map((record): Finding => ({ state: "missing", record })),
      ...plan.obstacles.map(({ kind, record, live }): Finding => {
        if (kind === "disabled") return { state: "disabled", record, live: live[0] };
        if (kind === "ttl") return { state: "other ttl", record, live: live[0] };
        return { state: "missing", record };
      }),
    ];
    const isKnown = (key: string, id: string): boolean => settled.ledger.owned.get(digest(key))?.id === id;
    const found = findings.flatMap((each) => (each.state === "as declared" && !isKnown(each.live.key, each.live.id) ? [each] : []));
    const strange = declaration.adopt ? [] : found.filter(({ live }) => !ours.has(live));
    for (const { record, live } of strange) {
      this.parts.reporter.warn(obstacleMessage({ kind: "exists", record, live: [live], drift: true }, wording));
    }
    const entered = found.filter((each) => !strange.includes(each));
    const known = withFound(withoutGone(settled.ledger, zones), entered, zones, await this.departures.makers(entered.map(({ live }) => live), false));
    const going = removes ? undeclared : [];
    const same = going.length === known.undeclared.length && going.every(({ id }, i) => known.undeclared[i]?.id === id);
    const noted = same ? known : { ...known, undeclared: going.map(({ id, record }) => ({ domain: record.domain, id })) };
    return { findings, strays: plan.leftOver, undeclared: going, ledger: this.stored(noted) };
  }

  /**
   * Lets go of everything a resource answers for. A destroy takes what the stack made, and leaves what it adopted.
   * @throws Refusal naming what is still live and cannot be removed; then nothing has changed.
   */
  async release(declaration: Declaration, ledger: Ledger): Promise<void> {
    const { reporter } = this.parts;
    const wording = this.siblings.wording(declaration);
    this.siblings.conceal(declaration.records, declaration.sensitive);
    this.siblings.claim(declaration.records, ledger);
    const kept = declaration.records.filter((record) => this.siblings.isDeclared(recordKey(record)));
    if (kept.length > 0) {
      this.departures.handOver(kept.map((record) => ({ domain: record.domain, key: recordKey(record), id: ledger.owned.get(digest(recordKey(record)))?.id })));
      reporter.info(`${recordsName(kept, wording)}: declared by another resource of this program, which takes over`);
    }
    const own = declaration.records.filter((record) => !this.siblings.isDeclared(recordKey(record)));
    if (own.length === 0 && ledger.leftOver.length === 0 && !isUnsettled(ledger)) return;
    if (declaration.removal === "retain") {
      return this.departures.retain(declaration, ledger, own);
    }
    const settled = await this.settler.settle(this.read(ledger), declaration.records, wording);
    if (settled.stillOpen.length > 0) throw new Refusal(settled.stillOpen);
    this.siblings.claim(declaration.records, settled.ledger);
    const none = { ...declaration, records: [] };
    const zones = await withWayOut(none, "delete", () => this.settler.read(declaration.records, settled.ledger));
    const isDestroy = !(await this.isUpdate());
    const all = oursOf(settled.ledger, declaration.records, zones);
    const isMade = await this.departures.makers(isDestroy ? [...all] : [], false);
    // The service's own go with neither; they are let go of.
    const ours = isDestroy ? new Set([...all].filter((live) => live.hold || isMade(live))) : all;
    const adopted = [...all].filter((live) => !ours.has(live));
    const plan = planRecords({ desired: [], zones, ours, declaredBefore: () => true, declaredElsewhere: (key) => this.siblings.isDeclared(key), adopt: true, may: declaration.may });
    for (const note of duplicateNotes(plan.duplicates, wording)) reporter.warn(note);
    if (plan.kept.length > 0) reporter.info(keptMessage(plan.kept, wording));
    await this.removeAll(plan, zones, declaration, isDestroy);
    if (plan.leftOver.length > 0) throw new Refusal([leftOverMessage(plan.leftOver, wording, "delete")]);
    if (adopted.length > 0) reporter.warn(`${adoptedMessage(adopted, wording, mostRetained)}${this.departures.seeAll(adopted.map(({ record }) => record))}`);
  }

  /** An update has a program, even one that declares nothing any more; a destroy has none. */
  private async isUpdate(): Promise<boolean> {
    return this.siblings.declareAny || (await this.parts.programRan?.()) === true;
  }

  /** Asked just before a record goes or becomes another: a sibling may have declared it since the plan was made. */
  private takenSince({ records }: Declaration): (live: LiveEntry) => boolean {
    const own = new Set(records.map((record) => recordKey(record)));
    return ({ key }) => !own.has(key) && this.siblings.isDeclared(key);
  }

  /** Removes what a resource answers for, once the gates have let it pass. */
  private async removeAll(plan: Plan, zones: ReadonlyMap<string, Zone>, declaration: Declaration, isDestroy: boolean): Promise<void> {
    const { clock } = this.parts;
    if (plan.removals.length > 0 && (!isDestroy || this.gates.mayRefuse(plan, zones))) {
      const options = { command: isDestroy ? "destroy" : "up" } as const;
      this.gates.refusals(plan, zones, options);
      // The engine deletes several resources at once: all of them are counted before any goes.
      this.lastReleased = clock.now();
      while (clock.now() - this.lastReleased < releaseWindow) await clock.sleep(releaseWindow - (clock.now() - this.lastReleased));
      const unasked = this.gates.refusals(plan, zones, options);
      if (unasked.length > 0) throw new Refusal(unasked);
    }
    const failures = unremovedMessages(await this.writer.remove(plan.removals, this.takenSince(declaration)), this.siblings.wording(declaration));
    if (failures.length > 0) throw new Refusal(failures);
  }

  /** A refused record may stand there already: one fresh reading per domain tells. */
  private async rereadRefused(
    records: readonly DeclaredRecord[],
    outcomes: readonly Result[],
  ): Promise<ReadonlyMap<string, Zone>> {
    const domains = new Set(records.filter((_, i) => outcomes[i]?.kind === "refused").map((record) => record.domain));
    if (domains.size === 0) return new Map();
    // What the plan seemed to allow was refused: the limits that are kept may be stale.
    for (const domain of domains) this.allowance.forget(domain);
    try {
      return await this.zones.getAll(domains, this.parts.clock.now());
    } catch {
      // The refusals are what the user must hear of; that the zone could not be read adds nothing to them.
      return new Map();
    }
  }

  /** Live records that no resource of the stack declares: seen once all of them have said what they declare. */
  private async undeclared({ report }: Declaration): Promise<LiveEntry[]> {
    if (report === undefined) return [];
    await this.siblings.settled();
    const zones = await this.zones.getAll(report.domains);
    return [...zones.values()].flatMap(({ entries }) =>
      entries.filter((entry) => !entry.hold && this.siblings.isNobodys(entry) && !report.ignored(entry.record)),
    );
  }

  /**
   * Says, after an update, what else is live. Never rejects: what was written must reach the state, whatever a reading of
   * the zone comes to.
   * @param known a domain and an id each: what the update has had to do with
   */
  private async reportStrangers(declaration: Declaration, known: ReadonlySet<string>): Promise<void> {
    let strangers: LiveEntry[];
    try {
      strangers = (await this.undeclared(declaration)).filter(({ id, record }) => !known.has(`${record.domain} ${id}`));
    } catch (error) {
      this.parts.reporter.warn(`what nobody declares was not looked for: ${explain(error)}`);
      return;
    }
    this.reportUndeclared(strangers, declaration, (domain) => {
      const names = this.siblings.unsureOf(domain);
      if (declaration.report?.withheld === true) return `. None of them is removed: ${unprovenWhy}`;
      if (declaration.report?.remove !== true) return "";
      if (names === undefined) return `. \`pulumi up --refresh\` shows them in its plan and removes them`;
      return `. None of them is removed, since ${names} may declare records there that are known later, or to another provider only. Remove them in the service's console, or give those resources plain values and the same provider`;
    });
  }

  private reportUndeclared(strangers: readonly LiveEntry[], declaration: Declaration, advice: (domain: string) => string): void {
    const wording = this.siblings.wording(declaration);
    const byDomain = new Map<string, LiveEntry[]>();
    for (const entry of strangers) gather<string, LiveEntry[]>(byDomain, entry.record.domain, []).push(entry);
    for (const [domain, entries] of byDomain) {
      const list = listed(entries.map((entry) => strangerText(entry, wording)));
      this.parts.reporter.warn(`${domain}: ${count(entries.length, "record")} live that nobody declares: ${list}${advice(domain)}`);
    }
  }

  private isYoung(since: number): boolean {
    const { clock, settings } = this.parts;
    return settings.indexDelay > 0 && clock.now() - since * 1000 < settings.indexDelay * 1000;
  }
}

/** What is left over, but for what stands in the way of a declared record: it cannot stay, and is named as that. */
function besideObstacles({ leftOver, obstacles }: Plan): LiveEntry[] {
  const inTheWay = new Set(obstacles.flatMap(({ live }) => live));
  return leftOver.filter((entry) => !inTheWay.has(entry));
}

/** The records whose zones must be read: what is only let go of need not be looked for. */
function recordsToRead(declaration: Declaration, before: readonly DeclaredRecord[]): DeclaredRecord[] {
  return declaration.removal === "retain" ? [...declaration.records] : [...declaration.records, ...before];
}

/** Says how to let go of a domain that cannot be read and is not declared any more. */
async function withWayOut<T>(declaration: Declaration, command: "up" | "delete", read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof LegacyDnsError) || error.target === undefined) throw error;
    const declared = declaration.records.some(({ domain }) => domain === error.target);
    if (declared || !(error instanceof ServiceError) || error instanceof LoginError) throw error;
    throw new Refusal([
      `${error.message} The records that were declared there are not declared any more. To let go of them: ${removalWay("retain", declaration.removalSetBy, command)}`,
    ]);
  }
}
