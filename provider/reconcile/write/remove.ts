/** Removes records, one call for each (service-notes.md). */
import { digest } from "../../dns";
import { split } from "../../support/collections";
import type { JournalEntry } from "../memory/journal";
import { errorText } from "../../support/text";
import type { LiveEntry } from "../zones/zone";
import type { RemovalResult, Removed } from "./result";
import { findOutGone } from "./find-out";
import { isRefusal, notedRefusal, send, type Uncertain } from "./send";
import { Series, stopFor, type Stop } from "./series";

export class Removals extends Series<LiveEntry, RemovalResult> {
  private readonly unknown = new Map<LiveEntry, Uncertain>();
  private endSearch = (): void => undefined;
  private readonly searched = new Promise<void>((resolve) => (this.endSearch = resolve));

  /** Never rejects. */
  async carryOut(entries: readonly LiveEntry[]): Promise<Removed[]> {
    const { isTakenOver, run, underWay, zones } = this;
    const known = run.refusals.size;
    await this.send(
      entries.map((live) => [live]),
      "removing",
    );
    await this.findOutUnknown().finally(this.endSearch);
    const removed = entries.map((live) => ({ live, outcome: this.resultOf(live) }));
    if (run.refusals.size === known) return removed;
    // The series may have stopped at a code that has proved to be a refusal.
    const [unsent, sent] = split(removed, ({ outcome }) => outcome.kind === "not-sent");
    const rest = new Removals(run, underWay, zones, isTakenOver);
    return [...sent, ...(await rest.carryOut(unsent.map(({ live }) => live)))];
  }

  protected async make([live]: readonly LiveEntry[]): Promise<Stop | undefined> {
    if (live === undefined) return undefined;
    if (!this.isTakenOver(this.underWay.asChanged(live)) && !this.underWay.has(live))
      return this.underWay.during([live], () => this.removeOne(live));
    this.results.set(live, { kind: "taken" });
    return undefined;
  }

  private async removeOne(live: LiveEntry): Promise<Stop | undefined> {
    const { domain, id, record } = live;
    const sent = await send(this.run, {
      operation: "Record.Remove",
      request: { domain, recordId: id },
      target: `record ${id} of ${domain}`,
      deed: "remove",
      records: [record],
      readAt: this.readAt,
      givesWay: false,
      live: [live],
    });
    if (sent.kind === "answered") this.enterGone(live, sent.entry);
    else if (sent.kind === "uncertain") {
      this.unknown.set(live, sent);
      this.uncertain.set(sent.entry, sent.why);
      // Resources must not regard it as live before a listing shows it.
      void this.underWay.during([live], () => this.searched);
    } else if (isRefusal(sent.error)) this.results.set(live, { kind: "refused", text: sent.error.message });
    else return stopFor(sent.error, domain);
    return undefined;
  }

  private enterGone(live: LiveEntry, entry: JournalEntry): void {
    const now = this.run.clock.now();
    entry.ended([digest(live.key)]);
    this.run.zones.drop(live.domain, live.id, now);
    this.results.set(live, { kind: "removed", since: Math.ceil(now / 1000) });
  }

  private async findOutUnknown(): Promise<void> {
    if (this.unknown.size === 0) return;
    const left = await findOutGone(this.run, [...this.unknown.keys()]);
    for (const [live, { entry, error, why }] of this.unknown) {
      const failure = left.get(live);
      if (failure === undefined) this.enterGone(live, entry);
      else if (failure === "" && notedRefusal(this.run, error)) {
        entry.notDone();
        this.results.set(live, { kind: "refused", text: errorText(error) });
      } else {
        const text = `${why} ${failure || `Record ${live.id} is still there`}`;
        this.results.set(live, { kind: "uncertain", text });
      }
    }
  }
}
