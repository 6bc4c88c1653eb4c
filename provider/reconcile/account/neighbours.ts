/** Reports live records that no resource of the run declares, owns or ignores. Each is reported once per process. */
import { placeOf, recordKey, setOf, type DeclaredRecord } from "../../dns";
import { reason, type Reason } from "../../problems";
import { append } from "../../support/collections";
import { warnOf, type Reporter } from "../../support/reporter";
import type { Declaration } from "../declaration";
import { refOf } from "../memory/ledger";
import type { Siblings } from "../memory/siblings/siblings";
import type { Plan } from "../plan/plan";
import { byDomain, domainReasons, liveLine, type Wording, wordingOf } from "../wording";
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
  private readonly found: RecordsBeside[] = [];
  private readonly abandoned: LiveEntry[] = [];
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

  /** @param found created by killed runs, and possibly declared by a resource that was checked later */
  abandonedReasons(found: readonly LiveEntry[]): Reason[] {
    const abandoned = found.filter((live) => this.siblings.owned.isUnmanaged(live));
    this.name(abandoned);
    // No state says whether a killed run's value was a secret.
    const lines = byDomain(abandoned, (live) => liveLine(live, { hides: () => true }));
    return lines.map(([domain, records]) => reason("live.unknown", { domain }, records));
  }

  /** Until all resources of a refresh are known. */
  keep(beside: RecordsBeside): void {
    if (beside.entries.length > 0) this.found.push(beside);
  }

  /** Until all resources that the engine deletes are known. */
  keepAbandoned(found: readonly LiveEntry[]): void {
    append(this.abandoned, found);
  }

  /** A resource that is read or deleted later may own what this one finds, so the last one that leaves reports. */
  enter(): void {
    this.readings += 1;
  }

  async leave(): Promise<void> {
    this.readings -= 1;
    const isLast = (): boolean => this.readings === 0;
    const found = [...this.abandoned, ...this.found.flatMap(({ entries }) => entries)];
    if (!isLast() || this.unnamed(found).length === 0) return;
    // The engine begins the next deletion when one has ended.
    if (this.abandoned.length > 0) this.siblings.declared.expectMore();
    await this.siblings.declared.complete();
    if (!isLast()) return;
    const abandoned = this.abandonedReasons(this.abandoned.splice(0));
    const beside = this.found.splice(0).flatMap((each) => this.besideReasons(each));
    warnOf(this.reporter, [...abandoned, ...beside]);
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
  const sets = new Map(of.map((record) => [setOf(record), record]));
  const entries = [...sets.values()].flatMap((record) =>
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
