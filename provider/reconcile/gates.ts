/**
 * The safety gates: what one run may not do to a zone without being asked for by name. They count over all resources of
 * the run, since a mistake in a program seldom stops at one.
 */
import type { DeclaredRecord } from "../dns";
import type { Settings } from "../settings";
import { gather } from "./gather";
import { count } from "./messages";
import type { Plan } from "./plan";
import type { LiveEntry, Zone } from "./zones";

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
   * @returns what must not happen unasked, a sentence for each zone and reason.
   */
  refusals(plan: Pick<Plan, "removals" | "changes" | "create" | "present">, zones: ReadonlyMap<string, Zone>): string[] {
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
      const reasons = this.reasons(zone, doings(domain));
      if (reasons.length > 0) refusals.push(`${domain}: ${reasons.join("; ")}. Nothing of this was done. If that is meant, name the domain: \`LEGACYDNS_CONFIRMED_DOMAINS=${domain} pulumi up\`, or \`confirmedDomains\` on an explicit Provider`);
    }
    return refusals;
  }

  private reasons(zone: Zone, { removed, changed, staying }: Doings): string[] {
    const live = zone.entries.filter((entry) => !entry.hold);
    const gone = [...removed.values()];
    const others = [...changed.values()].filter((change) => !removed.has(change.live.id));
    const reasons: string[] = [];
    const share = live.length === 0 ? 0 : ((gone.length + others.length) / live.length) * 100;
    if (live.length >= fewest && share > this.settings.maxChangeShare) {
      reasons.push(
        `this run would remove ${gone.length} and change ${others.length} of its ${count(live.length, "record")} (${Math.round(share)} %), more than ${this.settings.maxChangeShare} % (maxChangeShare)`,
      );
    }
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
