/**
 * `getPurview`: what a domain's package allows. The service names its limits with localised labels that may drift: known
 * ones become typed fields, every entry stays in the list, and an unknown label is shown, never an error.
 */
import type { PurviewEntry } from "../api";
import { limitOfLabel } from "../dns";
import type { DomainArgs, DomainKeys } from "./arguments";
import { api } from "./lazy";
import { ofDomain, type Lookup } from "./lookup";

/** A limit, or no limit at all. */
export type PurviewLimit = number | "unlimited";

/** The limits under the labels that are known; an absent key: the service did not tell it. */
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
  /** Days for which the domain can be locked. */
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

/** An entry as the service has it. */
export interface PurviewEntryResult {
  /** The localised label. */
  readonly name: string;
  /** Numbers and yes or no as such; 99999 stands for no limit. */
  readonly value: number | boolean | string;
  /** The label in English, where it is known. */
  readonly english?: string;
  /** The result's field for it, where the label is known. */
  readonly field?: keyof PurviewLimits;
}

export type GetPurviewArgs = DomainArgs;

export interface GetPurviewResult extends PurviewLimits {
  /** The domain that was asked for, as A-labels; absent where it was asked for by its id. */
  readonly domain?: string;
  /** The id that was asked for. */
  readonly domainId?: string;
  /** Every entry, in the service's order. */
  readonly entries: PurviewEntryResult[];
  /** The names of the entries that no field stands for. */
  readonly unknownLabels: string[];
}

/** service-notes, Purview labels: 99999 stands for no limit. */
const NO_LIMIT = 99999;

const FLAGS = ["mixedWildcards", "enhancedLines", "provinceLines", "continentLines"] as const;

/** The field with its value; undefined where the value is not of the field's kind. */
function limitOf(field: keyof PurviewLimits, value: PurviewEntry["value"]): PurviewLimits | undefined {
  const isFlag = FLAGS.some((flag) => flag === field);
  if (typeof value !== (isFlag ? "boolean" : "number")) return undefined;
  return { [field]: value === NO_LIMIT && field !== "minTtl" ? "unlimited" : value };
}

/** The service's entries with the fields that they fill; of two entries for one field the first counts. */
export function purviewResult(
  { domain, domainId }: DomainKeys,
  list: readonly PurviewEntry[],
): GetPurviewResult {
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
export const purview: Lookup<DomainKeys, GetPurviewResult> = {
  name: "getPurview",
  ...ofDomain,
  // The service asks to keep it (api.md, Domain.Purview): the copy that the resources use serves here as well.
  ask: async (client, request, settings) =>
    purviewResult(request, await new (api().PurviewReader)(client, settings).get(request)),
};
