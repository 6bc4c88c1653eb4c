/** `getDomain` and `getDomains`: what the account holds. */
import type { Client, DomainDetail, DomainFilter } from "../api";
import type { DomainCounters } from "../api";
import type { DomainArgs, DomainKeys } from "./arguments";
import { api } from "./lazy";
import { ofDomain, type Lookup } from "./lookup";
import { extStatusMeaning, gradeMeaning, statusMeaning } from "./words";

/** A domain of the account. Absent keys: the service said nothing. */
export interface DomainResult {
  /** The service's domain id. */
  readonly id?: string;
  /** The domain's name, as the service writes it. */
  readonly name: string;
  /** The name as A-labels. */
  readonly punycode?: string;
  /** The package: `DP_Free` … `D_Ultra`. */
  readonly grade?: string;
  /** The package in plain English. */
  readonly gradeMeaning?: string;
  /** The package's title as the service writes it. */
  readonly gradeTitle?: string;
  /** `enable`, `pause`, `spam` or `lock`. */
  readonly status?: string;
  /** The status in plain English. */
  readonly statusMeaning?: string;
  /** `notexist`, `dnserror` or empty. */
  readonly extStatus?: string;
  /** The extended status in plain English. */
  readonly extStatusMeaning?: string;
  /** All records, the service's own NS records included. */
  readonly recordCount?: number;
  /** The id of the group that the account keeps the domain in. */
  readonly groupId?: string;
  /** Whether the account has starred the domain. */
  readonly starred?: boolean;
  /** The account's remark on the domain. */
  readonly remark?: string;
  /** Whether the domain has a paid package. */
  readonly vip?: boolean;
  /** Start of the paid package: a day (`2026-01-31`) from getDomain, a time from getDomains, as the service has it. */
  readonly vipStartAt?: string;
  /** End of the paid package; see `vipStartAt`. */
  readonly vipEndAt?: string;
  /** `yes`, `no`, or `default`: never set, renewed by hand. */
  readonly vipAutoRenew?: string;
  /** Whether changes are pushed to search engines. */
  readonly searchEnginePush?: boolean;
  /** Whether the service speeds up CNAME records. */
  readonly cnameSpeedup?: boolean;
  /** The service's flag `auth_to_security`, whose meaning it does not document. */
  readonly authToSecurity?: boolean;
  /** The domain's default TTL in seconds. */
  readonly ttl?: number;
  /** The owner's e-mail address. */
  readonly owner?: string;
  /** The name servers that the domain must be delegated to. */
  readonly nameServers?: string[];
  /** When the domain was added: `2015-01-18T12:00:00+08:00`. */
  readonly createdOn?: string;
  /** When the domain was last changed: `2015-01-18T12:00:00+08:00`. */
  readonly updatedOn?: string;
}

export type GetDomainArgs = DomainArgs;

export interface GetDomainResult extends DomainResult {
  /** The service's id of the owner. */
  readonly userId?: string;
  /** Whether the domain has a filing record. */
  readonly filed?: boolean;
}

/** @internal */
export const oneDomain: Lookup<DomainKeys, GetDomainResult> = {
  name: "getDomain",
  ...ofDomain,
  ask: async (client, keys) => domainResult(await client.call("Domain.Info", keys)),
};

/** English words for the kinds of domains, and the documentation's own. */
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
   * `all` (default), `mine`, `sharedToMe`, `sharedByMe`, `starred`, `paused`, `vip` or `recent`; the documentation's
   * own words (`share`, `share_out`, `ismark`, `pause`) are understood.
   */
  readonly type?: keyof typeof DOMAIN_TYPES | undefined;
  /** Only domains that match it, as the service understands it. */
  readonly keyword?: string | undefined;
  /** Only domains of the group with this id. */
  readonly groupId?: string | number | undefined;
}

/** The service's counters; all but `matching` regardless of the filter. */
export type DomainCountersResult = DomainCounters & { readonly matching: number };

export interface GetDomainsResult {
  /** Every match, however many pages it takes; empty where there is none. */
  readonly domains: DomainResult[];
  /** Absent keys: the service said nothing. */
  readonly counters: DomainCountersResult;
}

const NO_DOMAINS: DomainCountersResult = {
  ...{ matching: 0, all: 0, mine: 0, sharedToMe: 0, sharedByMe: 0, vip: 0 },
  ...{ starred: 0, paused: 0, dnsError: 0, locked: 0, banned: 0, vipExpiring: 0 },
};

/** @internal */
export const manyDomains: Lookup<DomainFilter, GetDomainsResult> = {
  name: "getDomains",
  arguments: ["type", "keyword", "groupId"],
  read: (args) => {
    const type = args.word("type", DOMAIN_TYPES);
    const keyword = args.text("keyword");
    const groupId = args.id("groupId");
    return {
      ...(type === undefined ? {} : { type }),
      ...(keyword === undefined ? {} : { keyword }),
      ...(groupId === undefined ? {} : { groupId }),
    };
  },
  ask: async (client, filter) => {
    const { domains, counters } = await api().listDomains(client, filter);
    const told = counters ?? (await countersBeside(client, filter));
    return {
      domains: domains.map((domain) => domainResult(domain)),
      counters: { ...told, matching: domains.length },
    };
  },
};

/** The counters where nothing matches: the service then answers a code alone (api.md, Domain.List code 9). */
async function countersBeside(client: Client, filter: DomainFilter): Promise<DomainCounters> {
  if (Object.keys(filter).length === 0) return NO_DOMAINS;
  const { counters } = await api().listDomains(client);
  return counters ?? NO_DOMAINS;
}

/** Beside Domain.Info's own keys, those of every domain. */
function domainResult({ grade, status, extStatus, nameServers, ...rest }: DomainDetail): GetDomainResult {
  return {
    ...rest,
    ...(grade === undefined ? {} : { grade, gradeMeaning: gradeMeaning(grade) }),
    ...(status === undefined ? {} : { status, statusMeaning: statusMeaning(status) }),
    ...(extStatus === undefined ? {} : { extStatus, extStatusMeaning: extStatusMeaning(extStatus) }),
    ...(nameServers === undefined ? {} : { nameServers: [...nameServers] }),
  };
}
