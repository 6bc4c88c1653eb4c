/**
 * The safety gates: limits on the changes of a run in a zone, unless the user confirms the domain. They count
 * all resources of the run.
 */
import type { DeclaredRecord, DnsRecord } from "../../dns";
import { reason, type GatedRun, type Reason } from "../../problems";
import type { Settings } from "../../settings";
import { domainsOf, gather } from "../../gather";
import { count } from "../../words";
import type { Siblings } from "../memory/siblings";
import type { LiveEntry, Zone, Zones } from "../zones/zone";
import type { Match } from "./pairing";
import type { Plan } from "./plan";

/** Smaller zones have no share. */
export const fewest = 10;

/**
 * The effects of a run on a zone, added plan by plan. A figure costs no pass through the zone for each plan.
 */
class Doings {
  readonly removed = new Set<string>();
  /** Number → the live record and its declaration. */
  readonly changed = new Map<string, Match>();
  /** Number of records that are changed and not removed. */
  onlyChanged = 0;
  /** Number → a removed or changed record, if it is an MX record or an NS record of the apex. */
  readonly grave = new Map<string, DnsRecord>();
  /** MX records that stay or come. */
  readonly staying = new Map<string, DeclaredRecord>();
  /** Numbers of records whose removal or change has begun. */
  readonly begun = new Set<string>();
  private counted: { readonly zone: Zone; readonly removed: number; readonly found: number } | undefined;

  remove(live: LiveEntry): void {
    if (this.changed.has(live.id) && !this.removed.has(live.id)) this.onlyChanged -= 1;
    this.removed.add(live.id);
    this.weigh(live);
  }

  change(match: Match): void {
    const { id } = match.live;
    if (!this.changed.has(id) && !this.removed.has(id)) this.onlyChanged += 1;
    this.changed.set(id, match);
    this.weigh(match.live);
  }

  /** How many records a zone had before this run: one that the run has removed already counts as well. */
  foundIn(zone: Zone): number {
    if (this.counted?.zone !== zone || this.counted.removed !== this.removed.size) {
      const listed = zone.entries.filter((entry) => !entry.hold).length;
      const gone = [...this.removed].filter((id) => !zone.byId.has(id)).length;
      this.counted = { zone, removed: this.removed.size, found: listed + gone };
    }
    return this.counted.found;
  }

  private weigh({ id, record }: LiveEntry): void {
    if (record.type === "MX" || (record.type === "NS" && record.name === "@")) this.grave.set(id, record);
  }
}

export class Gates {
  private readonly zones = new Map<string, Doings>();
  /**
   * Domain and kinds → the resource, or the plan of an unnamed resource, whose refusal was reported in full.
   */
  private readonly told = new Map<string, string | object>();

  constructor(
    private readonly settings: Settings,
    /** Where the run declares MX records. */
    private readonly declared: Pick<Siblings, "mailIn">,
  ) {}

  /** Adds a plan's effects to those of the run. */
  add(plan: Pick<Plan, "removals" | "changes" | "create" | "present">): void {
    for (const { live } of plan.removals) this.doings(live.domain).remove(live);
    for (const { live, record } of plan.changes) this.doings(record.domain).change({ live, record });
    for (const record of [...plan.create, ...plan.present.map((match) => match.record)]) {
      if (record.type === "MX")
        this.doings(record.domain).staying.set(`${record.name} ${record.value}`, record);
    }
  }

  /** {@link refusals} for a plan that begins immediately if nothing refuses it. */
  stop(
    plan: Pick<Plan, "removals" | "changes" | "create" | "present">,
    zones: Zones,
    resource: string | undefined,
    run?: GatedRun,
  ): Reason[] {
    this.add(plan);
    const reasons = this.refusals(plan, zones, resource, run);
    const touched = [...plan.removals, ...plan.changes].map(({ live }) => live);
    if (reasons.length === 0) for (const { domain, id } of touched) this.doings(domain).begun.add(id);
    return reasons;
  }

  /**
   * The reasons against a plan. The first one of a domain is complete, later ones refer to it.
   * @param resource the plan's resource in messages; a deletion has no name
   * @param run a `destroy` has only the gate for the share of a zone
   */
  refusals(
    plan: Pick<Plan, "removals" | "changes">,
    zones: Zones,
    resource: string | undefined,
    run: GatedRun = { command: "up", declares: true },
  ): Reason[] {
    const gated = domainsOf([...plan.removals, ...plan.changes].map(({ live }) => live)).flatMap((domain) => {
      const zone = zones.get(domain);
      if (zone === undefined || this.settings.confirmedDomains.includes(domain)) return [];
      const doings = this.doings(domain);
      const share = this.shareReason(zone, doings, run);
      const { nameServers, mail } =
        run.command === "up" ? this.losses(zone, doings) : { nameServers: undefined, mail: undefined };
      const losses = { share, nameServers, mail };
      const kinds = Object.entries(losses).flatMap(([kind, loss]) => (loss === undefined ? [] : [kind]));
      return kinds.length === 0 ? [] : [{ domain, doings, losses, kinds }];
    });
    // One command confirms all domains, with the confirmed ones.
    const domains = [...this.settings.confirmedDomains, ...gated.map(({ domain }) => domain)];
    return gated.map(({ domain, doings, losses, kinds }) => {
      const first = gather(this.told, [domain, ...kinds].join(" "), resource ?? plan);
      const whole = reason("zone.gated", {
        domain,
        domains,
        begun: doings.begun.size,
        ...losses,
        ...run,
        explicit: this.settings.explicit,
      });
      if (first === (resource ?? plan)) return whole;
      return reason("zone.gated-as-well", {
        domain,
        touched: doings.removed.size + doings.onlyChanged,
        see: typeof first === "string" ? first : undefined,
        whole: whole.parts,
      });
    });
  }

  private doings(domain: string): Doings {
    return gather(this.zones, domain, new Doings());
  }

  /** Whether the share of some zone may be too large. */
  mayRefuse(plan: Pick<Plan, "removals">, zones: Zones): boolean {
    return domainsOf(plan.removals.map(({ live }) => live)).some(
      (domain) =>
        !this.settings.confirmedDomains.includes(domain) &&
        (zones.get(domain)?.entries.length ?? 0) >= fewest,
    );
  }

  private shareReason(zone: Zone, doings: Doings, { follow }: GatedRun): string | undefined {
    const { onlyChanged: others, removed } = doings;
    const found = doings.foundIn(zone);
    const share = found === 0 ? 0 : ((removed.size + others) / found) * 100;
    if (found < fewest || share <= this.settings.maxChangeShare) return undefined;
    return `this run would remove ${follow === "more" ? "at least " : ""}${removed.size} and change ${others} of its ${count(found, "record")} (${Math.round(share)} %), more than ${this.settings.maxChangeShare} % (maxChangeShare)`;
  }

  private losses(
    zone: Zone,
    { removed, changed, grave, staying }: Doings,
  ): { nameServers: string | undefined; mail: string | undefined } {
    const going = [...grave.values()];
    const valuesOf = (records: readonly DnsRecord[]): string =>
      records.map(({ value }) => value).join(" and ");
    const atApex = going.filter(({ type }) => type === "NS");
    const nameServers =
      atApex.length === 0
        ? undefined
        : `it would remove or change ${count(atApex.length, "NS record")} of the apex (${valuesOf(atApex)})`;
    const mail = going.filter(({ type }) => type === "MX");
    if (mail.length === 0) return { nameServers, mail: undefined };
    const others = [...changed.values()].filter((change) => !removed.has(change.live.id));
    const stays = zone.entries.filter(
      (entry) => !entry.hold && entry.enabled && !removed.has(entry.id) && !changed.has(entry.id),
    );
    const after = [...stays, ...others]
      .map(({ record }) => record)
      .concat([...staying.values()])
      .filter(({ type }) => type === "MX");
    const beside = this.declared.mailIn(zone.domain);
    const apexMail = mail.filter(({ name }) => name === "@");
    const isLastOfApex = apexMail.length > 0 && !after.some(({ name }) => name === "@") && beside !== "apex";
    const isLast = isLastOfApex || (after.length === 0 && beside === undefined);
    return {
      nameServers,
      mail: isLast
        ? `it would remove the last MX record${isLastOfApex ? " of the apex" : ""} (${valuesOf(isLastOfApex ? apexMail : mail)})`
        : undefined,
    };
  }
}
