/**
 * The plan: what must happen so that a resource's declared records are live, from the declaration and the zones as
 * they were read. Pure, and the same for the preview (check) and for the run, so that the two cannot disagree.
 */
import { recordKey, type DeclaredRecord, type DnsRecord } from "../../dns";
import type { Means } from "../declaration";
import type { LiveEntry, Zones } from "../zones/zone";
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
  readonly declared: readonly DeclaredRecord[];
  readonly zones: Zones;
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
  const { zones, ours, may } = input;
  const { wanted, ...own } = matchDeclared(input);
  const { leaving, ...rest } = partUndeclared(input);
  const pairs = pairRecords({ leaving, wanted, zones, single: may.single });
  const blocked = pairs.blocked.flatMap((record): Obstacle[] => {
    const [first, ...others] = obstaclesOf(record, zones).filter((entry) => !leaving.includes(entry));
    return first ? [{ kind: "blocked", record, live: [first, ...others], drift: input.declaredBefore(record) }] : [];
  });
  const twins = rest.leftOver.flatMap((entry) => {
    const live = zones.get(entry.record.domain)?.byKey.get(entry.key) ?? [];
    return live.length > 1 && live.find((each) => ours.has(each)) === entry ? [{ record: entry.record, live }] : [];
  });
  return {
    ...own,
    ...rest,
    create: pairs.create,
    changes: [...own.changes, ...pairs.changes],
    removals: [...own.removals, ...pairs.removals],
    obstacles: [...own.obstacles, ...blocked],
    duplicates: [...own.duplicates, ...twins],
  };
}

/** What is declared against what is live of it; `wanted` is not live. */
function matchDeclared(input: PlanInput) {
  const { zones, ours, may } = input;
  const present: Match[] = [];
  const wanted: DeclaredRecord[] = [];
  const changes: Change[] = [];
  const removals: Removal[] = [];
  const obstacles: Obstacle[] = [];
  const duplicates: Plan["duplicates"][number][] = [];
  for (const record of input.declared) {
    const [live, ...others] = ranked(zones.get(record.domain)?.byKey.get(recordKey(record)) ?? [], record, ours);
    if (live === undefined) {
      wanted.push(record);
      continue;
    }
    const kind = obstacleOf(record, live, input);
    const isChanged = may.change && !live.hold && (kind === "ttl" || kind === "disabled");
    const extra = others.filter((entry) => !entry.hold);
    // The service refuses to change a record while its like is there (service-notes.md, code 104).
    if (extra.length > 0 && may.remove) removals.push(...extra.map((entry) => ({ live: entry, first: isChanged })));
    else if (others.length > 0) duplicates.push({ record, live: [live, ...others] });
    if (isChanged) changes.push({ live, record, kind: kind === "ttl" ? "ttl" : "enable" });
    else if (kind) obstacles.push({ kind, record, live: [live], drift: kind !== "exists" && input.declaredBefore(record) });
    else present.push({ record, live });
  }
  return { present, adopted: present.filter(({ live }) => !ours.has(live)), wanted, changes, removals, obstacles, duplicates };
}

/** What becomes of ours that is not declared here; `leaving` goes, or becomes something else. */
function partUndeclared({ declared, ours, declaredElsewhere, may }: PlanInput) {
  const keys = new Set(declared.map((record) => recordKey(record)));
  const leaving: LiveEntry[] = [];
  const leftOver: LiveEntry[] = [];
  const released: LiveEntry[] = [];
  const kept: LiveEntry[] = [];
  for (const entry of ours) {
    if (keys.has(entry.key)) continue;
    if (declaredElsewhere(entry.key)) released.push(entry);
    else if (entry.hold) kept.push(entry);
    else (may.remove ? leaving : leftOver).push(entry);
  }
  return { leaving, leftOver, released, kept };
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
