/**
 * What the preview tells of the domain and its package: a locked or banned domain, and the limits against what is live and
 * what this run adds.
 */
import { LegacyDnsError, ServiceError, type PurviewReader } from "../api";
import { exceededLimits, fullTypes, limitsOf, recordKey, type DeclaredRecord } from "../dns";
import { reason, type Reason } from "../problems";
import type { Settings } from "../settings";
import { gather } from "../gather";
import type { Plan } from "./plan/plan";
import type { LiveEntry, Zone, Zones } from "./zones/zone";

export interface Allowed {
  readonly refusals: readonly Reason[];
  readonly warnings: readonly Reason[];
}

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
    if (plan.create.length === 0 || plan.removals.length === 0 || this.settings.limits === "off") return first;
    for (const domain of new Set(plan.removals.map(({ live }) => live.record.domain))) {
      const zone = zones.get(domain);
      const create = plan.create.filter((record) => record.domain === domain);
      if (zone === undefined || create.length === 0) continue;
      try {
        const limits = limitsOf(await this.purview.get({ domain }));
        const full = fullTypes(limits, create, zone.entries.filter((entry) => !entry.hold).map((entry) => entry.record));
        for (const { live } of plan.removals) if (live.record.domain === domain && full(live.record.type)) first.add(live);
      } catch (error) {
        // The service will refuse what it does not allow.
        if (!(error instanceof LegacyDnsError)) throw error;
      }
    }
    return first;
  }

  async check(
    declaration: { readonly sensitive: boolean },
    plan: Plan,
    zones: Zones,
  ): Promise<Allowed> {
    const { settings } = this;
    const refusals: Reason[] = [];
    const warnings: Reason[] = [];
    const byDomain = new Map<string, DeclaredRecord[]>();
    const leaving = new Set([...plan.removals, ...plan.changes].map(({ live }) => live));
    for (const record of [...plan.create, ...plan.changes.map((change) => change.record)]) {
      gather<string, DeclaredRecord[]>(byDomain, record.domain, []).push(record);
    }
    for (const { live } of plan.removals) gather<string, DeclaredRecord[]>(byDomain, live.record.domain, []);
    await Promise.all(
      [...byDomain].map(async ([domain, own]) => {
        const zone = zones.get(domain);
        if (zone === undefined) return;
        const blocked = blockedDomain(zone);
        if (blocked !== undefined) {
          refusals.push(blocked);
          return;
        }
        const remark = idleDomain(zone);
        if (remark !== undefined) warnings.push(remark);
        if (settings.limits === "off") return;
        const planned = gather(this.additions, domain, new Map<string, DeclaredRecord>());
        const ownKeys = new Set(own.map((record) => recordKey(record)));
        const others = [...planned].filter(([key]) => !ownKeys.has(key) && !zone.byKey.has(key)).map(([, record]) => record);
        for (const record of own) planned.set(recordKey(record), record);
        try {
          const limits = limitsOf(await this.purview.get({ domain }));
          const live = zone.entries.filter((entry) => !entry.hold && !leaving.has(entry)).map((entry) => entry.record);
          const left = [...leaving].map((entry) => entry.record).filter((record) => record.domain === domain);
          const options = { ttlSent: settings.defaultTtl, sensitive: declaration.sensitive, leaving: left };
          const problems = exceededLimits({ domain, grade: zone.grade, limits }, own, [...live, ...others], options);
          (settings.limits === "refuse" ? refusals : warnings).push(...problems);
        } catch (error) {
          if (!(error instanceof LegacyDnsError)) throw error;
          if (error instanceof ServiceError && error.about === "domain") refusals.push(reason("zone.refused", { said: error.message }));
          else warnings.push(reason("zone.limits-unknown", { domain, said: error.message }));
        }
      }),
    );
    return { refusals, warnings };
  }
}

/** Why nothing can be written to the domain (api.md, Domain status). */
function blockedDomain({ domain, status }: Zone): Reason | undefined {
  if (status === "lock") return reason("zone.locked", { domain });
  if (status === "spam") return reason("zone.banned", { domain });
  return undefined;
}

/** Why records would be there and not be answered (api.md, Domain status and ext_status). */
function idleDomain({ domain, status, extStatus }: Zone): Reason | undefined {
  if (status === "pause") return reason("zone.paused", { domain });
  if (extStatus === "notexist") return reason("zone.unregistered", { domain });
  if (extStatus === "dnserror") return reason("zone.undelegated", { domain });
  return undefined;
}
