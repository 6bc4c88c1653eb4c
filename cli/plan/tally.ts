/**
 * The lines of a plan, domain by domain: of resources that a host was asked about as it told, of the others as the
 * engine's preview has their inputs. Pure.
 */
import { gather, groupBy } from "../../provider/gather";
import type { Outlook, OutlookEntry, OutlookProblem } from "../../provider/lifecycle/outlook";
import type { Reason } from "../../provider/problems";
import { Digests } from "./digests";
import { holdingOf, isHidden, type Holding } from "./holding";
import type { Told, ToldZone } from "./outlooks";
import type { Step } from "./preview";
import { ReadZones } from "./read-zones";
import { isMail, mayBecome, recordsOf, type PlannedRecord } from "./records";

/** What becomes of a record: made, adopted, changed, removed, left as it is, what the update decides, or refused, so that nothing becomes of it. */
export type Sign = "+" | "=" | "~" | "-" | "!" | "?" | "x";

export interface PlanLine {
  readonly sign: Sign;
  readonly text: string;
  /** After; before where the record goes. */
  readonly ttl: string;
  /** Before, of a change: the TTL, and the text as well where that changes. */
  readonly was?: string;
  /** The same with its parts told apart. */
  readonly before?: Before;
  /**
   * `adopted` (`=`): live already; `stays` (`!`): no longer declared and left in the zone; `fails` (`!`): left as it is
   * though the program asks for something else, so that the up ends with an error; `undecided` (`?`): stays, unless the update
   * finds that another is declared; `refused` (`x`); `notBegun` (`x`): not begun, since what its resource depends on fails.
   */
  readonly outcome?: "adopted" | "stays" | "fails" | "undecided" | "refused" | "notBegun";
  /** Of `+`: something of it is not known before the update, which may find it live. */
  readonly later?: true;
}

/** A record with its TTL, as it is before the update. */
interface Before {
  readonly text: string;
  readonly ttl: string;
}

/** A record and the step that it is of. */
export interface Held extends PlannedRecord {
  readonly step: Step;
  /** The host has said what it means that the record stays. */
  readonly isTold?: true;
}

export interface Judgement {
  readonly defaultLine: string;
  /** Whether a step's records can be changed and removed. */
  readonly isFull: (step: Step) => boolean;
  /** What becomes of a record that is not declared any more; undefined where it goes. */
  readonly outcomeOf: (held: Held) => "stays" | "fails" | undefined;
  /** URNs of resources that the engine does not begin. @param failing those with which the up ends in an error */
  readonly waitingFor: (failing: ReadonlySet<string>) => ReadonlySet<string>;
}

/** What becomes of a resource that was replaced and is still to be deleted. */
export interface Replaced {
  /** What it declared, and nobody declares any more. */
  readonly named: readonly PlannedRecord[];
  /** Nothing of it is live any more. */
  readonly isGone: boolean;
  /** A host has read the zone. */
  readonly isRead: boolean;
}

interface ZonePlan {
  readonly lines: PlanLine[];
  unchanged: number;
  /** How many records the safety gates find there, where a host has read the zone. */
  live?: number;
  /** Texts of its MX records that are switched on, without the data. */
  liveMail?: readonly string[];
}

const signOf = { adopted: "=", stays: "!", fails: "!", undecided: "?", refused: "x", notBegun: "x" } as const;

/** In place of data that may be secret. */
const notShown = "[not shown]";

/** How a refresh shows a record that is switched off. */
const disabled = " (disabled)";

export class Tally {
  readonly plans = new Map<string, ZonePlan>();
  /** What is not declared any more. */
  readonly removed: Held[] = [];
  /** URNs of resources that the engine does not begin. */
  readonly waiting: ReadonlySet<string>;
  /** TTLs, and records that are switched off, that nobody can put right but the console. */
  changes = 0;
  enablings = 0;
  /** Whether the update decides of something that only the console can make another. */
  decidesLate = false;
  private readonly before: ReadonlyMap<string, Held>;
  private readonly after: ReadonlyMap<string, Held>;
  private readonly declared: ReadonlyMap<string, readonly Held[]>;
  /** Of these what is not known yet. */
  private readonly open: ReadonlyMap<string, readonly Held[]>;
  /** What the program has, by the names that hosts know. */
  private readonly named: ReadonlyMap<string, readonly Step[]>;
  /** By resource, what its host told last. */
  private readonly asked: ReadonlyMap<string, Outlook>;
  private readonly digests: Digests;
  private readonly zones: ReadZones;
  private readonly holdings = new Map<Step, Holding>();
  /** Where hidden data is declared, or was: domain and place, or the domain alone where the name is hidden too. */
  private hidden: ReadonlySet<string> | undefined;

  /**
   * @param steps of records and shares, refreshes left out
   * @param pending resources that were replaced and are still to be deleted
   */
  constructor(
    private readonly steps: readonly Step[],
    pending: readonly Step[],
    { outlooks, zones, secrets }: Told,
    private readonly judgement: Judgement,
  ) {
    this.after = this.gathered("after");
    this.digests = new Digests(secrets, () => this.after.keys());
    const providers = new Map<string, Set<string | undefined>>();
    for (const { domain, step } of this.after.values())
      gather(providers, domain, new Set<string | undefined>()).add(step.provider);
    this.zones = new ReadZones(zones, steps, providers);
    this.before = this.gathered("before");
    this.declared = groupBy(this.after.values(), ({ domain }) => domain);
    this.open = groupBy(
      [...this.after.values()].filter(({ later }) => later !== undefined),
      ({ domain }) => domain,
    );
    this.named = groupBy(
      steps.filter(({ after }) => after !== undefined),
      ({ resource }) => asBatch(resource),
    );
    this.asked = this.askedOf(outlooks);
    const { asked } = this;
    this.waiting = judgement.waitingFor(
      new Set([...asked].flatMap(([urn, outlook]) => (this.limitsIn(urn, outlook).length > 0 ? [urn] : []))),
    );
    for (const [urn, outlook] of asked)
      this.digests.note(
        urn,
        outlook,
        (domain, text) => this.after.get(`${domain} ${text}`)?.step.urn === urn,
      );
    for (const step of [...steps, ...pending])
      if (step.done !== undefined) this.digests.giveUp(this.holding(step).digests.values());
    this.countDeclared(asked);
    // Also what another resource's record would stand in the place of: of a live record one line tells.
    const inTheWay = toldOtherwise([...asked.values()].flatMap(({ entries }) => entries));
    this.countDropped(asked, inTheWay);
    for (const [urn, outlook] of asked) {
      const { entries, unchanged } = outlook;
      const told = outlook.limits.length > 0;
      for (const [domain, n] of Object.entries(unchanged)) this.planOf(domain).unchanged += n;
      for (const entry of entries)
        if (entry.outcome !== "leave" || !inTheWay.has(`${entry.domain} ${entry.text}`))
          this.countTold(entry, urn, told);
    }
  }

  planOf(domain: string): ZonePlan {
    const known = this.plans.get(domain);
    if (known !== undefined) return known;
    const zone = this.zones.get(domain);
    const plan = {
      lines: [],
      unchanged: 0,
      ...(zone === undefined ? {} : { live: Object.keys(zone.records).length, ...liveMailOf(zone) }),
    };
    this.plans.set(domain, plan);
    return plan;
  }

  /** Records of a domain that stay as they are declared: those that no line is about. */
  keptIn(domain: string): PlannedRecord[] {
    // What goes and is declared is live more than once.
    const said = new Set(this.planOf(domain).lines.flatMap(({ sign, text }) => (sign === "-" ? [] : [text])));
    return (this.declared.get(domain) ?? []).filter(
      ({ text }) => !said.has(text) && !text.startsWith("share "),
    );
  }

  /** The texts of what is declared in a domain. */
  declaredIn(domain: string): string[] {
    return (this.declared.get(domain) ?? []).map(({ text }) => text);
  }

  /** Where something is declared: names with their type and line. */
  declaredPlaces(): ReadonlySet<string> {
    return new Set([...this.after.values()].map(placeOf));
  }

  /** What a host said that the service will not do of a resource which the engine begins. */
  limitsOf(outlook: Outlook): readonly Reason[] {
    const urn = this.stepOf(outlook)?.urn ?? "";
    // The engine asks a second time about what it replaces, as about a new one: what that gives up is the plan's own to tell.
    const isOutdated = (this.asked.get(urn) ?? outlook) !== outlook;
    return isOutdated || this.waiting.has(urn) ? [] : this.limitsIn(urn, outlook);
  }

  /** Without what is said of records that stay, where the update decides whether they do. */
  private limitsIn(urn: string, { entries, limits }: Outlook): readonly Reason[] {
    const left = entries.filter(({ outcome }) => outcome === "leave");
    const isOpen = left.length > 0 && left.every(({ domain, text }) => this.mayBeTaken(urn, domain, text));
    return isOpen ? limits.filter(({ code }) => code !== "live.left-over-next") : limits;
  }

  /** What a host refuses, under its resource's name, and its provider's. */
  refusalsOf(outlook: Outlook): (OutlookProblem & Pick<Step, "provider">)[] {
    const { resource = outlook.resource, provider } = this.stepOf(outlook) ?? {};
    return outlook.refusals.map((each) => ({
      ...each,
      text: (resource ?? "") === "" ? each.text : `${resource}: ${each.text}`,
      ...(provider === undefined ? {} : { provider }),
    }));
  }

  /** Drops what a resource held that was replaced and is still to be deleted. @returns undefined where all of it is declared */
  dropReplaced(step: Step): Replaced | undefined {
    const held = this.recordsOf(step);
    const named = held.filter((record) => !this.isDeclared({ ...record, step }));
    if (named.length === 0 && held.length > 0) return undefined;
    const going = this.holding(step).records.filter((record) => !this.isDeclared({ ...record, step }));
    for (const record of going) this.drop({ ...record, step });
    const isRead = named.every(({ domain }) => this.zones.of(step, domain) !== undefined);
    return { named, isGone: named.length > 0 && going.length === 0, isRead };
  }

  /** A safety gate refuses that this goes: it stays, and the up fails. */
  holdBack({ domain, text, ttl }: Held): void {
    const { lines } = this.planOf(domain);
    const at = lines.findIndex((line) => line.sign === "-" && line.text === text && line.ttl === ttl);
    if (at !== -1) lines.splice(at, 1, { sign: signOf.fails, text, ttl, outcome: "fails" });
  }

  /** What a resource that goes answers for. */
  private holding(step: Step): Holding {
    const known = this.holdings.get(step);
    if (known !== undefined) return known;
    const declared = step.done === undefined ? [] : this.recordsOf({ ...step, before: step.done });
    const holding = holdingOf(step, this.recordsOf(step), declared, {
      isLive: (ref, own) => {
        const zone = this.zones.of(step, ref.domain);
        const live = zone?.records[ref.id];
        // What was made a moment ago need not be listed yet.
        if (zone === undefined || live === undefined)
          return zone === undefined || (ref.since ?? 0) > zone.lists;
        return live === own || !this.digests.isDeclared(live);
      },
      becomeOf: ({ domain, id }, own) => {
        const zone = this.zones.of(step, domain);
        const text = zone?.records[id] === own ? undefined : zone?.texts?.[id];
        return text === undefined || !this.mayBeSecret(domain, text)
          ? text
          : withData(placeOf({ text }), notShown);
      },
      ttlOf: ({ domain, id }) => this.zones.of(step, domain)?.ttls?.[id],
      placeOf: (own, ref) =>
        this.digests.placeOf(own) ?? (ref && this.zones.of(step, ref.domain)?.places?.[ref.id]),
    });
    this.holdings.set(step, holding);
    return holding;
  }

  /** Whether a live record may be a secret that is declared, or was: of a value that is not known yet no host tells the digest. */
  private mayBeSecret(domain: string, text: string): boolean {
    this.hidden ??= new Set(
      this.steps
        .flatMap((step) => [...this.recordsOf(step, "before"), ...this.recordsOf(step, "after")])
        .flatMap((record) => {
          if (record.later === undefined && !isHidden(record)) return [];
          return [record.text.startsWith("(") ? record.domain : `${record.domain} ${placeOf(record)}`];
        }),
    );
    return this.hidden.has(domain) || this.hidden.has(`${domain} ${placeOf({ text })}`);
  }

  /** Whether a host has read the zone in which a record is. */
  isRead({ step, domain }: Held): boolean {
    return this.zones.of(step, domain) !== undefined;
  }

  /** Whether the program declares a record of before, also where the engine hides it there or here. */
  private isDeclared(record: Held): boolean {
    const { key, step } = record;
    const declared = this.after.get(key);
    // What another provider's host found nowhere is another account's.
    if (declared !== undefined)
      return (
        declared.step.provider === step.provider ||
        !this.digests.isAbsent(declared.step.urn, record.domain, record.text)
      );
    const own = isHidden(record) ? (this.holding(step).digests.get(key) ?? "") : undefined;
    return own === undefined ? this.digests.isSecret(key) : this.digests.isKept(own);
  }

  private gathered(side: "before" | "after"): Map<string, Held> {
    // What another resource declares by now is that one's, also where the deletion of the first is still to come.
    const steps =
      side === "after"
        ? this.steps
        : [
            ...this.steps.filter(({ after }) => after === undefined),
            ...this.steps.filter(({ after }) => after !== undefined),
          ];
    const recordsOf = (step: Step): readonly PlannedRecord[] =>
      side === "before" && step.done !== undefined ? this.holding(step).records : this.recordsOf(step, side);
    return new Map(
      steps.flatMap((step) => recordsOf(step).map((record) => [record.key, { ...record, step }] as const)),
    );
  }

  /** By resource, what its host told; what has not changed is left as it is, whoever asked about it. */
  private askedOf(outlooks: readonly Outlook[]): Map<string, Outlook> {
    const asked = new Map<string, Outlook>();
    for (const outlook of outlooks) {
      const step = this.stepOf(outlook);
      if (step !== undefined && step.op !== "same") asked.set(step.urn, outlook);
    }
    return asked;
  }

  /** The step of which an outlook tells; of one that names no record nothing is known yet. */
  private stepOf({ of, resource = "" }: Outlook): Step | undefined {
    if (of === "") return undefined;
    const [only, ...others] = this.named.get(asBatch(resource)) ?? [];
    if (only !== undefined && others.length === 0) return only;
    return (this.after.get(of) ?? this.before.get(of) ?? this.onlyWithText(of))?.step;
  }

  /** A secret record has a key that its text does not tell: the one of the only resource that declares, or declared, such a record. */
  private onlyWithText(text: string): Held | undefined {
    const withText = (held: ReadonlyMap<string, Held>): Held[] =>
      [...held.values()].filter((each) => `${each.domain} ${each.text}` === text);
    const declared = withText(this.after);
    const [first, ...others] = declared.length > 0 ? declared : withText(this.before);
    return others.every(({ step }) => step.urn === first?.step.urn) ? first : undefined;
  }

  private countDeclared(asked: ReadonlyMap<string, Outlook>): void {
    for (const [key, record] of this.after) {
      const was = this.before.get(key);
      const {
        domain,
        text,
        ttl,
        step: { urn },
      } = record;
      // A host plans what it knows, and says nothing of what it does not know yet.
      const outlook = asked.get(urn);
      if (
        outlook !== undefined &&
        (record.later === undefined || outlook.entries.some(({ unknown }) => unknown === record.later))
      )
        continue;
      if (was === undefined) this.addNew(record);
      // A share is none of the domain's records. A TTL that is left out matches any.
      else if (was.ttl === ttl || was.ttl === "" || (ttl === "default" && /^\d+$/.test(was.ttl)))
        this.planOf(domain).unchanged += record.isShare ? 0 : 1;
      else
        this.add(
          urn,
          domain,
          { sign: "~", text, ttl, was: was.ttl, before: { text, ttl: was.ttl } },
          this.judgement.isFull(record.step) ? undefined : this.differ(was.ttl, record),
        );
    }
  }

  private addNew({ domain, text, ttl, isShare, later, step }: Held): void {
    // The documented interface changes a share that exists, and does not tell how it is.
    const asBefore = "(mode not known)";
    const { urn } = step;
    if (isShare && !this.judgement.isFull(step))
      return this.add(urn, domain, { sign: "~", text, ttl, was: asBefore, before: { text, ttl: asBefore } });
    this.add(urn, domain, { sign: "+", text, ttl, ...(later === undefined ? {} : { later: true }) });
  }

  /** What no resource declares any more, but for what hosts were asked about. */
  private countDropped(asked: ReadonlyMap<string, Outlook>, inTheWay: ReadonlySet<string>): void {
    const replaced = new Set(
      this.steps.flatMap(({ op, urn }) => (op === "delete-replaced" || op === "replace" ? [urn] : [])),
    );
    for (const record of this.before.values()) {
      if ((asked.has(record.step.urn) && !replaced.has(record.step.urn)) || this.isDeclared(record)) continue;
      // Two hidden values at a name have one text.
      const isAnothers = isHidden(record) && !asked.has(record.step.urn);
      if (isAnothers || !inTheWay.has(`${record.domain} ${record.text}`)) this.drop(record);
    }
    for (const step of this.steps) this.dropNameless(step);
  }

  /** What earlier runs of a resource that goes have left over, where only its ledger's numbers tell of it. */
  private dropNameless(step: Step): void {
    if (step.op !== "delete" || step.done === undefined) return;
    for (const { domain, id } of this.holding(step).nameless) {
      const place = this.zones.of(step, domain)?.places?.[id];
      const shown =
        place === undefined
          ? { text: `a record that an earlier up has left over (record ${id})`, ttl: "" }
          : { text: withData(place, notShown), ttl: `(record ${id})` };
      this.drop({ key: "", domain, ...shown, isShare: false, step });
    }
  }

  private recordsOf(step: Step, side: "before" | "after" = "before"): PlannedRecord[] {
    return recordsOf(step, side, this.judgement.defaultLine);
  }

  private countTold(entry: OutlookEntry, urn: string, isTold: boolean): void {
    const { outcome, domain, text, ttl, unknown, was = { text: "", ttl: "" } } = entry;
    const key = `${domain} ${text}`;
    const same = was.text === text;
    const changed: PlanLine = {
      sign: "~",
      text,
      ttl,
      was: same ? was.ttl : `${was.text} ${was.ttl}`,
      before: was,
    };
    switch (outcome) {
      case "add":
        return this.add(urn, domain, { sign: "+", text, ttl });
      case "adopt":
        // What a resource removes that does not know of this one is made anew.
        if (this.digests.isRemoved(entry.digest)) return this.add(urn, domain, { sign: "+", text, ttl });
        // Live since another resource made it, which gives it up.
        if (this.before.has(key) || this.digests.isGivenUp(entry.digest))
          this.planOf(domain).unchanged += this.after.get(key)?.isShare === true ? 0 : 1;
        else this.add(urn, domain, { sign: "+", text, ttl }, "adopted");
        return;
      case "change":
        // What was to become it is declared by another resource, and stays.
        return this.add(
          urn,
          domain,
          !same && this.after.has(`${domain} ${was.text}`) ? { sign: "+", text, ttl } : changed,
        );
      case "differ":
        return this.add(urn, domain, changed, "fails");
      case "refuse":
        return this.add(urn, domain, was.text === "" ? { sign: "+", text, ttl } : changed, "refused");
      case "undecided": {
        const record = [...this.after.values()].find(
          ({ step, later }) => step.urn === urn && later === unknown,
        );
        // A TTL that is left out stays as it is.
        const becomes =
          record === undefined ? ttl : record.ttl === "default" ? ttl.replace(disabled, "") : record.ttl;
        const line: PlanLine = {
          sign: "~",
          text: record?.text ?? text,
          ttl: becomes,
          was: `${text} ${ttl}`,
          before: { text, ttl },
        };
        // Another name is known to be one.
        const place = record === undefined ? "" : placeOf(record);
        const moves = /^[^ (]+\. [^(]+$/.test(place) && place !== placeOf({ text });
        if (record !== undefined && !moves && !this.waiting.has(urn) && !this.judgement.isFull(record.step))
          this.decidesLate ||= this.judgement.outcomeOf(record) === "fails";
        return this.add(urn, domain, line, moves ? undefined : "undecided");
      }
      case "remove":
      case "leave": {
        const declared = this.after.get(key);
        // Of a record that is live more than once, one stays.
        if (outcome === "remove" && entry.id !== undefined && declared?.step.urn === urn)
          return this.add(urn, domain, { sign: "-", text, ttl: `${ttl} (duplicate, record ${entry.id})` });
        if (declared !== undefined && !(outcome === "remove" && this.digests.isRemoved(entry.digest))) return;
        const step = this.steps.findLast((each) => each.urn === urn);
        const held = this.before.get(key) ?? (step && { key, domain, text, ttl, isShare: false, step });
        if (held === undefined || (outcome === "remove" && !this.mayBeTaken(urn, domain, text)))
          return this.add(urn, domain, { sign: "-", text, ttl });
        return this.drop({ ...held, ttl, ...(isTold ? { isTold } : {}) }, "fails");
      }
    }
  }

  private drop(record: Held, otherwise?: "fails"): void {
    const {
      domain,
      text,
      ttl,
      step: { urn },
    } = record;
    if (this.mayBeTaken(urn, domain, text)) {
      this.decidesLate ||= this.judgement.outcomeOf(record) === "fails";
      return this.add(urn, domain, { sign: "-", text, ttl }, "undecided");
    }
    if (!this.waiting.has(record.step.urn)) this.removed.push(record);
    this.add(
      record.step.urn,
      record.domain,
      { sign: "-", text: record.text, ttl: record.ttl },
      this.judgement.outcomeOf(record) ?? otherwise,
    );
  }

  /** Whether what a resource gives up may be what another one declares: a record there of which something is not known yet. */
  private mayBeTaken(urn: string, domain: string, text: string): boolean {
    return (this.open.get(domain) ?? []).some((open) => open.step.urn !== urn && mayBecome(open, text));
  }

  /** Counts what is declared otherwise than it is live, where only the console can put it right. */
  private differ(was: string, { isShare, ttl }: Pick<PlannedRecord, "isShare" | "ttl">): "fails" | undefined {
    if (was.endsWith(disabled)) this.enablings += 1;
    else if (ttl !== "default" && !isShare) this.changes += 1;
    else return undefined;
    return "fails";
  }

  private add(urn: string, domain: string, line: PlanLine, outcome?: PlanLine["outcome"]): void {
    const comes = this.waiting.has(urn) && outcome !== "refused" ? "notBegun" : outcome;
    this.planOf(domain).lines.push(
      comes === undefined ? line : { ...line, sign: signOf[comes], outcome: comes },
    );
  }
}

/** A `Zone` is a batch of the same name to the engine, by the dynamic door. */
function asBatch(resource: string): string {
  return resource.replace(/^Zone /, "RecordBatch ");
}

function liveMailOf({ places, ttls }: ToldZone): Pick<ZonePlan, "liveMail"> {
  if (places === undefined) return {};
  return {
    liveMail: Object.entries(places).flatMap(([id, place]) =>
      isMail(place) && ttls?.[id]?.endsWith(disabled) !== true ? [place] : [],
    ),
  };
}

/** A record's text, of its text without the data. */
function withData(place: string, data: string): string {
  const [owner = "", type = "", ...line] = place.split(" ");
  return [owner, type, data, ...line].join(" ");
}

/** A record's name, type and line. */
export function placeOf({ text }: Pick<PlannedRecord, "text">): string {
  const [owner = "", type = ""] = text.split(" ");
  // What stands for hidden data is no line.
  const [line = ""] = / \[[^[\]]*\]$/.exec(text.replace(/ \[(?:secret|not shown)\]/, "")) ?? [];
  return `${owner} ${type}${line}`;
}

/** What is live and has a line of its own: what is in the way of declared records, and what the update decides. */
function toldOtherwise(entries: readonly OutlookEntry[]): ReadonlySet<string> {
  return new Set(
    entries.flatMap(({ outcome, domain, text, was, others = [] }) => {
      if (outcome === "undecided") return [`${domain} ${text}`];
      return (outcome === "differ" || outcome === "refuse") && was !== undefined
        ? [was.text, ...others].map((each) => `${domain} ${each}`)
        : [];
    }),
  );
}
