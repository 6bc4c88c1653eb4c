/** Makes a plan from a declaration and a ledger. Pure. */
import type { DeclaredRecord, DnsRecord } from "../../dns";
import { split } from "../../support/collections";
import type { Declaration } from "../declaration";
import { digestOf, type Ledger, type RecordRef } from "../memory/ledger";
import type { LiveEntry, Zones } from "../zones/zone";
import { placeIn } from "./pairing";
import { planRecords, type Plan } from "./plan";

export interface Task {
  readonly declaration: Declaration;
  readonly before: readonly DeclaredRecord[];
  readonly ledger: Ledger;
}

/** Steps that wait: the records of an uncertain job, and removals at their names and at those of blocked records. */
export type Waiting = Pick<Plan, "create" | "changes" | "removals">;

export interface TaskPlan extends Plan {
  readonly owned: ReadonlySet<LiveEntry>;
  readonly waiting: Waiting;
}

export function planTask(
  { declaration, before, ledger }: Task,
  zones: Zones,
  declaredElsewhere: (live: LiveEntry) => boolean,
): TaskPlan {
  const { records, unknowns, report, adopt, may } = declaration;
  const owned = ownedIn(ledger, [...records, ...before], zones, report);
  const plan = planRecords({
    declared: records,
    unknowns,
    zones,
    owned,
    declaredElsewhere,
    adopt,
    may,
  });
  return { ...plan, ...withoutWaiting(plan, ledger), owned };
}

export function hasWrites({ create, changes, removals }: Plan): boolean {
  return create.length + changes.length + removals.length > 0;
}

function withoutWaiting(plan: Plan, { uncertain }: Ledger): Waiting & { readonly waiting: Waiting } {
  const open = new Set(uncertain.flatMap(({ job, digests }) => (job === undefined ? [] : digests)));
  const isOpen = (record: DnsRecord): boolean => open.size > 0 && open.has(digestOf(record));
  const [opened, create] = split(plan.create, isOpen);
  const [changing, changes] = split(plan.changes, ({ record }) => isOpen(record));
  // Until then, the name keeps its former records.
  const blocked = plan.obstacles.filter(({ kind }) => kind === "blocked");
  const places = new Set([...opened, ...[...changing, ...blocked].map(({ record }) => record)].map(placeIn));
  const [removing, removals] = split(plan.removals, ({ live }) => places.has(placeIn(live.record)));
  return { create, changes, removals, waiting: { create: opened, changes: changing, removals: removing } };
}

export function ownedIn(
  ledger: Ledger,
  records: readonly DeclaredRecord[],
  zones: Zones,
  report?: Declaration["report"],
): ReadonlySet<LiveEntry> {
  const owned = new Set<LiveEntry>();
  const add = ({ domain, id }: RecordRef, may?: (entry: LiveEntry) => boolean): void => {
    const entry = zones.get(domain)?.byId.get(id);
    if (entry && may?.(entry) !== false) owned.add(entry);
  };
  for (const each of ledger.stale) add(each);
  // An undeclared record that a refresh found counts as owned, unless another resource owns it by now.
  for (const each of report?.remove === true ? ledger.undeclared : [])
    add(each, ({ hold, record }) => !hold && report?.ignored(record) === false);
  for (const record of ledger.owned.size === 0 ? [] : records) {
    const known = ledger.owned.get(digestOf(record));
    if (known) add({ domain: record.domain, id: known.id });
  }
  return owned;
}
