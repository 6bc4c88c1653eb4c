/** What a resource holds: its ledger against the zones as they were read. Pure. */
import { digest, recordKey, type DeclaredRecord } from "../../dns";
import type { Declaration } from "../declaration";
import type { Ledger, LeftOver } from "../memory/ledger";
import type { Match } from "../plan/plan";
import type { LiveEntry, Zone } from "../zones/zone";

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
export function withFound(ledger: Ledger, found: readonly Match[], zones: Zones, isMade: (live: LiveEntry) => boolean): Ledger {
  if (found.length === 0) return ledger;
  const owned = new Map(ledger.owned);
  const leftOver = [...ledger.leftOver];
  for (const { live, record } of found) {
    const key = digest(recordKey(record));
    const was = owned.get(key);
    const before = zones.get(record.domain)?.byId.get(was?.id ?? "");
    if (before !== undefined) leftOver.push({ domain: record.domain, id: before.id, made: was?.made === true });
    owned.set(key, { id: live.id, since: live.since ?? 0, made: isMade(live) });
  }
  // What was left over may have become what is declared.
  const isFound = (domain: string, id: string): boolean => found.some(({ live, record }) => live.id === id && record.domain === domain);
  return { ...ledger, owned, leftOver: leftOver.filter(({ domain, id }) => !isFound(domain, id)) };
}

/**
 * For the ledger: what is too young for the index to show is to be looked for by its number.
 * @param oldest seconds since the epoch: what was made later may not be listed yet
 */
export function asLeftOver(entries: readonly LiveEntry[], ledger: Ledger, oldest: number, isMade: (live: LiveEntry) => boolean): LeftOver[] {
  const written = new Map([...ledger.owned.values(), ...ledger.leftOver].map(({ id, since }) => [id, since]));
  return entries.map((live) => {
    const young = Math.max(live.since ?? 0, written.get(live.id) ?? 0);
    return { domain: live.record.domain, id: live.id, ...(young > oldest ? { since: young } : {}), made: isMade(live) };
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

/** What stays in the zones when a resource lets go of it. */
export interface Staying {
  /** As it is live; as it was declared, or by its number, where its zone could not be read or does not list it yet. */
  readonly left: readonly (LiveEntry | DeclaredRecord | LeftOver)[];
  /** Declared, and nobody knows whether they were made. */
  readonly doubtful: readonly DeclaredRecord[];
}

/**
 * What a resource leaves behind: never a record that the service refused, nor one that is gone.
 * @param zones those that could be read
 * @param delay the index delay, in milliseconds
 */
export function staying(records: readonly DeclaredRecord[], ledger: Ledger, zones: Zones, delay: number): Staying {
  const left: (LiveEntry | DeclaredRecord | LeftOver)[] = [];
  const doubtful: DeclaredRecord[] = [];
  const open = new Set([...ledger.jobs, ...ledger.unconfirmed].flatMap(({ digests }) => digests));
  const isYoung = (since: number, zone: Zone): boolean => since > 0 && since * 1000 + delay > zone.readAt;
  for (const record of records) {
    const key = digest(recordKey(record));
    const known = ledger.owned.get(key);
    const zone = zones.get(record.domain);
    const live = zone?.byId.get(known?.id ?? "") ?? (open.has(key) ? zone?.byKey.get(recordKey(record))?.[0] : undefined);
    if (live) left.push(live);
    else if (known && (zone === undefined || isYoung(known.since, zone))) left.push(record);
    else if (known === undefined && open.has(key)) doubtful.push(record);
  }
  for (const each of ledger.leftOver) {
    const zone = zones.get(each.domain);
    const live = zone?.byId.get(each.id);
    if (live) left.push(live);
    else if (zone === undefined || isYoung(each.since ?? 0, zone)) left.push(each);
  }
  return { left, doubtful };
}
