/**
 * What a domain's package allows, and what a set of additions would break. The labels are the service's own and may drift:
 * an unknown one is kept, shown, and never enforced (service-notes.md, Purview labels). Pure.
 */
import { upperAscii } from "./ascii";
import { reason, type Reason } from "../problems";
import { groupBy } from "../gather";
import { describeRecord, setOf, textWith } from "./text";
import type { DeclaredRecord, DnsRecord } from "./record";

/** A domain's limits; one that the service did not name, or that knows no bound, is absent. */
export interface Limits {
  readonly urlForwards?: number;
  readonly nsRecords?: number;
  readonly aaaaRecords?: number;
  readonly srvRecords?: number;
  readonly aliases?: number;
  readonly lockDays?: number;
  readonly shares?: number;
  /** How many labels a host name may have. */
  readonly subdomainLevels?: number;
  /** How many labels a host name with a wildcard may have. */
  readonly wildcardLevels?: number;
  readonly loadBalancing?: number;
  /** Seconds. */
  readonly minTtl?: number;
  readonly mixedWildcards?: boolean;
  readonly enhancedLines?: boolean;
  readonly provinceLines?: boolean;
  readonly continentLines?: boolean;
}

/** The documented labels, in the documented order. */
export const limitLabels: readonly (readonly [label: string, key: keyof Limits, english: string])[] = [
  ["URL转发条数", "urlForwards", "URL forwards"],
  ["NS记录条数", "nsRecords", "NS records"],
  ["AAAA记录条数", "aaaaRecords", "AAAA records"],
  ["SRV记录条数", "srvRecords", "SRV records"],
  ["域名别名绑定个数", "aliases", "domain alias bindings"],
  ["域名锁定天数", "lockDays", "days of domain lock"],
  ["域名共享个数", "shares", "domain shares"],
  ["子域名级数", "subdomainLevels", "subdomain levels"],
  ["泛解析级数", "wildcardLevels", "wildcard levels"],
  ["负载均衡数量", "loadBalancing", "load balancing"],
  ["记录TTL最低", "minTtl", "minimum TTL"],
  ["混合泛解析支持", "mixedWildcards", "mixed wildcards"],
  ["增强线路类型", "enhancedLines", "enhanced lines"],
  ["分省线路类型", "provinceLines", "province lines"],
  ["分大洲线路类型", "continentLines", "continent lines"],
];

/** The documented limit of a label; widths and blanks are not its meaning. */
export function limitOfLabel(label: string): (typeof limitLabels)[number] | undefined {
  const plain = label.normalize("NFKC").replace(/\s+/g, "");
  return limitLabels.find(([documented]) => documented === plain);
}

/** Stands for no limit (service-notes.md, Purview labels). */
const unlimited = 99999;

/** The packages by grade (api.md, Enumeration grade). */
const packages: ReadonlyMap<string, string> = new Map([
  ["D_Free", "old free package"],
  ["D_Plus", "personal deluxe"],
  ["D_Extra", "enterprise I"],
  ["D_Expert", "enterprise II"],
  ["D_Ultra", "enterprise III"],
  ["DP_Free", "free package"],
  ["DP_Plus", "personal professional"],
  ["DP_Extra", "enterprise starter"],
  ["DP_Expert", "enterprise standard"],
  ["DP_Ultra", "enterprise flagship"],
]);

/** `personal professional (DP_Plus)`; a grade that api.md does not list stands for itself. */
export function packageName(grade: string): string {
  const name = packages.get(grade);
  return name === undefined ? grade : `${name} (${grade})`;
}

/** The limits among a domain's purview entries; of two entries for one limit the first counts. */
export function limitsOf(
  entries: readonly { readonly name: string; readonly value: number | boolean | string }[],
): Limits {
  const limits: Record<string, number | boolean> = {};
  const told = new Set<string>();
  for (const { name, value } of entries) {
    const [, key] = limitOfLabel(name) ?? [];
    if (key === undefined || typeof value === "string" || told.has(key)) continue;
    told.add(key);
    if (value !== unlimited) limits[key] = value;
  }
  return limits;
}

/** A domain and its package, for messages and counts. */
export interface Package {
  readonly domain: string;
  readonly grade: string;
  readonly limits: Limits;
}

/** The types that a package counts, and which limit counts them. */
const counted = [
  ["nsRecords", "NS records", (type: string) => upperAscii(type) === "NS"],
  ["aaaaRecords", "AAAA records", (type: string) => upperAscii(type) === "AAAA"],
  ["srvRecords", "SRV records", (type: string) => upperAscii(type) === "SRV"],
  ["urlForwards", "URL forwards", (type: string) => upperAscii(type).endsWith("URL")],
] as const;

export type CountedLimit = (typeof counted)[number][0];

/** How many records count against each limit that counts records, and how many addresses stand at a name and line. */
export class Usage {
  private readonly records = new Map<CountedLimit, number>();
  private readonly addresses = new Map<string, number>();

  constructor(records: Iterable<DnsRecord> = []) {
    for (const record of records) this.add(record);
  }

  add(record: DnsRecord): void {
    for (const [limit, , counts] of counted) if (counts(record.type)) increase(this.records, limit);
    if (isAddress(record)) increase(this.addresses, setOf(record));
  }

  of(limit: CountedLimit): number {
    return this.records.get(limit) ?? 0;
  }

  /** @param place as `setOf` names it */
  at(place: string): number {
    return this.addresses.get(place) ?? 0;
  }
}

function increase<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function isAddress({ type }: DnsRecord): boolean {
  return type === "A" || type === "AAAA";
}

/** How many of the records count against each limit that counts records. */
export function countedRecords(records: readonly { readonly type: string }[]): {
  readonly [key in keyof Limits]?: number;
} {
  return Object.fromEntries(
    counted.map(([key, , counts]) => [key, records.filter(({ type }) => counts(type)).length]),
  );
}

/** Whether a type is counted by a limit that the additions would break beside all that is live. */
export function fullTypes(
  limits: Limits,
  additions: readonly DnsRecord[],
  live: Pick<Usage, "of">,
): (type: string) => boolean {
  const coming = new Usage(additions);
  const full = counted.filter(
    ([key]) => coming.of(key) > 0 && live.of(key) + coming.of(key) > (limits[key] ?? Infinity),
  );
  return (type) => full.some(([, , counts]) => counts(type));
}

/** Records to add, the live records that leave for them, and the counts of all others but the service's own. */
export interface Additions {
  readonly coming: readonly DeclaredRecord[];
  readonly leaving?: readonly DnsRecord[];
  readonly beside: Pick<Usage, "of" | "at">;
}

/**
 * What the additions would break, each with the limit, what is used and the package's name.
 * @param ttlSent the TTL in seconds that a record without one is sent with.
 */
export function exceededLimits(pack: Package, additions: Additions, ttlSent: number): Reason[] {
  const { domain, grade, limits } = pack;
  const of = { domain, package: grade === "" ? undefined : packageName(grade) };
  const problems = additions.coming.flatMap((record) => exceededBy(record, pack, ttlSent));
  const [coming, leaving] = [new Usage(additions.coming), new Usage(additions.leaving)];
  for (const [key, noun] of counted) {
    const limit = limits[key];
    const added = coming.of(key);
    // A zone that is over its limit already may still be edited, as long as it does not grow.
    if (limit === undefined || added <= leaving.of(key)) continue;
    const used = additions.beside.of(key);
    if (used + added > limit) {
      problems.push(reason("limit.records", { ...of, added, noun, used, sum: used + added, limit }));
    }
  }
  return problems;
}

/** The limits that a record breaks by itself. */
function exceededBy(record: DeclaredRecord, { domain, grade, limits }: Package, ttlSent: number): Reason[] {
  const of = { domain, package: grade === "" ? undefined : packageName(grade) };
  const named = [{ what: describeRecord(record) }];
  const problems: Reason[] = [];
  const ttl = record.ttl === "default" ? ttlSent : record.ttl;
  if (limits.minTtl !== undefined && ttl < limits.minTtl) {
    problems.push(
      reason("limit.ttl", { ...of, named, ttl, isDefault: record.ttl === "default", least: limits.minTtl }),
    );
  }
  const labels = record.name === "@" ? 0 : record.name.split(".").length;
  const [first = ""] = record.name.split(".", 1);
  if (limits.mixedWildcards === false && first !== "*" && first.includes("*")) {
    problems.push(reason("limit.mixed-wildcard", { ...of, named }));
  }
  const [limit, kind] = first.includes("*")
    ? [limits.wildcardLevels, "wildcard levels"]
    : [limits.subdomainLevels, "subdomain levels"];
  if (limit !== undefined && labels > limit) {
    problems.push(reason("limit.levels", { ...of, named, labels, kind, limit }));
  }
  return problems;
}

/**
 * Addresses of one name and line beyond the package's load balancing, of the places that additions make larger. No document says
 * what it counts: the service may accept them.
 */
export function overBalanced({ domain, grade, limits }: Package, additions: Additions): Reason[] {
  const limit = limits.loadBalancing;
  if (limit === undefined) return [];
  const of = { domain, package: grade === "" ? undefined : packageName(grade) };
  const leaving = new Usage(additions.leaving);
  return [...groupBy(additions.coming.filter(isAddress), setOf)].flatMap(([place, [first, ...others]]) => {
    const [added, beside] = [1 + others.length, additions.beside.at(place)];
    if (first === undefined || added + beside <= limit || added <= leaving.at(place)) return [];
    return [
      reason("limit.balancing", {
        ...of,
        where: textWith(first),
        added,
        used: beside,
        sum: added + beside,
        limit,
      }),
    ];
  });
}
