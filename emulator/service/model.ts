/**
 * The data of the emulator: accounts, domains with their records, shares, jobs and monitors (api.md,
 * Resources and their fields). Plain data and the few indexes that keep a zone of 100,000 records quick.
 */
import type { Purview } from "./purview";
import type { Random } from "./random";
import type { Settings } from "./settings";

/** One login: the main account's token, and tokens of sub-accounts that must not call. */
export interface Account {
  readonly id: number;
  readonly email: string;
  readonly token: string;
  readonly subTokens: readonly string[];
  /** Real-name verified; a share to one who is not is refused with code 25. */
  readonly verified: boolean;
}

/** A record as the service keeps it. */
export interface Rec {
  readonly id: number;
  /** Host label, lower case, `@` for the apex. */
  name: string;
  type: string;
  /** As shown in answers: with the trailing dot on CNAME, NS and MX. */
  value: string;
  lineName: string;
  lineId: string;
  /** Seconds. */
  ttl: number;
  /** MX priority, 0 for other types. */
  mx: number;
  weight: number | null;
  enabled: boolean;
  /** The service's own NS record. */
  readonly hold: boolean;
  remark: string;
  monitorStatus: string;
  updatedAt: number;
  /** When Record.List starts to show it as it is now (ms): the index lags behind. */
  visibleAt: number;
  /** Its earlier versions, oldest first, while Record.List may still show them (listing.ts). */
  earlier: readonly Rec[];
  /** When Record.List forgets it after its removal (ms); null while it stands. */
  goneAt: number | null;
  /** When updates came that changed nothing (ms): too many of them lock it (edits.ts). */
  idleUpdates: readonly number[];
  /** Until when it cannot be modified (ms); 0 for never locked. */
  lockedUntil: number;
}

/** The state of an unchanged record. */
export const untouched = { earlier: [], goneAt: null, idleUpdates: [], lockedUntil: 0 } as const;

export type DomainStatus = "enable" | "pause" | "spam" | "lock";
export type ExtStatus = "" | "notexist" | "dnserror";

export interface Share {
  readonly email: string;
  mode: "r" | "rw";
  /** The shared host label; empty for the whole domain. */
  subDomain: string;
}

export interface CustomLine {
  readonly name: string;
  readonly area: string;
  readonly useCount: number;
}

export interface Vip {
  /** Milliseconds since the epoch. */
  readonly startAt: number;
  readonly endAt: number;
  readonly autoRenew: "yes" | "no" | "default";
}

export interface Domain {
  readonly id: number;
  readonly name: string;
  readonly punycode: string;
  owner: Account;
  grade: string;
  status: DomainStatus;
  extStatus: ExtStatus;
  groupId: number;
  mark: boolean;
  remark: string;
  vip: Vip | null;
  ttl: number;
  readonly createdAt: number;
  updatedAt: number;
  /** Last write by a caller, for Domain.List type=recent. */
  operatedAt: number | null;
  readonly nameServers: readonly string[];
  purview: Purview;
  readonly records: Map<number, Rec>;
  readonly byName: Map<string, Rec[]>;
  /** What Record.List looks at, in its order: the records, and removed ones that it has not forgotten yet. */
  readonly index: Map<number, Rec>;
  /** Grows with each change of a record. Derived data is kept until then. */
  revision: number;
  shares: Share[];
  readonly customLines: CustomLine[];
  customLineMax: number;
}

export type ItemStatus = "waiting" | "running" | "ok" | "error";
export type JobType = "domain" | "record_add" | "record_modify";

/** A job changes one field of each of its records (service-notes.md, Batch.Record.Modify). */
export interface FieldChange {
  readonly field: "sub_domain" | "record_type" | "area" | "value" | "mx" | "ttl" | "status";
  readonly to: string;
  /** The value that goes with another type. */
  readonly value?: string | undefined;
  /** The priority that goes with it, for MX. */
  readonly mx?: string | undefined;
}

export interface JobRecord {
  /** Index within the item, from 0, as the item's within the job (service-notes.md, Batch.Detail). */
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly area: string;
  value: string;
  readonly mx: string | null;
  readonly ttl: number;
  /** The sent parameters, which the rules judge at execution. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** For a job that modifies: the change of the record `recordId`. */
  readonly change?: FieldChange | undefined;
  status: ItemStatus;
  error: string | null;
  recordId: number | null;
}

export interface JobItem {
  readonly id: number;
  readonly domainId: number;
  readonly domain: string;
  readonly grade: string;
  status: ItemStatus;
  error: string | null;
  readonly records: JobRecord[];
}

export interface Job {
  readonly id: number;
  readonly account: Account;
  readonly type: JobType;
  readonly createdAt: number;
  readonly items: JobItem[];
  /** Where the next record to execute stands: item and record. */
  item: number;
  record: number;
  /** Records executed so far. */
  executed: number;
  /** When the next record's execution ends (ms). */
  nextAt: number;
  /** Milliseconds a record takes. */
  recordMs: number;
  stuck: boolean;
  /** Sticks by itself once this many records are executed; null for never. */
  stickAfter: number | null;
  done: boolean;
}

export interface MonitorEvent {
  readonly status: string;
  readonly statusCode: number;
  readonly at: number;
  readonly responseTime: number;
}

export interface Monitor {
  readonly id: string;
  readonly domainId: number;
  readonly recordId: number;
  readonly subDomain: string;
  readonly ip: string;
  readonly points: readonly { readonly point: string; readonly events: readonly MonitorEvent[] }[];
}

/** Everything the service knows, with its clock and its dice. */
export interface World {
  readonly now: () => number;
  readonly random: Random;
  /** Makes the secret part of a new account's token. */
  readonly secret: () => string;
  readonly settings: Settings;
  readonly accounts: Account[];
  readonly domains: Map<number, Domain>;
  readonly domainByName: Map<string, Domain>;
  readonly jobs: Map<number, Job>;
  /** Unfinished jobs. */
  readonly openJobs: Set<Job>;
  readonly monitors: Map<string, Monitor>;
  /** The next free id of each kind. The seed decides the first one. */
  readonly nextId: { account: number; domain: number; record: number; job: number };
}

/** Puts a record into its domain and its indexes. */
export function insertRecord(domain: Domain, record: Rec): void {
  domain.records.set(record.id, record);
  domain.index.set(record.id, record);
  indexName(domain, record);
}

/** Takes a record out of its domain. Its caller updates Record.List's index (zone.ts, leave). */
export function dropRecord(domain: Domain, record: Rec): void {
  domain.records.delete(record.id);
  unindexName(domain, record);
}

/** Gives a record another host label; its place in the listing stays. */
export function renameRecord(domain: Domain, record: Rec, name: string): void {
  unindexName(domain, record);
  record.name = name;
  indexName(domain, record);
}

function indexName(domain: Domain, record: Rec): void {
  domain.revision += 1;
  const same = domain.byName.get(record.name);
  if (same === undefined) domain.byName.set(record.name, [record]);
  else same.push(record);
}

function unindexName(domain: Domain, record: Rec): void {
  domain.revision += 1;
  const rest = (domain.byName.get(record.name) ?? []).filter((other) => other !== record);
  if (rest.length === 0) domain.byName.delete(record.name);
  else domain.byName.set(record.name, rest);
}
