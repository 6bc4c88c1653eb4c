/** The result of a refresh, and the ledger after it. */
import type { Declaration, Ignores } from "../declaration";
import type { Run } from "../run";
import { digest, type DeclaredRecord } from "../../dns";
import { digestOf, refOf, type Ledger } from "../memory/ledger";
import type { Match } from "../plan/pairing";
import type { Plan } from "../plan/plan";
import { ownedAs } from "../zones/own-forms";
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
export function findingsOf(plan: Plan, { openWrites }: Ledger, refused: ReadonlySet<LiveEntry>): Finding[] {
  const open = new Set(openWrites.flatMap(({ digests }) => digests));
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

/** Adds the records that are live as declared: a killed run may have created them. */
export function withFound(
  ledger: Ledger,
  found: readonly Match[],
  zones: Zones,
  isMade: (live: LiveEntry) => boolean,
): Ledger {
  const owned = new Map(ledger.owned);
  const stale = ledger.stale.filter(({ domain, id }) => zones.get(domain)?.byId.has(id) !== false);
  for (const { live } of found) {
    const { domain } = live;
    const key = digest(live.key);
    const was = owned.get(key);
    if (was !== undefined && zones.get(domain)?.byId.has(was.id) === true)
      stale.push({ domain, id: was.id, made: was.made });
    owned.set(key, ownedAs(live, live.since ?? (was?.id === live.id ? was.since : 0), isMade(live)));
  }
  // A stale record may be declared again.
  const refs = new Set(found.map(({ live }) => refOf(live)));
  return { ...ledger, owned, stale: stale.filter((each) => !refs.has(refOf(each))) };
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
  const { absent, may, report } = declaration;
  const isRemoving = report?.remove === true && run.siblings.owned.hasRefreshed;
  const found = async () => [
    ...(isRemoving ? await unmanagedIn(run, report) : []),
    ...(await unmanagedIn(run, absent)),
  ];
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

export async function unmanagedIn({ siblings, zones }: Run, of: Ignores | undefined): Promise<LiveEntry[]> {
  if (of === undefined) return [];
  const read = await zones.getAll(of.domains);
  return [...read.values()].flatMap(({ entries }) =>
    entries.filter((entry) => !entry.hold && siblings.owned.isUnmanaged(entry) && !of.ignored(entry.record)),
  );
}
