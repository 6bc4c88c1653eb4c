/** Listings in pages, which must agree. Only a complete listing is returned (DESIGN §4). */
import type { Client } from "./client";
import { ProtocolError, ServiceError } from "./errors";
import { mostAtOnce } from "./pacing";

/** api.md, Limits. */
export const PAGE_LENGTH = 3000;
const READINGS = 5;
const REREAD_MS = 1000;
/** The length of a page if the service ignores the request's (api.md, Limits). */
const FORCED_PAGE = 100;
/** 100,000 entries in the shortest pages of the service: more is no listing, but a broken counter. */
const MOST_PAGES = 1000;

interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number | undefined;
  readonly returned?: number | undefined;
}

export interface Listing<Item> {
  readonly operation: string;
  readonly target: string | undefined;
  readonly what: string;
  readonly of: "record" | "domain";
  readonly idOf: (item: Item) => string | undefined;
  readonly page: (offset: number) => Promise<Page<Item>>;
}

export async function readAll<Item>(
  client: Client,
  listing: Listing<Item>,
): Promise<readonly Item[] | undefined> {
  const { operation, target, what } = listing;
  let doubt = "";
  for (let reading = 1; reading <= READINGS; reading += 1) {
    if (reading > 1) await client.clock.sleep(REREAD_MS);
    const result = await readOnce(listing);
    if (result === "empty") return undefined;
    if (typeof result !== "string") return result;
    doubt = result;
  }
  throw new ProtocolError({
    operation,
    target,
    meaning: `${what} kept changing while it was read, ${READINGS} times in a row (${doubt})`,
    help: ["try again when nobody else is changing it"],
    outcome: "refused",
  });
}

async function readOnce<Item>(listing: Listing<Item>): Promise<readonly Item[] | string> {
  const first = await pageAt(listing, 0);
  if (first === "empty") return "empty";
  const reading = new Reading(listing, first.total);
  const doubt = reading.take(first);
  if (doubt !== undefined) return doubt;
  return first.total === undefined
    ? readUncounted(listing, reading, first)
    : readCounted(listing, reading, first.items.length, first.total);
}

async function readUncounted<Item>(
  listing: Listing<Item>,
  reading: Reading<Item>,
  first: Page<Item>,
): Promise<readonly Item[] | string> {
  let page = first;
  for (let pages = 1; !isLast(page); pages += 1) {
    if (pages === MOST_PAGES) throw endless(listing, `more than ${MOST_PAGES} full pages came`);
    const next = await pageAt(listing, reading.items.length);
    if (next === "empty") break;
    const doubt = reading.take(next);
    if (doubt !== undefined) return doubt;
    page = next;
  }
  // Any other list ends with a page that is not full.
  return reading.items.length === 0 ? "empty" : reading.items;
}

/** @param length of the first page */
async function readCounted<Item>(
  listing: Listing<Item>,
  reading: Reading<Item>,
  length: number,
  total: number,
): Promise<readonly Item[] | string> {
  if (length * MOST_PAGES < total && length > 0)
    throw endless(listing, `${total} entries are counted, and the first page has ${length}`);
  for (let at = length; length > 0 && at < total; at += length * mostAtOnce) {
    const offsets = Array.from({ length: mostAtOnce }, (_, n) => at + n * length);
    const pages = await Promise.allSettled(
      offsets.filter((offset) => offset < total).map((offset) => pageAt(listing, offset)),
    );
    for (const page of pages) {
      if (page.status === "rejected") throw page.reason;
      if (page.value === "empty") return "a later page was empty";
      const doubt = reading.take(page.value);
      if (doubt !== undefined) return doubt;
    }
  }
  return reading.items.length === total
    ? reading.items
    : `only ${reading.items.length} of ${total} entries came`;
}

/** Reading on would take hours, or all memory. */
function endless(
  { operation, target, what }: Pick<Listing<unknown>, "operation" | "target" | "what">,
  why: string,
): ProtocolError {
  return new ProtocolError({
    operation,
    target,
    meaning: `${what} is too long to be read: ${why}`,
    help: ["check baseUrl, because this does not look like the service"],
    outcome: "refused",
  });
}

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

class Reading<Item> {
  readonly items: Item[] = [];
  private readonly ids = new Set<string>();

  constructor(
    private readonly listing: Listing<Item>,
    private readonly total: number | undefined,
  ) {}

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
