/** What the preview tells of the domain and its package: a locked or banned domain, and the limits against what is live and what this run adds. */
import { LegacyDnsError, ServiceError, type PurviewReader } from "../api";
import {
  exceededLimits,
  fullTypes,
  limitsOf,
  overBalanced,
  recordKey,
  type DeclaredRecord,
  type Limits,
} from "../dns";
import { reason, together, type Reason } from "../problems";
import type { Settings } from "../settings";
import { gather, groupBy } from "../gather";
import type { Plan } from "./plan/plan";
import type { LiveEntry, Zone, Zones } from "./zones/zone";

export interface Allowed {
  readonly refusals: readonly Reason[];
  /** Records that are refused each by itself. */
  readonly refused: readonly DeclaredRecord[];
  readonly warnings: readonly Reason[];
}

/** Why nothing can be written to a domain, by its status (api.md, Domain status). */
const blocking = new Map<string | undefined, "zone.locked" | "zone.banned">([
  ["lock", "zone.locked"],
  ["spam", "zone.banned"],
]);

/** Why records would be there and not be answered, by status or else by ext_status (api.md, Domain status and ext_status). */
const idling = new Map<string | undefined, "zone.paused" | "zone.unregistered" | "zone.undelegated">([
  ["pause", "zone.paused"],
  ["notexist", "zone.unregistered"],
  ["dnserror", "zone.undelegated"],
]);

const nothing: Allowed = { refusals: [], refused: [], warnings: [] };

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
    if (this.settings.limits === "off") return first;
    const coming = groupBy(plan.create, ({ domain }) => domain);
    for (const [domain, removals] of groupBy(plan.removals, ({ live }) => live.domain)) {
      const zone = zones.get(domain);
      const create = coming.get(domain);
      if (zone === undefined || create === undefined) continue;
      const limits = await this.limits(domain);
      // The service will refuse what it does not allow.
      if (limits instanceof LegacyDnsError) continue;
      const full = fullTypes(
        limits,
        create,
        zone.entries.filter((entry) => !entry.hold).map((entry) => entry.record),
      );
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
      refused: allowed.flatMap(({ refused }) => refused),
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
    if (blocked !== undefined) return { refusals: [reason(blocked, { domain })], refused: own, warnings: [] };
    const idle = idling.get(status) ?? idling.get(extStatus);
    const warnings: Reason[] = idle === undefined ? [] : [reason(idle, { domain })];
    if (settings.limits === "off") return { ...nothing, warnings };
    const planned = gather(this.additions, domain, new Map<string, DeclaredRecord>());
    const ownKeys = new Set(own.map((record) => recordKey(record)));
    const others = [...planned]
      .filter(([key]) => !ownKeys.has(key) && !zone.byKey.has(key))
      .map(([, record]) => record);
    for (const record of own) planned.set(recordKey(record), record);
    const limits = await this.limits(domain);
    if (limits instanceof LegacyDnsError) {
      const isOfDomain = limits instanceof ServiceError && limits.about === "domain";
      if (isOfDomain)
        return { refusals: [reason("zone.refused", { said: limits.message })], refused: own, warnings };
      return {
        ...nothing,
        warnings: [...warnings, reason("zone.limits-unknown", { domain, said: limits.message })],
      };
    }
    const goes = new Set(leaving);
    const stays = zone.entries
      .filter((entry) => !entry.hold && !goes.has(entry))
      .map((entry) => entry.record);
    const options = { ttlSent: settings.defaultTtl, leaving: leaving.map((entry) => entry.record) };
    const problems = together(exceededLimits({ domain, grade, limits }, own, [...stays, ...others], options));
    warnings.push(...overBalanced({ domain, grade, limits }, own, [...stays, ...others], options.leaving));
    if (settings.limits !== "refuse") return { ...nothing, warnings: [...warnings, ...problems] };
    const refused =
      problems.length === 0
        ? []
        : own.filter(
            (record) =>
              exceededLimits({ domain, grade, limits }, [record], [], { ttlSent: settings.defaultTtl })
                .length > 0,
          );
    return { refusals: problems, refused, warnings };
  }

  /** The limits of the domain's package, or why they cannot be read. */
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
