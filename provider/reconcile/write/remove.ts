/** Removes records, one call for each (service-notes.md). */
import { split } from "../../support/collections";
import { isAbsent, look, unreadText, type Judge } from "../look";
import { secondsOf, windowOfEdit } from "../timeline";
import type { JournalEntry } from "../memory/journal";
import { count, errorText } from "../../support/text";
import type { Run } from "../run";
import { readAtIn, type LiveEntry, type Zones } from "../zones/zone";
import { inSeries, stopFor, type Attempt } from "./calls";
import { LostAnswers } from "./lost";
import { notSent, type RemovalResult, type Removed } from "./result";
import { isRefusal, notedRefusal, send, type UnansweredWrite } from "./send";
import type { IsTakenOver, UnderWay } from "./under-way";

const isListed: Judge<LiveEntry> = ({ id }, { zone }) => {
  const live = zone.byId.get(id);
  return live === undefined ? { is: "absent" } : { is: "otherwise", live: [live] };
};

type RemovalAttempt = Attempt<readonly LiveEntry[], LiveEntry, RemovalResult>;

export class Removals {
  private readonly unknown = new Map<LiveEntry, UnansweredWrite>();
  private endSearch = (): void => undefined;
  private readonly searched = new Promise<void>((resolve) => (this.endSearch = resolve));

  constructor(
    private readonly run: Run,
    private readonly underWay: UnderWay,
    private readonly zones: Zones,
    private readonly isTakenOver: IsTakenOver,
    private readonly lost = new LostAnswers(),
  ) {}

  /** Never rejects. A removal whose answer was lost is sent again if its record is still listed. */
  async carryOut(entries: readonly LiveEntry[]): Promise<Removed[]> {
    const { isTakenOver, lost, run, underWay, zones } = this;
    const known = run.refusals.size;
    const calls = entries.map((live) => [live]);
    const sent = await inSeries(run, calls, {
      doing: "removing",
      lost,
      domainOf: ({ domain }) => domain,
      attempt: ([live]) => this.attempt(live),
    });
    const found = await this.searchUnknown().finally(this.endSearch);
    const outcomes = new Map([...sent, ...found.results]);
    const listed = new Set(lost.stop === undefined ? found.listed : []);
    const removed = entries.map((live) => ({
      live,
      outcome: outcomes.get(live) ?? notSent("no outcome"),
    }));
    if (run.refusals.size === known && listed.size === 0) return removed;
    // The series may have stopped at lost answers, or at a code that has proved to be a refusal.
    const [again, done] = split(
      removed,
      ({ live, outcome }) => outcome.kind === "not-sent" || listed.has(live),
    );
    const rest = new Removals(run, underWay, zones, isTakenOver, lost);
    return [...done, ...(await rest.carryOut(again.map(({ live }) => live)))];
  }

  private async attempt(live: LiveEntry | undefined): Promise<RemovalAttempt> {
    if (live === undefined) return {};
    if (this.isAnothers(live) || this.underWay.has(live)) return resultOf(live, { kind: "taken" });
    return this.underWay.during([live], () => this.removeOne(live));
  }

  private isAnothers(live: LiveEntry): boolean {
    return this.isTakenOver(this.underWay.asChanged(live));
  }

  private async removeOne(live: LiveEntry): Promise<RemovalAttempt> {
    const { domain, id, record } = live;
    const sent = await send(this.run, {
      operation: "Record.Remove",
      request: { domain, recordId: id },
      target: `record ${id} of ${domain}`,
      deed: "remove",
      records: [record],
      readAt: readAtIn(this.zones),
      givesWay: false,
      whyNot: () => (this.isAnothers(live) ? "taken" : undefined),
    });
    if (sent.kind === "answered") return resultOf(live, this.gone(live, sent.entry));
    if (sent.kind === "uncertain") {
      this.unknown.set(live, sent);
      this.lost.add(sent.entry, sent.why);
      // Resources must not regard it as live before a listing shows it.
      void this.underWay.during([live], () => this.searched);
      return resultOf(live, { kind: "uncertain", text: sent.why });
    }
    const { error, hindrance } = sent;
    if (hindrance === "taken") return resultOf(live, { kind: "taken" });
    if (isRefusal(error)) return resultOf(live, { kind: "refused", text: error.message });
    return { stop: stopFor(error, domain) };
  }

  private gone(live: LiveEntry, entry: JournalEntry): RemovalResult {
    const now = this.run.clock.now();
    this.lost.clear();
    entry.ended([live]);
    this.run.zones.drop(live.domain, live.id, now);
    return { kind: "removed", since: secondsOf(now) };
  }

  /** @returns `listed`: the records that are still listed, so that the removal provably was not done */
  private async searchUnknown(): Promise<{
    readonly results: ReadonlyMap<LiveEntry, RemovalResult>;
    readonly listed: readonly LiveEntry[];
  }> {
    const results = new Map<LiveEntry, RemovalResult>();
    const listed: LiveEntry[] = [];
    if (this.unknown.size === 0) return { results, listed };
    const { clock, settings } = this.run;
    const verdicts = await look(this.run, [...this.unknown.keys()], isListed, {
      window: windowOfEdit(settings, clock.now()),
      what: `the outcome of the removal of ${count(this.unknown.size, "record")}`,
      isEnough: isAbsent,
    });
    for (const [live, { entry, error, why }] of this.unknown) {
      const verdict = verdicts.get(live);
      if (verdict?.is === "absent") results.set(live, this.gone(live, entry));
      else if (verdict?.is === "unread")
        results.set(live, { kind: "uncertain", text: `${why} ${unreadText(verdict.error)}` });
      else {
        entry.notDone();
        const isRefused = notedRefusal(this.run, error);
        if (isRefused) this.lost.delete(entry);
        else listed.push(live);
        const text = isRefused ? errorText(error) : `${why} Record ${live.id} is still there`;
        results.set(live, { kind: isRefused ? "refused" : "uncertain", text });
      }
    }
    return { results, listed };
  }
}

function resultOf(live: LiveEntry, result: RemovalResult): RemovalAttempt {
  return { results: new Map([[live, result]]) };
}
