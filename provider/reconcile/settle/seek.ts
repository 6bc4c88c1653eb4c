/** Looks for the records of open writes. */
import { digest, type DeclaredRecord } from "../../dns";
import { groupBy } from "../../support/collections";
import { perObject } from "../../support/per-object";
import { asDeclaredAmong, look, type Judge, type Search, type Verdict } from "../look";
import { digestOf, type OpenWrite } from "../memory/ledger";
import type { Run } from "../run";
import { windowOfEnded, windowOfJob } from "../timeline";
import type { Zone } from "../zones/zone";

/** A record of an open write. The state has only the digest of one that the program has dropped. */
export interface SoughtRecord {
  readonly domain: string;
  readonly digest: string;
  readonly record?: DeclaredRecord | undefined;
}

/** Digest → the verdict on a live record. */
export type ShownRecords = ReadonlyMap<string, ShownVerdict>;
type ShownVerdict = Extract<Verdict, { readonly live: unknown }>;

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

/** @throws LegacyDnsError if a zone cannot be read */
export async function see(run: Run, sought: readonly SoughtRecord[], search: Search): Promise<ShownRecords> {
  const shown = new Map<string, ShownVerdict>();
  for (const [{ digest: key }, verdict] of await look(run, sought, judgeOf(run, sought), search)) {
    if (verdict.is === "unread") throw verdict.error;
    if (verdict.is !== "absent") shown.set(key, verdict);
  }
  return shown;
}

/** @param ended the latest time of the write. Default: look once */
export function seeEnded(run: Run, sought: readonly SoughtRecord[], ended?: number): Promise<ShownRecords> {
  const now = run.clock.now();
  const window = ended === undefined ? { first: now, last: now } : windowOfEnded(run.settings, now, ended);
  return see(run, sought, { window });
}

/** Looks until a job whose last try left at `sent` must have ended. */
export function seeLost(
  run: Run,
  sought: readonly SoughtRecord[],
  sent: number,
  what: string,
  isEnough: (verdict: Verdict) => boolean,
): Promise<ShownRecords> {
  const window = windowOfJob(run.settings, sent);
  return see(run, sought, { window, isEnough, what: `${what} (jobTimeout, indexDelay)` });
}

export function undone(sought: readonly SoughtRecord[], seen: ShownRecords): SoughtRecord[] {
  return sought.filter(({ digest: key }) => seen.get(key)?.is !== "as wanted");
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
