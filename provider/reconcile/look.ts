/**
 * The only search for written records. It looks at listings until they must show the write (`timeline.ts`). Before a plan or
 * a refresh, `settle/read-zones.ts` also waits for listings: of young records and of other processes' edits.
 */
import { recordKey, type DeclaredRecord } from "../dns";
import { domainsOf } from "../support/collections";
import { lookAgain } from "../support/clock";
import { waiting } from "../support/reporter";
import { errorText } from "../support/text";
import { isAsDeclared } from "./plan/plan";
import type { Run } from "./run";
import type { Window } from "./timeline";
import type { LiveEntry, Snapshot } from "./zones/zone";

/** What the last reading of a zone shows of something sought. `live` begins with the entry that is as wanted. */
export type Verdict =
  | { readonly is: "as wanted" | "otherwise"; readonly live: readonly [LiveEntry, ...LiveEntry[]] }
  | { readonly is: "absent" }
  | { readonly is: "unread"; readonly error: unknown };

export type Judge<T> = (sought: T, snapshot: Snapshot) => Verdict;

export interface Search {
  readonly window: Window;
  /** Whether a verdict needs no other listing. Default: `isShown` */
  readonly isEnough?: (verdict: Verdict) => boolean;
  /** For the message about the wait. Default: none */
  readonly what?: string;
}

/** Without another listing. */
export const atOnce: Window = { first: 0, last: 0 };

export const isShown = ({ is }: Verdict): boolean => is === "as wanted" || is === "otherwise";
export const isAsWanted = ({ is }: Verdict): boolean => is === "as wanted";
export const isAbsent = ({ is }: Verdict): boolean => is === "absent";

/** Looks at the zones of all that is sought until each verdict is enough, or the window ends. */
export async function look<T extends { readonly domain: string }>(
  { clock, reporter, zones }: Pick<Run, "clock" | "reporter" | "zones">,
  sought: readonly T[],
  judge: Judge<T>,
  { window: { first, last }, isEnough = isShown, what }: Search,
): Promise<ReadonlyMap<T, Verdict>> {
  const verdicts = new Map<T, Verdict>();
  const isOpen = (each: T): boolean => !isEnough(verdicts.get(each) ?? { is: "unread", error: undefined });
  if (sought.length === 0) return verdicts;
  if (what !== undefined) waiting(reporter, domainsOf(sought), last - clock.now(), what);
  await lookAgain(clock, first, last, async (since) => {
    const open = sought.filter(isOpen);
    const { read, failures } = await zones.readable(domainsOf(open), since);
    for (const each of open) {
      const snapshot = read.get(each.domain);
      const verdict = snapshot && judge(each, snapshot);
      verdicts.set(each, verdict ?? { is: "unread", error: failures[0] });
      if (verdict && "live" in verdict) zones.keep(verdict.live);
    }
    return !open.some(isOpen);
  });
  return verdicts;
}

/**
 * A record as declared, or in the service's own form.
 * @param among the records of its write; two that are alike cannot be told apart
 */
export function asDeclaredAmong({ siblings }: Run, among: readonly DeclaredRecord[]): Judge<DeclaredRecord> {
  return (record, snapshot) => {
    const live = snapshot.liveOf(recordKey(record));
    const other = live.length === 0 ? siblings.owned.forms.find(snapshot.zone, record, among) : undefined;
    const all = other === undefined ? live : [other];
    const wanted = all.find((each) => isAsDeclared(record, each));
    const [first, ...twins] = wanted === undefined ? all : [wanted, ...all.filter((each) => each !== wanted)];
    if (first === undefined) return { is: "absent" };
    return { is: wanted === undefined ? "otherwise" : "as wanted", live: [first, ...twins] };
  };
}

export function unreadText(error: unknown): string {
  return `Then the zone could not be read: ${errorText(error)}`;
}

export const lostJob = "a job whose answer was lost (jobTimeout, indexDelay)";
