/**
 * Whole listings: all pages, which must agree with each other, or they are read again. Only a listing that is proved
 * complete, or proved empty, is handed out (DESIGN §4, Absent means absent).
 */
import { domainToASCII } from "node:url";
import type { Client } from "./client";
import { ProtocolError, ServiceError } from "./errors";
import { emptyZone } from "./meanings";
import type { Requests } from "./operations";
import { withOwnRecords } from "./own-records";
import type { DomainCounters, DomainSummary, LiveRecord, ZoneCounts, ZoneHeader } from "./entities";
import { defined } from "../support/defined";

/** The longest page (api.md, Limits). */
export const PAGE_LENGTH = 3000;
/** How often a listing is read before it is given up. */
export const READINGS = 5;
/** Between two readings, in milliseconds: whoever changes the zone needs a moment to finish. */
const REREAD_MS = 1000;

/** How many entries the service returns where it is not asked for a number, or does not heed it (api.md, Limits). */
const FORCED_PAGE = 100;

/** The domain of a listing: by its id where it is given, else by its name. */
export type DomainRef =
  | { readonly id?: string | undefined; readonly name: string }
  | { readonly id: string; readonly name?: undefined };

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
  /** From the listing's header, or from Domain.Info where the listing is empty or names no id. */
  readonly domain: ZoneHeader & { readonly id: string; readonly name: string };
  /** As the listing told it; absent where it was empty. */
  readonly header?: ZoneHeader;
  readonly counts: ZoneCounts & { readonly matching: number; readonly returned: number };
  readonly records: readonly LiveRecord[];
}

/** One page, as far as the agreement of pages is concerned. */
interface Page<Item> {
  readonly items: readonly Item[];
  /** How many entries match, where the service says so. */
  readonly total: number | undefined;
  /** How many the service says the page holds, where it says so. */
  readonly returned?: number | undefined;
}

/** What is read in pages. */
interface Listing<Item> {
  readonly operation: string;
  readonly target: string | undefined;
  /** In words: `the zone`. */
  readonly what: string;
  /** What it lists: an error code of the service says that there is none. */
  readonly of: "record" | "domain";
  /** What no two entries have in common; undefined where the service does not tell it. */
  readonly idOf: (item: Item) => string | undefined;
  readonly page: (offset: number) => Promise<Page<Item>>;
}

/**
 * Lists all records of a domain.
 * @throws ProtocolError when the pages never agree, when an empty listing contradicts Domain.Info, or when neither
 *   tells what must be known; any error of a call
 */
export async function listRecords(
  client: Client,
  domain: DomainRef,
  filter: RecordFilter = {},
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<ZoneListing> {
  const operation = "Record.List";
  const which = domain.id === undefined ? { domain: domain.name } : { domainId: domain.id };
  const call = { target: domain.name ?? `domain ${domain.id}`, signal: options.signal };
  const filtered = Object.values(filter).some((value) => value !== undefined);
  let header: ZoneHeader = {};
  let counts: ZoneCounts = {};

  const records = await readAll<LiveRecord>(client, options.signal, {
    operation,
    target: call.target,
    what: "the zone",
    of: "record",
    idOf: (record) => record.id,
    page: async (offset) => {
      const answer = await client.call(operation, { ...which, ...filter, offset, length: PAGE_LENGTH }, call);
      refuseOther(domain, call.target, answer.zone);
      header = answer.zone;
      counts = answer.counts;
      // Without a filter, all records of the domain match.
      return {
        items: answer.records,
        total: counts.matching ?? (filtered ? undefined : counts.all),
        returned: counts.returned,
      };
    },
  });
  const id = header.id ?? domain.id;
  const name = header.name ?? header.punycode ?? domain.name;
  if (records !== undefined && id !== undefined && name !== undefined) {
    const all = withOwnRecords(records, header.nameServers);
    const whole = { ...header, id, name };
    return {
      domain: whole,
      header: whole,
      counts: { ...counts, matching: all.length, returned: all.length },
      records: all,
    };
  }

  const info = await client.call("Domain.Info", which, call);
  const known: ZoneHeader = { ...info, ...header };
  const found = {
    name: known.name ?? info.name,
    id: known.id ?? domain.id ?? untold("Domain.Info", call.target, "the domain's id (domain.id)"),
  };
  if (records === undefined && !filtered) refuseUnproved(operation, call.target, info.recordCount);
  const total = records === undefined ? info.recordCount : counts.all;
  return {
    domain: { ...known, ...found },
    ...defined({ header: records === undefined ? undefined : header }),
    counts: {
      ...defined({ all: total }),
      matching: records?.length ?? 0,
      returned: records?.length ?? 0,
    },
    records: withOwnRecords(records ?? [], known.nameServers),
  };
}

/** "No records" is an error code of the service (service-notes, Records): believed only where the domain agrees. */
function refuseUnproved(operation: string, target: string, recordCount: number | undefined): void {
  if (recordCount === 0) return;
  if (recordCount === undefined)
    untold(
      "Domain.Info",
      target,
      "how many records the domain has (domain.records), and the listing is empty",
    );
  throw new ProtocolError({
    operation,
    target,
    code: emptyZone,
    meaning: `the listing is empty, but the domain counts ${recordCount} records`,
    hint: "Nothing is concluded from it. Try again in a minute.",
    outcome: "refused",
  });
}

/** @throws ProtocolError an answer leaves out what must be known */
export function untold(operation: string, target: string, what: string): never {
  throw new ProtocolError({
    operation,
    target,
    meaning: `the answer does not tell ${what}`,
    hint: "Nothing is concluded from it, and nothing was changed. Try again later; if it stays so, report it with the name of the operation.",
    outcome: "refused",
  });
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
  const filtered = Object.values(filter).some((value) => value !== undefined);
  let counters: DomainCounters | undefined;
  const domains = await readAll<DomainSummary>(client, options.signal, {
    operation,
    target: undefined,
    what: "the list of domains",
    of: "domain",
    idOf: (domain) => domain.id ?? domain.name,
    page: async (offset) => {
      const answer = await client.call(operation, { ...filter, offset, length: PAGE_LENGTH }, options);
      counters = answer.counters;
      return { items: answer.domains, total: counters.matching ?? (filtered ? undefined : counters.all) };
    },
  });
  return { ...defined({ counters: domains === undefined ? undefined : counters }), domains: domains ?? [] };
}

/** Reads until one reading agrees with itself; undefined where the service says that there is nothing. */
async function readAll<Item>(
  client: Client,
  signal: AbortSignal | undefined,
  listing: Listing<Item>,
): Promise<readonly Item[] | undefined> {
  const { operation, target, what } = listing;
  let doubt = "";
  for (let reading = 1; reading <= READINGS; reading += 1) {
    if (reading > 1) await client.clock.sleep(REREAD_MS, signal);
    const result = await readOnce(listing);
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

/** One reading: its items, `empty`, or what contradicts itself. Once the first page has told the count, the rest is fetched at once. */
async function readOnce<Item>(listing: Listing<Item>): Promise<readonly Item[] | string> {
  const first = await pageAt(listing, 0);
  if (first === "empty") return "empty";
  const reading = new Reading(listing, first.total);
  let doubt = reading.take(first);
  if (first.total === undefined) {
    for (let next: Page<Item> | "empty" = first; doubt === undefined && !isLast(next);) {
      next = await pageAt(listing, reading.items.length);
      if (next === "empty") break;
      doubt = reading.take(next);
    }
    // Nothing counts: an empty list is proved like the code for one, any other ends with a page that is not full.
    return doubt ?? (reading.items.length === 0 ? "empty" : reading.items);
  }
  if (doubt !== undefined) return doubt;
  const offsets: number[] = [];
  if (first.items.length > 0)
    for (let at = first.items.length; at < first.total; at += first.items.length) offsets.push(at);
  // A call that fails fails the reading, but none of them is left alone.
  const pages = await Promise.allSettled(offsets.map((offset) => pageAt(listing, offset)));
  for (const page of pages) {
    if (page.status === "rejected") throw page.reason;
    if (page.value === "empty") return "a later page was empty";
    doubt = reading.take(page.value);
    if (doubt !== undefined) return doubt;
  }
  return reading.items.length === first.total
    ? reading.items
    : `only ${reading.items.length} of ${first.total} entries came`;
}

/** Whether nothing can follow a page of a listing that is not counted. */
function isLast({ items }: Page<unknown>): boolean {
  return items.length < PAGE_LENGTH && items.length !== FORCED_PAGE;
}

async function pageAt<Item>({ of, page }: Listing<Item>, offset: number): Promise<Page<Item> | "empty"> {
  try {
    return await page(offset);
  } catch (error) {
    if (!(error instanceof ServiceError) || !error.noSuch(of)) throw error;
    return "empty";
  }
}

/** The pages of one reading, which must agree. */
class Reading<Item> {
  readonly items: Item[] = [];
  private readonly ids = new Set<string>();

  constructor(
    private readonly listing: Listing<Item>,
    private readonly total: number | undefined,
  ) {}

  /** Adds a page. @returns what contradicts the pages before it; undefined where they agree */
  take({ items, total, returned }: Page<Item>): string | undefined {
    if (total !== this.total) return `the count went from ${this.total ?? "none"} to ${total ?? "none"}`;
    if (returned !== undefined && returned !== items.length)
      return `a page counts ${returned} entries and holds ${items.length}`;
    for (const item of items) {
      const id = this.listing.idOf(item);
      if (id !== undefined && this.ids.has(id)) return `id ${id} came twice`;
      if (id !== undefined) this.ids.add(id);
      this.items.push(item);
    }
    return total !== undefined && this.items.length > total
      ? `${this.items.length} entries where ${total} are counted`
      : undefined;
  }
}

/** A listing of another domain than the one asked for must never be taken for it. */
function refuseOther(asked: DomainRef, target: string, header: ZoneHeader): void {
  const normal = (name: string): string => domainToASCII(name.replace(/\.$/, "")) || name.toLowerCase();
  const names = [header.name, header.punycode].filter((name) => name !== undefined);
  const { name } = asked;
  const isOther =
    name === undefined || names.length === 0
      ? asked.id !== undefined && header.id !== undefined && header.id !== asked.id
      : !names.some((listed) => normal(listed) === normal(name));
  if (!isOther) return;
  throw new ProtocolError({
    operation: "Record.List",
    target,
    meaning: `the answer is about another domain (${names[0] ?? header.id ?? "without a name"})`,
    hint: "Check that the domain's id and name belong together.",
    outcome: "refused",
  });
}
