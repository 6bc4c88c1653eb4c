/**
 * What the service tells, in typed English: numbers are numbers, flags are booleans, times are ISO texts with their
 * zone (`2015-01-18T12:00:00+08:00`), an absent key means that the service said nothing.
 */

/** A domain's state (api.md, Domain status); any other word is passed on. */
export type DomainStatus = "enable" | "pause" | "spam" | "lock" | (string & {});

/** A domain as Domain.List tells it. */
export interface DomainSummary {
  readonly id?: string;
  readonly name: string;
  /** The name in A-labels. */
  readonly punycode?: string;
  /** The package: `DP_Free` … `D_Ultra` (api.md, Enumeration grade). */
  readonly grade?: string;
  readonly gradeTitle?: string;
  readonly status?: DomainStatus;
  /** `notexist` (not registered), `dnserror` (not delegated to the service) or empty (normal). */
  readonly extStatus?: string;
  /** All records under the domain, the service's own NS records included. */
  readonly recordCount?: number;
  readonly groupId?: string;
  readonly starred?: boolean;
  readonly remark?: string;
  readonly vip?: boolean;
  readonly searchEnginePush?: boolean;
  readonly createdOn?: string;
  readonly updatedOn?: string;
  /** The domain's default TTL in seconds. */
  readonly ttl?: number;
  readonly cnameSpeedup?: boolean;
  readonly owner?: string;
  readonly vipStartAt?: string;
  readonly vipEndAt?: string;
  /** `yes`, `no` or `default` (api.md, vip_auto_renew). */
  readonly vipAutoRenew?: string;
  /** api.md names it `auth_to_security` and says no more of it. */
  readonly authToSecurity?: boolean;
  readonly nameServers?: readonly string[];
}

/** A domain as Domain.Info tells it. */
export interface DomainDetail extends DomainSummary {
  readonly userId?: string;
  /** Whether the domain has a filing record. */
  readonly filed?: boolean;
}

/** The counters of Domain.List (api.md, Domain.List `info`). */
export interface DomainCounters {
  /** Domains that match the filter. */
  readonly matching?: number;
  /** All domains, those shared to the caller included. */
  readonly all?: number;
  /** The account's own domains, without those shared to it. */
  readonly mine?: number;
  /** Domains that others share with the account. */
  readonly sharedToMe?: number;
  /** Domains that the account shares with others. */
  readonly sharedByMe?: number;
  /** Domains with a paid package. */
  readonly vip?: number;
  /** Starred domains. */
  readonly starred?: number;
  /** Paused domains. */
  readonly paused?: number;
  /** Not registered, or not pointed to the service. */
  readonly dnsError?: number;
  /** Locked domains. */
  readonly locked?: number;
  /** Banned domains. */
  readonly banned?: number;
  /** Packages that end within 30 days. */
  readonly vipExpiring?: number;
}

/** The domain's header in a record listing. */
export interface ZoneHeader {
  readonly id?: string;
  readonly name?: string;
  readonly punycode?: string;
  readonly grade?: string;
  readonly owner?: string;
  /** See DomainSummary.extStatus. */
  readonly extStatus?: string;
  /** The domain's default TTL in seconds. */
  readonly ttl?: number;
  /** The package's lowest TTL in seconds. */
  readonly minTtl?: number;
  readonly status?: DomainStatus;
  readonly nameServers?: readonly string[];
}

/** The counters of a record listing (api.md, Record.List `info`). */
export interface ZoneCounts {
  /** All records under the domain. */
  readonly all?: number;
  /** Records that match the query. */
  readonly matching?: number;
  /** Records in this answer. */
  readonly returned?: number;
}

/** One record as the service holds it; name, value and line are as it writes them. */
export interface LiveRecord {
  readonly id: string;
  /** The host label, `@` for the apex. */
  readonly name: string;
  readonly type: string;
  /** Empty where the service tells the number of the default line alone. */
  readonly line: string;
  /** `0` is the default line, whatever its name. */
  readonly lineId?: string;
  readonly value: string;
  /** MX, and an SRV whose value says weight, port and target alone. */
  readonly priority?: number;
  /** Seconds. */
  readonly ttl?: number;
  readonly weight?: number;
  readonly enabled?: boolean;
  /** Absent where the record is not monitored. */
  readonly monitorStatus?: "ok" | "warn" | "down" | (string & {});
  readonly remark?: string;
  readonly updatedOn?: string;
  /** Whether the website security center is on (api.md, `use_aqb`). */
  readonly securityCenter?: boolean;
  /** True for the service's own default NS records; absent where the answer does not tell whether it is one. */
  readonly hold?: boolean;
}

/** One record with its domain (Record.Info). */
export interface RecordDetail {
  readonly domain: DomainBrief;
  readonly record: LiveRecord;
}

/** The short form of a domain beside a record or a monitor. */
export interface DomainBrief {
  readonly id?: string;
  readonly name?: string;
  readonly grade?: string;
  readonly nameServers?: readonly string[];
}

/** One limit of a package: a localised label with a number (99999: no limit) or a yes or no. */
export interface PurviewEntry {
  readonly name: string;
  readonly value: number | boolean | string;
}

/** The state of a job's item (api.md, Batch job item status). */
export type ItemStatus = "waiting" | "running" | "ok" | "error";

/** A batch job and what became of each of its entries. */
export interface JobDetail {
  readonly jobId: string;
  /** `domain`, `record_add` or `record_modify`; any other word is passed on. */
  readonly type?: "domain" | "record_add" | "record_modify" | (string & {});
  /** Executed entries: domains and records together. */
  readonly total?: number;
  readonly success?: number;
  readonly fail?: number;
  readonly createdAt?: string;
  readonly items: readonly JobItem[];
}

/** One domain of a job. */
export interface JobItem {
  /** The item's place in the job; some editions count from 0. */
  readonly index?: number;
  readonly domainId?: string;
  readonly domain?: string;
  readonly grade?: string;
  /** Absent where the service tells none, or a word that api.md does not have. */
  readonly status?: ItemStatus;
  /** What is done: `plus` adds (api.md, Batch.Detail). */
  readonly operation?: string;
  /** The service's own text. */
  readonly error?: string;
  readonly records: readonly JobRecord[];
}

/** One record of a job. */
export interface JobRecord {
  /** The record's place in the item; some editions count from 0. */
  readonly index?: number;
  /** `@` for the apex. */
  readonly subDomain?: string;
  readonly type?: string;
  readonly line?: string;
  readonly value?: string;
  /** MX only. */
  readonly priority?: number;
  /** Seconds. */
  readonly ttl?: number;
  /** See JobItem.status. */
  readonly status?: ItemStatus;
  /** See JobItem.operation. */
  readonly operation?: string;
  /** The service's own text. */
  readonly error?: string;
  /** The created record's id. */
  readonly recordId?: string;
}

/** What the monitor of a record saw. */
export interface MonitorHistory {
  readonly domain: { readonly id?: string; readonly name?: string; readonly grade?: string };
  readonly record: { readonly id?: string; readonly name?: string; readonly ip?: string };
  readonly points?: readonly MonitorPoint[];
}

/** One place that watches. */
export interface MonitorPoint {
  readonly point?: string;
  readonly message?: string;
  readonly code?: number;
  readonly samples?: readonly MonitorSample[];
}

/** One look at the server. */
export interface MonitorSample {
  /** For example `Down`. */
  readonly status?: string;
  /** The HTTP status, or a negative number where there was none. */
  readonly statusCode?: number;
  readonly createdAt?: string;
  /** As the service gives it; api.md names no unit. */
  readonly responseTime?: number;
}

/** The custom lines of a domain. */
export interface CustomLines {
  readonly lines?: readonly CustomLine[];
  /** How many more may be added. */
  readonly available?: number;
}

/** One custom line. */
export interface CustomLine {
  readonly domainId?: string;
  readonly name?: string;
  /** An IP range: `192.0.2.0-192.0.2.255`. */
  readonly area?: string;
  readonly useCount?: number;
  readonly maxCount?: number;
}

/** With whom a domain is shared (service-notes.md, Domainshare.List). */
export interface DomainShareEntry {
  readonly email: string;
  /** Absent where the service tells none, or a word that api.md does not have. */
  readonly mode?: "r" | "rw";
  /** Not accepted yet by the person it is shared with. */
  readonly pending?: boolean;
  /** Absent for a share of the whole domain, and where the service does not tell. */
  readonly subDomain?: string;
}
