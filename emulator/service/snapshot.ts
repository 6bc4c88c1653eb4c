/** A world in the form of a state file (seed.ts). */
import { defaultLine } from "./lines";
import type { Domain, World } from "./model";
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
  const monitors = [...world.monitors.values()].filter(({ domainId }) => domainId === id);
  return structuredClone({
    ...{ id, name, owner: owner.email, grade, status, extStatus, ttl, groupId, mark, remark, vip },
    ...{ purview, nameServers, shares, customLines, customLineMax },
    // They are among the records.
    defaultNs: false,
    records: [...domain.records.values()].map((record): RecordInput => {
      const line = record.lineName === defaultLine(world.settings) ? {} : { line: record.lineName };
      const {
        id: own,
        name: label,
        type,
        value,
        ttl: seconds,
        mx,
        enabled,
        remark: comment,
        weight,
        hold,
      } = record;
      return {
        id: own,
        name: label,
        type,
        value,
        ttl: seconds,
        mx,
        enabled,
        remark: comment,
        weight,
        hold,
        ...line,
      };
    }),
    monitors: monitors.map(({ domainId: _, ...monitor }) => monitor),
  });
}
