/** Pairs records that leave with records that come, so that one modification does both: fewer calls, and the name always resolves. Pure. */
import type { DeclaredRecord, DnsRecord } from "../../dns";
import { groupBy } from "../../gather";
import { placeOf, type LiveEntry, type Zones } from "../zones/zone";

export interface Change {
  readonly live: LiveEntry;
  readonly record: DeclaredRecord;
  /** `ttl`, `enable`: the same record. `data`: another one until then. */
  readonly kind: "ttl" | "enable" | "data";
}

/** Whether the record becomes another: its name, type, data or line changes. */
export function becomesAnother({ kind }: { readonly kind?: Change["kind"] | undefined }): boolean {
  return kind === "data";
}

export interface RecordRemoval {
  readonly live: LiveEntry;
  /** True when it stands in the way of a change. */
  readonly first: boolean;
}

export interface Pairs {
  readonly changes: readonly Change[];
  readonly removals: readonly RecordRemoval[];
  readonly create: readonly DeclaredRecord[];
  /** Live data that does not leave excludes them. */
  readonly blocked: readonly DeclaredRecord[];
}

export interface PairInput {
  /** Ours, live, and no longer declared. */
  readonly leaving: readonly LiveEntry[];
  readonly wanted: readonly DeclaredRecord[];
  readonly zones: Zones;
  /** A resource of one record: whatever it becomes stays the same record. */
  readonly single: boolean;
}

/** Whether two records exclude each other: a CNAME stands alone (RFC 1034 §3.6.2; service-notes.md, code 31). */
export function excludes(record: { readonly type: string }, other: { readonly type: string }): boolean {
  return record.type === "CNAME" || other.type === "CNAME";
}

/** What is live at a record's name and line and excludes it. */
export function obstaclesOf(record: DeclaredRecord, zones: Zones): LiveEntry[] {
  return (zones.get(record.domain)?.byPlace.get(placeOf(record)) ?? []).filter((entry) => excludes(record, entry.record));
}

export function pairRecords({ leaving, wanted, zones, single }: PairInput): Pairs {
  const [only, ...others] = wanted;
  const [old, ...more] = leaving;
  if (single && only && old && only.domain === old.record.domain && others.length === 0 && more.length === 0 && obstaclesOf(only, zones).every((entry) => entry === old)) {
    return { changes: [{ live: old, record: only, kind: "data" }], removals: [], create: [], blocked: [] };
  }
  const changes: Change[] = [];
  const removals: RecordRemoval[] = [];
  const create: DeclaredRecord[] = [];
  const blocked: DeclaredRecord[] = [];
  const placeIn = (record: DnsRecord): string => `${record.domain} ${placeOf(record)}`;
  const leavingAt = groupBy(leaving, ({ record }) => placeIn(record));
  for (const [place, records] of groupBy(wanted, placeIn)) {
    const olds = leavingAt.get(place) ?? [];
    leavingAt.delete(place);
    const set = new Set(olds);
    const possible = records.filter((record) => obstaclesOf(record, zones).every((entry) => set.has(entry)));
    blocked.push(...records.filter((record) => !possible.includes(record)));
    const paired = olds.some((entry) => entry.record.type === "CNAME") || possible.some((record) => record.type === "CNAME")
      ? acrossTypes(olds, possible)
      : withinTypes(olds, possible);
    changes.push(...paired.changes);
    removals.push(...paired.removals);
    create.push(...paired.create);
  }
  for (const entries of leavingAt.values()) removals.push(...entries.map((live) => ({ live, first: false })));
  return { changes, removals, create, blocked };
}

type Paired = Omit<Pairs, "blocked">;

/**
 * A CNAME comes or goes: one record becomes the other. The other old ones stand in its way; the other new ones come after.
 * An address first: an alias leads to one.
 */
function acrossTypes(olds: readonly LiveEntry[], records: readonly DeclaredRecord[]): Paired {
  const [record, ...create] = [...records].sort((a, b) => rank(a) - rank(b));
  // A disabled record answers nobody: it is not the one to change last.
  const [live, ...rest] = [...olds].sort((a, b) => Number(b.enabled) - Number(a.enabled) || rank(a.record) - rank(b.record));
  if (record === undefined || live === undefined) {
    return { changes: [], removals: olds.map((entry) => ({ live: entry, first: false })), create: records };
  }
  return { changes: [{ live, record, kind: "data" }], removals: rest.map((entry) => ({ live: entry, first: record.type === "CNAME" })), create };
}

function rank({ type }: { readonly type: string }): number {
  return ["CNAME", "A", "AAAA"].indexOf(type) + 1 || 9;
}

/** Pairs within each type. */
function withinTypes(olds: readonly LiveEntry[], records: readonly DeclaredRecord[]): Paired {
  const changes: Change[] = [];
  const removals: RecordRemoval[] = [];
  const create: DeclaredRecord[] = [];
  const byType = groupBy([...olds].sort(byPriority((each) => each.record)), ({ record }) => record.type);
  for (const record of [...records].sort(byPriority((each) => each))) {
    const live = byType.get(record.type)?.shift();
    if (live) changes.push({ live, record, kind: "data" });
    else create.push(record);
  }
  for (const entries of byType.values()) removals.push(...entries.map((live) => ({ live, first: false })));
  return { changes, removals, create };
}

function byPriority<T>(record: (of: T) => { readonly priority?: number | undefined }): (a: T, b: T) => number {
  return (a, b) => (record(a).priority ?? 0) - (record(b).priority ?? 0);
}
