/** The look-ups of domains, their limits and their lines. */
import type { domainKinds } from "../api";
import type { CustomLine, DomainCounters, DomainDetail, DomainSummary, PurviewEntry } from "../api/entities";
import { limitOfLabel, readLimits, unlimited, type Limits } from "../dns";
import { defined } from "../support/defined";
import type * as pulumi from "../support/sdk";
import type { DomainArgs } from "./arguments";
import {
  api,
  domainLookup,
  lookup,
  plain,
  withOutputs,
  type LookupInputs,
  type LookupOptions,
} from "./lookup";

/** A domain of the account. */
export interface DomainResult extends DomainSummary {}

export type GetDomainArgs = DomainArgs;

export interface GetDomainResult extends DomainDetail {}

const domain = domainLookup<GetDomainResult>("getDomain", (keys, client) => client.call("Domain.Info", keys));

/**
 * One domain: its package, status, owner and name servers.
 * @throws LookupError
 */
export const getDomain = plain<GetDomainArgs, GetDomainResult>(domain);
export const getDomainOutput = withOutputs<GetDomainArgs, GetDomainResult>(domain);

export interface GetDomainsArgs {
  /** `all` (default), `mine`, `sharedToMe`, `sharedByMe`, `starred`, `paused`, `vip` or `recent`. */
  readonly type?: keyof typeof domainKinds | undefined;
  /** Only domains that match it. The service does the matching. */
  readonly keyword?: string | undefined;
  /** Only domains of the group with this id. */
  readonly groupId?: string | number | undefined;
}

/** The service's counters, all but `matching` independent of the filter. */
export interface DomainCountersResult extends DomainCounters {}

export interface GetDomainsResult {
  /** Every match; empty if there is none. */
  readonly domains: DomainResult[];
  /** How many domains there are of each kind. */
  readonly counters: DomainCountersResult;
}

const domains = lookup({
  name: "getDomains",
  arguments: ["type", "keyword", "groupId"],
  request: (args) =>
    defined({
      type: args.word("type", api().domainKinds),
      keyword: args.text("keyword"),
      groupId: args.id("groupId"),
    }),
  result: async (request, client): Promise<GetDomainsResult> => {
    const { domains, ...list } = await api().listDomains(client, request);
    // An empty list comes without counters (api.md, Domain.List code 9).
    const isWhole = Object.keys(request).length === 0;
    const { counters } = list.counters || isWhole ? list : await api().listDomains(client);
    return { domains: [...domains], counters: { ...counters, matching: domains.length } };
  },
});

/**
 * All domains of the account that match, with the service's counters. An empty list comes without counters, so one more
 * call asks for them.
 * @throws LookupError
 */
export const getDomains: (args?: GetDomainsArgs, options?: LookupOptions) => Promise<GetDomainsResult> =
  plain(domains);
export const getDomainsOutput: (
  args?: LookupInputs<GetDomainsArgs>,
  options?: LookupOptions,
) => pulumi.Output<GetDomainsResult> = withOutputs<GetDomainsArgs | undefined, GetDomainsResult>(domains);

/** A limit, or no limit at all. */
export type PurviewLimit = number | "unlimited";

type CountedLimit = Exclude<keyof Limits, "minTtl" | `${string}Lines` | "mixedWildcards">;

/** The limits with known labels. */
export type PurviewLimits = {
  readonly [Name in keyof Limits]: Name extends CountedLimit ? PurviewLimit : Limits[Name];
};

/** An entry as the service returns it. */
export interface PurviewEntryResult extends PurviewEntry {}

export type GetPurviewArgs = DomainArgs;

export interface GetPurviewResult extends PurviewLimits {
  /** The domain of the question, as A-labels. Absent if the question had its id. */
  readonly domain?: string;
  /** The id of the question. */
  readonly domainId?: string;
  /** Every entry, in the service's order. */
  readonly entries: PurviewEntryResult[];
  /** The labels that the provider does not know. */
  readonly unknownLabels: string[];
}

const purview = domainLookup<GetPurviewResult>("getPurview", async (keys, client, settings) => {
  // The cache of the resources serves here as well (api.md, Domain.Purview).
  const entries = await new (api().PurviewReader)(client, settings).get(keys);
  const limits = [...readLimits(entries)].map(([name, value]) =>
    name !== "minTtl" && value === unlimited ? [name, "unlimited"] : [name, value],
  );
  const unknown = entries.filter(({ name }) => limitOfLabel(name) === undefined);
  return {
    ...defined(keys),
    ...(Object.fromEntries(limits) as PurviewLimits),
    entries: [...entries],
    unknownLabels: unknown.map(({ name }) => name),
  };
});

/**
 * The limits of the domain's package: counts, levels, the lowest TTL, kinds of lines. The answer is kept on disk for a
 * day, as the service requests. The service's labels are localised: an unknown one is in `entries` and `unknownLabels`,
 * and its field is absent.
 * @throws LookupError
 */
export const getPurview = plain<GetPurviewArgs, GetPurviewResult>(purview);
export const getPurviewOutput = withOutputs<GetPurviewArgs, GetPurviewResult>(purview);

export type GetCustomLinesArgs = DomainArgs;

/** One custom line. */
export interface CustomLineResult extends Omit<CustomLine, "domainId"> {}

/** The quota of custom lines. */
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

const customLines = domainLookup<GetCustomLinesResult>("getCustomLines", async (keys, client) => {
  const { lines, available } = await client.call("Custom.Line.List", keys);
  const max = lines?.find(({ maxCount }) => maxCount !== undefined)?.maxCount;
  const domainId = keys.domainId ?? lines?.find((line) => line.domainId !== undefined)?.domainId;
  return {
    ...defined({
      domain: keys.domain,
      domainId,
      lines: lines?.map(({ domainId: _id, ...line }) => line),
    }),
    quota: defined({ used: lines?.length, available, max }),
  };
});

/**
 * The domain's custom lines and its quota of them.
 * @throws LookupError
 */
export const getCustomLines = plain<GetCustomLinesArgs, GetCustomLinesResult>(customLines);
export const getCustomLinesOutput = withOutputs<GetCustomLinesArgs, GetCustomLinesResult>(customLines);
