/** The result of a refresh, and the ledger after it. */
import type { Declaration, DomainOptions } from "../declaration";
import type { Run } from "../run";
import type { DeclaredRecord } from "../../dns";
import { split } from "../../support/collections";
import { digestOf, heldByRef, isAwaited, openDigests, refOf, type Ledger } from "../memory/ledger";
import type { Match } from "../plan/pairing";
import type { Plan } from "../plan/plan";
import { heldRecord } from "../zones/own-forms";
import type { LiveEntry, Zones } from "../zones/zone";

export type Finding =
  | {
      readonly state: "as declared" | "disabled" | "other ttl";
      readonly live: LiveEntry;
      readonly record: DeclaredRecord;
    }
  | { readonly state: "missing"; readonly record: DeclaredRecord }
  /** Its domain has left the account, or an uncertain write may be creating it. */
  | { readonly state: "unread"; readonly record: DeclaredRecord };

export interface Observed {
  readonly findings: readonly Finding[];
  readonly strays: readonly LiveEntry[];
  readonly undeclared: readonly LiveEntry[];
  /** Those of both whose value is a secret of some resource of the run. */
  readonly secrets: ReadonlySet<LiveEntry>;
  readonly ledger: Ledger;
}

/** @param refused live records that must not be adopted: the next update reports them again */
export function findingsOf(plan: Plan, ledger: Ledger, refused: ReadonlySet<LiveEntry>): Finding[] {
  const open = openDigests(ledger);
  return [
    ...plan.present.map(({ record, live }): Finding => {
      return refused.has(live) ? { state: "missing", record } : { state: "as declared", record, live };
    }),
    ...plan.create.map((record): Finding => {
      const mayCome = open.size > 0 && open.has(digestOf(record));
      return { state: mayCome ? "unread" : "missing", record };
    }),
    ...plan.obstacles.map(({ kind, record, live: [live] }): Finding => {
      return kind === "disabled" || kind === "ttl"
        ? { state: kind === "ttl" ? "other ttl" : kind, record, live }
        : { state: "missing", record };
    }),
  ];
}

/** Holds what is live, and the records that are live as declared: a killed run may have created them. */
export function withFound(
  ledger: Ledger,
  found: readonly Match[],
  zones: Zones,
  isMade: (live: LiveEntry) => boolean,
): Ledger {
  const known = heldByRef(ledger);
  const held = new Map([...known].filter(([, { domain, id }]) => zones.get(domain)?.byId.has(id) !== false));
  for (const { live, record } of found) {
    const since = live.since ?? known.get(refOf(live))?.since ?? 0;
    const made = isMade(live) || isAwaited(ledger, live, record);
    held.set(refOf(live), heldRecord(live, since, made, record));
  }
  return { ...ledger, held: [...held.values()] };
}

/** Live records that no resource of the run is to have. */
interface Unwelcome {
  /** The run removes them. */
  readonly unmanaged: readonly LiveEntry[];
  /** The resource may not remove them. */
  readonly unwanted: readonly LiveEntry[];
}

/** Without a refresh, only `absent` names records, because only a refresh shows what all resources own. */
export async function unwelcomeIn(run: Run, declaration: Declaration): Promise<Unwelcome> {
  const { isUnwanted, may, undeclared } = declaration;
  const isRemoving = undeclared === "remove" && run.siblings.owned.hasRefreshed;
  if (!isRemoving && isUnwanted === undefined) return { unmanaged: [], unwanted: [] };
  const found = async () => {
    const unmanaged = await unmanagedOf(run, declaration);
    return [...(isRemoving ? unmanaged.undeclared : []), ...unmanaged.unwanted];
  };
  let all = await found();
  if (all.length > 0) {
    // Another resource may still be checked, and ignore or declare a record.
    await run.siblings.declared.complete();
    all = await found();
  }
  run.siblings.secrets.addForeign(all);
  if (!may.remove) run.neighbours.name(all);
  return may.remove ? { unmanaged: all, unwanted: [] } : { unmanaged: [], unwanted: all };
}

export interface UnmanagedRecords {
  /** The resource is to report or to remove them. */
  readonly undeclared: readonly LiveEntry[];
  /** `absent` names them. */
  readonly unwanted: readonly LiveEntry[];
}

export async function unmanagedOf(
  { siblings, zones }: Run,
  options: DomainOptions,
): Promise<UnmanagedRecords> {
  const { domains, isIgnored, isUnwanted, undeclared } = options;
  if (undeclared === undefined && isUnwanted === undefined) return { undeclared: [], unwanted: [] };
  const read = await zones.getAll(domains);
  const all = [...read.values()].flatMap(({ entries }) =>
    entries.filter((entry) => !entry.hold && siblings.owned.isUnmanaged(entry)),
  );
  const [unwanted, others] = split(all, ({ record }) => isUnwanted?.(record) === true);
  const isReported = ({ record }: LiveEntry): boolean =>
    undeclared !== undefined && isIgnored?.(record) !== true;
  return { undeclared: others.filter(isReported), unwanted };
}
