/** Listings in pages, which must agree. Only a complete listing is returned (DESIGN §4). */
import type { Client } from "./client";
import { ProtocolError, ServiceError } from "./errors";

/** api.md, Limits. */
export const PAGE_LENGTH = 3000;
const READINGS = 5;
const REREAD_MS = 1000;
/** The length of a page if the service ignores the request's (api.md, Limits). */
const FORCED_PAGE = 100;

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
    hint: "Try again when nobody else is changing it.",
    outcome: "refused",
  });
}

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
    // Any other list ends with a page that is not full.
    return doubt ?? (reading.items.length === 0 ? "empty" : reading.items);
  }
  if (doubt !== undefined) return doubt;
  const offsets: number[] = [];
  if (first.items.length > 0)
    for (let at = first.items.length; at < first.total; at += first.items.length) offsets.push(at);
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
