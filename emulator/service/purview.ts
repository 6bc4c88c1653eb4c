/** The limits of a package (api.md, Domain.Purview). 99999 is no limit (service-notes.md, Purview labels). */
import { z } from "zod";

const limit = z.int().min(0);

export const purviewSchema = z.strictObject({
  urls: limit,
  ns: limit,
  aaaa: limit,
  srv: limit,
  aliases: limit,
  lockDays: limit,
  shares: limit,
  subdomainLevels: limit,
  wildcardLevels: limit,
  loadBalancing: limit,
  minTtl: limit,
  mixedWildcards: z.boolean(),
  enhancedLines: z.boolean(),
  provinceLines: z.boolean(),
  continentLines: z.boolean(),
});

export type Purview = z.output<typeof purviewSchema>;

const noLimit = 99999;

const labels: readonly (readonly [keyof Purview, string])[] = [
  ["urls", "URL转发条数"],
  ["ns", "NS记录条数"],
  ["aaaa", "AAAA记录条数"],
  ["srv", "SRV记录条数"],
  ["aliases", "域名别名绑定个数"],
  ["lockDays", "域名锁定天数"],
  ["shares", "域名共享个数"],
  ["subdomainLevels", "子域名级数"],
  ["wildcardLevels", "泛解析级数"],
  ["loadBalancing", "负载均衡数量"],
  ["minTtl", "记录TTL最低"],
  ["mixedWildcards", "混合泛解析支持"],
  ["enhancedLines", "增强线路类型"],
  ["provinceLines", "分省线路类型"],
  ["continentLines", "分大洲线路类型"],
];

const free: Purview = {
  urls: 2,
  ns: 10,
  aaaa: 50,
  srv: 5,
  aliases: 1,
  lockDays: 7,
  shares: 5,
  subdomainLevels: 3,
  wildcardLevels: 2,
  loadBalancing: 2,
  minTtl: 600,
  mixedWildcards: false,
  enhancedLines: false,
  provinceLines: false,
  continentLines: false,
};
const plus: Purview = {
  ...free,
  urls: 20,
  ns: noLimit,
  aaaa: noLimit,
  srv: noLimit,
  aliases: 10,
  lockDays: 30,
  shares: 20,
  subdomainLevels: 10,
  wildcardLevels: 5,
  loadBalancing: 60,
  minTtl: 60,
  enhancedLines: true,
};
const ultra: Purview = {
  ...plus,
  urls: 200,
  shares: noLimit,
  loadBalancing: noLimit,
  minTtl: 1,
  mixedWildcards: true,
  provinceLines: true,
  continentLines: true,
};

interface Grade {
  readonly title: string;
  readonly purview: Purview;
}

const plans: readonly (readonly [grade: string, title: string, purview: Purview])[] = [
  ["D_Free", "旧免费套餐", free],
  ["D_Plus", "旧个人豪华版", plus],
  ["D_Extra", "旧企业创业版", plus],
  ["D_Expert", "旧企业标准版", ultra],
  ["D_Ultra", "旧企业旗舰版", ultra],
  ["DP_Free", "免费版", free],
  ["DP_Plus", "个人专业版", plus],
  ["DP_Extra", "企业创业版", { ...plus, provinceLines: true }],
  ["DP_Expert", "企业标准版", ultra],
  ["DP_Ultra", "企业旗舰版", ultra],
];
export const grades: ReadonlyMap<string, Grade> = new Map(
  plans.map(([grade, title, purview]) => [grade, { title, purview }]),
);

export function purviewOfGrade(grade: string): Purview {
  return grades.get(grade)?.purview ?? free;
}

export function purviewEntries(purview: Purview): { name: string; value: number | string }[] {
  return labels.map(([key, name]) => {
    const value = purview[key];
    return { name, value: typeof value === "boolean" ? (value ? "yes" : "no") : value };
  });
}
