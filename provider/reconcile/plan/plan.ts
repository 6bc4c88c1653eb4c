/**
 * The plan: what must happen so that a resource's declared records are live, from the declaration and the zones as
 * they were read. Pure, and the same for the preview (check) and for the run, so that the two cannot disagree.
 */
import { recordKey, type DeclaredRecord, type DnsRecord } from "../../dns";
import type { Means } from "../declaration";
import type { LiveEntry, Zone } from "../zones/zone";
import { obstaclesOf, pairRecords, type Change, type Removal } from "./pairing";

/** A declared record and the live one that it is. */
export interface Match {
  readonly record: DeclaredRecord;
  readonly live: LiveEntry;
}

/** Why a declared record cannot be brought about with the documented interface. */
export interface Obstacle {
  /**
   * `ttl`: it is live with another TTL. `disabled`: it is live, but switched off. `blocked`: other live data at the
   * same name and line excludes it. `exists`: it is live and may not be adopted.
   */
  readonly kind: "ttl" | "disabled" | "blocked" | "exists";
  readonly record: DeclaredRecord;
  /** The live records in the way; never empty. */
  readonly live: readonly [LiveEntry, ...LiveEntry[]];
  /** True when the program did not ask for a change here: the zone was changed behind its back. */
  readonly drift: boolean;
}

export interface PlanInput {
  readonly desired: readonly DeclaredRecord[];
  readonly zones: ReadonlyMap<string, Zone>;
  /** The live records that the resource answers for already. */
  readonly ours: ReadonlySet<LiveEntry>;
  /** Did the program declare this very record, with this TTL, before? Then what differs now is drift. */
  readonly declaredBefore: (record: DeclaredRecord) => boolean;
  /** Does another resource of this run declare the record with this key? */
  readonly declaredElsewhere: (key: string) => boolean;
  /** May a live record that the resource does not answer for be taken over? */
  readonly adopt: boolean;
  readonly may: Means;
}

export interface Plan {
  /** Live as declared; `live` is the one that is kept. */
  readonly present: readonly Match[];
  /** Of `present`, those that the resource did not answer for before. */
  readonly adopted: readonly Match[];
  readonly create: readonly DeclaredRecord[];
  /** Live records that become what is declared. */
  readonly changes: readonly Change[];
  /** Ours, declared by nobody any more, and to be removed. */
  readonly removals: readonly Removal[];
  readonly obstacles: readonly Obstacle[];
  /** Ours, live, declared by nobody any more, and not to be removed. */
  readonly leftOver: readonly LiveEntry[];
  /** Ours, live, not declared here but by another resource of the run, which takes them over. */
  readonly released: readonly LiveEntry[];
  /** The service's own, once declared and not any more: it keeps them, so that they are let go of. */
  readonly kept: readonly LiveEntry[];
  /** Records, declared or left over, that are live more than once. */
  readonly duplicates: readonly { readonly record: DnsRecord; readonly live: readonly LiveEntry[] }[];
}

export function planRecords(input: PlanInput): Plan {
  const { may } = input;
  const present: Match[] = [];
  const adopted: Match[] = [];
  const wanted: DeclaredRecord[] = [];
  const changes: Change[] = [];
  const removals: Removal[] = [];
  const obstacles: Obstacle[] = [];
  const duplicates: { record: DnsRecord; live: readonly LiveEntry[] }[] = [];
  const desiredKeys = new Set<string>();
  for (const record of input.desired) {
    const key = recordKey(record);
    desiredKeys.add(key);
    const zone = input.zones.get(record.domain);
    const [best, ...others] = ranked(zone?.byKey.get(key) ?? [], record, input.ours);
    if (best === undefined) {
      wanted.push(record);
      continue;
    }
    const kind = obstacleOf(record, best, input);
    const isChanged = may.change && !best.hold && (kind === "ttl" || kind === "disabled");
    const extra = others.filter((entry) => !entry.hold);
    // The service refuses to change a record while its like is there (service-notes.md, code 104).
    if (extra.length > 0 && may.remove) removals.push(...extra.map((live) => ({ live, first: isChanged })));
    else if (others.length > 0) duplicates.push({ record, live: [best, ...others] });
    if (isChanged) {
      changes.push({ live: best, record, kind: kind === "ttl" ? "ttl" : "enable" });
    } else if (kind) obstacles.push({ kind, record, live: [best], drift: kind !== "exists" && input.declaredBefore(record) });
    else {
      present.push({ record, live: best });
      if (!input.ours.has(best)) adopted.push({ record, live: best });
    }
  }

  const leftOver: LiveEntry[] = [];
  const released: LiveEntry[] = [];
  const leaving: LiveEntry[] = [];
  const kept: LiveEntry[] = [];
  for (const entry of input.ours) {
    if (desiredKeys.has(entry.key)) continue;
    if (input.declaredElsewhere(entry.key)) released.push(entry);
    else if (entry.hold) kept.push(entry);
    else if (may.remove) leaving.push(entry);
    else leftOver.push(entry);
  }
  const pairs = pairRecords({ leaving, wanted, zones: input.zones, single: may.single });
  changes.push(...pairs.changes);
  removals.push(...pairs.removals);
  for (const record of pairs.blocked) {
    const [first, ...rest] = obstaclesOf(record, input.zones).filter((entry) => !leaving.includes(entry));
    if (first) obstacles.push({ kind: "blocked", record, live: [first, ...rest], drift: input.declaredBefore(record) });
  }
  for (const entry of leftOver) {
    const live = input.zones.get(entry.record.domain)?.byKey.get(entry.key) ?? [];
    if (live.length > 1 && live.find((each) => input.ours.has(each)) === entry) duplicates.push({ record: entry.record, live });
  }
  return { present, adopted, create: pairs.create, changes, removals, obstacles, leftOver, released, kept, duplicates };
}

/** The live records of one key, the one to keep first: as declared before disabled or another TTL, ours before others. */
function ranked(live: readonly LiveEntry[], record: DeclaredRecord, ours: ReadonlySet<LiveEntry>): LiveEntry[] {
  if (live.length < 2) return [...live];
  const score = (entry: LiveEntry): number =>
    (entry.enabled ? 0 : 4) + (sameTtl(record, entry) ? 0 : 2) + (ours.has(entry) ? 0 : 1);
  return [...live].sort((a, b) => score(a) - score(b));
}

/** What keeps a live record from being the declared one, where something does. */
export function obstacleOf(
  record: DeclaredRecord,
  live: LiveEntry,
  input: Pick<PlanInput, "adopt" | "ours">,
): Exclude<Obstacle["kind"], "blocked"> | undefined {
  if (!input.adopt && !input.ours.has(live)) return "exists";
  if (!live.enabled) return "disabled";
  if (!sameTtl(record, live)) return "ttl";
  return undefined;
}

/** Whether the live record's TTL is what is declared; an omitted TTL matches any. */
export function sameTtl(record: DeclaredRecord, live: LiveEntry): boolean {
  return record.ttl === "default" || record.ttl === live.ttl;
}
