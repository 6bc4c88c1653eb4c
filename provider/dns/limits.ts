/** A package's limits (an unknown label is not enforced; service-notes.md, Purview labels), and the additions that exceed them. */
import { upperAscii } from "./quoting";
import { reason, type Reason } from "../problems";
import type { DeclaredRecord, DnsRecord } from "./record";
import { describeRecord } from "./text";
import { recordTypes, typeOf, type Limits } from "./types";

export type { Limits } from "./types";

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

export function limitOfLabel(label: string): (typeof limitLabels)[number] | undefined {
  const plain = label.normalize("NFKC").replace(/\s+/g, "");
  return limitLabels.find(([documented]) => documented === plain);
}

/** No limit (service-notes.md, Purview labels). */
export const unlimited = 99999;

/** api.md, Enumeration grade. */
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

export function packageName(grade: string): string {
  const name = packages.get(grade);
  return name === undefined ? grade : `${name} (${grade})`;
}

const flags: readonly (keyof Limits)[] = [
  "mixedWildcards",
  "enhancedLines",
  "provinceLines",
  "continentLines",
];

type Entries = readonly { readonly name: string; readonly value: number | boolean | string }[];

/** The first fitting value of each known label. */
export function readLimits(entries: Entries): ReadonlyMap<keyof Limits, number | boolean> {
  const limits = new Map<keyof Limits, number | boolean>();
  for (const { name, value } of entries) {
    const [, key] = limitOfLabel(name) ?? [];
    if (key === undefined || limits.has(key) || typeof value === "string") continue;
    if (flags.includes(key) === (typeof value === "boolean")) limits.set(key, value);
  }
  return limits;
}

export function limitsOf(entries: Entries): Limits {
  return Object.fromEntries([...readLimits(entries)].filter(([, value]) => value !== unlimited));
}

export interface Package {
  readonly domain: string;
  readonly grade: string;
  readonly limits: Limits;
}

type Limit = keyof Limits;

/** The names of both kinds of URL forwards end in `URL`. */
export function limitOf(type: string): Limit | undefined {
  const upper = upperAscii(type);
  return typeOf(upper)?.limit ?? (upper.endsWith("URL") ? "urlForwards" : undefined);
}

const counted = [...recordTypes.map(({ limit }) => limit), "urlForwards" as const].flatMap((limit) =>
  limitLabels.filter(([, key]) => key === limit).map(([, key, noun]) => ({ key, noun })),
);

export class Usage {
  private readonly records = new Map<Limit, number>();

  constructor(records: Iterable<DnsRecord> = []) {
    for (const record of records) this.add(record);
  }

  add(record: DnsRecord): void {
    const limit = limitOf(record.type);
    if (limit !== undefined) this.records.set(limit, this.of(limit) + 1);
  }

  of(limit: Limit): number {
    return this.records.get(limit) ?? 0;
  }
}

export function countedRecords(records: readonly { readonly type: string }[]): {
  readonly [key in Limit]?: number;
} {
  return Object.fromEntries(
    counted.map(({ key }) => [key, records.filter(({ type }) => limitOf(type) === key).length]),
  );
}

export function fullTypes(
  limits: Limits,
  additions: readonly DnsRecord[],
  live: Pick<Usage, "of">,
): (type: string) => boolean {
  const coming = new Usage(additions);
  const full = counted.filter(
    ({ key }) => coming.of(key) > 0 && live.of(key) + coming.of(key) > Number(limits[key] ?? Infinity),
  );
  return (type) => full.some(({ key }) => key === limitOf(type));
}

export interface Additions {
  readonly coming: readonly DeclaredRecord[];
  /** The live records that they replace. */
  readonly leaving?: readonly DnsRecord[];
  /** Other live records, without the service's own. */
  readonly beside: Pick<Usage, "of">;
}

export function exceededLimits(pack: Package, additions: Additions, ttlSent: number): Reason[] {
  const problems = additions.coming.flatMap((record) => exceededBy(record, pack, ttlSent));
  const [coming, leaving] = [new Usage(additions.coming), new Usage(additions.leaving)];
  for (const { key, noun } of counted) {
    const limit = pack.limits[key];
    const [added, used] = [coming.of(key), additions.beside.of(key)];
    // A zone above its limit may change without growing.
    if (typeof limit !== "number" || added <= leaving.of(key) || used + added <= limit) continue;
    problems.push(reason("limit.records", { ...nameOf(pack), added, noun, used, limit }));
  }
  return problems;
}

function nameOf({ domain, grade }: Package): { domain: string; package: string } {
  return { domain, package: grade === "" ? "of unknown grade" : packageName(grade) };
}

function exceededBy(record: DeclaredRecord, pack: Package, ttlSent: number): Reason[] {
  const { minTtl, mixedWildcards, wildcardLevels, subdomainLevels } = pack.limits;
  const of = nameOf(pack);
  const lines = (note?: string) => [
    { text: describeRecord(record), ...(note === undefined ? {} : { note }) },
  ];
  const problems: Reason[] = [];
  const isDefault = record.ttl === "default";
  const ttl = record.ttl === "default" ? ttlSent : record.ttl;
  if (minTtl !== undefined && ttl < minTtl)
    problems.push(
      reason("limit.ttl", { ...of, least: minTtl }, lines(`TTL ${ttl}${isDefault ? " (defaultTtl)" : ""}`)),
    );
  const labels = record.name === "@" ? [] : record.name.split(".");
  const [first = ""] = labels;
  const hasStar = first.includes("*");
  if (mixedWildcards === false && first !== "*" && hasStar)
    problems.push(reason("limit.mixed-wildcard", of, lines()));
  const limit = hasStar ? wildcardLevels : subdomainLevels;
  const kind = hasStar ? "wildcard levels" : "subdomain levels";
  if (limit !== undefined && labels.length > limit)
    problems.push(reason("limit.levels", { ...of, kind, limit }, lines(`${labels.length} levels`)));
  return problems;
}
