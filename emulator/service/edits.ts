/** Changes of a record by Record.Modify and by jobs (service-notes.md, Operations outside api.md). */
import { domainOf, integer, lineSent, sent, strictCodes, type Context } from "./context";
import { Refusal, texts, type JsonObject } from "./envelope";
import type { Domain, FieldChange, Rec, World } from "./model";
import { judge, wantedOf, type Wanted } from "./rules";
import { leave, reshape, supersede } from "./zone";

export interface Edit {
  /** Absent if it stays. No rule is checked then. */
  readonly content?: Wanted | undefined;
  readonly enabled: boolean;
  readonly weight: number | null;
}

const hour = 60 * 60 * 1000;
const allowedIdle = 5;

export function recordIn(domain: Domain, id: number | null): Rec {
  const record = id === null ? undefined : domain.records.get(id);
  if (record === undefined) throw new Refusal("8", "Record ID wrong");
  return record;
}

/** No source names a code for this refusal. 3 is the unknown error. */
function refuseHeld(record: Rec): void {
  if (record.hold) throw new Refusal("3", "The service's own NS record cannot be changed or removed");
}

export function edit(
  world: World,
  domain: Domain,
  record: Rec,
  { content, enabled, weight }: Edit,
  at: number,
): void {
  refuseHeld(record);
  // The code of a locked domain. No source has one for a record.
  if (at < record.lockedUntil)
    throw new Refusal("21", "Record locked: too many updates that changed nothing");
  const shaped = content && judge(world, domain, content, record);
  const same = shaped === undefined || contents.every((key) => record[key] === shaped[key]);
  if (same && record.enabled === enabled && record.weight === weight) return countIdle(record, at);
  alter(world, domain, record, at, () => {
    if (shaped !== undefined) reshape(domain, record, shaped, at);
    record.enabled = enabled;
    record.weight = weight;
  });
}

function alter(world: World, domain: Domain, record: Rec, at: number, change: (record: Rec) => void): void {
  const { indexDelay, modifyDelay } = world.settings;
  supersede(record, at, (modifyDelay ?? indexDelay) * 1000);
  change(record);
  record.updatedAt = at;
  domain.updatedAt = at;
  domain.operatedAt = at;
  domain.revision += 1;
}

const contents = ["name", "type", "value", "lineId", "ttl", "mx"] as const;

/** service-notes.md, Transport. The last one still succeeds (evidence is thin). */
function countIdle(record: Rec, at: number): void {
  record.idleUpdates = [...record.idleUpdates.filter((before) => at - before < hour), at];
  if (record.idleUpdates.length > allowedIdle) record.lockedUntil = at + hour;
}

export function editOf(record: Rec, { field, to, value, mx }: FieldChange): Edit {
  const { enabled, weight } = record;
  const becomes = (change: Partial<Wanted>): Edit => ({
    content: { ...wantedOf(record), ...change },
    enabled,
    weight,
  });
  switch (field) {
    case "sub_domain":
      return becomes({ name: to });
    case "record_type":
      return becomes({ type: to, value: value ?? "", mx });
    case "area":
      return becomes({ line: to });
    case "value":
      return becomes({ value: to, mx: mx ?? record.mx });
    case "mx":
      return becomes({ mx: to });
    case "ttl":
      return becomes({ ttl: to });
    case "status":
      return { enabled: to === "enable", weight };
  }
}

const recordOf = ({ params }: Context, domain: Domain): Rec =>
  recordIn(domain, integer(sent(params, "record_id") ?? ""));

/**
 * Omitted parameters get defaults: `sub_domain` the apex, `status` enable, `weight` none (older editions,
 * thin evidence). Only `ttl` stays (an assumption).
 */
export function recordModify(context: Context): JsonObject {
  const { world, now } = context;
  const domain = domainOf(context, strictCodes);
  const record = recordOf(context, domain);
  const content = wantedByCall(context, domain, record.ttl);
  edit(world, domain, record, { content, enabled: statusOf(context), weight: weightOf(context) }, now);
  return {
    record: {
      id: record.id,
      name: record.name,
      value: record.value,
      status: record.enabled ? "enable" : "disable",
      weight: record.weight,
    },
  };
}

export function recordRemove(context: Context): JsonObject {
  const { world, now } = context;
  const domain = domainOf(context, strictCodes);
  const record = recordOf(context, domain);
  refuseHeld(record);
  const { indexDelay, removeDelay } = world.settings;
  leave(domain, record, now, (removeDelay ?? indexDelay) * 1000);
  domain.operatedAt = now;
  return {};
}

function wantedByCall(context: Context, domain: Domain, ttl?: number): Wanted {
  const { params } = context;
  return {
    name: params["sub_domain"] ?? "@",
    type: params["record_type"] ?? "",
    value: params["value"] ?? "",
    line: lineOf(context, domain),
    ttl: sent(params, "ttl") ?? ttl,
    mx: sent(params, "mx"),
  };
}

function lineOf(context: Context, domain: Domain): string {
  const line = lineSent(context, domain);
  if (line === undefined || line === null) throw context.refusal("26", texts.line);
  return line.name;
}

function statusOf({ params, refusal }: Context): boolean {
  const word = sent(params, "status") ?? "enable";
  if (word !== "enable" && word !== "disable") throw refusal("34", "Status is neither enable nor disable");
  return word === "enable";
}

/** 0 to 100. Older editions allow it for the highest plans only, which is not judged. */
function weightOf({ params, refusal }: Context): number | null {
  const text = sent(params, "weight");
  if (text === undefined) return null;
  const weight = integer(text);
  if (!(weight <= 100)) throw refusal("34", "Weight must be a whole number from 0 to 100");
  return weight;
}
