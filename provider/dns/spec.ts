/**
 * One spec, judged field by field: names times values, each with the path of the field that is wrong
 * (`records[3].value[1]`).
 */
import { hasLoneSurrogate } from "./ascii";
import { flawsOf } from "./flaw";
import type { Collector, Common } from "./collector";
import type { Placed } from "./names";
import { nearest } from "./nearest";
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
  let misspelt = false;
  for (const key in given) {
    if (fields.includes(key)) continue;
    misspelt = true;
    const guess = nearest(key, fields);
    const next = guess === undefined ? `a record has ${fields.join(", ")}` : `did you mean ${guess}?`;
    collector.error(at(key), `unknown field; ${next}`);
  }
  const name = given["name"] === undefined ? "@" : given["name"];
  const names = items(collector, name, at("name"), "name", lists).map((item) => readName(collector, item));
  const type = readType(collector, given["type"], at("type"));
  const line = readLine(collector, given["line"], at("line"));
  const ttl = readSpecTtl(collector, given["ttl"], at("ttl"), lists);
  const priority = readPriority(collector, given["priority"], at("priority"), type);
  const values = items(collector, given["value"], at("value"), "value", lists);
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
  if (!lists) collector.error(path, `a list is no ${field}; a Record holds one record: use RecordBatch for several`);
  else if (given.length === 0) collector.error(path, `the list is empty; write at least one ${field}, or take the record out`);
  else return given.map((value: unknown, index) => ({ value, path: `${path}[${index}]`, suffix: `${field}[${index}]` }));
  return [];
}

/** Where a name lies; nowhere yet where it is not known. */
function readName(collector: Collector, { value, path, suffix }: Item): { placed: Placed | undefined; suffix: string } | undefined {
  if (collector.isUnknown(value)) return { placed: undefined, suffix };
  if (typeof value !== "string") {
    return collector.error(path, `${kindOf(value)} is no name; write text such as "www", or "@" for the apex`);
  }
  const placed = collector.place(value, path, showPlain, true);
  return placed === undefined ? undefined : { placed, suffix };
}

function readType(collector: Collector, given: unknown, path: string): string | undefined {
  if (collector.isUnknown(given)) return undefined;
  if (given === undefined) return collector.error(path, "missing; write a type such as A, CNAME or TXT");
  if (typeof given !== "string") return collector.error(path, `${kindOf(given)} is no type; write text such as "A", "CNAME" or "TXT"`);
  return collector.type(given, path, showPlain);
}

function readLine(collector: Collector, given: unknown, path: string): { name: string | undefined } | undefined {
  if (given === undefined) return { name: undefined };
  if (collector.isUnknown(given)) return undefined;
  if (typeof given === "string" && hasLoneSurrogate(given)) {
    return collector.error(path, "the line's name holds half a character (a lone surrogate), which UTF-8 does not have; write the whole character");
  }
  if (typeof given === "string" && given !== "") return { name: collector.line(given) };
  const what = given === "" ? "an empty text" : kindOf(given);
  return collector.error(path, `${what} is no line; write the line's name, or leave it out for the default line`);
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
  if ("problem" in read) return collector.error(path, read.problem);
  const { ttl, note } = read;
  return note === undefined ? { ttl, ttlUnknown: false } : { ttl, note, ttlUnknown: false };
}

/** The priority where it is known; `unknown` where another resource will tell it; undefined after a problem. */
type Priority = { readonly number: number | undefined; readonly unknown: boolean };

function readPriority(collector: Collector, given: unknown, path: string, type: string | undefined): Priority | undefined {
  if (given === undefined) return { number: undefined, unknown: false };
  if (type !== undefined && type !== "MX" && type !== "SRV") {
    return collector.error(path, `a record of type ${type} has no priority; take it out, or use type MX`);
  }
  if (collector.isUnknown(given)) return { number: undefined, unknown: true };
  if (typeof given === "number" && Number.isInteger(given) && given >= 0 && given <= 65535) return { number: given, unknown: false };
  const what = typeof given === "number" ? String(given) : kindOf(given);
  return collector.error(path, `${what} is no priority; write a whole number from 0 to 65535`);
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
  if (value === undefined) return collector.error(path, "missing; write the record's data as text");
  if (typeof value !== "string") return collector.error(path, `${kindOf(value)} is no value; write the record's data as text`);
  const flaws = flawsOf(value);
  if (flaws !== undefined) {
    // A builder's words may name what it was given.
    for (const flaw of flaws) collector.error(path, collector.show === showPlain ? flaw : "a builder cannot make this record, and what it was given is secret; call it with a plain text to see why");
    return undefined;
  }
  if (value === "") return collector.error(path, `the text is empty; write the record's data${type === "TXT" ? ', or "\\"\\"" for an empty TXT' : ""}`);
  if (type === undefined) return undefined;
  // A priority that is wrong, or not known yet, may be any: the value is judged with one in its place.
  const open = priority === undefined || priority.unknown;
  const assumed = open && (type === "MX" || type === "SRV") ? 1 : priority?.number;
  const data = collector.data(type, value, assumed, false);
  if ("problem" in data && !(open && data.part === "priority")) {
    const where = data.part === "priority" ? priorityPath : path;
    const seen = `${where} ${data.problem}`;
    if (!told.has(seen)) collector.error(where, data.problem);
    told.add(seen);
    return undefined;
  }
  if (priority === undefined) return undefined;
  if (priority.unknown || "problem" in data) return (placed, common, at) => collector.addUnknown(placed, common, at, "priority");
  if (data.unfit !== undefined) return collector.error(path, data.unfit);
  if (data.note !== undefined) collector.warn(priority.number === undefined ? path : priorityPath, data.note);
  return (placed, common, at) => collector.add(placed, data, common, at);
}
