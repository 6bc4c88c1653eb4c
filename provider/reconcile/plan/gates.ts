/**
 * The safety gates: what one run may not do to a zone without being asked for by name. They count over all resources of
 * the run, since a mistake in a program seldom stops at one.
 */
import type { DeclaredRecord } from "../../dns";
import type { Settings } from "../../settings";
import { gather } from "../../gather";
import { count } from "../words";
import type { LiveEntry, Zone, Zones } from "../zones/zone";
import type { Plan } from "./plan";

/** A zone with fewer records is small enough to be looked over. */
const fewest = 10;

/** What this run does to one zone, by record id. */
interface Doings {
  readonly removed: Map<string, LiveEntry>;
  readonly changed: Map<string, { readonly live: LiveEntry; readonly record: DeclaredRecord }>;
  /** What is there to stay or to come, of the types that must not be lost. */
  readonly staying: Map<string, DeclaredRecord>;
}

export class Gates {
  private readonly zones = new Map<string, Doings>();

  constructor(private readonly settings: Settings) {}

  /**
   * Counts a plan's removals and changes to those of the run.
   * @param options `destroy`: that all goes which the stack made is what was asked for, and only the share counts
   * @returns what must not happen unasked, a sentence for each zone and reason.
   */
  refusals(
    plan: Pick<Plan, "removals" | "changes" | "create" | "present">,
    zones: Zones,
    { command }: { readonly command: "up" | "destroy" } = { command: "up" },
  ): string[] {
    const touched = new Set<string>();
    const doings = (domain: string): Doings => gather(this.zones, domain, { removed: new Map(), changed: new Map(), staying: new Map() });
    for (const { live } of plan.removals) {
      doings(live.record.domain).removed.set(live.id, live);
      touched.add(live.record.domain);
    }
    for (const { live, record } of plan.changes) {
      doings(record.domain).changed.set(live.id, { live, record });
      touched.add(record.domain);
    }
    for (const record of [...plan.create, ...plan.present.map((match) => match.record)]) {
      if (record.type === "MX") doings(record.domain).staying.set(`${record.name} ${record.value}`, record);
    }
    const refusals: string[] = [];
    for (const domain of touched) {
      const zone = zones.get(domain);
      if (zone === undefined || this.settings.confirmedDomains.includes(domain)) continue;
      const reasons = [...this.shareReason(zone, doings(domain)), ...(command === "up" ? this.lossReasons(zone, doings(domain)) : [])];
      const onProvider = command === "up" ? "" : ", with a `pulumi up` before the destroy";
      if (reasons.length > 0) refusals.push(`${domain}: ${reasons.join("; ")}. Nothing of this was done. If that is meant, name the domain: \`LEGACYDNS_CONFIRMED_DOMAINS=${domain} pulumi ${command}\`, or \`confirmedDomains\` on an explicit Provider${onProvider}`);
    }
    return refusals;
  }

  /** Whether a zone is large enough, and nobody has named it, so that a part of it may be too much. */
  mayRefuse(plan: Pick<Plan, "removals">, zones: Zones): boolean {
    const domains = new Set(plan.removals.map(({ live }) => live.record.domain));
    return [...domains].some((domain) => !this.settings.confirmedDomains.includes(domain) && (zones.get(domain)?.entries.length ?? 0) >= fewest);
  }

  private shareReason(zone: Zone, { removed, changed }: Doings): string[] {
    const live = zone.entries.filter((entry) => !entry.hold);
    const others = [...changed.keys()].filter((id) => !removed.has(id)).length;
    // What has gone already is not in a zone that was read since, and still belongs to what the run found.
    const found = live.length + [...removed.keys()].filter((id) => !zone.byId.has(id)).length;
    const share = found === 0 ? 0 : ((removed.size + others) / found) * 100;
    if (found < fewest || share <= this.settings.maxChangeShare) return [];
    return [
      `this run would remove ${removed.size} and change ${others} of its ${count(found, "record")} (${Math.round(share)} %), more than ${this.settings.maxChangeShare} % (maxChangeShare)`,
    ];
  }

  /** NS records of the apex, and the last MX. */
  private lossReasons(zone: Zone, { removed, changed, staying }: Doings): string[] {
    const live = zone.entries.filter((entry) => !entry.hold);
    const gone = [...removed.values()];
    const others = [...changed.values()].filter((change) => !removed.has(change.live.id));
    const reasons: string[] = [];
    const atApex = [...gone, ...others.map((change) => change.live)].filter(({ record }) => record.type === "NS" && record.name === "@");
    if (atApex.length > 0) reasons.push(`it would remove or change ${count(atApex.length, "NS record")} of the apex (${atApex.map(({ record }) => record.value).join(" and ")})`);
    const mailGoes = [...gone, ...others.map((change) => change.live)].filter(({ record }) => record.type === "MX");
    const comes = [...others.map(({ record }) => record), ...staying.values()];
    const stays = live.filter((entry) => entry.enabled && !removed.has(entry.id) && !changed.has(entry.id)).map(({ record }) => record);
    const after = [...stays, ...comes].filter((record) => record.type === "MX");
    if (mailGoes.some(({ record }) => record.name === "@") && !after.some(({ name }) => name === "@")) {
      reasons.push(`it would remove the last MX record of the apex (${mailGoes.map(({ record }) => record.value).join(" and ")})`);
    } else if (mailGoes.length > 0 && after.length === 0) {
      reasons.push(`it would remove the last MX record (${mailGoes.map(({ record }) => record.value).join(" and ")})`);
    }
    return reasons;
  }
}
