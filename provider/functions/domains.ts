/** The look-ups of domains, their limits and their lines. */
import type { Client, DomainFilter } from "../api";
import type { CustomLine, DomainCounters, DomainDetail, DomainSummary, PurviewEntry } from "../api/entities";
import { limitOfLabel, packageName } from "../dns";
import { defined } from "../support/defined";
import type * as pulumi from "../support/sdk";
import type { DomainArgs, DomainKeys } from "./arguments";
import {
  api,
  domainLookup,
  english,
  plain,
  unexplained,
  withOutputs,
  type Lookup,
  type LookupInputs,
  type LookupOptions,
} from "./lookup";

/** A domain of the account. A key is absent if the service does not return it. */
export interface DomainResult extends DomainSummary {
  /** The package in plain English. */
  readonly gradeMeaning?: string;
  /** The status in plain English. */
  readonly statusMeaning?: string;
  /** The extended status in plain English. */
  readonly extStatusMeaning?: string;
}

export type GetDomainArgs = DomainArgs;
export type GetDomainOutputArgs = LookupInputs<GetDomainArgs>;

export interface GetDomainResult extends DomainResult, Pick<DomainDetail, "userId" | "filed"> {}

/** @internal */
export const domain = domainLookup<GetDomainResult>("getDomain", async (keys, client) =>
  domainResult(await client.call("Domain.Info", keys)),
);

function domainResult<D extends DomainSummary>(detail: D): D & DomainResult {
  return {
    ...detail,
    ...defined({
      gradeMeaning: gradeMeaning(detail.grade),
      statusMeaning: english("status", detail.status),
      extStatusMeaning: english("extStatus", detail.extStatus),
    }),
  };
}

/** api.md, Enumeration grade. */
function gradeMeaning(grade: string | undefined): string | undefined {
  if (grade === undefined) return undefined;
  const name = packageName(grade);
  if (name === grade) return unexplained(grade);
  return grade.startsWith("D_") ? `${name}, an old package` : name;
}

/**
 * One domain: its package, status, owner and name servers.
 * @throws LookupError
 */
export const getDomain = plain<GetDomainArgs, GetDomainResult>(domain);
/** `getDomain` with arguments that may be outputs. */
export const getDomainOutput = withOutputs<GetDomainArgs, GetDomainResult>(domain);

/** Argument → the service's word, which is an argument as well. */
const DOMAIN_TYPES = {
  all: "all",
  mine: "mine",
  sharedToMe: "share",
  sharedByMe: "share_out",
  starred: "ismark",
  paused: "pause",
  vip: "vip",
  recent: "recent",
  share: "share",
  share_out: "share_out",
  ismark: "ismark",
  pause: "pause",
} as const;

export interface GetDomainsArgs {
  /**
   * `all` (default), `mine`, `sharedToMe`, `sharedByMe`, `starred`, `paused`, `vip` or `recent`. The
   * service's own words (`share`, `share_out`, `ismark`, `pause`) are accepted as well.
   */
  readonly type?: keyof typeof DOMAIN_TYPES | undefined;
  /** Only domains that match it. The service does the matching. */
  readonly keyword?: string | undefined;
  /** Only domains of the group with this id. */
  readonly groupId?: string | number | undefined;
}
export type GetDomainsOutputArgs = LookupInputs<GetDomainsArgs>;

/** The service's counters. All but `matching` are independent of the filter. */
export interface DomainCountersResult extends DomainCounters {
  /** Domains that match the filter: the length of `domains`. */
  readonly matching: number;
}

export interface GetDomainsResult {
  /** Every match; empty if there is none. */
  readonly domains: DomainResult[];
  /** A key is absent if the service does not return it. */
  readonly counters: DomainCountersResult;
}

const NO_DOMAINS: DomainCountersResult = {
  ...{ matching: 0, all: 0, mine: 0, sharedToMe: 0, sharedByMe: 0, vip: 0 },
  ...{ starred: 0, paused: 0, dnsError: 0, locked: 0, banned: 0, vipExpiring: 0 },
};

/** @internal */
export const domains: Lookup<GetDomainsResult> = {
  name: "getDomains",
  arguments: ["type", "keyword", "groupId"],
  question: (args) => {
    const request = defined({
      type: args.word("type", DOMAIN_TYPES),
      keyword: args.text("keyword"),
      groupId: args.id("groupId"),
    });
    return { request, ask: (client) => listed(client, request) };
  },
};

async function listed(client: Client, filter: DomainFilter): Promise<GetDomainsResult> {
  const { listDomains } = api();
  const list = await listDomains(client, filter);
  // An empty list comes without counters (api.md, Domain.List code 9).
  const isWhole = Object.keys(filter).length === 0;
  const counters =
    list.counters ?? (isWhole ? undefined : (await listDomains(client)).counters) ?? NO_DOMAINS;
  return {
    domains: list.domains.map(domainResult),
    counters: { ...counters, matching: list.domains.length },
  };
}

/**
 * All domains of the account that match, with the service's counters.
 * @throws LookupError
 */
export const getDomains: (args?: GetDomainsArgs, options?: LookupOptions) => Promise<GetDomainsResult> =
  plain(domains);
/** `getDomains` with arguments that may be outputs. */
export const getDomainsOutput: (
  args?: GetDomainsOutputArgs,
  options?: LookupOptions,
) => pulumi.Output<GetDomainsResult> = withOutputs<GetDomainsArgs | undefined, GetDomainsResult>(domains);

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
    const [, field, label] = limitOfLabel(name) ?? [];
    const limit = field === undefined || field in limits ? undefined : limitOf(field, value);
    if (field === undefined || label === undefined || limit === undefined) return { name, value };
    limits = { ...limits, ...limit };
    return { name, value, english: label, field };
  });
  return {
    ...(domain === undefined ? { domainId } : { domain }),
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
 * @throws LookupError
 */
export const getPurview = plain<GetPurviewArgs, GetPurviewResult>(purview);
/** `getPurview` with arguments that may be outputs. */
export const getPurviewOutput = withOutputs<GetPurviewArgs, GetPurviewResult>(purview);

export type GetCustomLinesArgs = DomainArgs;
export type GetCustomLinesOutputArgs = LookupInputs<GetCustomLinesArgs>;

/** One custom line. A key is absent if the service does not return it. */
export interface CustomLineResult extends Omit<CustomLine, "domainId"> {
  /** The range's first address, if the range has the form of two addresses. */
  readonly from?: string;
  /** The range's last address, if the range has the form of two addresses. */
  readonly to?: string;
}

/** The quota of custom lines. A key is absent if the service does not return it. */
export interface GetCustomLinesQuota {
  /** Existing lines. */
  readonly used?: number;
  /** Lines that may still be added. */
  readonly available?: number;
  /** Lines that the domain may have. Each line has this number, so a domain without lines has none. */
  readonly max?: number;
}

export interface GetCustomLinesResult {
  /** The domain of the question, as A-labels. Absent if the question had its id. */
  readonly domain?: string;
  /** The domain's id. Absent if neither the question nor a line has it. */
  readonly domainId?: string;
  /** The domain's custom lines. Absent if the service returns no list. */
  readonly lines?: CustomLineResult[];
  /** How many lines there are, and how many there may be. */
  readonly quota: GetCustomLinesQuota;
}

/** @internal */
export const customLines = domainLookup<GetCustomLinesResult>("getCustomLines", async (keys, client) => {
  const { lines, available } = await client.call("Custom.Line.List", keys);
  const max = lines?.find(({ maxCount }) => maxCount !== undefined)?.maxCount;
  const domainId = keys.domainId ?? lines?.find((line) => line.domainId !== undefined)?.domainId;
  return {
    ...defined({
      domain: keys.domain,
      domainId,
      lines: lines?.map(({ domainId: _id, ...line }) => ({ ...line, ...range(line.area ?? "") })),
    }),
    quota: defined({ used: lines?.length, available, max }),
  };
});

function range(area: string): { from?: string; to?: string } {
  const [, from, to] = /^\s*([^\s-]+)\s*-\s*([^\s-]+)\s*$/.exec(area) ?? [];
  return from === undefined || to === undefined ? {} : { from, to };
}

/**
 * The domain's custom lines and its quota of them.
 * @throws LookupError
 */
export const getCustomLines = plain<GetCustomLinesArgs, GetCustomLinesResult>(customLines);
/** `getCustomLines` with arguments that may be outputs. */
export const getCustomLinesOutput = withOutputs<GetCustomLinesArgs, GetCustomLinesResult>(customLines);
