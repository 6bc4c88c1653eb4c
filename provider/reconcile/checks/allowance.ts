/** A locked or banned domain, and the limits of its package, in a preview. */
import { failureReason, LegacyDnsError, ServiceError, type PurviewReader } from "../../api";
import {
  exceededLimits,
  fullTypes,
  limitsOf,
  recordKey,
  Usage,
  type DeclaredRecord,
  type Limits,
} from "../../dns";
import { reason, type Reason } from "../../problems";
import type { Settings } from "../../settings";
import { groupBy } from "../../support/collections";
import type { Plan } from "../plan/plan";
import type { LiveEntry, Zone, Zones } from "../zones/zone";

export interface Allowed {
  readonly refusals: readonly Reason[];
  readonly warnings: readonly Reason[];
}

/** Status of a domain that cannot be written → reason (api.md, Domain status). */
const blocking = new Map<string | undefined, "zone.locked" | "zone.banned">([
  ["lock", "zone.locked"],
  ["spam", "zone.banned"],
]);

/** Status or ext_status of records that are not served → reason (api.md, Domain status and ext_status). */
const idling = new Map<string | undefined, "zone.paused" | "zone.unregistered" | "zone.undelegated">([
  ["pause", "zone.paused"],
  ["notexist", "zone.unregistered"],
  ["dnserror", "zone.undelegated"],
]);

const nothing: Allowed = { refusals: [], warnings: [] };

/** Live records and additions of this run. A further resource costs a pass through its own records only. */
class ZoneUsage {
  readonly live: Usage;
  private readonly added = new Usage();

  constructor(
    readonly zone: Zone,
    readonly planned = new Map<string, DeclaredRecord>(),
  ) {
    this.live = new Usage(zone.entries.filter(({ hold }) => !hold).map(({ record }) => record));
    for (const record of this.beyondZone([...planned.values()])) this.added.add(record);
  }

  add(records: readonly DeclaredRecord[]): void {
    const fresh = records.filter((record) => !this.planned.has(recordKey(record)));
    for (const record of this.beyondZone(fresh)) this.added.add(record);
    for (const record of fresh) this.planned.set(recordKey(record), record);
  }

  without(own: readonly DeclaredRecord[], leaving: readonly LiveEntry[]): Pick<Usage, "of"> {
    const { added, live, zone } = this;
    const counted = leaving.filter((entry) => !entry.hold && zone.byId.get(entry.id) === entry);
    const others = new Usage([...this.beyondZone(own), ...counted.map(({ record }) => record)]);
    return { of: (limit) => live.of(limit) + added.of(limit) - others.of(limit) };
  }

  private beyondZone(records: readonly DeclaredRecord[]): DeclaredRecord[] {
    return records.filter((record) => !this.zone.byKey.has(recordKey(record)));
  }
}

export class Allowance {
  private readonly usages = new Map<string, ZoneUsage>();

  constructor(
    private readonly purview: PurviewReader,
    private readonly settings: Settings,
  ) {}

  forget(domain: string): void {
    this.purview.forget(domain);
  }

  /** Removals before creations, because the package has no room for both. */
  async mustGoFirst(plan: Plan, zones: Zones): Promise<ReadonlySet<LiveEntry>> {
    const first = new Set<LiveEntry>();
    if (this.settings.limits === "off") return first;
    const coming = groupBy(plan.create, ({ domain }) => domain);
    for (const [domain, removals] of groupBy(plan.removals, ({ live }) => live.domain)) {
      const zone = zones.get(domain);
      const create = coming.get(domain);
      if (zone === undefined || create === undefined) continue;
      const limits = await this.limits(domain);
      if (limits instanceof LegacyDnsError) continue;
      const full = fullTypes(limits, create, this.usageOf(zone).live);
      for (const { live } of removals) if (full(live.record.type)) first.add(live);
    }
    return first;
  }

  async check(plan: Plan, zones: Zones): Promise<Allowed> {
    const coming = groupBy(
      [...plan.create, ...plan.changes.map(({ record }) => record)],
      ({ domain }) => domain,
    );
    const leaving = groupBy(
      [...plan.removals, ...plan.changes].map(({ live }) => live),
      ({ record }) => record.domain,
    );
    const touched = [...new Set([...coming.keys(), ...leaving.keys()])].flatMap(
      (domain) => zones.get(domain) ?? [],
    );
    const allowed = await Promise.all(
      touched.map((zone) =>
        this.checkZone(zone, coming.get(zone.domain) ?? [], leaving.get(zone.domain) ?? []),
      ),
    );
    return {
      refusals: allowed.flatMap(({ refusals }) => refusals),
      warnings: allowed.flatMap(({ warnings }) => warnings),
    };
  }

  private async checkZone(
    zone: Zone,
    own: readonly DeclaredRecord[],
    leaving: readonly LiveEntry[],
  ): Promise<Allowed> {
    const { settings } = this;
    const { domain, grade, status, extStatus } = zone;
    const blocked = blocking.get(status);
    if (blocked !== undefined) return { refusals: [reason(blocked, { domain })], warnings: [] };
    const idle = idling.get(status) ?? idling.get(extStatus);
    const warnings: Reason[] = idle === undefined ? [] : [reason(idle, { domain })];
    if (settings.limits === "off") return { ...nothing, warnings };
    const limits = await this.limits(domain);
    if (limits instanceof LegacyDnsError) {
      const isOfDomain = limits instanceof ServiceError && limits.about === "domain";
      if (isOfDomain) return { refusals: [failureReason(limits)], warnings };
      return {
        ...nothing,
        warnings: [...warnings, reason("zone.limits-unknown", { domain, detail: limits.message })],
      };
    }
    const usage = this.usageOf(zone);
    usage.add(own);
    const pack = { domain, grade, limits };
    const additions = {
      coming: own,
      leaving: leaving.map(({ record }) => record),
      beside: usage.without(own, leaving),
    };
    const problems = exceededLimits(pack, additions, settings.defaultTtl);
    return settings.limits === "refuse"
      ? { refusals: problems, warnings }
      : { refusals: [], warnings: [...warnings, ...problems] };
  }

  private usageOf(zone: Zone): ZoneUsage {
    const known = this.usages.get(zone.domain);
    if (known?.zone === zone) return known;
    const usage = new ZoneUsage(zone, known?.planned);
    this.usages.set(zone.domain, usage);
    return usage;
  }

  private limits(domain: string): Promise<Limits | LegacyDnsError> {
    return this.purview
      .get({ domain })
      .then(limitsOf)
      .catch((error: unknown) => {
        if (error instanceof LegacyDnsError) return error;
        throw error;
      });
  }
}
