/** Records that leave a resource and stay in the zone. */
import { LegacyDnsError } from "../../api";
import { recordKey, type DeclaredRecord } from "../../dns";
import { domainsOf, groupBy, split } from "../../support/collections";
import type { Declaration } from "../declaration";
import {
  byDigest,
  digestOf,
  emptyLedger,
  heldByDigest,
  openDigests,
  staleIn,
  type HeldRecord,
  type Ledger,
  type RecordRef,
} from "../memory/ledger";
import type { Plan, Task } from "../plan/plan";
import { reason, type Reason, type RecordLine } from "../../problems";
import { count, listed } from "../../support/text";
import { byDomain, declaredLine, liveLine, wordingOf } from "../wording";
import type { Run } from "../run";
import { isYoung } from "../timeline";
import { goneIn } from "../read";
import type { ZoneReader } from "../zones/reader";
import type { LiveEntry, Zones } from "../zones/zone";

/** Records that killed runs created and that no resource of this run declares, owns or ignores. */
export function abandonedIn(run: Run, zones: Zones): LiveEntry[] {
  const { neighbours, siblings } = run;
  const news = [...zones].flatMap(([domain, zone]) => (neighbours.looksFirst(domain) ? zone.entries : []));
  const unmanaged = news.filter((live) => !live.hold && siblings.owned.isUnmanaged(live));
  return unmanaged.filter(run.createdAmong(unmanaged));
}

export function reportTakenOver<T extends Pick<LiveEntry, "domain" | "id" | "key">>(
  { journal, reporter, siblings }: Run,
  taken: readonly T[],
  textOf: (each: T) => string,
): void {
  if (taken.length === 0) return;
  journal.created.noteReleased(taken.filter((each) => siblings.owned.isCreated(each)));
  const keys = taken.map(({ key }) => key);
  const texts = taken.map(textOf);
  // With `--target`, the resource that takes a record over is possibly not deployed. Then no state has it.
  const isTracked = keys.every((key) => siblings.declared.isChecked(key));
  const list = isTracked ? ` ${listed(texts, 3)}` : texts.map((text) => `\n  ${text}`).join("");
  reporter.info(
    `${count(keys.length, "record")} taken over by ${siblings.declared.declarersOf(keys)}:${list}`,
  );
}

/** Records that a resource releases, and that no plan names. */
export interface ReleasedRecords {
  readonly records: readonly DeclaredRecord[];
  readonly ledger: Ledger;
}

/** Under `retain`: released records that the zones do not list yet. */
export function unlistedIn({ before, declaration, ledger }: Task, zones: Zones): ReleasedRecords {
  if (declaration.removal !== "retain") return { records: [], ledger: emptyLedger };
  const isListed = ({ domain, id }: RecordRef): boolean => zones.get(domain)?.byId.has(id) === true;
  const held = staleIn(ledger, declaration.records).filter((each) => !isListed(each));
  const digests = new Set(held.map(({ digest }) => digest));
  const records = held.length === 0 ? [] : before.filter((record) => digests.has(digestOf(record)));
  return { records, ledger: { ...ledger, held } };
}

/** Names the records that a resource releases, as far as they are live or may be. */
export async function retainedReasons(
  run: Run,
  declaration: Declaration,
  { ledger, records }: ReleasedRecords,
): Promise<Reason[]> {
  const { settings, siblings } = run;
  const known = byDigest(records);
  // A digest may name twins, so each held record counts.
  const own = ledger.held.map((each) => ({ ...each, record: known.get(each.digest) }));
  const others = records.filter((record) => !heldByDigest(ledger).has(digestOf(record)));
  const all: readonly (Partial<HeldRecord> & { domain: string; record: DeclaredRecord | undefined })[] = [
    ...own,
    ...others.map((record) => ({ domain: record.domain, record })),
  ].filter(({ record }) => record === undefined || !siblings.declared.has(recordKey(record)));
  const { zones, gone } = await readable(run, domainsOf(all));
  const wording = wordingOf(siblings, declaration);
  const isAnothers = run.isOwnedElsewhere();
  const open = openDigests(ledger);
  const lines: { code: "live.retained" | "live.unknown"; domain: string; line: RecordLine }[] = [];
  for (const each of all) {
    const { domain, id, record } = each;
    if (gone.has(domain)) continue;
    const zone = zones.get(domain);
    const isOpen = record !== undefined && open.has(digestOf(record));
    const known = zone?.byId.get(id ?? "");
    // Each equal record is possibly the open write's.
    const equal = record !== undefined && isOpen ? zone?.byKey.get(recordKey(record)) : undefined;
    const live = known ? [known] : (equal ?? []);
    for (const entry of live)
      if (!isAnothers(entry)) lines.push({ code: "live.retained", domain, line: liveLine(entry, wording) });
    if (live.length > 0) continue;
    const note = id === undefined ? undefined : `record ${id}`;
    const line = record === undefined ? { text: `record ${id}` } : declaredLine(record, wording, note);
    if (id === undefined && isOpen) lines.push({ code: "live.unknown", domain, line });
    else if (id !== undefined && (zone === undefined || isYoung(settings, each.since ?? 0, zone.readAt)))
      lines.push({ code: "live.retained", domain, line });
  }
  return [...groupBy(lines, ({ code }) => code)].flatMap(([code, these]) =>
    byDomain(these, ({ line }) => line).map(([domain, records]) => reason(code, { domain }, records)),
  );
}

export async function readable(
  run: Run,
  domains: readonly string[],
): Promise<{ readonly zones: Zones; readonly gone: ReadonlySet<string> }> {
  const { read, failures } = await run.zones.readable(domains);
  // Other errors are reported elsewhere.
  const fault = failures.find((error) => !(error instanceof LegacyDnsError));
  if (fault !== undefined) throw fault;
  const zones = new Map([...read].map(([domain, { zone }]) => [domain, zone]));
  return { zones, gone: new Set(goneIn(failures)) };
}

export function splitStale({ stale, obstacles }: Plan): {
  readonly blocking: LiveEntry[];
  readonly others: LiveEntry[];
} {
  const live = new Set(obstacles.flatMap((obstacle) => obstacle.live));
  const [blocking, others] = split(stale, (entry) => live.has(entry));
  return { blocking, others };
}

/** The last record of a declared identity stays, even if it was a twin. */
export function takenOverSince(
  records: readonly DeclaredRecord[],
  isAnothers: (live: LiveEntry) => boolean,
  zones: ZoneReader,
): (live: LiveEntry) => boolean {
  const own = new Set(records.map((record) => recordKey(record)));
  return (live) =>
    own.has(live.key) ? zones.latest(live.domain)?.liveOf(live.key).length === 1 : isAnothers(live);
}
