/**
 * `getPurview`: what a domain's plan allows. The service names its limits with localised labels that may drift: known
 * ones become typed fields, every entry stays in the list, and an unknown label is shown, never an error.
 */
import type * as pulumi from "@pulumi/pulumi";
import type { PurviewEntry } from "../api";
import { type LookupInputs, type Lookup, lookUp, type LookupOptions, lookUpOutput } from "./lookup";

/** A limit, or no limit at all. */
export type PurviewLimit = number | "unlimited";

/** The limits under the labels that are known; an absent key: the service did not tell it. */
export interface PurviewLimits {
  readonly urlForwards?: PurviewLimit;
  readonly nsRecords?: PurviewLimit;
  readonly aaaaRecords?: PurviewLimit;
  readonly srvRecords?: PurviewLimit;
  readonly domainAliases?: PurviewLimit;
  /** Days for which the domain can be locked. */
  readonly lockDays?: PurviewLimit;
  readonly shares?: PurviewLimit;
  readonly subdomainLevels?: PurviewLimit;
  readonly wildcardLevels?: PurviewLimit;
  /** Records of one name, type and line among which load is balanced. */
  readonly loadBalancing?: PurviewLimit;
  /** The lowest TTL of a record, in seconds. */
  readonly minTtl?: number;
  readonly mixedWildcards?: boolean;
  readonly enhancedLines?: boolean;
  readonly provinceLines?: boolean;
  readonly continentLines?: boolean;
}

/** An entry as the service has it. */
export interface PurviewEntryResult {
  /** The localised label. */
  readonly name: string;
  /** Numbers and yes or no as such; 99999 stands for no limit. */
  readonly value: number | boolean | string;
  /** The result's field for it, where the label is known. */
  readonly field?: keyof PurviewLimits;
}

export interface GetPurviewArgs {
  readonly domain: string;
}
export type GetPurviewOutputArgs = LookupInputs<GetPurviewArgs>;

export interface GetPurviewResult extends PurviewLimits {
  /** The domain that was asked for, as A-labels. */
  readonly domain: string;
  /** Every entry, in the service's order. */
  readonly entries: PurviewEntryResult[];
  /** The names of the entries that no field stands for. */
  readonly unknownLabels: string[];
}

/** service-notes, Purview labels: 99999 stands for no limit. */
const NO_LIMIT = 99999;

const COUNTS = {
  URL转发条数: "urlForwards",
  NS记录条数: "nsRecords",
  AAAA记录条数: "aaaaRecords",
  SRV记录条数: "srvRecords",
  域名别名绑定个数: "domainAliases",
  域名锁定天数: "lockDays",
  域名共享个数: "shares",
  子域名级数: "subdomainLevels",
  泛解析级数: "wildcardLevels",
  负载均衡数量: "loadBalancing",
} as const;
const MIN_TTL = "记录TTL最低";
const FLAGS = {
  混合泛解析支持: "mixedWildcards",
  增强线路类型: "enhancedLines",
  分省线路类型: "provinceLines",
  分大洲线路类型: "continentLines",
} as const;

function isKey<T extends object>(table: T, key: string): key is string & keyof T {
  return Object.hasOwn(table, key);
}

/** The field that an entry fills; undefined where the label is not known, or its value is not of the field's kind. */
function limitOf({ name, value }: PurviewEntry): { readonly field: keyof PurviewLimits; readonly limits: PurviewLimits } | undefined {
  // Widths and blanks of a label are not its meaning.
  const label = name.normalize("NFKC").replace(/\s+/g, "");
  if (typeof value === "number") {
    if (label === MIN_TTL) return { field: "minTtl", limits: { minTtl: value } };
    if (!isKey(COUNTS, label)) return undefined;
    const field = COUNTS[label];
    return { field, limits: { [field]: value === NO_LIMIT ? "unlimited" : value } };
  }
  if (typeof value !== "boolean" || !isKey(FLAGS, label)) return undefined;
  const field = FLAGS[label];
  return { field, limits: { [field]: value } };
}

/** The service's entries with the fields that they fill; of two entries for one field the first counts. */
export function purviewResult(domain: string, list: readonly PurviewEntry[]): GetPurviewResult {
  let limits: PurviewLimits = {};
  const entries = list.map((entry): PurviewEntryResult => {
    const { name, value } = entry;
    const limit = limitOf(entry);
    if (limit === undefined || limit.field in limits) return { name, value };
    limits = { ...limits, ...limit.limits };
    return { name, value, field: limit.field };
  });
  return { domain, ...limits, entries, unknownLabels: entries.filter(({ field }) => field === undefined).map(({ name }) => name) };
}

const purview: Lookup<{ readonly domain: string }, GetPurviewResult> = {
  name: "getPurview",
  arguments: ["domain"],
  read: (args) => ({ domain: args.requiredDomain() }),
  ask: async (client, request) => purviewResult(request.domain, await client.call("Domain.Purview", request)),
};

/**
 * What the domain's plan allows: counts, levels, the lowest TTL, kinds of lines.
 * @throws LookupError (as a rejection)
 * @example const { minTtl, nsRecords } = await getPurview({ domain: "example.com" });
 */
export function getPurview(args: GetPurviewArgs, options?: LookupOptions): Promise<GetPurviewResult> {
  return lookUp(purview, args, options);
}

/** `getPurview` with arguments that may be outputs. */
export function getPurviewOutput(args: GetPurviewOutputArgs, options?: LookupOptions): pulumi.Output<GetPurviewResult> {
  return lookUpOutput(purview, args, options);
}
