/** A package's limits. An unknown label is shown, but not enforced (service-notes.md, Purview labels). */
/** An unnamed or unlimited limit is absent. */
export interface Limits {
  readonly urlForwards?: number;
  readonly nsRecords?: number;
  readonly aaaaRecords?: number;
  readonly srvRecords?: number;
  readonly aliases?: number;
  readonly lockDays?: number;
  readonly shares?: number;
  readonly subdomainLevels?: number;
  readonly wildcardLevels?: number;
  readonly loadBalancing?: number;
  readonly minTtl?: number;
  readonly mixedWildcards?: boolean;
  readonly enhancedLines?: boolean;
  readonly provinceLines?: boolean;
  readonly continentLines?: boolean;
}

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
const unlimited = 99999;

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

export function limitsOf(
  entries: readonly { readonly name: string; readonly value: number | boolean | string }[],
): Limits {
  const limits: Record<string, number | boolean> = {};
  const read = new Set<string>();
  for (const { name, value } of entries) {
    const [, key] = limitOfLabel(name) ?? [];
    if (key === undefined || typeof value === "string" || read.has(key)) continue;
    read.add(key);
    if (value !== unlimited) limits[key] = value;
  }
  return limits;
}
