/**
 * Carries a plan out: blocking records are removed, then records are changed and created. The rest is removed
 * last, if all steps succeeded. So a name that is declared before and after always resolves.
 */
import { recordKey, type DeclaredRecord } from "../../dns";
import { append, domainsOf, split } from "../../support/collections";
import { placeIn, type Change, type RecordRemoval } from "../plan/pairing";
import type { Plan } from "../plan/plan";
import type { Run } from "../run";
import type { LiveEntry, Zone, Zones } from "../zones/zone";
import { Changes } from "./change";
import { Creator } from "./create";
import { Removals } from "./remove";
import { notSent, type Removed, type Result } from "./result";
import { UnderWay, type IsTakenOver } from "./under-way";

/** A change, or a record to create. */
export type RecordWrite = Pick<Change, "record"> & Partial<Change>;

export interface WriteResults {
  readonly written: readonly (readonly [RecordWrite, Result])[];
  readonly removals: readonly Removed[];
  /** The zones of refused creations, after all writes. */
  readonly reread: Zones;
  /** Refused records → the live ones that are like them there. */
  readonly found: ReadonlyMap<DeclaredRecord, readonly LiveEntry[]>;
}

export class Writer {
  readonly underWay = new UnderWay();
  readonly creator: Creator;

  constructor(private readonly run: Run) {
    this.creator = new Creator(run);
  }

  change(
    changes: readonly Change[],
    zones: Zones,
    isTakenOver: IsTakenOver,
  ): Promise<ReadonlyMap<Change, Result>> {
    return new Changes(this.run, this.underWay, zones, isTakenOver).carryOut(changes);
  }

  /** Records on other lines go first (service-notes.md, code 31). */
  async remove(entries: readonly LiveEntry[], zones: Zones, isTakenOver: IsTakenOver): Promise<Removed[]> {
    const removed: Removed[] = [];
    for (const part of split(entries, ({ record }) => record.line !== undefined))
      append(removed, await new Removals(this.run, this.underWay, zones, isTakenOver).carryOut(part));
    return removed;
  }

  async carryOut(plan: Plan, zones: Zones, isTakenOver: IsTakenOver): Promise<WriteResults> {
    const { changes, create } = plan;
    const full = await this.run.allowance.mustGoFirst(plan, zones);
    const remove = (going: readonly RecordRemoval[]): Promise<Removed[]> =>
      this.remove(
        going.map(({ live }) => live),
        zones,
        isTakenOver,
      );
    const [first, last] = split(plan.removals, (removal) => removal.first || full.has(removal.live));
    const before = await remove(first);
    const stuck = new Set(
      before.flatMap(({ live, outcome }) => (outcome.kind === "removed" ? [] : [placeIn(live.record)])),
    );
    const possible = changes.filter(({ record }) => !stuck.has(placeIn(record)));
    const made = await this.change(possible, zones, isTakenOver);
    const inTheWay = notSent("a record in its way could not be removed");
    const changed = changes.map((change) => [change, made.get(change) ?? inTheWay] as const);
    const created = await this.creator.create(create);
    const written = [...changed, ...[...created].map(([record, result]) => [{ record }, result] as const)];
    // An uncertain write keeps removals at the names of its own records only.
    const failed = new Set(
      written.flatMap(([{ record }, { kind }]) => {
        if (kind === "made" || kind === "appeared") return [];
        return kind === "uncertain" ? placeIn(record) : record.domain;
      }),
    );
    const [kept, going] = split(
      last,
      ({ live }) => failed.has(live.domain) || failed.has(placeIn(live.record)),
    );
    const outcome = notSent(
      "it waits until all else of its domain is done, so that nothing is missing meanwhile; the next `pulumi up` removes it",
    );
    const waiting = kept.map(({ live }) => ({ live, outcome }));
    const removals = [...before, ...waiting, ...(await remove(going))];
    return { written, removals, ...(await this.findRefused(plan, written)) };
  }

  /** The service may have refused a record because it is there, possibly in another form. */
  private async findRefused(
    { create, stale }: Plan,
    written: WriteResults["written"],
  ): Promise<Pick<WriteResults, "found" | "reread">> {
    const { allowance, clock, siblings, zones } = this.run;
    const refused = written.flatMap(([write, { kind }]) => (kind === "refused" ? [write] : []));
    const domains = domainsOf(refused.flatMap(({ live, record }) => (live ? [] : [record])));
    for (const domain of domains) allowance.forget(domain);
    const reread: Zones = await zones.getAll(domains, clock.now()).catch(() => new Map<string, Zone>());
    const found = new Map<DeclaredRecord, readonly LiveEntry[]>();
    for (const { record } of refused) {
      const zone = reread.get(record.domain);
      const live = zone?.byKey.get(recordKey(record));
      const other = zone && !live && siblings.owned.forms.find(zone, record, create, stale);
      found.set(record, live ?? (other ? [other] : []));
    }
    return { found, reread };
  }
}
