/** A world in the form of a state file (seed.ts). */
import { defaultLine } from "./lines";
import type { Domain, World } from "./model";
import type { AccountInput, DomainInput, RecordInput } from "./seed";
import type { Settings } from "./settings";

export interface Snapshot {
  readonly accounts: AccountInput[];
  readonly domains: DomainInput[];
  readonly settings: Settings;
}

export function snapshot(world: World): Snapshot {
  return {
    accounts: world.accounts.map(({ email, token, subTokens, verified }) => ({
      email,
      token,
      subTokens: [...subTokens],
      verified,
    })),
    domains: [...world.domains.values()].map((domain) => domainSeed(world, domain)),
    settings: { ...world.settings },
  };
}

function domainSeed(world: World, domain: Domain): DomainInput {
  return {
    id: domain.id,
    name: domain.name,
    owner: domain.owner.email,
    grade: domain.grade,
    status: domain.status,
    extStatus: domain.extStatus,
    ttl: domain.ttl,
    groupId: domain.groupId,
    mark: domain.mark,
    remark: domain.remark,
    vip:
      domain.vip === null
        ? null
        : {
            startAt: new Date(domain.vip.startAt).toISOString(),
            endAt: new Date(domain.vip.endAt).toISOString(),
            autoRenew: domain.vip.autoRenew,
          },
    purview: { ...domain.purview },
    nameServers: [...domain.nameServers],
    // They are among the records.
    defaultNs: false,
    records: [...domain.records.values()].map((record): RecordInput => {
      const line = record.lineName === defaultLine(world.settings) ? {} : { line: record.lineName };
      const { id, name, type, value, ttl, mx, enabled, remark, weight, hold } = record;
      return { id, name, type, value, ttl, mx, enabled, remark, weight, hold, ...line };
    }),
    shares: domain.shares.map((share) => ({ ...share })),
    customLines: domain.customLines.map((line) => ({ ...line })),
    customLineMax: domain.customLineMax,
    monitors: [...world.monitors.values()]
      .filter((monitor) => monitor.domainId === domain.id)
      .map(({ id, subDomain, ip, recordId, points }) => ({
        id,
        subDomain,
        ip,
        recordId,
        points: points.map(({ point, events }) => ({
          point,
          events: events.map((event) => ({ ...event, at: new Date(event.at).toISOString() })),
        })),
      })),
  };
}
