/** What a resource answers for, and the plan's input: the one place where a declaration and a ledger become a plan. Pure. */
import { digest, recordKey, type DeclaredRecord } from "../../dns";
import type { Declaration } from "../declaration";
import type { Ledger } from "../memory/ledger";
import type { LiveEntry, Zones } from "../zones/zone";
import { planRecords, type Plan } from "./plan";

/** What one update plans from. */
export interface Task {
  readonly declaration: Declaration;
  /** What was declared when the ledger was written. */
  readonly before: readonly DeclaredRecord[];
  /** The ledger as it counts now. */
  readonly known: Ledger;
}

/** A plan, with the live records that the resource answered for when it was made. */
export type TaskPlan = Plan & { readonly ours: ReadonlySet<LiveEntry> };

/** What a preview shows and a run does: so the two cannot differ. @param declaredElsewhere by another resource of the run */
export function planTask({ declaration, before, known }: Task, zones: Zones, declaredElsewhere: (key: string) => boolean): TaskPlan {
  const { records, report, adopt, may } = declaration;
  const ttlBefore = new Map(before.map((record) => [recordKey(record), record.ttl]));
  // What a refresh found gone was declared until then, and still is.
  const gone = new Set(known.gone);
  const declaredBefore = (record: DeclaredRecord): boolean => ttlBefore.get(recordKey(record)) === record.ttl || (gone.size > 0 && gone.has(digest(recordKey(record))));
  const ours = oursOf(known, [...records, ...before], zones, report);
  return { ...planRecords({ declared: records, zones, ours, declaredBefore, declaredElsewhere, adopt, may }), ours };
}

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
