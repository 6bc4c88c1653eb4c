/**
 * One record at a time (service-notes.md, Operations outside api.md):
 * Record.Create, Record.Modify, Record.Remove, Record.Status, Record.Remark.
 * What is said here beyond those notes follows older public editions of the
 * interface's documentation: evidence, not contract.
 */
import { domainOf, integer, sent, strictCodes, type Context } from "./context";
import { alter, edit, recordIn, refuseHeld } from "./edits";
import type { JsonObject } from "./envelope";
import { lineNamed, linesOf } from "./lines";
import type { Domain, Rec } from "./model";
import { judge, type Wanted } from "./rules";
import { texts } from "./texts";
import { enter, leave } from "./zone";

const writable = (context: Context): Domain => domainOf(context, strictCodes, true);

const recordOf = ({ params }: Context, domain: Domain): Rec =>
  recordIn(domain, integer(sent(params, "record_id") ?? ""));

const statusWord = (record: Rec): string => (record.enabled ? "enable" : "disable");

/**
 * Enters a record at once, without a job. Its id is a string here, and an integer in Record.Modify. Its status is
 * `enabled` in all recorded answers; the word for a disabled record follows Record.List.
 */
export function recordCreate(context: Context): JsonObject {
  const { world, now, refusal } = context;
  const domain = writable(context);
  const enabled = statusOf(context);
  const weight = weightOf(context);
  const judged = judge(world, domain, wantedOf(context, domain));
  if (!judged.ok) throw refusal(judged.verdict.code, judged.verdict.message);
  const record = enter(world, domain, judged.record, now);
  record.enabled = enabled;
  record.weight = weight;
  domain.operatedAt = now;
  const status = enabled ? "enabled" : "disabled";
  return { record: { id: String(record.id), name: record.name, status, weight } };
}

/**
 * Gives a record another content. What is left out falls back, and a caller who means to keep it must send it:
 * `sub_domain` to the apex, `status` to enable, `weight` to none (older editions say so, thinly); only `ttl` stays
 * (an assumption). Type, line and value are required, and the priority of an MX, as in a creation.
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
      status: statusWord(record),
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

/**
 * Enables or disables. The older editions warn of updates that change nothing under Record.Modify only: here they do
 * not count, and a locked record can still be switched. They also show `record` in the answer.
 */
export function recordStatus(context: Context): JsonObject {
  const { world, params, now, refusal } = context;
  const domain = writable(context);
  const record = recordOf(context, domain);
  refuseHeld(record);
  if (sent(params, "status") === undefined) throw refusal("34", "Parameter status is missing");
  const enabled = statusOf(context);
  if (enabled !== record.enabled)
    alter(world, domain, record, now, () => {
      record.enabled = enabled;
    });
  return { record: { id: record.id, name: record.name, status: statusWord(record) } };
}

/** Sets the remark; an empty one, or none at all, removes it. */
export function recordRemark(context: Context): JsonObject {
  const { world, params, now } = context;
  const domain = writable(context);
  const record = recordOf(context, domain);
  refuseHeld(record);
  alter(world, domain, record, now, () => {
    record.remark = params["remark"] ?? "";
  });
  return {};
}

/** The content that a call asks for. Rules.ts judges it; an empty type or value is none that it knows. */
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

/** The line by name or id, one of them required; as in api.md, Record.List, `record_line_id` wins. */
function lineOf({ world, params, refusal }: Context, domain: Domain): string {
  const id = sent(params, "record_line_id");
  const name = sent(params, "record_line");
  const lines = linesOf(domain, world.settings);
  const line = id === undefined ? lineNamed(lines, name) : lines.find((known) => known.id === id);
  if (line === undefined) throw refusal("26", texts.line);
  return line.name;
}

function statusOf({ params, refusal }: Context): boolean {
  const word = sent(params, "status") ?? "enable";
  if (word !== "enable" && word !== "disable") throw refusal("34", "Status is neither enable nor disable");
  return word === "enable";
}

/** 0 to 100; the older editions keep it to the highest plans, which is not judged here. */
function weightOf({ params, refusal }: Context): number | null {
  const text = sent(params, "weight");
  if (text === undefined) return null;
  const weight = integer(text);
  if (!(weight <= 100)) throw refusal("34", "Weight must be a whole number from 0 to 100");
  return weight;
}
