/**
 * What the preview tells of the domain and its package: a locked or banned domain, and the limits against what is live and
 * what this run adds.
 */
import { LegacyDnsError, ServiceError, type PurviewReader } from "../api";
import { exceededLimits, fullTypes, limitsOf, recordKey, type DeclaredRecord, type Limits } from "../dns";
import { reason, type Reason } from "../problems";
import type { Settings } from "../settings";
import { gather, groupBy } from "../gather";
import type { Plan } from "./plan/plan";
import type { LiveEntry, Zone, Zones } from "./zones/zone";

export interface Allowed {
  readonly refusals: readonly Reason[];
  readonly warnings: readonly Reason[];
}

const nothing: Allowed = { refusals: [], warnings: [] };

export class Allowance {
  /** What this run adds, by domain and key: limits count all resources together. */
  private readonly additions = new Map<string, Map<string, DeclaredRecord>>();

  constructor(
    private readonly purview: PurviewReader,
    private readonly settings: Settings,
  ) {}

  /** A refusal proves the kept limits stale. */
  forget(domain: string): void {
    this.purview.forget(domain);
  }

  /** Which removals must go before anything is made, since the package has no room for both. */
  async mustGoFirst(plan: Plan, zones: Zones): Promise<ReadonlySet<LiveEntry>> {
    const first = new Set<LiveEntry>();
    if (plan.create.length === 0 || this.settings.limits === "off") return first;
    for (const [domain, removals] of groupBy(plan.removals, ({ live }) => live.record.domain)) {
      const zone = zones.get(domain);
      const create = plan.create.filter((record) => record.domain === domain);
      if (zone === undefined || create.length === 0) continue;
      const limits = await this.limits(domain);
      // The service will refuse what it does not allow.
      if (limits instanceof LegacyDnsError) continue;
      const full = fullTypes(limits, create, zone.entries.filter((entry) => !entry.hold).map((entry) => entry.record));
      for (const { live } of removals) if (full(live.record.type)) first.add(live);
    }
    return first;
  }

  async check(plan: Plan, zones: Zones): Promise<Allowed> {
    const coming = groupBy([...plan.create, ...plan.changes.map(({ record }) => record)], ({ domain }) => domain);
    const leaving = groupBy([...plan.removals, ...plan.changes].map(({ live }) => live), ({ record }) => record.domain);
    const domains = [...new Set([...coming.keys(), ...leaving.keys()])];
    const allowed = await Promise.all(
      domains.map(async (domain) => {
        const zone = zones.get(domain);
        return zone === undefined ? nothing : this.checkZone(zone, coming.get(domain) ?? [], leaving.get(domain) ?? []);
      }),
    );
    return { refusals: allowed.flatMap(({ refusals }) => refusals), warnings: allowed.flatMap(({ warnings }) => warnings) };
  }

  private async checkZone(zone: Zone, own: readonly DeclaredRecord[], leaving: readonly LiveEntry[]): Promise<Allowed> {
    const { settings } = this;
    const { domain, grade } = zone;
    const blocked = blockedDomain(zone);
    if (blocked !== undefined) return { refusals: [blocked], warnings: [] };
    const warnings = idleDomain(zone);
    if (settings.limits === "off") return { refusals: [], warnings };
    const planned = gather(this.additions, domain, new Map<string, DeclaredRecord>());
    const ownKeys = new Set(own.map((record) => recordKey(record)));
    const others = [...planned].filter(([key]) => !ownKeys.has(key) && !zone.byKey.has(key)).map(([, record]) => record);
    for (const record of own) planned.set(recordKey(record), record);
    const limits = await this.limits(domain);
    if (limits instanceof LegacyDnsError) {
      const isOfDomain = limits instanceof ServiceError && limits.about === "domain";
      if (isOfDomain) return { refusals: [reason("zone.refused", { said: limits.message })], warnings };
      return { refusals: [], warnings: [...warnings, reason("zone.limits-unknown", { domain, said: limits.message })] };
    }
    const goes = new Set(leaving);
    const stays = zone.entries.filter((entry) => !entry.hold && !goes.has(entry)).map((entry) => entry.record);
    const options = { ttlSent: settings.defaultTtl, leaving: leaving.map((entry) => entry.record) };
    const problems = exceededLimits({ domain, grade, limits }, own, [...stays, ...others], options);
    return settings.limits === "refuse" ? { refusals: problems, warnings } : { refusals: [], warnings: [...warnings, ...problems] };
  }

  /** The limits of the domain's package, or why they cannot be read. */
  private async limits(domain: string): Promise<Limits | LegacyDnsError> {
    try {
      return limitsOf(await this.purview.get({ domain }));
    } catch (error) {
      if (error instanceof LegacyDnsError) return error;
      throw error;
    }
  }
}

/** Why nothing can be written to the domain (api.md, Domain status). */
function blockedDomain({ domain, status }: Zone): Reason | undefined {
  if (status === "lock") return reason("zone.locked", { domain });
  if (status === "spam") return reason("zone.banned", { domain });
  return undefined;
}

/** Why records would be there and not be answered (api.md, Domain status and ext_status). */
function idleDomain({ domain, status, extStatus }: Zone): Reason[] {
  if (status === "pause") return [reason("zone.paused", { domain })];
  if (extStatus === "notexist") return [reason("zone.unregistered", { domain })];
  return extStatus === "dnserror" ? [reason("zone.undelegated", { domain })] : [];
}
