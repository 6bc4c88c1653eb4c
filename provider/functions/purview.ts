/**
 * The limits of a domain's package. The service names them with localised labels, which may change. A known
 * label becomes a typed field.
 */
import type { PurviewEntry } from "../api/entities";
import { limitOfLabel } from "../dns";
import type * as pulumi from "../support/sdk";
import type { DomainArgs, DomainKeys } from "./arguments";
import { api, domainLookup, lookUp, lookUpOutput } from "./lookup";
import type { LookupInputs, LookupOptions } from "./options";

/** A limit, or no limit at all. */
export type PurviewLimit = number | "unlimited";

/** The limits with known labels. A key is absent if the service does not return it. */
export interface PurviewLimits {
  /** How many URL forwards the domain may have. */
  readonly urlForwards?: PurviewLimit;
  /** How many NS records the domain may have. */
  readonly nsRecords?: PurviewLimit;
  /** How many AAAA records the domain may have. */
  readonly aaaaRecords?: PurviewLimit;
  /** How many SRV records the domain may have. */
  readonly srvRecords?: PurviewLimit;
  /** How many aliases the domain may have. */
  readonly aliases?: PurviewLimit;
  /** How many days the domain can be locked. */
  readonly lockDays?: PurviewLimit;
  /** How many accounts the domain may be shared with. */
  readonly shares?: PurviewLimit;
  /** How many levels a host name may have. */
  readonly subdomainLevels?: PurviewLimit;
  /** How many levels a wildcard name may have. */
  readonly wildcardLevels?: PurviewLimit;
  /** Records of one name, type and line among which load is balanced. */
  readonly loadBalancing?: PurviewLimit;
  /** The lowest TTL of a record, in seconds. */
  readonly minTtl?: number;
  /** Whether a wildcard may be part of a label. */
  readonly mixedWildcards?: boolean;
  /** Whether records may be on the enhanced lines. */
  readonly enhancedLines?: boolean;
  /** Whether records may be on lines of provinces. */
  readonly provinceLines?: boolean;
  /** Whether records may be on lines of continents. */
  readonly continentLines?: boolean;
}

/** An entry as the service returns it. */
export interface PurviewEntryResult extends PurviewEntry {
  /** The label in English, if it is known. */
  readonly english?: string;
  /** The result's field for it, if the label is known. */
  readonly field?: keyof PurviewLimits;
}

export type GetPurviewArgs = DomainArgs;
export type GetPurviewOutputArgs = LookupInputs<GetPurviewArgs>;

export interface GetPurviewResult extends PurviewLimits {
  /** The domain of the question, as A-labels. Absent if the question had its id. */
  readonly domain?: string;
  /** The id of the question. */
  readonly domainId?: string;
  /** Every entry, in the service's order. */
  readonly entries: PurviewEntryResult[];
  /** The labels without a field. */
  readonly unknownLabels: string[];
}

/** service-notes, Purview labels: 99999 stands for no limit. */
const NO_LIMIT = 99999;

const FLAGS = ["mixedWildcards", "enhancedLines", "provinceLines", "continentLines"] as const;

/** Undefined if the value has another type than the field. */
function limitOf(field: keyof PurviewLimits, value: PurviewEntry["value"]): PurviewLimits | undefined {
  const isFlag = FLAGS.some((flag) => flag === field);
  if (typeof value !== (isFlag ? "boolean" : "number")) return undefined;
  return { [field]: value === NO_LIMIT && field !== "minTtl" ? "unlimited" : value };
}

/** The first of two entries for one field counts. */
function purviewResult({ domain, domainId }: DomainKeys, list: readonly PurviewEntry[]): GetPurviewResult {
  let limits: PurviewLimits = {};
  const entries = list.map(({ name, value }): PurviewEntryResult => {
    const [, field, english] = limitOfLabel(name) ?? [];
    const limit = field === undefined || field in limits ? undefined : limitOf(field, value);
    if (field === undefined || english === undefined || limit === undefined) return { name, value };
    limits = { ...limits, ...limit };
    return { name, value, english, field };
  });
  const keys = domain === undefined ? { domainId } : { domain };
  return {
    ...keys,
    ...limits,
    entries,
    unknownLabels: entries.filter(({ field }) => field === undefined).map(({ name }) => name),
  };
}

/** @internal */
export const purview = domainLookup<GetPurviewResult>("getPurview", async (keys, client, settings) =>
  // The cache of the resources serves here as well (api.md, Domain.Purview).
  purviewResult(keys, await new (api().PurviewReader)(client, settings).get(keys)),
);

/**
 * The limits of the domain's package: counts, levels, the lowest TTL, kinds of lines.
 * @throws LookupError (as a rejection)
 */
export function getPurview(args: GetPurviewArgs, options?: LookupOptions): Promise<GetPurviewResult> {
  return lookUp(purview, args, options);
}

/** `getPurview` with arguments that may be outputs. */
export function getPurviewOutput(
  args: GetPurviewOutputArgs,
  options?: LookupOptions,
): pulumi.Output<GetPurviewResult> {
  return lookUpOutput(purview, args, options);
}
