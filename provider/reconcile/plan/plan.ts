/** The plan makes a resource's declared records live. Pure. */
import { recordKey, unknownsLiveAs, type DeclaredRecord, type DnsRecord } from "../../dns";
import { append, split } from "../../support/collections";
import type { Declaration } from "../declaration";
import { digestOf, type Ledger, type OpenWrite, type RecordRef } from "../memory/ledger";
import type { LiveEntry, Zones } from "../zones/zone";
import { obstaclesOf, pairRecords, placeIn, type Change, type Match, type RecordRemoval } from "./pairing";

export interface Obstacle {
  /**
   * `ttl`: live with another TTL. `disabled`: live but disabled. `blocked`: excluded by other live data at
   * its name and line. `exists`: live, and must not be adopted.
   */
  readonly kind: "ttl" | "disabled" | "blocked" | "exists";
  readonly record: DeclaredRecord;
  readonly live: readonly [LiveEntry, ...LiveEntry[]];
  /** For `blocked`: the resource owns all of these, and no resource declares them. */
  readonly owned?: boolean;
}

export interface PlanInput extends Pick<Declaration, "records" | "unknowns" | "adopt" | "may"> {
  readonly zones: Zones;
  readonly owned: ReadonlySet<LiveEntry>;
  readonly declaredElsewhere: (live: LiveEntry) => boolean;
  /** By its id: another resource of this stack created it. */
  readonly isCreated?: (live: LiveEntry) => boolean;
}

export interface Plan {
  readonly present: readonly Match[];
  readonly adopted: readonly Match[];
  readonly create: readonly DeclaredRecord[];
  readonly changes: readonly Change[];
  readonly removals: readonly RecordRemoval[];
  readonly obstacles: readonly Obstacle[];
  /** Possibly equal to a declared record with unknown values. */
  readonly undecided: readonly { readonly live: LiveEntry; readonly unknown: number }[];
  /** Owned and undeclared: must stay. */
  readonly stale: readonly LiveEntry[];
  /** Declared by another resource of the run. */
  readonly released: readonly LiveEntry[];
  /** `isTwin`: the owned record goes, and these stay. */
  readonly duplicates: readonly {
    readonly record: DnsRecord;
    readonly live: readonly LiveEntry[];
    readonly isTwin?: true;
  }[];
}

type Draft = { readonly [K in keyof Plan]: Plan[K][number][] };

export function emptyPlan(): Draft {
  return {
    present: [],
    adopted: [],
    create: [],
    changes: [],
    removals: [],
    obstacles: [],
    undecided: [],
    stale: [],
    released: [],
    duplicates: [],
  };
}

export function planRecords(input: PlanInput): Plan {
  const { zones, owned, may } = input;
  const plan = emptyPlan();
  const wanted = matchDeclared(input, plan);
  const undeclared = partUndeclared(input, wanted, plan);
  const leaving = may.remove ? undeclared : [];
  if (!may.remove) append(plan.stale, undeclared);
  const [goes, isUndeclared] = [new Set(leaving), new Set(undeclared)];
  for (const record of pairRecords(leaving, wanted, zones, may.single, plan)) {
    const live = obstaclesOf(record, zones).filter((entry) => !goes.has(entry));
    const [first, ...others] = live;
    const isOwned = live.every((entry) => isUndeclared.has(entry));
    if (first) plan.obstacles.push({ kind: "blocked", record, live: [first, ...others], owned: isOwned });
  }
  for (const entry of undeclared) {
    const live = zones.get(entry.domain)?.byKey.get(entry.key) ?? [];
    if (live.length < 2 || live.find((each) => owned.has(each)) !== entry) continue;
    const others = live.filter((each) => !owned.has(each));
    if (!may.remove) plan.duplicates.push({ record: entry.record, live });
    else if (others.length > 0) plan.duplicates.push({ record: entry.record, live: others, isTwin: true });
  }
  return plan;
}

function matchDeclared(input: PlanInput, plan: Draft): DeclaredRecord[] {
  const { zones, owned, may, adopt } = input;
  const wanted: DeclaredRecord[] = [];
  for (const record of input.records) {
    const found = zones.get(record.domain)?.byKey.get(recordKey(record)) ?? [];
    const [live, ...others] = ranked(found, record, owned);
    if (live === undefined) {
      wanted.push(record);
      continue;
    }
    const kind = obstacleOf(record, live, input);
    const isChanged = may.change && !live.hold && (kind === "ttl" || kind === "disabled");
    const extra = others.filter((entry) => !entry.hold && (adopt || owned.has(entry)));
    // The service refuses to change a record while its like is there (service-notes.md, code 104).
    if (extra.length > 0 && may.remove)
      for (const entry of extra) plan.removals.push({ live: entry, first: isChanged });
    else if (others.length > 0) plan.duplicates.push({ record, live: [live, ...others] });
    if (isChanged) plan.changes.push({ live, record, kind: kind === "ttl" ? "ttl" : "enable" });
    else if (kind) plan.obstacles.push({ kind, record, live: [live] });
    else {
      plan.present.push({ record, live });
      if (!owned.has(live)) plan.adopted.push({ record, live });
    }
  }
  return wanted;
}

function partUndeclared(
  { records, unknowns = [], zones, owned, declaredElsewhere, may }: PlanInput,
  wanted: readonly DeclaredRecord[],
  plan: Draft,
): LiveEntry[] {
  const keys = new Set(records.map((record) => recordKey(record)));
  const undeclared: LiveEntry[] = [];
  for (const entry of owned) {
    if (keys.has(entry.key)) continue;
    if (declaredElsewhere(entry)) plan.released.push(entry);
    else if (!entry.hold) undeclared.push(entry);
  }
  // A record that a declared one excludes is not an unknown one.
  const excluded = new Set(unknowns.length === 0 ? [] : wanted.flatMap((each) => obstaclesOf(each, zones)));
  const undecided = unknownsLiveAs(
    unknowns,
    undeclared.filter((entry) => !excluded.has(entry)),
  );
  const [sought, last] = [unknowns[0], undeclared.at(-1)];
  if (
    may.single &&
    may.remove &&
    undecided.size === 0 &&
    last !== undefined &&
    sought !== undefined &&
    "record" in sought &&
    sought.record.domain === last.domain
  )
    undecided.set(last, 0);
  for (const [live, unknown] of undecided) plan.undecided.push({ live, unknown });
  return undeclared.filter((entry) => !undecided.has(entry));
}

function ranked(
  live: readonly LiveEntry[],
  record: DeclaredRecord,
  owned: ReadonlySet<LiveEntry>,
): LiveEntry[] {
  if (live.length < 2) return [...live];
  const score = (entry: LiveEntry): number =>
    (entry.enabled ? 0 : 4) + (sameTtl(record, entry) ? 0 : 2) + (owned.has(entry) ? 0 : 1);
  return [...live].sort((a, b) => score(a) - score(b));
}

export function obstacleOf(
  record: DeclaredRecord,
  live: LiveEntry,
  { adopt, isCreated, owned }: Pick<PlanInput, "adopt" | "isCreated" | "owned">,
): Exclude<Obstacle["kind"], "blocked"> | undefined {
  if (!adopt && !owned.has(live) && isCreated?.(live) !== true) return "exists";
  if (!live.enabled) return "disabled";
  if (!sameTtl(record, live)) return "ttl";
  return undefined;
}

export function isAsDeclared(record: DeclaredRecord, live: LiveEntry): boolean {
  return live.enabled && sameTtl(record, live);
}

export function sameTtl(record: DeclaredRecord, live: LiveEntry): boolean {
  return record.ttl === "default" || record.ttl === live.ttl;
}

export interface Task {
  readonly declaration: Declaration;
  readonly before: readonly DeclaredRecord[];
  readonly ledger: Ledger;
  /** Unmanaged records that this run removes. */
  readonly unmanaged?: readonly RecordRef[];
  /** Unmanaged records that `absent` names and this run cannot remove. */
  readonly unwanted?: readonly LiveEntry[];
}

export interface TaskPlan extends Plan {
  readonly owned: ReadonlySet<LiveEntry>;
  /** Changes by an uncertain job, and removals at the names of its records and of blocked ones. */
  readonly waiting: Pick<Plan, "changes" | "removals">;
}

export function planTask(
  { declaration, ledger, unmanaged = [] }: Omit<Task, "before">,
  zones: Zones,
  declaredElsewhere: (live: LiveEntry) => boolean,
  isCreated: (live: LiveEntry) => boolean = () => false,
): TaskPlan {
  const owned = ownedIn(ledger, zones, unmanaged);
  const plan = planRecords({ ...declaration, zones, owned, declaredElsewhere, isCreated });
  return { ...plan, ...withoutWaiting(plan, ledger.openWrites), owned };
}

export function hasWrites({ create, changes, removals }: Plan): boolean {
  return create.length + changes.length + removals.length > 0;
}

function withoutWaiting(
  plan: Plan,
  openWrites: readonly OpenWrite[],
): Pick<TaskPlan, "create" | "changes" | "removals" | "waiting"> {
  const open = new Set(openWrites.flatMap(({ job, digests }) => (job === undefined ? [] : digests)));
  const isOpen = (record: DnsRecord): boolean => open.size > 0 && open.has(digestOf(record));
  const [opened, create] = split(plan.create, isOpen);
  const [changing, changes] = split(plan.changes, ({ record }) => isOpen(record));
  // Until then, the name keeps its former records.
  const blocked = plan.obstacles.filter(({ kind }) => kind === "blocked" || kind === "exists");
  const places = new Set([...opened, ...[...changing, ...blocked].map(({ record }) => record)].map(placeIn));
  const [removing, removals] = split(plan.removals, ({ live }) => places.has(placeIn(live.record)));
  return { create, changes, removals, waiting: { changes: changing, removals: removing } };
}

/** @param unmanaged a record that this run removes counts as owned */
export function ownedIn(
  { held }: Ledger,
  zones: Zones,
  unmanaged: readonly RecordRef[] = [],
): ReadonlySet<LiveEntry> {
  const found = new Set<LiveEntry>();
  for (const { domain, id } of [...held, ...unmanaged]) {
    const entry = zones.get(domain)?.byId.get(id);
    if (entry) found.add(entry);
  }
  return found;
}

/** The live records without an owner that the plan adopts or changes. Another resource may be about to change them. */
export function takenOverBy({ adopted, changes, owned }: TaskPlan): Match[] {
  return [...adopted, ...changes].filter(({ live }) => !owned.has(live));
}
