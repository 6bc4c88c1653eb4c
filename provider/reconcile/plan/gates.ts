/** The safety gates: what one run must not do to a zone unless the user names the domain. They count over all resources of the run. */
import type { DeclaredRecord, DnsRecord } from "../../dns";
import { reason, type GatedRun, type Reason } from "../../problems";
import type { Settings } from "../../settings";
import { gather } from "../../gather";
import { count } from "../../words";
import type { LiveEntry, Zone, Zones } from "../zones/zone";
import type { Match } from "./pairing";
import type { Plan } from "./plan";

/** Smaller zones have no share. */
export const fewest = 10;

interface Doings {
  readonly removed: Map<string, LiveEntry>;
  readonly changed: Map<string, Match>;
  /** MX records that stay or come. */
  readonly staying: Map<string, DeclaredRecord>;
}

export class Gates {
  private readonly zones = new Map<string, Doings>();
  /** By domain and kinds: of which resource, or of which plan where nobody knows its name, a refusal has been told in full. */
  private readonly told = new Map<string, string | object>();

  constructor(private readonly settings: Settings) {}

  /** Adds a plan's doings to those of the run. */
  add(plan: Pick<Plan, "removals" | "changes" | "create" | "present">): void {
    for (const { live } of plan.removals) this.doings(live.domain).removed.set(live.id, live);
    for (const { live, record } of plan.changes) this.doings(record.domain).changed.set(live.id, { live, record });
    for (const record of [...plan.create, ...plan.present.map((match) => match.record)]) {
      if (record.type === "MX") this.doings(record.domain).staying.set(`${record.name} ${record.value}`, record);
    }
  }

  /**
   * Why the run must not do to a plan's zones what it would: of a domain in full once, then by where that stands. @param resource
   * what the plan is of, as messages name it; a deletion knows no name @param run of a `destroy` only the share counts
   */
  refusals(plan: Pick<Plan, "removals" | "changes">, zones: Zones, resource: string | undefined, run: GatedRun = { command: "up", declares: true }): Reason[] {
    const touched = new Set([...plan.removals, ...plan.changes].map(({ live }) => live.domain));
    return [...touched].flatMap((domain): Reason[] => {
      const zone = zones.get(domain);
      if (zone === undefined || this.settings.confirmedDomains.includes(domain)) return [];
      const doings = this.doings(domain);
      const share = this.shareReason(zone, doings);
      const { nameServers, mail } = run.command === "up" ? this.losses(zone, doings) : { nameServers: undefined, mail: undefined };
      const losses = { share, nameServers, mail };
      const kinds = Object.entries(losses).flatMap(([kind, loss]) => (loss === undefined ? [] : [kind]));
      if (kinds.length === 0) return [];
      const first = gather(this.told, [domain, ...kinds].join(" "), resource ?? plan);
      if (first !== (resource ?? plan)) return [reason("zone.gated-as-well", { domain, touched: new Set([...doings.removed.keys(), ...doings.changed.keys()]).size, see: typeof first === "string" ? first : undefined })];
      return [reason("zone.gated", { domain, ...losses, ...run })];
    });
  }

  private doings(domain: string): Doings {
    return gather(this.zones, domain, { removed: new Map(), changed: new Map(), staying: new Map() });
  }

  /** Whether the share of some zone may be too large. */
  mayRefuse(plan: Pick<Plan, "removals">, zones: Zones): boolean {
    const domains = new Set(plan.removals.map(({ live }) => live.domain));
    return [...domains].some((domain) => !this.settings.confirmedDomains.includes(domain) && (zones.get(domain)?.entries.length ?? 0) >= fewest);
  }

  private shareReason(zone: Zone, { removed, changed }: Doings): string | undefined {
    const live = zone.entries.filter((entry) => !entry.hold);
    const others = [...changed.keys()].filter((id) => !removed.has(id)).length;
    // A record that is gone already counts as found.
    const found = live.length + [...removed.keys()].filter((id) => !zone.byId.has(id)).length;
    const share = found === 0 ? 0 : ((removed.size + others) / found) * 100;
    if (found < fewest || share <= this.settings.maxChangeShare) return undefined;
    return `this run would remove ${removed.size} and change ${others} of its ${count(found, "record")} (${Math.round(share)} %), more than ${this.settings.maxChangeShare} % (maxChangeShare)`;
  }

  private losses(zone: Zone, { removed, changed, staying }: Doings): { nameServers: string | undefined; mail: string | undefined } {
    const others = [...changed.values()].filter((change) => !removed.has(change.live.id));
    const going = [...removed.values(), ...others.map((change) => change.live)].map(({ record }) => record);
    const valuesOf = (records: readonly DnsRecord[]): string => records.map(({ value }) => value).join(" and ");
    const atApex = going.filter(({ type, name }) => type === "NS" && name === "@");
    const nameServers = atApex.length === 0 ? undefined : `it would remove or change ${count(atApex.length, "NS record")} of the apex (${valuesOf(atApex)})`;
    const mail = going.filter(({ type }) => type === "MX");
    const stays = zone.entries.filter((entry) => !entry.hold && entry.enabled && !removed.has(entry.id) && !changed.has(entry.id));
    const after = [...stays, ...others].map(({ record }) => record).concat([...staying.values()]).filter(({ type }) => type === "MX");
    const isLastOfApex = mail.some(({ name }) => name === "@") && !after.some(({ name }) => name === "@");
    const isLast = mail.length > 0 && (isLastOfApex || after.length === 0);
    return { nameServers, mail: isLast ? `it would remove the last MX record${isLastOfApex ? " of the apex" : ""} (${valuesOf(mail)})` : undefined };
  }
}
