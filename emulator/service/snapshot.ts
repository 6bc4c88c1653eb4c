/** A world in the form of a state file (seed.ts). */
import { defaultLine } from "./lines";
import type { Domain, Rec, World } from "./model";
import type { AccountInput, DomainInput, RecordInput } from "./schemas";
import type { Settings } from "./settings";

export interface Snapshot {
  readonly accounts: AccountInput[];
  readonly domains: DomainInput[];
  readonly settings: Settings;
}

export function snapshot(world: World): Snapshot {
  return {
    accounts: world.accounts.map(({ id: _, subTokens, ...account }) => ({
      ...account,
      subTokens: [...subTokens],
    })),
    domains: [...world.domains.values()].map((domain) => domainSeed(world, domain)),
    settings: { ...world.settings },
  };
}

function domainSeed(world: World, domain: Domain): DomainInput {
  const { id, name, owner, grade, status, extStatus, ttl, groupId, mark, remark, vip } = domain;
  const { purview, nameServers, shares, customLines, customLineMax } = domain;
  const usualLine = defaultLine(world.settings);
  const monitors = [...world.monitors.values()].filter(({ domainId }) => domainId === id);
  return structuredClone({
    ...{ id, name, owner: owner.email, grade, status, extStatus, ttl, groupId, mark, remark, vip },
    ...{ purview, nameServers, shares, customLines, customLineMax },
    // The service's own NS records are among the records.
    defaultNs: false,
    records: [...domain.records.values()].map((record) => recordSeed(record, usualLine)),
    monitors: monitors.map(({ domainId: _, ...monitor }) => monitor),
  });
}

/** @param usualLine the default line, which a state file omits */
function recordSeed(
  { id, name, type, value, lineName, ttl, mx, enabled, remark, weight, hold }: Rec,
  usualLine: string,
): RecordInput {
  const line = lineName === usualLine ? {} : { line: lineName };
  return { id, name, type, value, ttl, mx, enabled, remark, weight, hold, ...line };
}
