/**
 * One spec, judged field by field: names times values, each with the path of the field that is wrong
 * (`records[3].value[1]`).
 */
import { hasLoneSurrogate } from "./ascii";
import { flawsOf } from "./flaw";
import type { Collector, Common } from "./collector";
import type { Placed } from "./names";
import { nearest } from "./nearest";
import { reason, textOf } from "../problems";
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

const fields = ["name", "type", "value", "ttl", "priority", "line"];

/** A list's element, and the path that names it. */
interface Item {
  readonly value: unknown;
  readonly path: string;
  /** The path that a record gets from it where the spec makes several. */
  readonly suffix: string;
}

/** Expands a spec. Without `lists` it is a single record as the state holds it: no lists, and a TTL may have a note. */
export function expandSpec(collector: Collector, spec: object, path: string, { lists }: { readonly lists: boolean }): void {
  const at = (field: string): string => (path === "" ? field : `${path}.${field}`);
  const given: Readonly<Record<string, unknown>> = { ...spec };
  // A misspelt field may be the name: without it the record would stand, and conflict, where nobody meant it.
  const meant = new Set<string>();
  let misspelt = false;
  for (const key in given) {
    if (fields.includes(key)) continue;
    misspelt = true;
    const guess = nearest(key, fields);
    if (guess !== undefined) meant.add(guess);
    collector.tell(at(key), reason("field.unknown", { guess, fields: fields.join(", ") }));
  }
  const name = given["name"] === undefined ? "@" : given["name"];
  const names = items(collector, name, at("name"), "name", lists).map((item) => readName(collector, item));
  // A field that was misspelt is not missing as well.
  const isLost = (field: string): boolean => given[field] === undefined && meant.has(field);
  const type = isLost("type") ? undefined : readType(collector, given["type"], at("type"));
  const line = readLine(collector, given["line"], at("line"));
  const ttl = readSpecTtl(collector, given["ttl"], at("ttl"), lists);
  const priority = readPriority(collector, given["priority"], at("priority"), type);
  const values = isLost("value") ? [] : items(collector, given["value"], at("value"), "value", lists);
  if (collector.isUnknown(given["type"]) || collector.isUnknown(given["line"])) {
    if (!misspelt && ttl !== undefined) collector.unknowns.push({ what: "spec" });
    return;
  }
  const common = type === undefined || line === undefined || ttl === undefined ? undefined : { type, line: line.name, ...ttl };
  const told = new Set<string>();
  for (const item of values) {
    const add = readValue(collector, item, type, priority, at("priority"), told);
    if (misspelt || add === undefined || common === undefined || priority === undefined) continue;
    for (const name of names) if (name !== undefined) add(name.placed, common, recordPath(path, name.suffix, item.suffix));
  }
}

function recordPath(path: string, name: string, value: string): string {
  const parts = [name, value].filter((part) => part !== "").join(", ");
  if (path === "") return parts === "" ? "name" : parts;
  return parts === "" ? path : `${path}.${parts}`;
}

/** The elements of a field that may be a list. */
function items(collector: Collector, given: unknown, path: string, field: string, lists: boolean): readonly Item[] {
  if (!Array.isArray(given)) return [{ value: given, path, suffix: "" }];
  if (!lists) collector.tell(path, reason("field.list", { field }));
  else if (given.length === 0) collector.tell(path, reason("field.empty-list", { field }));
  else return given.map((value: unknown, index) => ({ value, path: `${path}[${index}]`, suffix: `${field}[${index}]` }));
  return [];
}

/** Where a name lies; nowhere yet where it is not known. */
function readName(collector: Collector, { value, path, suffix }: Item): { placed: Placed | undefined; suffix: string } | undefined {
  if (collector.isUnknown(value)) return { placed: undefined, suffix };
  if (typeof value !== "string") {
    return collector.tell(path, reason("name.kind", { kind: kindOf(value) }));
  }
  const placed = collector.place(value, path, showPlain, true);
  return placed === undefined ? undefined : { placed, suffix };
}

function readType(collector: Collector, given: unknown, path: string): string | undefined {
  if (collector.isUnknown(given)) return undefined;
  if (given === undefined) return collector.tell(path, reason("type.missing"));
  if (typeof given !== "string") return collector.tell(path, reason("type.kind", { kind: kindOf(given) }));
  return collector.type(given, path, showPlain);
}

function readLine(collector: Collector, given: unknown, path: string): { name: string | undefined } | undefined {
  if (given === undefined) return { name: undefined };
  if (collector.isUnknown(given)) return undefined;
  if (typeof given === "string" && hasLoneSurrogate(given)) {
    return collector.tell(path, reason("line.half-character"));
  }
  if (typeof given === "string" && given !== "") return { name: collector.line(given) };
  const what = given === "" ? "an empty text" : kindOf(given);
  return collector.tell(path, reason("line.unfit", { given: what }));
}

function readSpecTtl(
  collector: Collector,
  given: unknown,
  path: string,
  lists: boolean,
): Omit<Common, "type" | "line"> | undefined {
  if (given === undefined) return { ttl: "default", ttlUnknown: false };
  if (collector.isUnknown(given)) return { ttl: "default", ttlUnknown: true };
  const read: ReturnType<typeof readStateTtl> = lists ? readTtl(given, collector.show) : readStateTtl(given, collector.show);
  if ("problem" in read) return collector.tell(path, read.problem);
  const { ttl, note } = read;
  return note === undefined ? { ttl, ttlUnknown: false } : { ttl, note, ttlUnknown: false };
}

/** The priority where it is known; `unknown` where another resource will tell it; undefined after a problem. */
type Priority = { readonly number: number | undefined; readonly unknown: boolean };

function readPriority(collector: Collector, given: unknown, path: string, type: string | undefined): Priority | undefined {
  if (given === undefined) return { number: undefined, unknown: false };
  if (type !== undefined && type !== "MX" && type !== "SRV") {
    return collector.tell(path, reason("priority.needless", { type }));
  }
  if (collector.isUnknown(given)) return { number: undefined, unknown: true };
  if (typeof given === "number" && Number.isInteger(given) && given >= 0 && given <= 65535) return { number: given, unknown: false };
  const what = typeof given === "number" ? String(given) : kindOf(given);
  return collector.tell(path, reason("priority.unfit", { given: what }));
}

type Add = (placed: Placed | undefined, common: Common, path: string) => void;

/** Judges a value, and says how its records are added. */
function readValue(
  collector: Collector,
  { value, path }: Item,
  type: string | undefined,
  priority: Priority | undefined,
  priorityPath: string,
  told: Set<string>,
): Add | undefined {
  if (collector.isUnknown(value)) return (placed, common, at) => collector.addUnknown(placed, common, at, "value");
  if (value === undefined) return collector.tell(path, reason("value.missing"));
  if (typeof value !== "string") return collector.tell(path, reason("value.kind", { kind: kindOf(value) }));
  const flaws = flawsOf(value);
  if (flaws !== undefined) {
    // A builder's words may name what it was given.
    for (const flaw of flaws) collector.tell(path, collector.show === showPlain ? flaw : reason("builder.secret"));
    return undefined;
  }
  if (value === "") return collector.tell(path, reason("value.empty", { type }));
  if (type === undefined) return undefined;
  // A priority that is wrong, or not known yet, may be any: the value is judged with one in its place.
  const open = priority === undefined || priority.unknown;
  const assumed = open && (type === "MX" || type === "SRV") ? 1 : priority?.number;
  const data = collector.data(type, value, assumed, false);
  if ("problem" in data && !(open && data.part === "priority")) {
    const where = data.part === "priority" ? priorityPath : path;
    const seen = `${where} ${textOf(data.problem)}`;
    if (!told.has(seen)) collector.tell(where, data.problem);
    told.add(seen);
    return undefined;
  }
  if (priority === undefined) return undefined;
  if (priority.unknown || "problem" in data) return (placed, common, at) => collector.addUnknown(placed, common, at, "priority");
  if (data.unfit !== undefined) return collector.tell(path, data.unfit);
  if (data.note !== undefined) collector.tell(priority.number === undefined ? path : priorityPath, data.note);
  return (placed, common, at) => collector.add(placed, data, common, at);
}
