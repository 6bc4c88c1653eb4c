/** The plan: what makes a resource's declared records live. Pure, and the same for the preview and the run. */
import { recordKey, type DeclaredRecord, type DnsRecord } from "../../dns";
import type { Means } from "../declaration";
import type { LiveEntry, Zones } from "../zones/zone";
import { obstaclesOf, pairRecords, type Change, type RecordRemoval } from "./pairing";

export interface Match {
  readonly record: DeclaredRecord;
  readonly live: LiveEntry;
}

export interface Obstacle {
  /**
   * Live with another TTL (`ttl`), switched off (`disabled`), excluded by other live data at its name and line (`blocked`),
   * or live and not to be adopted (`exists`).
   */
  readonly kind: "ttl" | "disabled" | "blocked" | "exists";
  readonly record: DeclaredRecord;
  /** The live records in the way. */
  readonly live: readonly [LiveEntry, ...LiveEntry[]];
  /** True when the program asked for no change here: somebody changed the zone. */
  readonly drift: boolean;
}

export interface PlanInput {
  readonly declared: readonly DeclaredRecord[];
  readonly zones: Zones;
  /** Live records that the resource answers for. */
  readonly ours: ReadonlySet<LiveEntry>;
  /** Whether the program declared this record with this TTL before: a difference is drift then. */
  readonly declaredBefore: (record: DeclaredRecord) => boolean;
  readonly declaredElsewhere: (key: string) => boolean;
  readonly adopt: boolean;
  readonly may: Means;
}

export interface Plan {
  /** `live` is the one that is kept. */
  readonly present: readonly Match[];
  readonly adopted: readonly Match[];
  readonly create: readonly DeclaredRecord[];
  readonly changes: readonly Change[];
  /** Ours, undeclared, and to be removed. */
  readonly removals: readonly RecordRemoval[];
  readonly obstacles: readonly Obstacle[];
  /** Ours, undeclared, and not to be removed. */
  readonly leftOver: readonly LiveEntry[];
  /** Ours, and declared by another resource of the run, which takes them over. */
  readonly released: readonly LiveEntry[];
  /** The service's own, no longer declared: it keeps them. */
  readonly kept: readonly LiveEntry[];
  /** Records that are live more than once. */
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

function matchDeclared(input: PlanInput) {
  const { zones, ours, may } = input;
  const present: Match[] = [];
  const wanted: DeclaredRecord[] = [];
  const changes: Change[] = [];
  const removals: RecordRemoval[] = [];
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

/** The live records of one key, the best first: as declared, then ours. */
function ranked(live: readonly LiveEntry[], record: DeclaredRecord, ours: ReadonlySet<LiveEntry>): LiveEntry[] {
  if (live.length < 2) return [...live];
  const score = (entry: LiveEntry): number =>
    (entry.enabled ? 0 : 4) + (sameTtl(record, entry) ? 0 : 2) + (ours.has(entry) ? 0 : 1);
  return [...live].sort((a, b) => score(a) - score(b));
}

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

/** Whether a live record of the same identity is as it is declared. */
export function isAsDeclared(record: DeclaredRecord, live: LiveEntry): boolean {
  return live.enabled && sameTtl(record, live);
}

/** Whether a live record has the declared TTL; an omitted one matches any. */
export function sameTtl(record: DeclaredRecord, live: LiveEntry): boolean {
  return record.ttl === "default" || record.ttl === live.ttl;
}
