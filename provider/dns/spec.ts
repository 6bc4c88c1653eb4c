/**
 * One spec, judged field by field: names times values, each with the path of the field that is wrong
 * (`records[3].value[1]`).
 */
import { hasLoneSurrogate } from "./ascii";
import type { Data } from "./data";
import { flawsOf, isOfOutput } from "./flaw";
import type { Collector, Common } from "./collector";
import type { Where } from "./conflicts";
import type { Placed } from "./names";
import { nearest } from "./nearest";
import { reason, textOf, type Reason } from "../problems";
import { showPlain } from "./quoting";
import type { Ttl } from "./record";
import { kindOf, readStateTtl, readTtl } from "./ttl";

/** One record of a batch as plain data. Lists make every combination: two names and two values are four records. */
export interface PlainRecordSpec {
  readonly name?: string | readonly string[];
  readonly type: string;
  readonly value: string | readonly string[];
  /** Seconds from 1, or a time with units such as `1h`. */
  readonly ttl?: Ttl | string;
  /** MX, and SRV where the value holds three fields; 0-65535. */
  readonly priority?: number;
  readonly line?: string;
}

const fields: ReadonlySet<string> = new Set(["name", "type", "value", "ttl", "priority", "line"]);

/** An element of a field's list, or the field itself. */
interface Item {
  readonly value: unknown;
  /** Names the element, `value[1]`; empty for the field itself. */
  readonly suffix: string;
}

/** Expands a spec. Without `lists` it is a single record as the state holds it: no lists, and a TTL may have a note. */
export function expandSpec(
  collector: Collector,
  spec: object,
  path: Where,
  { lists }: { readonly lists: boolean },
): void {
  const given: Readonly<Record<string, unknown>> = { ...spec };
  // A misspelt field may be the name: without it the record would stand, and conflict, where nobody meant it.
  let meant: Set<string | undefined> | undefined;
  for (const key in given) {
    if (fields.has(key)) continue;
    const guess = nearest(key, [...fields]);
    (meant ??= new Set()).add(guess);
    collector.tell(
      collector.at(path, key),
      reason("field.unknown", { guess, fields: [...fields].join(", ") }),
    );
  }
  const name = given["name"] === undefined ? "@" : given["name"];
  const names = items(collector, name, path, "name", lists).map((item) => readName(collector, item, path));
  // A field that was misspelt is not missing as well.
  const isLost = (field: string): boolean => given[field] === undefined && meant?.has(field) === true;
  const type = isLost("type") ? undefined : readType(collector, given["type"], path);
  const line = readLine(collector, given["line"], path);
  const ttl = readSpecTtl(collector, given["ttl"], path, lists);
  const priority = readPriority(collector, given["priority"], path, type);
  const values = isLost("value") ? [] : items(collector, given["value"], path, "value", lists);
  if (collector.isUnknown(given["type"]) || collector.isUnknown(given["line"])) {
    if (meant === undefined && ttl !== undefined) collector.unknowns.push({ what: "spec" });
    return;
  }
  const told = new Told();
  for (const item of values) {
    const read = readValue(collector, item, type, priority, path, told);
    if (
      meant !== undefined ||
      read === undefined ||
      type === undefined ||
      line === undefined ||
      ttl === undefined ||
      priority === undefined
    )
      continue;
    const common: Common = {
      type,
      line: line.name,
      ttl: ttl.ttl,
      note: ttl.note,
      ttlUnknown: ttl.ttlUnknown,
    };
    for (const name of names) {
      if (name === undefined) continue;
      const of = recordPath(collector, path, name.suffix, item.suffix);
      if ("what" in read) collector.addUnknown(name.placed, common, of, read.what);
      else collector.add(name.placed, read, common, of);
    }
  }
}

function recordPath(collector: Collector, path: Where, name: string, value: string): Where {
  const parts = name === "" || value === "" ? name + value : `${name}, ${value}`;
  if (parts !== "") return collector.at(path, parts);
  return path === "" ? "name" : path;
}

/** The elements of a field that may be a list. */
function items(
  collector: Collector,
  given: unknown,
  path: Where,
  field: "name" | "value",
  lists: boolean,
): readonly Item[] {
  if (!Array.isArray(given)) return [{ value: given, suffix: "" }];
  if (!lists) collector.tell(collector.at(path, field), reason("field.list", { field }));
  else if (given.length === 0)
    collector.tell(collector.at(path, field), reason("field.empty-list", { field }));
  else return given.map((value: unknown, index) => ({ value, suffix: `${field}[${index}]` }));
  return [];
}

/** Where a name lies; nowhere yet where it is not known. */
function readName(
  collector: Collector,
  { value, suffix }: Item,
  path: Where,
): { placed: Placed | undefined; suffix: string } | undefined {
  if (collector.isUnknown(value)) return { placed: undefined, suffix };
  const where = (): string => collector.at(path, suffix === "" ? "name" : suffix);
  if (typeof value !== "string") {
    return collector.tell(where(), reason("name.kind", { kind: kindOf(value) }));
  }
  if (isOfOutput(value)) return collector.tell(where(), reason("output.as-text"));
  const placed = collector.place(value, where, showPlain, true);
  return placed === undefined ? undefined : { placed, suffix };
}

function readType(collector: Collector, given: unknown, path: Where): string | undefined {
  if (collector.isUnknown(given)) return undefined;
  if (given === undefined) return collector.tell(collector.at(path, "type"), reason("type.missing"));
  if (typeof given !== "string")
    return collector.tell(collector.at(path, "type"), reason("type.kind", { kind: kindOf(given) }));
  return collector.type(given, () => collector.at(path, "type"), showPlain);
}

function readLine(
  collector: Collector,
  given: unknown,
  path: Where,
): { name: string | undefined } | undefined {
  if (given === undefined) return defaultLine;
  if (collector.isUnknown(given)) return undefined;
  if (typeof given === "string" && hasLoneSurrogate(given)) {
    return collector.tell(collector.at(path, "line"), reason("line.half-character"));
  }
  if (typeof given === "string" && given !== "") return { name: collector.line(given) };
  const what = given === "" ? "an empty text" : kindOf(given);
  return collector.tell(collector.at(path, "line"), reason("line.unfit", { given: what }));
}

const defaultLine = { name: undefined };

function readSpecTtl(
  collector: Collector,
  given: unknown,
  path: Where,
  lists: boolean,
): Omit<Common, "type" | "line"> | undefined {
  if (given === undefined) return { ttl: "default", ttlUnknown: false };
  if (collector.isUnknown(given)) return { ttl: "default", ttlUnknown: true };
  const read: ReturnType<typeof readStateTtl> = lists
    ? readTtl(given, collector.show)
    : readStateTtl(given, collector.show);
  if ("problem" in read) return collector.tell(collector.at(path, "ttl"), read.problem);
  return { ttl: read.ttl, note: read.note, ttlUnknown: false };
}

/** The priority where it is known; `unknown` where another resource will tell it; undefined after a problem. */
type Priority = { readonly number: number | undefined; readonly unknown: boolean };

const noPriority: Priority = { number: undefined, unknown: false };

function readPriority(
  collector: Collector,
  given: unknown,
  path: Where,
  type: string | undefined,
): Priority | undefined {
  if (given === undefined) return noPriority;
  if (type !== undefined && type !== "MX" && type !== "SRV") {
    return collector.tell(collector.at(path, "priority"), reason("priority.needless", { type }));
  }
  if (collector.isUnknown(given)) return { number: undefined, unknown: true };
  if (typeof given === "number" && Number.isInteger(given) && given >= 0 && given <= 65535)
    return { number: given, unknown: false };
  const what = typeof given === "number" ? String(given) : kindOf(given);
  return collector.tell(collector.at(path, "priority"), reason("priority.unfit", { given: what }));
}

/** What is told of several values in the same place is told once. */
class Told {
  private seen: Set<string> | undefined;

  isNew(path: string, problem: Reason): boolean {
    const text = `${path} ${textOf(problem)}`;
    this.seen ??= new Set();
    if (this.seen.has(text)) return false;
    this.seen.add(text);
    return true;
  }
}

/** What a value makes of a record: its data, or what of it is not known yet. */
type Read = Extract<Data, { readonly value: string }> | { readonly what: "value" | "priority" };

/** Judges a value. */
function readValue(
  collector: Collector,
  { value, suffix }: Item,
  type: string | undefined,
  priority: Priority | undefined,
  path: Where,
  told: Told,
): Read | undefined {
  if (collector.isUnknown(value)) return { what: "value" };
  const where = (): string => collector.at(path, suffix === "" ? "value" : suffix);
  if (value === undefined) return collector.tell(where(), reason("value.missing"));
  if (typeof value !== "string")
    return collector.tell(where(), reason("value.kind", { kind: kindOf(value) }));
  const flaws = flawsOf(value);
  if (flaws !== undefined) {
    // A builder's words may name what it was given.
    for (const flaw of flaws)
      collector.tell(where(), collector.show === showPlain ? flaw : reason("builder.secret"));
    return undefined;
  }
  if (value === "") return collector.tell(where(), reason("value.empty", { type }));
  if (isOfOutput(value)) return collector.tell(where(), reason("output.as-text"));
  if (type === undefined) return undefined;
  // A priority that is wrong, or not known yet, may be any: the value is judged with one in its place.
  const open = priority === undefined || priority.unknown;
  const assumed = open && (type === "MX" || type === "SRV") ? 1 : priority?.number;
  const data = collector.data(type, value, assumed, false);
  if ("problem" in data && !(open && data.part === "priority")) {
    const of = data.part === "priority" ? collector.at(path, "priority") : where();
    if (told.isNew(of, data.problem)) collector.tell(of, data.problem);
    return undefined;
  }
  if ("unfit" in data && data.unfit !== undefined) return collector.tell(where(), data.unfit);
  if (priority === undefined) return undefined;
  if (priority.unknown || "problem" in data) return { what: "priority" };
  if (data.note !== undefined)
    collector.tell(priority.number === undefined ? where() : collector.at(path, "priority"), data.note);
  return data;
}
