/**
 * Record.Modify and Record.Remove (service-notes.md, Operations outside api.md). More facts are from
 * older public editions: evidence, not contract.
 */
import { domainOf, integer, lineSent, sent, strictCodes, type Context } from "./context";
import { edit, recordIn, refuseHeld } from "./edits";
import type { JsonObject } from "./envelope";
import type { Domain, Rec } from "./model";
import type { Wanted } from "./rules";
import { texts } from "./texts";
import { leave } from "./zone";

const writable = (context: Context): Domain => domainOf(context, strictCodes, true);

const recordOf = ({ params }: Context, domain: Domain): Rec =>
  recordIn(domain, integer(sent(params, "record_id") ?? ""));

/**
 * Omitted parameters get defaults: `sub_domain` the apex, `status` enable, `weight` none (older editions,
 * thin evidence). Only `ttl` stays (an assumption).
 */
export function recordModify(context: Context): JsonObject {
  const { world, now } = context;
  const domain = writable(context);
  const record = recordOf(context, domain);
  const content = wantedOf(context, domain, record.ttl);
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
  const domain = writable(context);
  const record = recordOf(context, domain);
  refuseHeld(record);
  const { indexDelay, removeDelay } = world.settings;
  leave(domain, record, now, (removeDelay ?? indexDelay) * 1000);
  domain.operatedAt = now;
  return {};
}

/** Rules judge it; an empty type or value is unknown to them. */
function wantedOf(context: Context, domain: Domain, ttl?: number): Wanted {
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
