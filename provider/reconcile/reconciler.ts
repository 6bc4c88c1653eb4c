/**
 * The reconciler brings a declaration and the zones together: `preview` says what would happen, `apply` makes it so,
 * `observe` tells what is live, `release` lets go. Zones are read, records made, and nothing is ever sent twice.
 */
import { LegacyDnsError, LoginError, ServiceError, type Client } from "../api";
import type { Clock } from "../clock";
import { describeRecord, digest, recordKey, type DeclaredRecord, type DnsRecord } from "../dns";
import type { Reporter } from "../report";
import type { Removal, Settings } from "../settings";
import { Allowance } from "./allowance";
import { Applier, type Outcome } from "./applier";
import { Changer } from "./changer";
import { Gates } from "./gates";
import { gather } from "./gather";
import { Journal } from "./journal";
import { isUnsettled, type Ledger, type LeftOver, type OwnedRecord, type PendingJob } from "./ledger";
import { count, leftOverMessage, listed, liveText, obstacleMessage, recordName, retainWay, strangerText, withoutValue, type RemovalSetBy, type Wording } from "./messages";
import type { Change } from "./pairing";
import { createOnly, obstacleOf, planRecords, sameTtl, type Match, type Means, type Plan } from "./plan";
import { PurviewReader } from "./purview";
import { Refusal } from "./refusal";
import { Settler } from "./settler";
import { carryOut, remove, type Removed } from "./steps";
import { placeOf, ZoneReader, type LiveEntry, type Zone } from "./zones";

/** What one resource declares. */
export interface Declaration {
  readonly records: readonly DeclaredRecord[];
  readonly removal: Removal;
  readonly adopt: boolean;
  /** True when a value is secret: messages then name records by digest. */
  readonly sensitive: boolean;
  readonly removalSetBy: RemovalSetBy;
  /** What the service may be asked beside creations. */
  readonly may: Means;
  /** Look for live records of these domains that nobody declares, but for those that `ignored` takes in. */
  readonly report?: {
    readonly domains: readonly string[];
    readonly ignored: (record: DnsRecord) => boolean;
    /** Remove what a refresh has found, rather than name it only. */
    readonly remove: boolean;
  };
}

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
}

/** A record that is made, or a live one that becomes it. */
type Write = { readonly record: DeclaredRecord } & Partial<Omit<Change, "record">>;

/** Milliseconds without a declaration after which a sibling will hardly declare what a resource has just dropped. */
const siblingWindow = 500;
/** Milliseconds without a further deletion after which those that the engine asked for at once are all known. */
const releaseWindow = 200;
/** Records named one by one as they are let go of for good: nothing knows them afterwards. */
const mostRetained = 100;

export class Reconciler {
  readonly zones: ZoneReader;
  readonly applier: Applier;
  readonly changer: Changer;
  private readonly gates: Gates;
  /** Keys of every record that this run declares, whichever resource it is in. */
  private readonly declared = new Set<string>();
  private readonly declaredDigests = new Set<string>();
  /** Keys whose value is secret in some resource: no message of another may show it. */
  private readonly secrets = new Set<string>();
  /** Keys of every record that the state holds, as far as this run has read it: not declared, but not strange either. */
  private readonly stated = new Set<string>();
  /** Records that some resource answers for, whatever they have become; a domain and an id each. */
  private readonly answeredFor = new Set<string>();
  /** By domain, resources that may declare more there than this process knows. */
  private readonly unsure = new Map<string, string>();
  private lastDeclared = 0;
  private lastReleased = 0;
  private readonly journal: Journal;
  readonly allowance: Allowance;
  private readonly settler: Settler;

  constructor(private readonly parts: ReconcilerParts) {
    this.zones = new ZoneReader(parts.client, parts.settings, parts.clock);
    this.journal = new Journal(parts.settings, parts.clock, parts.reporter);
    const own = { ...parts, zones: this.zones, journal: this.journal };
    this.applier = new Applier(own);
    this.changer = new Changer(own);
    this.gates = new Gates(parts.settings);
    this.allowance = new Allowance(new PurviewReader(parts.client, parts.settings, parts.clock), parts.settings);
    this.settler = new Settler({ ...own, applier: this.applier });
  }

  /** Ends well: nothing of this process is in doubt any more. */
  close(): void {
    this.journal.close();
  }

  /** Notes what a resource of this run declares, so that no deletion takes it. */
  declare(records: readonly DeclaredRecord[], sensitive: boolean): void {
    for (const record of records) {
      const key = recordKey(record);
      this.declared.add(key);
      if (sensitive) this.secrets.add(key);
    }
    this.lastDeclared = this.parts.clock.now();
  }

  /** Notes digests of what the program's other resources declare, before the engine has asked about them. */
  declareBeside(digests: readonly string[]): void {
    for (const each of digests) this.declaredDigests.add(each);
  }

  /** Notes who may declare records of these domains without this process knowing: then nothing there is nobody's. */
  leaveUndeclared(domains: readonly string[], names: string): void {
    for (const domain of domains) this.unsure.set(domain, names);
  }

  /** Whether it is certain that a record which nobody here declares is nobody's. */
  isSure(domain: string): boolean {
    return !this.unsure.has(domain);
  }

  /** Notes the records that a resource answers for: no other takes them for nobody's. */
  private claim(records: readonly DnsRecord[], { owned, leftOver }: Ledger): void {
    for (const record of owned.size === 0 ? [] : records) {
      const id = owned.get(digest(recordKey(record)))?.id;
      if (id !== undefined) this.answeredFor.add(`${record.domain} ${id}`);
    }
    for (const { domain, id } of leftOver) this.answeredFor.add(`${domain} ${id}`);
  }

  /** Whether some resource of this run declares the record with this key. */
  isDeclared(key: string): boolean {
    return this.declared.has(key) || (this.declaredDigests.size > 0 && this.declaredDigests.has(digest(key)));
  }

  /**
   * What an `up` would do, from what was declared before and is declared now.
   * @param before by key: the record as it was declared, and whether a refresh found it changed.
   * @param options `incomplete`: more will be declared than is known now, so nothing is said to be left over.
   */
  async preview(
    declaration: Declaration,
    before: ReadonlyMap<string, { readonly record: DeclaredRecord; readonly drifted: boolean }>,
    { incomplete = false }: { readonly incomplete?: boolean } = {},
  ): Promise<Preview> {
    const read = recordsToRead(declaration, [...before.values()].map(({ record }) => record));
    const zones = await withWayOut(declaration, "up", () => this.zones.getAll(read.map(({ domain }) => domain)));
    const plan = planRecords({
      desired: declaration.records,
      zones,
      ours: new Set([...before].flatMap(([key, { record }]) => zones.get(record.domain)?.byKey.get(key) ?? [])),
      declaredBefore: (record) => {
        const was = before.get(recordKey(record));
        return was !== undefined && (was.drifted || was.record.ttl === record.ttl);
      },
      declaredElsewhere: (key) => this.isDeclared(key),
      adopt: declaration.adopt,
      may: declaration.may,
    });
    const driftedIds = new Set([...before.values()].filter((b) => b.drifted).map((b) => recordKey(b.record)));
    const isDrift = (o: Plan["obstacles"][number]): boolean => o.drift || o.live.every((e) => driftedIds.has(e.key));
    const allowed = await this.allowance.check(declaration, plan, zones);
    return {
      plan,
      refusals: [
        ...plan.obstacles.filter((o) => !isDrift(o)).map((o) => obstacleMessage(o, this.wording(declaration))),
        ...allowed.refusals,
        ...this.gates.refusals(plan, zones),
      ],
      warnings: [
        ...allowed.warnings,
        ...plan.obstacles.filter(isDrift).map((o) => obstacleMessage(o, this.wording(declaration))),
        ...this.duplicateNotes(plan.duplicates, declaration),
        ...(plan.leftOver.length > 0 && declaration.removal !== "retain" && !incomplete
          ? [`an up will end with an error until this is settled: ${leftOverMessage(plan.leftOver, this.wording(declaration), "up")}`]
          : []),
      ],
    };
  }

  /**
   * Makes the declaration live.
   * @param before what was declared when the ledger was written.
   * @throws Refusal before any write, when the program asks for what cannot be done; LegacyDnsError when the zones
   * cannot be read. What goes wrong later is in `failures`, with the ledger of what was done.
   */
  async apply(declaration: Declaration, before: readonly DeclaredRecord[], ledger: Ledger): Promise<Applied> {
    const { reporter } = this.parts;
    this.claim([...declaration.records, ...before], ledger);
    const settled = await this.settler.settle(ledger, [...declaration.records, ...before]);
    if (settled.stillOpen.length > 0) return { ledger: settled.ledger, failures: settled.stillOpen, untouched: true };
    const all = recordsToRead(declaration, before);
    const retain = declaration.removal === "retain";
    const undeclared = settled.ledger.undeclared.filter(({ domain, id }) => this.isSure(domain) && !this.answeredFor.has(`${domain} ${id}`));
    const known = { ...settled.ledger, undeclared, ...(retain ? { leftOver: [] } : {}) };
    let zones = await withWayOut(declaration, "up", () => this.settler.read(all, known));
    const answersFor = (): ReadonlySet<LiveEntry> => oursOf(known, [...declaration.records, ...before], zones, declaration.report);
    let ours = answersFor();
    const ttlBefore = new Map(before.map((record) => [recordKey(record), record.ttl]));
    const makePlan = (): Plan =>
      planRecords({
        desired: declaration.records,
        zones,
        ours,
        declaredBefore: (record) => ttlBefore.get(recordKey(record)) === record.ttl,
        declaredElsewhere: (key) => this.isDeclared(key),
        adopt: declaration.adopt,
        may: declaration.may,
      });
    let plan = makePlan();
    const refused = plan.obstacles.filter((obstacle) => !obstacle.drift);
    if (refused.length > 0) throw new Refusal(refused.map((obstacle) => obstacleMessage(obstacle, this.wording(declaration))));
    // What is taken over may be about to go or to become another, in another process or in this one.
    const takenOver = (): LiveEntry[] => [...plan.adopted, ...plan.changes].map(({ live }) => live).filter((live) => !ours.has(live));
    while ((await this.settler.awaitOthers(plan, zones)) || (await this.changer.ended(takenOver()))) {
      zones = await this.settler.read(all, known);
      ours = answersFor();
      plan = makePlan();
    }
    if (plan.leftOver.length > 0 || plan.removals.length > 0 || plan.changes.some(({ kind }) => kind === "data")) {
      await this.siblingsSettled();
      plan = makePlan();
    }
    const unasked = this.gates.refusals(plan, zones);
    if (unasked.length > 0) throw new Refusal(unasked);

    const owned = new Map<string, OwnedRecord>();
    const own = (record: DeclaredRecord, entry: LiveEntry, since: number): void => {
      owned.set(digest(recordKey(record)), { id: entry.id, since });
    };
    for (const { record, live } of plan.present) {
      const before = settled.ledger.owned.get(digest(recordKey(record)));
      own(record, live, before?.id === live.id ? before.since : (live.since ?? 0));
    }
    // What the zone holds of ours but otherwise than declared stays ours, and shows until it is put right.
    for (const { record, live, kind } of plan.obstacles) {
      if (kind !== "blocked" && ours.has(live[0])) own(record, live[0], live[0].since ?? 0);
    }
    const failures = plan.obstacles.map((obstacle) => obstacleMessage(obstacle, this.wording(declaration)));
    const jobs = new Map<string, { since: number; digests: string[]; text: string }>();
    const lost = new Map<string, { since: number; digests: string[] }>();

    const { outcomes, removals } = await carryOut(plan, zones, this, this.takenSince(declaration));
    const writes: readonly Write[] = [...plan.changes, ...plan.create.map((record) => ({ record }))];
    const reread = await this.rereadRefused(plan.create, outcomes.slice(plan.changes.length));
    const leftOver: LeftOver[] = [];
    // A change that did not come about leaves the record as it was, and ours.
    const asBefore = ({ live, kind, record }: Write): void => {
      if (live === undefined) return;
      if (kind === "data") leftOver.push(...this.asLeftOver([live], known));
      else own(record, live, live.since ?? 0);
    };
    const twins = [...plan.duplicates];
    const failedTogether = new Map<string, DeclaredRecord[]>();
    for (const [i, write] of writes.entries()) {
      const outcome = outcomes[i];
      if (outcome === undefined) continue;
      const { record } = write;
      const key = digest(recordKey(record));
      if (outcome.kind !== "made") asBefore(write);
      switch (outcome.kind) {
        case "made":
          own(record, outcome.entry, outcome.since);
          if ((outcome.live?.length ?? 0) > 1) twins.push({ record, live: outcome.live ?? [] });
          break;
        case "refused": {
          const live = reread.get(record.domain)?.byKey.get(recordKey(record)) ?? [];
          const [twin] = live;
          if (live.length > 1) twins.push({ record, live });
          if (twin && twin.enabled && sameTtl(record, twin) && declaration.adopt) own(record, twin, twin.since ?? 0);
          else if (write.live) failures.push(this.unchangedMessage(write.live, record, outcome.text, declaration));
          else failures.push(this.refusedMessage(record, outcome.text, reread.get(record.domain), declaration));
          break;
        }
        case "appeared": {
          const [twin] = outcome.live;
          if (outcome.live.length > 1) twins.push({ record, live: outcome.live });
          const kind = obstacleOf(record, twin, { adopt: declaration.adopt, ours });
          if (kind === undefined) own(record, twin, twin.since ?? 0);
          else failures.push(obstacleMessage({ kind, record, live: outcome.live, drift: true }, this.wording(declaration)));
          break;
        }
        case "pending":
          gather(jobs, outcome.job, { since: outcome.since, digests: [], text: outcome.text }).digests.push(key);
          break;
        case "unconfirmed":
          gather(lost, `${outcome.since} ${outcome.text}`, { since: outcome.since, digests: [] }).digests.push(key);
          gather(failedTogether, `not known whether made: ${outcome.text}. \`pulumi up\` looks again before it sends anything`, []).push(record);
          break;
        case "not-sent":
          gather(failedTogether, withoutValue(outcome.error.message, record, declaration.sensitive), []).push(record);
          break;
      }
    }
    for (const [text, records] of failedTogether) failures.push(`${this.recordsName(records, declaration)}: ${text}`);
    for (const [id, job] of jobs) {
      failures.push(
        `${count(job.digests.length, "record")}: ${job.text}. Its number is kept: run \`pulumi up\` again, which waits for job ${id} before it sends anything`,
      );
    }
    for (const note of this.duplicateNotes(twins, declaration)) reporter.warn(note);
    const found = new Set([...known.undeclared, ...leftOver].map(({ domain, id }) => `${domain} ${id}`));
    const strangers = (await this.undeclared(declaration)).filter(({ id, record }) => !found.has(`${record.domain} ${id}`));
    this.reportUndeclared(strangers, declaration, (domain) => {
      const names = this.unsure.get(domain);
      if (declaration.report?.remove !== true) return "";
      if (names === undefined) return `. \`pulumi up --refresh\` shows them in its plan and removes them`;
      return `. None of them is removed, since ${names} may declare records there that are known later, or to another provider only. Remove them in the service's console, or give those resources plain values and the same provider`;
    });
    if (retain) await this.retain(declaration, settled.ledger, this.unlisted(before, declaration, known, zones));
    const removed = [...settled.ledger.removed];
    const handedOver = [...plan.released];
    for (const { live, outcome } of removals) {
      const { domain } = live.record;
      if (outcome.kind === "removed") removed.push({ domain, id: live.id, since: outcome.since });
      else if (outcome.kind === "taken") handedOver.push(live);
      else leftOver.push(...this.asLeftOver([live], known));
    }
    if (handedOver.length > 0) {
      reporter.info(`${count(handedOver.length, "record")} handed over to another resource of this program: ${listed(handedOver.map((entry) => liveText(entry, this.wording(declaration))), 3)}`);
    }
    failures.push(...this.unremovedMessages(removals, declaration));
    if (plan.leftOver.length > 0) {
      if (retain) {
        reporter.warn(`${count(plan.leftOver.length, "record")} no longer declared stay in the zone (removal: retain): ${listed(plan.leftOver.map((entry) => liveText(entry, this.wording(declaration))), mostRetained)}`);
      } else {
        leftOver.push(...this.asLeftOver(plan.leftOver, known));
        failures.push(leftOverMessage(plan.leftOver, this.wording(declaration), "up"));
      }
    }
    return {
      ledger: {
        owned,
        leftOver,
        removed: removed.filter(({ since }) => this.isYoung(since)),
        undeclared: [],
        gone: [],
        jobs: [...jobs].map(([id, { since, digests }]): PendingJob => ({ id, since, digests })),
        unconfirmed: [...lost.values()],
      },
      failures,
      untouched: false,
    };
  }

  /** What is live of a declaration; jobs that were pending are waited for first. */
  async observe(declaration: Declaration, ledger: Ledger): Promise<Observed> {
    this.claim(declaration.records, ledger);
    this.lastDeclared = this.parts.clock.now();
    const settled = await this.settler.settle(ledger, declaration.records);
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
    for (const note of this.duplicateNotes(plan.duplicates, declaration)) this.parts.reporter.warn(note);
    for (const record of declaration.records) this.stated.add(recordKey(record));
    if (declaration.sensitive) for (const record of declaration.records) this.secrets.add(recordKey(record));
    this.lastDeclared = this.parts.clock.now();
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
      this.parts.reporter.warn(obstacleMessage({ kind: "exists", record, live: [live], drift: true }, this.wording(declaration)));
    }
    const known = withFound(withoutGone(settled.ledger, zones), found.filter((each) => !strange.includes(each)), zones);
    const going = removes ? undeclared : [];
    const same = going.length === known.undeclared.length && going.every(({ id }, i) => known.undeclared[i]?.id === id);
    const noted = same ? known : { ...known, undeclared: going.map(({ id, record }) => ({ domain: record.domain, id })) };
    return { findings, strays: plan.leftOver, undeclared: going, ledger: noted };
  }

  /**
   * Lets go of everything a resource answers for.
   * @throws Refusal naming what is still live and cannot be removed; then nothing has changed.
   */
  async release(declaration: Declaration, ledger: Ledger): Promise<void> {
    const { reporter } = this.parts;
    const kept = declaration.records.filter((record) => this.isDeclared(recordKey(record)));
    if (kept.length > 0) {
      reporter.info(`${this.recordsName(kept, declaration)}: declared by another resource of this program, which takes over`);
    }
    const own = declaration.records.filter((record) => !this.isDeclared(recordKey(record)));
    if (own.length === 0 && ledger.leftOver.length === 0 && !isUnsettled(ledger)) return;
    if (declaration.removal === "retain") {
      return this.retain(declaration, ledger, own);
    }
    const settled = await this.settler.settle(ledger, declaration.records);
    if (settled.stillOpen.length > 0) throw new Refusal(settled.stillOpen);
    const none = { ...declaration, records: [] };
    const zones = await withWayOut(none, "delete", () => this.settler.read(declaration.records, settled.ledger));
    const ours = oursOf(settled.ledger, declaration.records, zones);
    const plan = planRecords({ desired: [], zones, ours, declaredBefore: () => true, declaredElsewhere: (key) => this.isDeclared(key), adopt: true, may: declaration.may });
    for (const note of this.duplicateNotes(plan.duplicates, declaration)) reporter.warn(note);
    await this.removeAll(plan, zones, declaration);
    if (plan.leftOver.length > 0) throw new Refusal([leftOverMessage(plan.leftOver, this.wording(declaration), "delete")]);
  }

  /** For the ledger: what is too young for the index to show is to be looked for by its number. */
  private asLeftOver(entries: readonly LiveEntry[], ledger: Ledger): LeftOver[] {
    const oldest = this.parts.clock.now() / 1000 - this.parts.settings.indexDelay;
    const made = new Map([...ledger.owned.values(), ...ledger.leftOver].map(({ id, since }) => [id, since]));
    return entries.map(({ record, id, since }) => {
      const young = Math.max(since ?? 0, made.get(id) ?? 0);
      return { domain: record.domain, id, ...(young > oldest ? { since: young } : {}) };
    });
  }

  /** Of records that are not declared any more, those whose zone was not read, or too early to list them. */
  private unlisted(
    before: readonly DeclaredRecord[],
    declaration: Declaration,
    ledger: Ledger,
    zones: ReadonlyMap<string, Zone>,
  ): DeclaredRecord[] {
    const desired = new Set(declaration.records.map((record) => recordKey(record)));
    const delay = this.parts.settings.indexDelay * 1000;
    return before.filter((record) => {
      const key = recordKey(record);
      const known = ledger.owned.get(digest(key));
      const zone = zones.get(record.domain);
      if (desired.has(key) || known === undefined || zone?.byId.has(known.id) === true) return false;
      return zone === undefined || known.since * 1000 + delay > zone.readAt;
    });
  }

  /** Says what stays though nobody looked for it: records that were declared, and what was left over of them. */
  private async retain(declaration: Declaration, { leftOver }: Ledger, unread: readonly DeclaredRecord[]): Promise<void> {
    if (unread.length > 0) await this.siblingsSettled();
    const own = unread.filter((record) => !this.isDeclared(recordKey(record)));
    if (own.length > 0) this.parts.reporter.warn(`${this.recordsName(own, declaration, mostRetained)}: left in the zone (removal: retain)`);
    if (leftOver.length === 0) return;
    const names = leftOver.map(({ domain, id }) => `record ${id} of ${domain}`);
    this.parts.reporter.warn(`left over and left in the zone (removal: retain): ${listed(names, mostRetained)}`);
  }

  /** Asked just before a record goes or becomes another: a sibling may have declared it since the plan was made. */
  private takenSince({ records }: Declaration): (live: LiveEntry) => boolean {
    const own = new Set(records.map((record) => recordKey(record)));
    return ({ key }) => !own.has(key) && this.isDeclared(key);
  }

  /** Removes what a resource answers for. A destroy declares nothing, and may; an update must pass the gates. */
  private async removeAll(plan: Plan, zones: ReadonlyMap<string, Zone>, declaration: Declaration): Promise<void> {
    const { clock, programRan } = this.parts;
    const isUpdate = this.declared.size > 0 || this.declaredDigests.size > 0 || (await programRan?.()) === true;
    if (isUpdate && plan.removals.length > 0) {
      this.gates.refusals(plan, zones);
      // The engine deletes several resources at once: all of them are counted before any goes.
      this.lastReleased = clock.now();
      while (clock.now() - this.lastReleased < releaseWindow) await clock.sleep(releaseWindow - (clock.now() - this.lastReleased));
      const unasked = this.gates.refusals(plan, zones);
      if (unasked.length > 0) throw new Refusal(unasked);
    }
    const failures = this.unremovedMessages(await remove(plan.removals, this.changer, this.takenSince(declaration)), declaration);
    if (failures.length > 0) throw new Refusal(failures);
  }

  /** A refused record may stand there already: one fresh reading per domain tells. */
  private async rereadRefused(
    records: readonly DeclaredRecord[],
    outcomes: readonly Outcome[],
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

  /** Waits until no resource has declared anything for a moment: what one drops, another may be about to declare. */
  private async siblingsSettled(): Promise<void> {
    const { clock } = this.parts;
    while (clock.now() - this.lastDeclared < siblingWindow) await clock.sleep(siblingWindow - (clock.now() - this.lastDeclared));
  }

  /** Live records that no resource of the stack declares: seen once all of them have said what they declare. */
  private async undeclared({ report }: Declaration): Promise<LiveEntry[]> {
    if (report === undefined) return [];
    await this.siblingsSettled();
    const zones = await this.zones.getAll(report.domains);
    return [...zones.values()].flatMap(({ entries }) =>
      entries.filter(({ hold, id, key, record }) => !hold && !this.isDeclared(key) && !this.stated.has(key) && !this.answeredFor.has(`${record.domain} ${id}`) && !report.ignored(record)),
    );
  }

  private reportUndeclared(strangers: readonly LiveEntry[], declaration: Declaration, advice: (domain: string) => string): void {
    const byDomain = new Map<string, LiveEntry[]>();
    for (const entry of strangers) gather<string, LiveEntry[]>(byDomain, entry.record.domain, []).push(entry);
    for (const [domain, entries] of byDomain) {
      const list = listed(entries.map((entry) => strangerText(entry, this.wording(declaration))));
      this.parts.reporter.warn(`${domain}: ${count(entries.length, "record")} live that nobody declares: ${list}${advice(domain)}`);
    }
  }

  private wording({ sensitive, removalSetBy, may }: Declaration): Wording {
    const isKnown = (key: string): boolean => this.declared.has(key) || this.stated.has(key);
    return { sensitive, removalSetBy, secrets: this.secrets, isKnown, full: may.remove };
  }

  private refusedMessage(
    record: DeclaredRecord,
    text: string,
    zone: Zone | undefined,
    declaration: Declaration,
  ): string {
    const near = (zone?.entries ?? []).filter((entry) => entry.record.name === record.name && !entry.hold);
    const beside = near.length === 0 ? "" : `; live at the same name: ${listed(near.map((e) => strangerText(e, this.wording(declaration))), 3)}`;
    const atDefault = zone?.byPlace.has(placeOf({ name: record.name })) ?? true;
    const first = record.line === undefined || atDefault ? "" : "; a name wants a record on the default line before those on others: declare one without `line`";
    return `${recordName(record, declaration)}: refused by the service: ${withoutValue(text, record, declaration.sensitive)}${beside}${first}`;
  }

  private unchangedMessage(live: LiveEntry, record: DeclaredRecord, text: string, declaration: Declaration): string {
    const from = recordKey(record) === live.key ? "" : `, which was to become it,`;
    return `${recordName(record, declaration)}: ${liveText(live, this.wording(declaration))}${from} could not be changed: ${withoutValue(text, record, declaration.sensitive)}`;
  }

  /** What was to be removed and was not, in groups of one reason. */
  private unremovedMessages(removals: readonly Removed[], declaration: Declaration): string[] {
    const byText = new Map<string, LiveEntry[]>();
    for (const { live, outcome } of removals) {
      if (outcome.kind === "removed" || outcome.kind === "taken") continue;
      const text = outcome.kind === "not-sent" ? outcome.error.message : outcome.kind === "refused" ? outcome.text : `${outcome.text}. \`pulumi up\` looks again`;
      gather<string, LiveEntry[]>(byText, withoutValue(text, live.record, declaration.sensitive), []).push(live);
    }
    return [...byText].map(([text, entries]) => `${listed(entries.map((entry) => liveText(entry, this.wording(declaration))))}: no longer declared, and not removed: ${text}`);
  }

  private isYoung(since: number): boolean {
    const { clock, settings } = this.parts;
    return settings.indexDelay > 0 && clock.now() - since * 1000 < settings.indexDelay * 1000;
  }

  private recordsName(records: readonly DeclaredRecord[], declaration: Declaration, most = 3): string {
    const [first] = records;
    if (first && records.length === 1) return recordName(first, declaration);
    return `${count(records.length, "record")} (${listed(records.map((record) => recordName(record, declaration)), most)})`;
  }

  private duplicateNotes(duplicates: Plan["duplicates"], declaration: Declaration): string[] {
    return duplicates.map(
      ({ record, live }) =>
        `${describeRecord(record, declaration.sensitive || this.secrets.has(recordKey(record)))} is live ${live.length} times (records ${live.map((entry) => entry.id).join(", ")}); remove all but one in the service's console`,
    );
  }
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
      `${error.message} The records that were declared there are not declared any more. To let go of them: ${retainWay(declaration.removalSetBy, command)}`,
    ]);
  }
}

/** The ledger without what was left over and is gone by now. */
function withoutGone(ledger: Ledger, zones: ReadonlyMap<string, Zone>): Ledger {
  const leftOver = ledger.leftOver.filter(({ domain, id }) => zones.get(domain)?.byId.has(id) !== false);
  return leftOver.length === ledger.leftOver.length ? ledger : { ...ledger, leftOver };
}

/**
 * The ledger with what is live as declared and not in it yet: a killed run made it, or a write that was given up for lost.
 * What the ledger knew by that name until then and is live as something else is left over.
 */
function withFound(ledger: Ledger, found: readonly Match[], zones: ReadonlyMap<string, Zone>): Ledger {
  if (found.length === 0) return ledger;
  const owned = new Map(ledger.owned);
  const leftOver = [...ledger.leftOver];
  for (const { live, record } of found) {
    const key = digest(recordKey(record));
    const before = zones.get(record.domain)?.byId.get(owned.get(key)?.id ?? "");
    if (before !== undefined) leftOver.push({ domain: record.domain, id: before.id });
    owned.set(key, { id: live.id, since: live.since ?? 0 });
  }
  // What was left over may have become what is declared.
  const isFound = (domain: string, id: string): boolean => found.some(({ live, record }) => live.id === id && record.domain === domain);
  return { ...ledger, owned, leftOver: leftOver.filter(({ domain, id }) => !isFound(domain, id)) };
}

/** The live records that a ledger answers for; ids are only compared within their domain. */
function oursOf(
  ledger: Ledger,
  records: readonly DeclaredRecord[],
  zones: ReadonlyMap<string, Zone>,
  report?: Declaration["report"],
): ReadonlySet<LiveEntry> {
  const ours = new Set<LiveEntry>();
  const add = (domain: string, id: string): void => {
    const entry = zones.get(domain)?.byId.get(id);
    if (entry) ours.add(entry);
  };
  for (const { domain, id } of ledger.leftOver) add(domain, id);
  // What a refresh found declared by nobody goes as if it were ours, unless it has become somebody's business since.
  for (const { domain, id } of report?.remove === true ? ledger.undeclared : []) {
    const entry = zones.get(domain)?.byId.get(id);
    if (entry && !entry.hold && !report?.ignored(entry.record)) ours.add(entry);
  }
  for (const record of ledger.owned.size === 0 ? [] : records) {
    const known = ledger.owned.get(digest(recordKey(record)));
    if (known) add(record.domain, known.id);
  }
  return ours;
}
