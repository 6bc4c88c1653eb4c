/**
 * Whole listings: all pages, which must agree with each other, or they are read again. Only a listing that is proved
 * complete, or proved empty, is handed out (DESIGN §4, Absent means absent).
 */
import { domainToASCII } from "node:url";
import type { Client } from "./client";
import { ProtocolError, ServiceError } from "./errors";
import type { Requests } from "./operations";
import type { DomainCounters, DomainSummary, LiveRecord, ZoneCounts, ZoneHeader } from "./types";

/** The longest page (api.md, Limits). */
export const PAGE_LENGTH = 3000;
/** How often a listing is read before it is given up. */
export const READINGS = 5;
/** Between two readings, in milliseconds: whoever changes the zone needs a moment to finish. */
const REREAD_MS = 1000;

const EMPTY_RECORDS = "10";
const EMPTY_DOMAINS = "9";

/** The domain of a listing, by its name and, where it is known, its id. */
export interface DomainRef {
  readonly id?: string | undefined;
  readonly name: string;
}

/** Which records to list; the service ignores the others beside `keyword` (api.md, Record.List). */
export interface RecordFilter {
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly line?: string | undefined;
  readonly lineId?: string | undefined;
  readonly keyword?: string | undefined;
}

/** All records of a domain, or all that match. */
export interface ZoneListing {
  /** From the listing's header, or from Domain.Info where the listing is empty. */
  readonly domain: Omit<ZoneHeader, "minTtl"> & { readonly minTtl?: number };
  /** As the listing told it; absent where it was empty. */
  readonly header?: ZoneHeader;
  readonly counts: ZoneCounts;
  readonly records: readonly LiveRecord[];
}

/** One page, as far as the agreement of pages is concerned. */
interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  /** How many the service says the page holds, where it says so. */
  readonly returned?: number;
}

/**
 * Lists all records of a domain.
 * @throws ProtocolError when the pages never agree, or when an empty listing contradicts Domain.Info; any error of a call
 */
export async function listRecords(
  client: Client,
  domain: DomainRef,
  filter: RecordFilter = {},
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<ZoneListing> {
  const operation = "Record.List";
  const which = domain.id === undefined ? { domain: domain.name } : { domainId: domain.id };
  const call = { target: domain.name, signal: options.signal };
  const filtered = Object.values(filter).some((value) => value !== undefined);
  let header: ZoneHeader | undefined;
  let counts: ZoneCounts | undefined;

  const records = await readAll<LiveRecord>(client, operation, domain.name, "the zone", options.signal, EMPTY_RECORDS, async (offset) => {
    const answer = await client.call(operation, { ...which, ...filter, offset, length: PAGE_LENGTH }, call);
    refuseOther(domain.name, answer.zone);
    header = answer.zone;
    counts = answer.counts;
    return { items: answer.records, total: answer.counts.matching, returned: answer.counts.returned };
  });
  if (records !== undefined && header !== undefined && counts !== undefined) {
    return { domain: header, header, counts: { ...counts, returned: records.length }, records };
  }

  // "No records" is an error code of the service (service-notes, Records): believed only where the domain agrees.
  const info = await client.call("Domain.Info", which, call);
  if (!filtered && info.recordCount > 0) {
    throw new ProtocolError({
      operation,
      target: domain.name,
      code: EMPTY_RECORDS,
      meaning: `the listing is empty, but the domain counts ${info.recordCount} records`,
      hint: "Nothing is concluded from it. Try again in a minute.",
      outcome: "refused",
    });
  }
  const { id, name, punycode, grade, owner, extStatus, ttl, status, nameServers } = info;
  return {
    domain: { id, name, punycode, grade, owner, extStatus, ttl, status, nameServers },
    counts: { all: info.recordCount, matching: 0, returned: 0 },
    records: [],
  };
}

/** Which domains to list. */
export type DomainFilter = Pick<Requests["Domain.List"], "type" | "keyword" | "groupId">;

/**
 * Lists all domains of the account, beyond the 3000 of one page, too.
 * @returns the domains, and the counters of the service; without counters where it has no domain to list
 */
export async function listDomains(
  client: Client,
  filter: DomainFilter = {},
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<{ readonly counters?: DomainCounters; readonly domains: readonly DomainSummary[] }> {
  const operation = "Domain.List";
  let counters: DomainCounters | undefined;
  const domains = await readAll<DomainSummary>(client, operation, undefined, "the list of domains", options.signal, EMPTY_DOMAINS, async (offset) => {
    const answer = await client.call(operation, { ...filter, offset, length: PAGE_LENGTH }, options);
    counters = answer.counters;
    return { items: answer.domains, total: answer.counters.matching };
  });
  return { ...(domains === undefined || counters === undefined ? {} : { counters }), domains: domains ?? [] };
}

/** Reads until one reading agrees with itself; undefined where the service says that there is nothing. */
async function readAll<Item extends { readonly id: string }>(
  client: Client,
  operation: string,
  target: string | undefined,
  what: string,
  signal: AbortSignal | undefined,
  emptyCode: string,
  page: (offset: number) => Promise<Page<Item>>,
): Promise<readonly Item[] | undefined> {
  let doubt = "";
  for (let reading = 1; reading <= READINGS; reading += 1) {
    if (reading > 1) await client.clock.sleep(REREAD_MS, signal);
    const result = await readOnce(emptyCode, page);
    if (result === "empty") return undefined;
    if (typeof result !== "string") return result;
    doubt = result;
  }
  throw new ProtocolError({
    operation,
    target,
    meaning: `${what} kept changing while it was read, ${READINGS} times in a row (${doubt})`,
    hint: "Try again when nobody else is changing it.",
    outcome: "refused",
  });
}

/** One reading: its items, `empty`, or what contradicts itself. */
async function readOnce<Item extends { readonly id: string }>(
  emptyCode: string,
  page: (offset: number) => Promise<Page<Item>>,
): Promise<readonly Item[] | string> {
  const items: Item[] = [];
  const ids = new Set<string>();
  let total: number | undefined;
  for (;;) {
    let next: Page<Item>;
    try {
      next = await page(items.length);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== emptyCode) throw error;
      return items.length === 0 ? "empty" : "a later page was empty";
    }
    if (total !== undefined && next.total !== total) return `the count went from ${total} to ${next.total}`;
    total = next.total;
    if (next.returned !== undefined && next.returned !== next.items.length) {
      return `a page counts ${next.returned} entries and holds ${next.items.length}`;
    }
    for (const item of next.items) {
      if (ids.has(item.id)) return `id ${item.id} came twice`;
      ids.add(item.id);
      items.push(item);
    }
    if (items.length > total) return `${items.length} entries where ${total} are counted`;
    if (items.length === total) return items;
    if (next.items.length === 0) return `only ${items.length} of ${total} entries came`;
  }
}

/** A listing of another domain than the one asked for must never be taken for it. */
function refuseOther(asked: string, header: ZoneHeader): void {
  const normal = (name: string): string => domainToASCII(name.replace(/\.$/, "")) || name.toLowerCase();
  if ([header.name, header.punycode].some((name) => normal(name) === normal(asked))) return;
  throw new ProtocolError({
    operation: "Record.List",
    target: asked,
    meaning: `the answer is about another domain (${header.name})`,
    hint: "Check that the domain's id and name belong together.",
    outcome: "refused",
  });
}
