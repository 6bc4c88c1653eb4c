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

/** Changes the content of a record. The record keeps its id and its place in the index. */
export function reshape(domain: Domain, record: Rec, shaped: Shaped, at: number): void {
  renameRecord(domain, record, shaped.name);
  Object.assign(record, shaped, { updatedAt: at });
  domain.updatedAt = at;
}

/** Removes a record. The index omits it `lagMs` milliseconds later. */
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
