/** Removes records, one call for each (service-notes.md). */
import { split } from "../../support/collections";
import type { JournalEntry } from "../memory/journal";
import { errorText } from "../../support/text";
import type { LiveEntry } from "../zones/zone";
import type { RemovalResult, Removed } from "./result";
import { findOutGone } from "./find-out";
import { isRefusal, notedRefusal, send, TakenOver, type Uncertain } from "./send";
import { Series, stopFor, type Stop } from "./series";

export class Removals extends Series<LiveEntry, RemovalResult> {
  private readonly unknown = new Map<LiveEntry, Uncertain>();
  private endSearch = (): void => undefined;
  private readonly searched = new Promise<void>((resolve) => (this.endSearch = resolve));

  /** Never rejects. A removal whose answer was lost is sent again if its record is still listed. */
  async carryOut(entries: readonly LiveEntry[]): Promise<Removed[]> {
    const { isTakenOver, lost, run, underWay, zones } = this;
    const known = run.refusals.size;
    await this.send(
      entries.map((live) => [live]),
      "removing",
    );
    const found = await this.findOutUnknown().finally(this.endSearch);
    const listed = new Set(lost.stop === undefined ? found : []);
    const removed = entries.map((live) => ({ live, outcome: this.resultOf(live) }));
    if (run.refusals.size === known && listed.size === 0) return removed;
    // The series may have stopped at lost answers, or at a code that has proved to be a refusal.
    const [again, sent] = split(
      removed,
      ({ live, outcome }) => outcome.kind === "not-sent" || listed.has(live),
    );
    const rest = new Removals(run, underWay, zones, isTakenOver, lost);
    return [...sent, ...(await rest.carryOut(again.map(({ live }) => live)))];
  }

  protected async make([live]: readonly LiveEntry[]): Promise<Stop | undefined> {
    if (live === undefined) return undefined;
    if (!this.isAnothers(live) && !this.underWay.has(live))
      return this.underWay.during([live], () => this.removeOne(live));
    this.results.set(live, { kind: "taken" });
    return undefined;
  }

  private isAnothers(live: LiveEntry): boolean {
    return this.isTakenOver(this.underWay.asChanged(live));
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
      beforeSending: () => {
        if (this.isAnothers(live)) throw new TakenOver("Record.Remove", [domain]);
      },
    });
    if (sent.kind === "answered") this.enterGone(live, sent.entry);
    else if (sent.kind === "uncertain") {
      this.unknown.set(live, sent);
      this.lost.add(sent, sent.why);
      // Resources must not regard it as live before a listing shows it.
      void this.underWay.during([live], () => this.searched);
    } else if (sent.error instanceof TakenOver) this.results.set(live, { kind: "taken" });
    else if (isRefusal(sent.error)) this.results.set(live, { kind: "refused", text: sent.error.message });
    else return stopFor(sent.error, domain);
    return undefined;
  }

  private enterGone(live: LiveEntry, entry: JournalEntry): void {
    const now = this.run.clock.now();
    this.lost.clear();
    entry.ended([live]);
    this.run.zones.drop(live.domain, live.id, now);
    this.results.set(live, { kind: "removed", since: Math.ceil(now / 1000) });
  }

  /** @returns the records that are still listed, so that the removal provably was not done */
  private async findOutUnknown(): Promise<LiveEntry[]> {
    if (this.unknown.size === 0) return [];
    const left = await findOutGone(this.run, [...this.unknown.keys()]);
    const listed: LiveEntry[] = [];
    for (const [live, sent] of this.unknown) {
      const { entry, error, why } = sent;
      const failure = left.get(live);
      if (failure === "") entry.notDone();
      if (failure === undefined) this.enterGone(live, entry);
      else if (failure === "" && notedRefusal(this.run, error)) {
        this.lost.delete(sent);
        this.results.set(live, { kind: "refused", text: errorText(error) });
      } else {
        if (failure === "") listed.push(live);
        const text = `${why} ${failure || `Record ${live.id} is still there`}`;
        this.results.set(live, { kind: "uncertain", text });
      }
    }
    return listed;
  }
}
