import type { Client, DomainFilter } from "../api";
import type { DomainCounters } from "../api/entities";
import type * as pulumi from "../support/sdk";
import { defined } from "../support/defined";
import { domainResult, type DomainResult } from "./domain";
import { api, type Lookup, lookUp, lookUpOutput } from "./lookup";
import type { LookupInputs, LookupOptions } from "./options";

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
  /** Every match, however many pages it takes; empty if there is none. */
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
 * All domains of the account that match, with the service's counters. Lists beyond 3,000 take several pages.
 * @throws LookupError (as a rejection)
 */
export function getDomains(args: GetDomainsArgs = {}, options?: LookupOptions): Promise<GetDomainsResult> {
  return lookUp(domains, args, options);
}

/** `getDomains` with arguments that may be outputs. */
export function getDomainsOutput(
  args: GetDomainsOutputArgs = {},
  options?: LookupOptions,
): pulumi.Output<GetDomainsResult> {
  return lookUpOutput(domains, args, options);
}
