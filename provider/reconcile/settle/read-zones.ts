/** Reads zones that show what this run must know: young owned records, and what other processes have edited. */
import { LegacyDnsError } from "../../api";
import { recordKey, type DeclaredRecord } from "../../dns";
import { domainsOf, largest, smallest } from "../../support/collections";
import type { EarlierWrite } from "../memory/journal";
import { byDigest, type Ledger, type RecordRef } from "../memory/ledger";
import { isAsDeclared } from "../plan/plan";
import { waiting } from "../../support/reporter";
import type { Run } from "../run";
import { latestEnd, isYoung, listed } from "../timeline";
import { readAtIn, type LiveEntry, type Zones } from "../zones/zone";

/**
 * @param more records whose zones are read as well
 * @returns zones in which each young record is as last written
 * @throws LegacyDnsError if a zone cannot be read
 */
export async function readZones(
  run: Run,
  records: readonly DeclaredRecord[],
  ledger: Ledger,
  more: readonly RecordRef[] = [],
): Promise<Zones> {
  const { clock, reporter, settings, siblings, zones } = run;
  const domains = domainsOf([...records, ...ledger.held, ...more]);
  for (const { domain, id, since } of ledger.removed) zones.drop(domain, id, since * 1000);
  const readAll = async (): Promise<Zones> =>
    siblings.owned.forms.inDeclaredForm(await zones.getAll(domains), records);
  const read = await readAll();
  const oldest = smallest([...read.values()].map(({ readAt }) => readAt));
  const recent = ledger.held.filter(({ since }) => isYoung(settings, since, oldest));
  const declared = byDigest(recent.length === 0 ? [] : records);
  const young = recent.filter(({ digest, domain, id, since }) => {
    const zone = read.get(domain);
    if (zone === undefined || !isYoung(settings, since, zone.readAt)) return false;
    const entry = zone.byId.get(id);
    if (entry === undefined) return true;
    const record = declared.get(digest);
    return record !== undefined && (entry.key !== recordKey(record) || !isAsDeclared(record, entry));
  });
  if (young.length === 0) return read;
  const found = zones.mayAsk(young) ? await Promise.all(young.map((own) => present(run, own))) : [undefined];
  if (found.every((entry) => entry !== undefined)) {
    zones.lay(found, clock.now(), false);
    return readAll();
  }
  const readable = largest(young.map(({ since }) => listed(settings, since * 1000)));
  waiting(reporter, domainsOf(young), readable - clock.now());
  await zones.awaitListing(domainsOf(young), readable);
  return readAll();
}

/** For a refresh: the zones also show other processes' removals and changes of the records. It waits for no job. */
export async function readAfterEdits(
  run: Run,
  records: readonly DeclaredRecord[],
  ledger: Ledger,
): Promise<Zones> {
  const zones = await readZones(run, records, ledger);
  const found = run.journal.othersOf(records, readAtIn(zones));
  const edits = found.filter(
    (write) => mayTakeAway(write) && (write.job === undefined || write.ended !== undefined),
  );
  if (edits.length === 0) return zones;
  await awaitEdits(run, edits);
  return readZones(run, records, ledger);
}

/** Its records, or those that it changes into others, may be listed and gone. */
export function mayTakeAway({ deed, left }: EarlierWrite): boolean {
  return deed === "remove" || left.length > 0;
}

/** @param edits whose jobs, if any, have ended */
export async function awaitEdits(run: Run, edits: readonly EarlierWrite[]): Promise<void> {
  const { clock, reporter, settings, zones } = run;
  let done = 0;
  for (const edit of edits) {
    const { at, ended, job, marks } = edit;
    const latest = job === undefined ? latestEnd(settings, at, marks.length > 1) : clock.now();
    done = Math.max(done, ended ?? latest);
  }
  const until = listed(settings, done);
  const wait = until - clock.now();
  const domains = [...new Set(edits.flatMap((edit) => edit.domains))];
  waiting(reporter, domains, wait, "another run's changes (requestTimeout, jobTimeout, indexDelay)");
  if (wait > 0) await clock.sleep(wait);
  await zones.getAll(domains, until);
}

async function present({ zones }: Run, { domain, id }: RecordRef): Promise<LiveEntry | undefined> {
  return zones.record(domain, id).catch((error: unknown) => {
    if (error instanceof LegacyDnsError && error.outcome === "refused") return undefined;
    throw error;
  });
}
