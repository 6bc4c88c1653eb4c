/**
 * The remover: one call for each record, outside api.md (service-notes.md). After a lost answer, a record is gone when the
 * zone does not list it any more.
 */
import { lookAgain } from "../../clock";
import { digest } from "../../dns";
import { domainsOf } from "../../gather";
import type { JournalEntry } from "../memory/journal";
import type { Run } from "../run";
import { count, errorText, named } from "../../words";
import type { LiveEntry, Zones } from "../zones/zone";
import { notSent, type RemovalResult, type Removed } from "./result";
import { isRefusal, send, type InDoubt } from "./send";
import { inSeries, stopFor, type Consequence, type UnderWay } from "./series";

/** Whether another resource has declared a live record since the plan was made. */
export type IsTaken = (live: LiveEntry) => boolean;

type Unknown = InDoubt & { readonly live: LiveEntry };
type Results = Map<LiveEntry, RemovalResult>;

export class Remover {
  constructor(
    private readonly run: Run,
    private readonly underWay: UnderWay,
  ) {}

  /**
   * Removes the records, those on other lines before those on the default line (service-notes.md, code 31). Never rejects.
   * @param zones the zones that the records were planned by
   */
  async remove(entries: readonly LiveEntry[], zones: Zones, isTaken: IsTaken): Promise<Removed[]> {
    const onDefault = (live: LiveEntry): boolean => live.record.line === undefined;
    const ofOthers = await this.removeAll(
      entries.filter((live) => !onDefault(live)),
      zones,
      isTaken,
    );
    return [...ofOthers, ...(await this.removeAll(entries.filter(onDefault), zones, isTaken))];
  }

  private async removeAll(entries: readonly LiveEntry[], zones: Zones, isTaken: IsTaken): Promise<Removed[]> {
    const unknown = new Map<LiveEntry, InDoubt>();
    let end = (): void => undefined;
    const found = new Promise<void>((resolve) => (end = resolve));
    const results: Results = await inSeries<LiveEntry, RemovalResult>(this.run, {
      doing: "removing",
      calls: entries.map((live) => [live]),
      work: async ([live], known, doubts) => {
        if (live === undefined) return {};
        if (isTaken(live) || this.underWay.has(live)) {
          known.set(live, { kind: "taken" });
          return {};
        }
        return this.underWay.during([live], async () => {
          const consequence = await this.removeOne(live, zones, known, unknown);
          const doubt = unknown.get(live);
          if (doubt === undefined) return consequence;
          // No resource may take it for live before a listing shows whether it is.
          void this.underWay.during([live], () => found);
          doubts.add(doubt.why);
          return consequence;
        });
      },
    });
    const left = [...unknown].map(([live, doubt]) => ({ ...doubt, live }));
    await this.findOutGone(left, results).finally(end);
    return entries.map((live) => ({ live, outcome: results.get(live) ?? notSent("no outcome") }));
  }

  private async removeOne(
    live: LiveEntry,
    zones: Zones,
    results: Results,
    unknown: Map<LiveEntry, InDoubt>,
  ): Promise<Consequence> {
    const { domain, id, record } = live;
    const sent = await send(this.run, {
      operation: "Record.Remove",
      request: { domain, recordId: id },
      target: `record ${id} of ${domain}`,
      deed: "remove",
      records: [record],
      readAt: (each) => zones.get(each)?.readAt ?? 0,
      givesWay: false,
      live: [live],
    });
    if (sent.kind === "answered") results.set(live, this.gone(live, sent.entry));
    else if (sent.kind === "in doubt") unknown.set(live, sent);
    else if (isRefusal(sent.error)) results.set(live, { kind: "refused", text: sent.error.message });
    else return { stop: stopFor(sent.error, domain) };
    return {};
  }

  private gone({ domain, id, key }: LiveEntry, entry: JournalEntry): RemovalResult {
    const now = this.run.clock.now();
    entry.ended([digest(key)]);
    this.run.zones.drop(domain, id, now);
    return { kind: "removed", since: Math.ceil(now / 1000) };
  }

  /** Finds out about lost answers: what is not listed any more is gone. */
  private async findOutGone(unknown: readonly Unknown[], results: Results): Promise<void> {
    if (unknown.length === 0) return;
    const { clock, reporter, settings, zones } = this.run;
    const domains = named(domainsOf(unknown.map(({ live }) => live)));
    const [records, are, time] = [
      count(unknown.length, "record"),
      unknown.length === 1 ? "it is" : "they are",
      `for up to ${settings.indexDelay} s`,
    ];
    reporter.info(
      `${domains}: what became of the removal of ${records} is not known; looking ${time} whether ${are} still listed`,
    );
    let left = unknown;
    await lookAgain(clock, clock.now(), clock.now() + settings.indexDelay * 1000, async () => {
      const { read, failures } = await zones.readable(
        left.map(({ live }) => live.domain),
        clock.now(),
      );
      left = left.filter(({ live, why, entry }) => {
        const zone = read.get(live.domain)?.zone;
        const isGone = zone?.byId.has(live.id) === false;
        const then =
          zone === undefined ? `Then: ${errorText(failures[0])}` : `Record ${live.id} is still there`;
        results.set(live, isGone ? this.gone(live, entry) : { kind: "unconfirmed", text: `${why} ${then}` });
        return !isGone;
      });
      return left.length === 0;
    });
  }
}
