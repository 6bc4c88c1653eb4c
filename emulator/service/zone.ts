/**
 * Changes to a zone: a record enters, changes or leaves. Callers, batch jobs
 * and the console (admin) call the same three functions.
 */
import {
  dropRecord,
  insertRecord,
  renameRecord,
  untouched,
  type Domain,
  type Rec,
  type World,
} from "./model";
import type { Shaped } from "./rules";

/** Enters a judged record at the time `at` (ms); Record.List shows it `indexDelay` seconds later. */
export function enter(world: World, domain: Domain, shaped: Shaped, at: number): Rec {
  const record: Rec = {
    id: nextRecordId(world),
    name: shaped.name,
    type: shaped.type,
    value: shaped.value,
    lineName: shaped.line.name,
    lineId: shaped.line.id,
    ttl: shaped.ttl,
    mx: shaped.mx,
    weight: null,
    enabled: true,
    hold: false,
    remark: "",
    monitorStatus: "",
    updatedAt: at,
    visibleAt: at + world.settings.indexDelay * 1000,
    ...untouched,
  };
  insertRecord(domain, record);
  domain.updatedAt = at;
  return record;
}

/** Gives a record another content; it keeps its id and its place in the index. When the index shows it is listing.ts's. */
export function reshape(domain: Domain, record: Rec, shaped: Shaped, at: number): void {
  renameRecord(domain, record, shaped.name);
  record.type = shaped.type;
  record.value = shaped.value;
  record.lineName = shaped.line.name;
  record.lineId = shaped.line.id;
  record.ttl = shaped.ttl;
  record.mx = shaped.mx;
  record.updatedAt = at;
  domain.updatedAt = at;
}

/** Takes a record away; the index forgets it at once, or `lagMs` milliseconds later. */
export function leave(domain: Domain, record: Rec, at: number, lagMs = 0): void {
  dropRecord(domain, record);
  if (lagMs > 0) record.goneAt = at + lagMs;
  else domain.index.delete(record.id);
  domain.updatedAt = at;
}

/** Ids grow with gaps: no caller may count on neighbours. */
export function nextRecordId(world: World): number {
  world.nextId.record += world.random.between(1, 5);
  return world.nextId.record;
}
