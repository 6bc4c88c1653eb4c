/** Removes records, one call for each (service-notes.md). */
import { domainsOf, split } from "../../support/collections";
import { waiting } from "../../support/reporter";
import { isAbsent, look, unreadText, type Judge } from "../look";
import { windowOfEdit } from "../timeline";
import type { JournalEntry } from "../memory/journal";
import { count, errorText } from "../../support/text";
import type { LiveEntry } from "../zones/zone";
import type { RemovalResult, Removed } from "./result";
import { isRefusal, notedRefusal, send, TakenOver, type Uncertain } from "./send";
import { Series, stopFor, type Stop } from "./series";

const isListed: Judge<LiveEntry> = ({ id }, { zone }) => {
  const live = zone.byId.get(id);
  return live === undefined ? { is: "absent" } : { is: "otherwise", live: [live] };
};

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
    const { clock, reporter, settings } = this.run;
    const sought = [...this.unknown.keys()];
    const window = windowOfEdit(settings, clock.now());
    const what = `the outcome of the removal of ${count(sought.length, "record")}`;
    waiting(reporter, domainsOf(sought), window.last - window.first, what);
    const verdicts = await look(this.run, sought, isListed, window, isAbsent);
    const listed: LiveEntry[] = [];
    for (const [live, sent] of this.unknown) {
      const { entry, error, why } = sent;
      const verdict = verdicts.get(live);
      if (verdict?.is === "absent") this.enterGone(live, entry);
      else if (verdict?.is === "unread")
        this.results.set(live, { kind: "uncertain", text: `${why} ${unreadText(verdict.error)}` });
      else {
        entry.notDone();
        const isRefused = notedRefusal(this.run, error);
        if (isRefused) this.lost.delete(sent);
        else listed.push(live);
        const text = isRefused ? errorText(error) : `${why} Record ${live.id} is still there`;
        this.results.set(live, { kind: isRefused ? "refused" : "uncertain", text });
      }
    }
    return listed;
  }
}
