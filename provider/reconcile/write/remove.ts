/**
 * The remover: one call for each record, outside api.md (service-notes.md). After a lost answer, a record is gone when the
 * zone does not list it any more.
 */
import { lookAgain } from "../../clock";
import { digest } from "../../dns";
import type { JournalEntry } from "../memory/journal";
import type { Run } from "../run";
import { count, named } from "../../words";
import type { LiveEntry } from "../zones/zone";
import { explain, type RemovalResult } from "./result";
import { domainsOf, isRefusal, send } from "./send";
import { inSeries, stopFor, type Outcome, type UnderWay } from "./series";

/** Whether another resource has declared a live record since the plan was made. */
export type IsTaken = (live: LiveEntry) => boolean;

interface Doubt {
  readonly kind: "doubt";
  readonly live: LiveEntry;
  readonly text: string;
  readonly entry: JournalEntry;
}

export class Remover {
  constructor(
    private readonly parts: Run,
    private readonly underWay: UnderWay,
  ) {}

  /** Removes the records, with a result for each in their order. Never rejects. */
  async remove(entries: readonly LiveEntry[], isTaken: IsTaken = () => false): Promise<RemovalResult[]> {
    const removed = await inSeries<LiveEntry, RemovalResult | Doubt>(this.parts, entries.map((live) => [live]), {
      doing: "removing",
      work: async ([live]) => {
        if (live === undefined || isTaken(live) || this.underWay.has(live)) return { results: [{ kind: "taken" }] };
        return this.underWay.during([live], () => this.removeOne(live));
      },
      unsent: (error) => ({ kind: "not-sent", error }),
    });
    const doubts = [...removed.values()].filter((result) => result.kind === "doubt");
    const found = await this.underWay.during(doubts.map(({ live }) => live), () => this.findOutGone(doubts));
    return entries.map((live) => {
      const result = found.get(live) ?? removed.get(live);
      return result === undefined || result.kind === "doubt" ? { kind: "not-sent", error: new Error("no outcome") } : result;
    });
  }

  private async removeOne(live: LiveEntry): Promise<Outcome<RemovalResult | Doubt>> {
    const { id, record } = live;
    const { domain } = record;
    const sent = await send(this.parts, { operation: "Record.Remove", request: { domain, recordId: id }, target: `record ${id} of ${domain}`, deed: "remove", records: [record] });
    if (sent.kind === "answered") return { results: [await this.gone(live, sent.entry)] };
    if (sent.kind === "in doubt") return { results: [{ kind: "doubt", live, text: sent.why, entry: sent.entry }], doubt: sent.why };
    const { error } = sent;
    return isRefusal(error) ? { results: [{ kind: "refused", text: error.message }] } : { results: [{ kind: "not-sent", error }], stop: stopFor(error, domain) };
  }

  private async gone({ id, key, record: { domain } }: LiveEntry, entry: JournalEntry): Promise<RemovalResult> {
    const now = this.parts.clock.now();
    entry.ended([digest(key)]);
    await this.parts.zones.drop(domain, [id], now);
    return { kind: "removed", since: Math.ceil(now / 1000) };
  }

  /** Finds out about lost answers: what is not listed any more is gone. */
  private async findOutGone(doubts: readonly Doubt[]): Promise<ReadonlyMap<LiveEntry, RemovalResult>> {
    const results = new Map<LiveEntry, RemovalResult>();
    if (doubts.length === 0) return results;
    const { clock, reporter, settings, zones } = this.parts;
    const domains = named(domainsOf(doubts.map(({ live }) => live.record)));
    reporter.info(`${domains}: what became of the removal of ${count(doubts.length, "record")} is not known; looking for up to ${settings.indexDelay} s whether ${doubts.length === 1 ? "it is" : "they are"} still listed`);
    let left = doubts;
    await lookAgain(clock, clock.now(), clock.now() + settings.indexDelay * 1000, async (isLast) => {
      const now = clock.now();
      const still: Doubt[] = [];
      const { zones: read, failures } = await zones.readable(left.map(({ live }) => live.record.domain), now);
      for (const doubt of left) {
        const { live, text, entry } = doubt;
        const zone = read.get(live.record.domain);
        if (zone?.byId.has(live.id) === false) {
          results.set(live, await this.gone(live, entry));
          continue;
        }
        const then = zone === undefined ? `Then: ${explain(failures[0])}` : `Record ${live.id} is still there`;
        if (isLast) results.set(live, { kind: "unconfirmed", text: `${text} ${then}` });
        still.push(doubt);
      }
      left = still;
      return left.length === 0;
    });
    return results;
  }
}
