/** Changes to a zone by callers, jobs and the console. */
import { fresh, dropRecord, insertRecord, renameRecord, type Domain, type Rec, type World } from "./model";
import type { Shaped } from "./rules";

export function enter(world: World, domain: Domain, shaped: Shaped, at: number): Rec {
  const visibleAt = at + world.settings.indexDelay * 1000;
  const record: Rec = { id: nextRecordId(world), updatedAt: at, visibleAt, ...fresh, ...shaped };
  insertRecord(domain, record);
  domain.updatedAt = at;
  return record;
}

export function reshape(domain: Domain, record: Rec, shaped: Shaped, at: number): void {
  renameRecord(domain, record, shaped.name);
  Object.assign(record, shaped, { updatedAt: at });
  domain.updatedAt = at;
}

export function leave(domain: Domain, record: Rec, at: number, lagMs = 0): void {
  dropRecord(domain, record);
  if (lagMs > 0) record.goneAt = at + lagMs;
  else domain.index.delete(record.id);
  domain.updatedAt = at;
}

/** Ids have gaps: no caller may count on neighbours. */
export function nextRecordId(world: World): number {
  world.nextId.record += world.random.between(1, 5);
  return world.nextId.record;
}

/** Record.List sees an index that lags behind (api.md, Record.List rule 2). */
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

function versionAt(record: Rec, now: number): Rec | undefined {
  if (record.visibleAt <= now) return record;
  return record.earlier.findLast((version) => version.visibleAt <= now);
}

/** Call it before a change at `at`: the index shows the change `lagMs` later. */
export function supersede(record: Rec, at: number, lagMs: number): void {
  const versions = [...record.earlier, { ...record, earlier: [] }];
  // An older version is never shown again.
  const current = versions.findLastIndex((version) => version.visibleAt <= at);
  record.earlier = lagMs === 0 ? [] : versions.slice(Math.max(0, current));
  record.visibleAt = at + lagMs;
}

/** The index shows the record as it is; a new one still waits. */
export function catchUp(record: Rec): void {
  for (const { visibleAt } of record.earlier) record.visibleAt = Math.min(record.visibleAt, visibleAt);
  record.earlier = [];
}
