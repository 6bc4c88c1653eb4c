/**
 * Removes records, one call for each (service-notes.md). After a lost answer, a record is gone if the zone
 * does not list it.
 */
import { digest } from "../../dns";
import { domainsOf, split } from "../../support/collections";
import type { JournalEntry } from "../memory/journal";
import type { Run } from "../run";
import { count, errorText, named } from "../../support/text";
import type { LiveEntry, Zones } from "../zones/zone";
import { notSent, type RemovalResult, type Removed } from "./result";
import { findOutGone } from "./find-out";
import { isRefusal, notedRefusal, send, type Uncertain } from "./send";
import { inSeries, stopFor, type Consequence, type UnderWay } from "./series";

/** Whether another resource has declared a live record since the plan was made. */
export type IsTaken = (live: LiveEntry) => boolean;

type Unknown = Uncertain & { readonly live: LiveEntry };
type Results = Map<LiveEntry, RemovalResult>;

export class Remover {
  constructor(
    private readonly run: Run,
    private readonly underWay: UnderWay,
  ) {}

  /** Records on other lines go first (service-notes.md, code 31). Never rejects. */
  async remove(entries: readonly LiveEntry[], zones: Zones, isTaken: IsTaken): Promise<Removed[]> {
    const [onDefault, onOthers] = split(entries, ({ record }) => record.line === undefined);
    const removed = await this.removeAll(onOthers, zones, isTaken);
    return [...removed, ...(await this.removeAll(onDefault, zones, isTaken))];
  }

  private async removeAll(entries: readonly LiveEntry[], zones: Zones, isTaken: IsTaken): Promise<Removed[]> {
    const unknown = new Map<LiveEntry, Uncertain>();
    let end = (): void => undefined;
    const found = new Promise<void>((resolve) => (end = resolve));
    const results: Results = await inSeries<LiveEntry, RemovalResult>(this.run, {
      doing: "removing",
      calls: entries.map((live) => [live]),
      work: async ([live], known, uncertain) => {
        if (live === undefined) return {};
        if (isTaken(live) || this.underWay.has(live)) {
          known.set(live, { kind: "taken" });
          return {};
        }
        return this.underWay.during([live], async () => {
          const consequence = await this.removeOne(live, zones, known, unknown);
          const lost = unknown.get(live);
          if (lost === undefined) return consequence;
          // Resources must not regard it as live before a listing shows it.
          void this.underWay.during([live], () => found);
          uncertain.add(lost.why);
          return consequence;
        });
      },
    });
    const left = [...unknown].map(([live, lost]) => ({ ...lost, live }));
    const known = this.run.refusals.size;
    await this.findOutGone(left, results).finally(end);
    const removed = entries.map((live) => ({ live, outcome: results.get(live) ?? notSent("no outcome") }));
    if (this.run.refusals.size === known) return removed;
    // The series may have stopped at a code that has proved to be a refusal.
    const [unsent, sent] = split(removed, ({ outcome }) => outcome.kind === "not-sent");
    return [
      ...sent,
      ...(await this.removeAll(
        unsent.map(({ live }) => live),
        zones,
        isTaken,
      )),
    ];
  }

  private async removeOne(
    live: LiveEntry,
    zones: Zones,
    results: Results,
    unknown: Map<LiveEntry, Uncertain>,
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
    else if (sent.kind === "uncertain") unknown.set(live, sent);
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

  private async findOutGone(unknown: readonly Unknown[], results: Results): Promise<void> {
    if (unknown.length === 0) return;
    const { reporter, settings } = this.run;
    const lives = unknown.map(({ live }) => live);
    const are = unknown.length === 1 ? "it is" : "they are";
    reporter.info(
      `${named(domainsOf(lives))}: what became of the removal of ${count(lives.length, "record")} is not known; looking for up to ${settings.indexDelay} s whether ${are} still listed`,
    );
    const left = await findOutGone(this.run, lives);
    for (const { live, ...lost } of unknown) {
      const failure = left.get(live);
      if (failure === undefined) results.set(live, this.gone(live, lost.entry));
      else if (failure === "" && notedRefusal(this.run, lost.error)) {
        lost.entry.notDone();
        results.set(live, { kind: "refused", text: errorText(lost.error) });
      } else
        results.set(live, {
          kind: "uncertain",
          text: `${lost.why} ${failure || `Record ${live.id} is still there`}`,
        });
    }
  }
}
