/** The data (api.md, Resources and their fields), with indexes for zones of 100,000 records. */
import type { Purview } from "./purview";
import type { Random } from "./random";
import type { DomainSeed, Monitor, RecordSeed } from "./schemas";
import type { Settings } from "./settings";

export interface Account {
  readonly id: number;
  readonly email: string;
  readonly token: string;
  readonly subTokens: readonly string[];
  /** Real-name verified; a share to another person is refused with code 25. */
  readonly verified: boolean;
}

export interface Rec {
  readonly id: number;
  name: string;
  type: string;
  /** With the trailing dot on CNAME, NS and MX. */
  value: string;
  lineName: string;
  lineId: string;
  ttl: number;
  mx: number;
  weight: number | null;
  enabled: boolean;
  readonly hold: boolean;
  remark: string;
  monitorStatus: RecordSeed["monitorStatus"];
  updatedAt: number;
  /** When Record.List shows it as it is now (ms). */
  visibleAt: number;
  /** Oldest first, while Record.List may show them. */
  earlier: readonly Rec[];
  /** When Record.List omits it (ms); null while it exists. */
  goneAt: number | null;
  /** Times of updates that changed nothing. */
  idleUpdates: readonly number[];
  lockedUntil: number;
}

/** The state of a new record. Spread it after the other properties: the reverse takes V8 ten times as long. */
export const fresh = {
  weight: null,
  enabled: true,
  hold: false,
  remark: "",
  monitorStatus: "",
  earlier: [],
  goneAt: null,
  idleUpdates: [],
  lockedUntil: 0,
} as const;

export interface Domain extends Omit<
  DomainSeed,
  "id" | "owner" | "purview" | "records" | "monitors" | "defaultNs"
> {
  readonly id: number;
  readonly punycode: string;
  owner: Account;
  readonly createdAt: number;
  updatedAt: number;
  /** The last change by an operation, for Domain.List type=recent. Null for none. */
  operatedAt: number | null;
  purview: Purview;
  readonly records: Map<number, Rec>;
  readonly byName: Map<string, Rec[]>;
  /** What Record.List shows, in order, with removed records. */
  readonly index: Map<number, Rec>;
  /** Grows with each change of a record. */
  revision: number;
}

export type ItemStatus = "waiting" | "running" | "ok" | "error";
export type JobType = "record_add" | "record_modify";

export interface FieldChange {
  readonly field: "sub_domain" | "record_type" | "area" | "value" | "mx" | "ttl" | "status";
  readonly to: string;
  readonly value?: string | undefined;
  readonly mx?: string | undefined;
}

export interface JobRecord {
  /** Index within the item, from 0 (service-notes.md, Batch.Detail). */
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly area: string;
  value: string;
  readonly mx: string | null;
  readonly ttl: number;
  /** The record object as it was sent. It is judged at execution. */
  readonly sent: { readonly record_line?: string | undefined; readonly ttl?: unknown; readonly MX?: unknown };
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
  item: number;
  record: number;
  executed: number;
  nextAt: number;
  recordMs: number;
  stuck: boolean;
  stickAfter: number | null;
  done: boolean;
}

export interface World {
  readonly now: () => number;
  readonly random: Random;
  readonly secret: () => string;
  readonly settings: Settings;
  readonly accounts: Account[];
  readonly domains: Map<number, Domain>;
  readonly domainByName: Map<string, Domain>;
  readonly jobs: Map<number, Job>;
  readonly openJobs: Set<Job>;
  readonly monitors: Map<string, Monitor & { readonly domainId: number }>;
  readonly nextId: { account: number; domain: number; record: number; job: number };
}

export function insertRecord(domain: Domain, record: Rec): void {
  domain.records.set(record.id, record);
  domain.index.set(record.id, record);
  indexName(domain, record);
}

export function dropRecord(domain: Domain, record: Rec): void {
  domain.records.delete(record.id);
  unindexName(domain, record);
}

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
