/**
 * What Record.List sees: an index that lags behind the zone (api.md, Record.List rule 2). A new record
 * comes late, a changed one is shown with its old data, and a removed one is still shown. Record.Info and
 * the DNS have the current data.
 */
import type { Domain, Rec } from "./model";

/** The records as the index shows them at `now` (ms). Forgets old versions. */
export function indexed(domain: Domain, now: number): Rec[] {
  const shown: Rec[] = [];
  for (const record of domain.index.values()) {
    if (record.goneAt !== null && record.goneAt <= now) domain.index.delete(record.id);
    else {
      const version = versionAt(record, now);
      if (version !== undefined) shown.push(version);
    }
  }
  return shown;
}

/** The latest version of a record that the index has caught up with. */
function versionAt(record: Rec, now: number): Rec | undefined {
  if (record.visibleAt <= now) return record;
  return record.earlier.findLast((version) => version.visibleAt <= now);
}

/** Puts by what a record is, before it is changed at `at` (ms): the index shows the change `lagMs` later. */
export function supersede(record: Rec, at: number, lagMs: number): void {
  const versions = [...record.earlier, { ...record, earlier: [] }];
  // An old version is never shown again.
  const current = versions.findLastIndex((version) => version.visibleAt <= at);
  record.earlier = lagMs === 0 ? [] : versions.slice(Math.max(0, current));
  record.visibleAt = at + lagMs;
}

/** Lets the index show a record as it is now; one that it has never shown still waits for its first time. */
export function catchUp(record: Rec): void {
  for (const { visibleAt } of record.earlier) record.visibleAt = Math.min(record.visibleAt, visibleAt);
  record.earlier = [];
}
