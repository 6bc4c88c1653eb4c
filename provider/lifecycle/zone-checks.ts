/** The zone checks in a preview. They make no call. */
import { digest, recordKey, type DeclaredRecord } from "../dns";
import {
  allOff,
  checkZone,
  divideFindings,
  hostOf,
  levelOf,
  overlaid,
  upwards,
  type CheckFinding,
  type ZoneRecord,
} from "../dns/checks";
import type { CheckCode } from "../problems";
import type { Declaration } from "../reconcile/declaration";
import { groupBy } from "../support/collections";
import type { Plan } from "../reconcile/plan/plan";
import { type Wording, wordingOf } from "../reconcile/wording";
import type { Zone } from "../reconcile/zones/zone";
import type { Host } from "./host";

export interface Surroundings {
  readonly given: unknown;
  /** Nothing is then reported as missing. */
  readonly mayHaveUnknownSiblings: boolean;
  readonly declared: readonly string[];
}

export function checkedZones(
  { settings, reconciler, clock }: Host,
  declaration: Declaration,
  plan: Plan,
  surroundings: Surroundings,
): ReturnType<typeof divideFindings> {
  const levels = overlaid(settings.checks, surroundings.given);
  if (allOff(levels)) return { refuse: [], warn: [], note: [] };
  const byDomain = groupBy(withTtl(declaration.records, plan, settings.defaultTtl), ({ domain }) => domain);
  const zoneOf = (domain: string): Zone | undefined => reconciler.zones.latest(domain)?.zone;
  const whole =
    !surroundings.mayHaveUnknownSiblings && areLive(surroundings.declared, [...byDomain.keys()].map(zoneOf));
  const { hides } = wordingOf(reconciler.siblings, declaration);
  const isOff = (code: CheckCode): boolean => levelOf(code, levels) === "off";
  const rest = unchangedIn(plan, declaration.may.single, surroundings, hides);
  const findings: CheckFinding[] = [];
  const now = clock.wall();
  for (const [domain, declared] of [...byDomain].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const zone = zoneOf(domain);
    const view =
      zone === undefined
        ? { domain, declared, beside: [], whole: false, now }
        : { domain, declared, beside: rest(zone, declared), whole, live: liveNames(zone), now };
    for (const finding of checkZone(view, isOff)) findings.push(finding);
  }
  return divideFindings(findings, levels);
}

/** Others without a TTL match any live one. */
function withTtl(
  records: readonly DeclaredRecord[],
  { create }: Plan,
  defaultTtl: number,
): readonly DeclaredRecord[] {
  const created = new Set(create.filter(({ ttl }) => ttl === "default"));
  return created.size === 0
    ? records
    : records.map((record) => (created.has(record) ? { ...record, ttl: defaultTtl } : record));
}

function unchangedIn(
  plan: Plan,
  single: boolean,
  { mayHaveUnknownSiblings, declared: elsewhere }: Surroundings,
  hides: Wording["hides"],
): (zone: Zone, declared: readonly DeclaredRecord[]) => ZoneRecord[] {
  const inOwnForm = plan.present.filter(({ live }) => live.stored !== undefined);
  const leaving = new Set(
    [...plan.removals, ...plan.changes, ...inOwnForm].map(({ live }) => `${live.record.domain} ${live.id}`),
  );
  const others = new Set(elsewhere);
  return (zone, declared) => {
    const keys = new Set(declared.map((record) => recordKey(record)));
    const entries = single
      ? declared.flatMap((record) => namesOf(record).flatMap((name) => zone.byPlace.get(name) ?? []))
      : zone.entries;
    const stay = entries.filter(
      ({ key, id, enabled }) => enabled && !keys.has(key) && !leaving.has(`${zone.domain} ${id}`),
    );
    return stay.map(({ record, key, ttl }) => ({
      ...record,
      ...(hides(record) ? { secret: true } : {}),
      // Another resource of the program may change its TTL.
      ...(mayHaveUnknownSiblings || others.has(digest(key)) ? {} : { ttl }),
    }));
  };
}

function liveNames({ entries }: Zone): string[] {
  return entries.flatMap(({ record, enabled }) => (enabled ? [record.name] : []));
}

function namesOf(record: DeclaredRecord): string[] {
  const { domain, name, type } = record;
  const end = `.${domain}.`;
  const host = ["MX", "NS", "SRV", "CNAME"].includes(type) ? hostOf(record) : "";
  return [...new Set([name, ...upwards(name), ...(host.endsWith(end) ? [host.slice(0, -end.length)] : [])])];
}

function areLive(digests: readonly string[], zones: readonly (Zone | undefined)[]): boolean {
  if (digests.length === 0) return true;
  const live = new Set(zones.flatMap((zone) => zone?.entries.map(({ key }) => digest(key)) ?? []));
  return digests.every((each) => live.has(each));
}
