/**
 * Carries a plan out, so that a name that is declared before and after always resolves: blocking records are
 * removed, then records are changed and created. The rest is removed last, if all steps succeeded.
 */
import { split } from "../../support/collections";
import { placeIn, type RecordRemoval } from "../plan/pairing";
import type { Plan } from "../plan/plan";
import type { Run } from "../run";
import type { Zones } from "../zones/zone";
import { Changer } from "./change";
import { Creator } from "./create";
import { Remover, type IsTaken } from "./remove";
import { notSent, type Removed, type Result } from "./result";
import { UnderWay } from "./series";

export interface Done {
  /** Of the changes, then of the creations. */
  readonly results: readonly Result[];
  readonly removals: readonly Removed[];
}

export class Writer {
  readonly underWay = new UnderWay();
  readonly creator: Creator;
  readonly changer: Changer;
  readonly remover: Remover;

  constructor(private readonly run: Run) {
    this.creator = new Creator(run);
    this.changer = new Changer(run, this.underWay);
    this.remover = new Remover(run, this.underWay);
  }

  async carryOut(plan: Plan, zones: Zones, isTaken: IsTaken): Promise<Done> {
    const full = await this.run.allowance.mustGoFirst(plan, zones);
    const isFirst = (removal: RecordRemoval): boolean => removal.first || full.has(removal.live);
    const remove = (going: readonly RecordRemoval[]): Promise<Removed[]> =>
      this.remover.remove(
        going.map(({ live }) => live),
        zones,
        isTaken,
      );
    const [first, last] = split(plan.removals, isFirst);
    const removals = await remove(first);
    const stuck = new Set(
      removals.filter(({ outcome }) => outcome.kind !== "removed").map(({ live }) => placeIn(live.record)),
    );
    const possible = plan.changes.filter(({ record }) => !stuck.has(placeIn(record)));
    const changed = new Map(
      (await this.changer.change(possible, isTaken, zones)).map((result, i) => [possible[i], result]),
    );
    const inTheWay = notSent("a record in its way could not be removed");
    const results = [
      ...plan.changes.map((change) => changed.get(change) ?? inTheWay),
      ...(await this.creator.create(plan.create)),
    ];

    const written = [...plan.changes.map(({ record }) => record), ...plan.create];
    // An uncertain write keeps removals at the names of its own records only.
    const failed = new Set(
      written.flatMap((record, i) => {
        const kind = results[i]?.kind;
        if (kind === "made" || kind === "appeared") return [];
        return kind === "uncertain" ? placeIn(record) : record.domain;
      }),
    );
    const waits = ({ live }: RecordRemoval): boolean =>
      failed.has(live.domain) || failed.has(placeIn(live.record));
    const outcome = notSent(
      new Error(
        "it waits until all else of its domain is done, so that nothing is missing meanwhile; the next `pulumi up` removes it",
      ),
    );
    const [kept, going] = split(last, waits);
    const waiting = kept.map(({ live }) => ({ live, outcome }));
    const removed = await remove(going);
    return { results, removals: [...removals, ...waiting, ...removed] };
  }
}
