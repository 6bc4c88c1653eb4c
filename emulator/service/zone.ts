/** Changes to a zone by callers, jobs and the console. */
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

/** It keeps its id and its place in the index. */
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

/** The index omits it `lagMs` milliseconds later. */
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
