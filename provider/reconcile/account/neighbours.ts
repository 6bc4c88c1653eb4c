/** Reports live records that no resource of the run declares, owns or ignores. Each is reported once per process. */
import { placeOf, recordKey, textWith, type DeclaredRecord } from "../../dns";
import type { Reason } from "../../problems";
import { warnOf, type Reporter } from "../../support/reporter";
import type { Declaration } from "../declaration";
import { refOf } from "../memory/ledger";
import type { Siblings } from "../memory/siblings/siblings";
import type { Plan } from "../plan/plan";
import { domainReasons, type Wording, wordingOf } from "../wording";
import type { LiveEntry, Zones } from "../zones/zone";

/** Records that answer beside those of a declaration. */
interface RecordsBeside {
  readonly declaration: Declaration;
  readonly entries: readonly LiveEntry[];
}

export class Neighbours {
  /** By `refOf`. */
  private readonly named = new Set<string>();
  /** Whether the message says that a refresh deletes them. */
  private readonly listed = new Map<string, boolean>();
  private readonly looked = new Set<string>();
  private found: RecordsBeside[] = [];
  private readings = 0;

  constructor(
    private readonly siblings: Siblings,
    private readonly reporter: Reporter,
  ) {}

  /** @returns true once for each domain */
  looksFirst(domain: string): boolean {
    return !this.looked.has(domain) && this.looked.add(domain).size > 0;
  }

  /** Another message names them. */
  name(entries: readonly LiveEntry[]): void {
    for (const live of entries) this.named.add(refOf(live));
  }

  besideReasons({ declaration, entries }: RecordsBeside): Reason[] {
    const news = this.unnamed(entries);
    this.name(news);
    const wording = wordingOf(this.siblings, declaration);
    const hides: Wording["hides"] = (record) => wording.hides(record) || wording.hidesForeign(record);
    return domainReasons("live.beside", news, { ...wording, hides });
  }

  undeclaredReasons(declaration: Declaration, entries: readonly LiveEntry[]): Reason[] {
    const removes = declaration.undeclared === "remove";
    // That a record goes is news, also of one that another resource has reported.
    const isNews = (was: boolean | undefined): boolean => was === undefined || (removes && !was);
    const news = entries.filter((live) => isNews(this.listed.get(refOf(live))));
    for (const live of news) this.listed.set(refOf(live), removes);
    this.name(news);
    const { hidesForeign: hides, ...wording } = wordingOf(this.siblings, declaration);
    const code = removes ? "live.undeclared-goes" : "live.undeclared";
    return domainReasons(code, news, { ...wording, hides, hidesForeign: hides });
  }

  /** Until all resources of a refresh are known. */
  keep(beside: RecordsBeside): void {
    if (beside.entries.length > 0) this.found.push(beside);
  }

  /** A resource that is read later may own what this one finds, so the last reading reports. */
  async duringReading<T>(read: () => Promise<T>): Promise<T> {
    this.readings += 1;
    try {
      return await read();
    } finally {
      await this.reportFound();
      this.readings -= 1;
    }
  }

  private async reportFound(): Promise<void> {
    const isLast = (): boolean => this.readings === 1;
    if (!isLast() || this.unnamed(this.found.flatMap(({ entries }) => entries)).length === 0) return;
    await this.siblings.declared.complete();
    if (!isLast()) return;
    const reasons = this.found.splice(0).flatMap((each) => this.besideReasons(each));
    warnOf(this.reporter, reasons);
  }

  private unnamed(entries: readonly LiveEntry[]): LiveEntry[] {
    return entries.filter((live) => !this.named.has(refOf(live)) && this.siblings.owned.isUnmanaged(live));
  }
}

/**
 * Unmanaged records with the name, type and line of a declared one. The service does not answer disabled ones.
 * If the resource reports all unmanaged records of its zones, there is nothing to add.
 * @param of the declared records to look beside
 */
export function besideIn(
  siblings: Siblings,
  declaration: Declaration,
  zones: Zones,
  plan: Plan,
  of: readonly DeclaredRecord[] = declaration.records,
): RecordsBeside {
  if (declaration.undeclared !== undefined) return { declaration, entries: [] };
  const own = new Set(declaration.records.map(recordKey));
  const named = new Set([
    ...[...plan.changes, ...plan.removals].map(({ live }) => live),
    ...[...plan.obstacles, ...plan.duplicates].flatMap(({ live }) => live),
  ]);
  const places = new Map(of.map((record) => [`${record.domain} ${textWith(record)}`, record]));
  const entries = [...places.values()].flatMap((record) =>
    (zones.get(record.domain)?.byPlace.get(placeOf(record)) ?? []).filter(
      (live) =>
        live.record.type === record.type &&
        live.enabled &&
        !own.has(live.key) &&
        !named.has(live) &&
        siblings.owned.isUnmanaged(live),
    ),
  );
  return { declaration, entries };
}
