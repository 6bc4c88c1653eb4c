/** What a resource holds: its ledger against the zones as they were read. Pure. */
import { digest, recordKey, type DeclaredRecord } from "../dns";
import type { Declaration } from "./declaration";
import type { Ledger, LeftOver } from "./ledger";
import type { Match } from "./plan";
import type { LiveEntry, Zone } from "./zones";

type Zones = ReadonlyMap<string, Zone>;

/** The live records that a ledger answers for; ids are only compared within their domain. */
export function oursOf(ledger: Ledger, records: readonly DeclaredRecord[], zones: Zones, report?: Declaration["report"]): ReadonlySet<LiveEntry> {
  const ours = new Set<LiveEntry>();
  const add = (domain: string, id: string): void => {
    const entry = zones.get(domain)?.byId.get(id);
    if (entry) ours.add(entry);
  };
  for (const { domain, id } of ledger.leftOver) add(domain, id);
  // What a refresh found declared by nobody goes as if it were ours, unless it has become somebody's business since.
  for (const { domain, id } of report?.remove === true ? ledger.undeclared : []) {
    const entry = zones.get(domain)?.byId.get(id);
    if (entry && !entry.hold && !report?.ignored(entry.record)) ours.add(entry);
  }
  for (const record of ledger.owned.size === 0 ? [] : records) {
    const known = ledger.owned.get(digest(recordKey(record)));
    if (known) add(record.domain, known.id);
  }
  return ours;
}

/** The ledger without what was left over and is gone by now. */
export function withoutGone(ledger: Ledger, zones: Zones): Ledger {
  const leftOver = ledger.leftOver.filter(({ domain, id }) => zones.get(domain)?.byId.has(id) !== false);
  return leftOver.length === ledger.leftOver.length ? ledger : { ...ledger, leftOver };
}

/**
 * The ledger with what is live as declared and not in it yet: a killed run made it, or a write that was given up for lost.
 * What the ledger knew by that name until then and is live as something else is left over.
 */
export function withFound(ledger: Ledger, found: readonly Match[], zones: Zones): Ledger {
  if (found.length === 0) return ledger;
  const owned = new Map(ledger.owned);
  const leftOver = [...ledger.leftOver];
  for (const { live, record } of found) {
    const key = digest(recordKey(record));
    const before = zones.get(record.domain)?.byId.get(owned.get(key)?.id ?? "");
    if (before !== undefined) leftOver.push({ domain: record.domain, id: before.id });
    owned.set(key, { id: live.id, since: live.since ?? 0 });
  }
  // What was left over may have become what is declared.
  const isFound = (domain: string, id: string): boolean => found.some(({ live, record }) => live.id === id && record.domain === domain);
  return { ...ledger, owned, leftOver: leftOver.filter(({ domain, id }) => !isFound(domain, id)) };
}

/**
 * For the ledger: what is too young for the index to show is to be looked for by its number.
 * @param oldest seconds since the epoch: what was made later may not be listed yet
 */
export function asLeftOver(entries: readonly LiveEntry[], ledger: Ledger, oldest: number): LeftOver[] {
  const made = new Map([...ledger.owned.values(), ...ledger.leftOver].map(({ id, since }) => [id, since]));
  return entries.map(({ record, id, since }) => {
    const young = Math.max(since ?? 0, made.get(id) ?? 0);
    return { domain: record.domain, id, ...(young > oldest ? { since: young } : {}) };
  });
}

/**
 * Of records that are not declared any more, those whose zone was not read, or too early to list them.
 * @param delay the index delay, in milliseconds
 */
export function unlisted(before: readonly DeclaredRecord[], desired: readonly DeclaredRecord[], ledger: Ledger, zones: Zones, delay: number): DeclaredRecord[] {
  const keys = new Set(desired.map((record) => recordKey(record)));
  return before.filter((record) => {
    const key = recordKey(record);
    const known = ledger.owned.get(digest(key));
    const zone = zones.get(record.domain);
    if (keys.has(key) || known === undefined || zone?.byId.has(known.id) === true) return false;
    return zone === undefined || known.since * 1000 + delay > zone.readAt;
  });
}
