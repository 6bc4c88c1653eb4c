/**
 * The remover: removes live records with an operation outside api.md (service-notes.md), each with one call. After a lost
 * answer, or one that is no refusal, a record is gone when the zone does not list it any more: no code proves it.
 */
import { LegacyDnsError } from "../../api";
import { digest } from "../../dns";
import type { Entry } from "../memory/journal";
import { count } from "../words";
import type { LiveEntry } from "../zones/zone";
import type { ApplierParts } from "./applier";
import { explain, type RemovalOutcome } from "./outcome";
import { domainsOf, inSeries, isRefusal, stopFor, type Stop } from "./series";
import type { UnderWay } from "./under-way";

/** A removal that may have been carried out. */
interface Doubt {
  readonly kind: "doubt";
  readonly live: LiveEntry;
  readonly text: string;
  readonly entry: Entry;
}

export class Remover {
  constructor(
    private readonly parts: ApplierParts,
    private readonly underWay: UnderWay,
  ) {}

  /**
   * Removes the records, one call each: the service has no removal of many. A record is removed when its removal was
   * accepted, or when the zone does not list it any more.
   */
  async remove(entries: readonly LiveEntry[], isTaken: (live: LiveEntry) => boolean): Promise<RemovalOutcome[]> {
    const outcomes = new Map<LiveEntry, RemovalOutcome>();
    const doubts: Doubt[] = [];
    await inSeries(this.parts, entries, `${domainsOf(entries.map(({ record }) => record))}: removing`, {
      work: async (live) => {
        if (isTaken(live) || this.underWay.has(live)) {
          outcomes.set(live, { kind: "taken" });
          return undefined;
        }
        const { outcome, stop } = await this.underWay.during([live], () => this.removeOne(live));
        if (outcome.kind === "doubt") doubts.push(outcome);
        else outcomes.set(live, outcome);
        return stop;
      },
      skip: (live, error) => outcomes.set(live, { kind: "not-sent", error }),
      domainOf: ({ record }) => record.domain,
    });
    if (doubts.length > 0) await this.underWay.during(doubts.map(({ live }) => live), () => this.findOutRemoved(doubts, outcomes));
    return entries.map((entry) => outcomes.get(entry) ?? { kind: "not-sent", error: new Error("no outcome") });
  }

  private async removeOne(live: LiveEntry): Promise<{ outcome: RemovalOutcome | Doubt; stop?: Stop | undefined }> {
    const { client, journal } = this.parts;
    const { domain } = live.record;
    const entry = journal.begin([domain], [digest(live.key)], "remove");
    try {
      await client.call("Record.Remove", { domain, recordId: live.id }, { target: `record ${live.id} of ${domain}`, onSend: entry.sending });
    } catch (error) {
      if (!(error instanceof LegacyDnsError) || error.outcome === "unknown") return { outcome: { kind: "doubt", live, text: explain(error), entry } };
      entry.refused();
      if (!isRefusal(error)) return { outcome: { kind: "not-sent", error }, stop: stopFor(error, domain) };
      return { outcome: { kind: "refused", text: error.message } };
    }
    return { outcome: await this.gone(live, entry) };
  }

  private async gone({ id, key, record: { domain } }: LiveEntry, entry: Entry): Promise<RemovalOutcome> {
    const now = this.parts.clock.now();
    entry.ended([digest(key)]);
    await this.parts.zones.drop(domain, [id], now);
    return { kind: "removed", since: Math.ceil(now / 1000) };
  }

  /** After lost answers, and those that are no refusals: what a listing does not show any more is gone. */
  private async findOutRemoved(doubts: readonly Doubt[], outcomes: Map<LiveEntry, RemovalOutcome>): Promise<void> {
    const { clock, reporter, settings, zones } = this.parts;
    const domains = domainsOf(doubts.map(({ live }) => live.record));
    reporter.info(`${domains}: what became of the removal of ${count(doubts.length, "record")} is not known; looking for up to ${settings.indexDelay} s whether ${doubts.length === 1 ? "it is" : "they are"} still listed`);
    const last = clock.now() + settings.indexDelay * 1000;
    for (let left = doubts, pause = 1_000; ; pause *= 2) {
      const now = clock.now();
      const isLast = now >= last;
      const still: Doubt[] = [];
      for (const doubt of left) {
        const { live, text, entry } = doubt;
        try {
          // A reading shows what this process knows to be too young for the index.
          if (!(await zones.get(live.record.domain, now)).byId.has(live.id)) {
            outcomes.set(live, await this.gone(live, entry));
            continue;
          }
          if (isLast) outcomes.set(live, { kind: "unconfirmed", text: `${text} Record ${live.id} is still there` });
        } catch (failure) {
          if (isLast) outcomes.set(live, { kind: "unconfirmed", text: `${text} Then: ${explain(failure)}` });
        }
        still.push(doubt);
      }
      if (still.length === 0 || isLast) return;
      left = still;
      await clock.sleep(Math.min(pause, last - clock.now()));
    }
  }
}
