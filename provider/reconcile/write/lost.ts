/** Writes whose answers were lost. The zone shows what became of them. */
import type { JournalEntry } from "../memory/journal";
import { look, unreadText, type Judge, type Search, type Verdict } from "../look";
import type { Run } from "../run";
import { secondsOf } from "../timeline";
import { entriesOf, type Result } from "./result";
import { notedRefusal, type UnansweredWrite } from "./send";

/** Each lost answer costs a search until the write must be visible. */
const mostLost = 4;

/** The writes of a series in a row whose answers were lost, and that were not found to be made. */
export class LostAnswers {
  /** Write → why its answer is missing. */
  private readonly writes = new Map<JournalEntry, string>();

  add(write: JournalEntry, why: string): void {
    this.writes.set(write, why);
  }

  /** The write was found to be made or refused. */
  delete(write: JournalEntry): void {
    this.writes.delete(write);
  }

  /** A write was answered. */
  clear(): void {
    this.writes.clear();
  }

  /** Ends the series after four. */
  get stop(): Error | undefined {
    if (this.writes.size < mostLost) return undefined;
    const why = [...this.writes.values()].at(-1) ?? "";
    return new Error(`not sent, because the answers of ${mostLost} writes in a row were lost: ${why}`);
  }
}

/** The items of a write that was searched for. */
export interface SearchResult<T> {
  /** Provably not done. */
  readonly left: readonly T[];
  /** Uncertain if their zone could not be read. */
  readonly results: ReadonlyMap<T, Result>;
}

/**
 * Looks until a write that was sent just now must have ended.
 * @param resultOf undefined if the verdict proves that the item was not done
 */
export async function search<T extends { readonly domain: string }>(
  run: Run,
  items: readonly T[],
  judge: Judge<T>,
  how: Search,
  why: string,
  resultOf: (item: T, verdict: Exclude<Verdict, { is: "unread" }>, since: number) => Result | undefined,
): Promise<SearchResult<T>> {
  // The last try may have been now.
  const since = secondsOf(run.clock.now());
  const left: T[] = [];
  const results = new Map<T, Result>();
  for (const [item, verdict] of await look(run, items, judge, how)) {
    const result: Result | undefined =
      verdict.is === "unread"
        ? { kind: "uncertain", since, text: `${why} ${unreadText(verdict.error)}` }
        : resultOf(item, verdict, since);
    if (result === undefined) left.push(item);
    else results.set(item, result);
  }
  return { left, results };
}

/**
 * Closes the journal's entry if the outcome is known.
 * @returns whether the missing answer was a refusal
 */
export function settleWrite<T>(
  run: Run,
  { entry, error }: UnansweredWrite,
  { left, results }: SearchResult<T>,
  lost: LostAnswers,
): boolean {
  const outcomes = [...results.values()];
  const isOpen = outcomes.some(({ kind }) => kind === "uncertain");
  const didNothing = results.size === 0;
  if (didNothing) entry.notDone();
  else if (!isOpen) entry.ended(entriesOf(outcomes));
  const isRefusal = didNothing && notedRefusal(run, error);
  const isMade = outcomes.every(({ kind }) => kind === "made" || kind === "appeared");
  if (isRefusal || (left.length === 0 && isMade)) lost.delete(entry);
  return isRefusal;
}
