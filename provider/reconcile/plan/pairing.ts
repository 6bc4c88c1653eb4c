/** Pairs deletions with creations: one modification replaces both, so the name always resolves. Pure. */
import { placeOf, type DeclaredRecord, type DnsRecord } from "../../dns";
import { append, groupBy, split } from "../../support/collections";
import type { LiveEntry, Zones } from "../zones/zone";

export interface Match {
  readonly live: LiveEntry;
  readonly record: DeclaredRecord;
}

export interface Change extends Match {
  /** `ttl` and `enable` keep the record's identity, `data` changes it. */
  readonly kind: "ttl" | "enable" | "data";
}

export function becomesAnother({ kind }: { readonly kind?: Change["kind"] | undefined }): boolean {
  return kind === "data";
}

export interface RecordRemoval {
  readonly live: LiveEntry;
  /** Whether it blocks a change. */
  readonly first: boolean;
}

export function placeIn(record: DnsRecord): string {
  return `${record.domain} ${placeOf(record)}`;
}

export interface Steps {
  readonly changes: Change[];
  readonly removals: RecordRemoval[];
  readonly create: DeclaredRecord[];
}

/** A CNAME excludes other records at its name and line (RFC 1034 §3.6.2; service-notes.md, code 31). */
export function obstaclesOf(record: DeclaredRecord, zones: Zones): LiveEntry[] {
  const there = zones.get(record.domain)?.byPlace.get(placeOf(record)) ?? [];
  return record.type === "CNAME" ? [...there] : there.filter((entry) => entry.record.type === "CNAME");
}

/**
 * @param leaving owned, live and undeclared records
 * @returns wanted records that are excluded by live records that stay
 */
export function pairRecords(
  leaving: readonly LiveEntry[],
  wanted: readonly DeclaredRecord[],
  zones: Zones,
  single: boolean,
  steps: Steps,
): DeclaredRecord[] {
  const leaves = new Set(leaving);
  const isPossible = (record: DeclaredRecord): boolean =>
    obstaclesOf(record, zones).every((entry) => leaves.has(entry));
  const [[record], [live]] = [wanted, leaving];
  const isPair = single && wanted.length === 1 && leaving.length === 1;
  if (isPair && record && live && record.domain === live.domain && isPossible(record)) {
    steps.changes.push({ live, record, kind: "data" });
    return [];
  }
  const leavingAt = groupBy(leaving, ({ record }) => placeIn(record));
  const [possible, excluded] = split(wanted, isPossible);
  const [pairable, others] = split(possible, (each) => leavingAt.has(placeIn(each)));
  append(steps.create, others);
  for (const [place, records] of groupBy(pairable, placeIn)) {
    const olds = leavingAt.get(place) ?? [];
    leavingAt.delete(place);
    const withAlias = [...olds.map(({ record }) => record), ...records].some(({ type }) => type === "CNAME");
    (withAlias ? pairAcrossTypes : pairWithinTypes)(olds, records, steps);
  }
  for (const entries of leavingAt.values())
    for (const live of entries) steps.removals.push({ live, first: false });
  return excluded;
}

function pairAcrossTypes(
  olds: readonly LiveEntry[],
  records: readonly DeclaredRecord[],
  { changes, removals, create }: Steps,
): void {
  const [record, ...later] = [...records].sort((a, b) => rank(a) - rank(b));
  // A disabled record is not served, so it is not the one to change last.
  const [live, ...rest] = [...olds].sort(
    (a, b) => Number(b.enabled) - Number(a.enabled) || rank(a.record) - rank(b.record),
  );
  if (record === undefined || live === undefined) return;
  changes.push({ live, record, kind: "data" });
  for (const entry of rest) removals.push({ live: entry, first: record.type === "CNAME" });
  append(create, later);
}

/** What a name should answer longest: addresses, then mail. */
function rank({ type }: { readonly type: string }): number {
  return ["CNAME", "A", "AAAA", "MX"].indexOf(type) + 1 || 9;
}

function pairWithinTypes(
  olds: readonly LiveEntry[],
  records: readonly DeclaredRecord[],
  { changes, removals, create }: Steps,
): void {
  const sorted = [...olds].sort((a, b) => priorityOf(a.record) - priorityOf(b.record));
  const byType = groupBy(sorted, ({ record }) => record.type);
  for (const record of [...records].sort((a, b) => priorityOf(a) - priorityOf(b))) {
    const live = byType.get(record.type)?.shift();
    if (live) changes.push({ live, record, kind: "data" });
    else create.push(record);
  }
  for (const live of [...byType.values()].flat()) removals.push({ live, first: false });
}

function priorityOf({ priority = 0 }: DnsRecord): number {
  return priority;
}
