/** Looks for the records of open writes. */
import { digest, type DeclaredRecord } from "../../dns";
import { domainsOf, groupBy } from "../../support/collections";
import { perObject } from "../../support/per-object";
import { waiting } from "../../support/reporter";
import { asDeclaredAmong, isShown, lookOrThrow, type Judge, type Verdict } from "../look";
import { digestOf, type OpenWrite } from "../memory/ledger";
import type { Run } from "../run";
import { windowOfEnded, windowOfJob, type Window } from "../timeline";
import type { LiveEntry, Zone } from "../zones/zone";

/** A record of an open write. The state has only the digest of one that the program has dropped. */
export interface SoughtRecord {
  readonly domain: string;
  readonly digest: string;
  readonly record?: DeclaredRecord | undefined;
}

/** Digest → the live record as declared, or `otherwise`. */
export type ShownRecords = Map<string, LiveEntry | "otherwise">;

const digestsIn = perObject(
  ({ entries }: Zone) =>
    new Map(entries.flatMap((live) => (live.hold ? [] : [[digest(live.key), live] as const]))),
);

function judgeOf(run: Run, sought: readonly SoughtRecord[]): Judge<SoughtRecord> {
  const asDeclared = asDeclaredAmong(
    run,
    sought.flatMap(({ record }) => record ?? []),
  );
  return ({ digest: key, record }, snapshot) => {
    if (record !== undefined) return asDeclared(record, snapshot);
    const live = digestsIn(snapshot.zone).get(key);
    return live === undefined ? { is: "absent" } : { is: "as wanted", live: [live] };
  };
}

export async function see(
  run: Run,
  sought: readonly SoughtRecord[],
  window: Window,
  isEnough: (verdict: Verdict) => boolean = isShown,
): Promise<ShownRecords> {
  const verdicts = await lookOrThrow(run, sought, judgeOf(run, sought), window, isEnough);
  return new Map(
    [...verdicts].flatMap(([{ digest: key }, verdict]) => {
      if (!("live" in verdict)) return [];
      return [[key, verdict.is === "as wanted" ? verdict.live[0] : "otherwise"] as const];
    }),
  );
}

/** The service may refuse to show a job again whose end an earlier run has seen, so the journal tells twins apart. */
export function ownOf({ journal, zones }: Run, job: string, shown: ShownRecords): ShownRecords {
  const own = (first: LiveEntry): LiveEntry => {
    const [, ...twins] = zones.latest(first.domain)?.liveOf(first.key) ?? [];
    return (twins.length > 0 && journal.madeBy(job, [first, ...twins])) || first;
  };
  return new Map([...shown].map(([key, live]) => [key, live === "otherwise" ? live : own(live)]));
}

/** @param ended the latest time of the write. Default: look once */
export function seeEnded(run: Run, sought: readonly SoughtRecord[], ended?: number): Promise<ShownRecords> {
  const now = run.clock.now();
  return see(
    run,
    sought,
    ended === undefined ? { first: now, last: now } : windowOfEnded(run.settings, now, ended),
  );
}

/** Looks until a job whose last try left at `sent` must have ended. */
export function seeLost(
  run: Run,
  sought: readonly SoughtRecord[],
  sent: number,
  what: string,
  isEnough: (verdict: Verdict) => boolean,
): Promise<ShownRecords> {
  const { clock, reporter, settings } = run;
  const window = windowOfJob(settings, sent);
  if (sought.length > 0)
    waiting(reporter, domainsOf(sought), window.last - clock.now(), `${what} (jobTimeout, indexDelay)`);
  return see(run, sought, window, isEnough);
}

export function undone(sought: readonly SoughtRecord[], seen: ShownRecords): SoughtRecord[] {
  return sought.filter(({ digest: key }) => (seen.get(key) ?? "otherwise") === "otherwise");
}

export function soughtOf(record: DeclaredRecord): SoughtRecord {
  return { domain: record.domain, digest: digestOf(record), record };
}

export function openOf(sought: readonly SoughtRecord[], write: OpenWriteHead): OpenWrite[] {
  return [...groupBy(sought, ({ domain }) => domain)].map(([domain, these]) => ({
    ...write,
    domain,
    digests: these.map(({ digest: key }) => key),
  }));
}

/** The parts of an open write that all its domains share. */
export type OpenWriteHead = Omit<OpenWrite, "domain" | "digests">;
