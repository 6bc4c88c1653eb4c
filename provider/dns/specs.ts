/**
 * Specs and lines, expanded into records: every problem at once, each with its path, nothing thrown.
 */
import { Collector, type Common, type ExpandOptions } from "./collector";
import { conflictsOf, pathOf } from "./conflicts";
import { splitLine } from "./lines";
import { isOfOutput } from "./flaw";
import { canonicalDomain } from "./names";
import type { Show } from "./quoting";
import { about, reason, type Problem, type Reason } from "../problems";
import { expandSpec } from "./spec";
import type { Parts } from "./text";
import { kindOf, type DeclaredEntry } from "./ttl";
import type { UnknownRecord } from "./unknowns";

/** What a program's records are, in canonical form. */
export interface Expansion {
  /** Canonical, sorted, each once. */
  readonly domains: string[];
  readonly records: DeclaredEntry[];
  readonly unknowns: UnknownRecord[];
  /** Errors and warnings, in the order of the program. */
  readonly problems: Problem[];
}

/**
 * The records of a batch.
 * @param domains a zone's name or a list of them; every record with a relative name stands in each.
 * @param records a list of specs and presentation lines, or one text of such lines.
 */
export function expandSpecs(domains: unknown, records: unknown, options: ExpandOptions): Expansion {
  const problems: Problem[] = [];
  const zones = readDomains(domains, options, problems);
  const collector = new Collector(new Set(zones), options);
  const path = collector.list;
  if (collector.isUnknown(records)) collector.unknowns.push({ what: "specs" });
  else if (typeof records === "string" && isOfOutput(records)) collector.tell(path, reason("output.as-text"));
  else if (typeof records === "string") expandText(collector, records, path);
  else if (Array.isArray(records)) expandList(collector, records);
  else if (typeof records === "object" && records !== null && "type" in records && "value" in records) {
    collector.tell(path, reason("records.one"));
  } else {
    const given = records === undefined ? "missing" : `${kindOf(records)}`;
    collector.tell(path, reason("records.kind", { given }));
  }
  return {
    domains: zones,
    records: collector.records,
    unknowns: collector.unknowns,
    problems: allProblems(problems, collector),
  };
}

/**
 * One record from its fields; lists are refused. Paths are the fields' names, after `options.path` where it is given.
 */
export function expandRecord(
  input: {
    readonly domain: unknown;
    readonly name?: unknown;
    readonly type: unknown;
    readonly value: unknown;
    readonly priority?: unknown;
    readonly ttl?: unknown;
    readonly line?: unknown;
  },
  options: ExpandOptions,
): { record?: DeclaredEntry; unknown?: UnknownRecord; problems: Problem[] } {
  const { domain, ...spec } = input;
  const problems: Problem[] = [];
  const path = options.path ?? "";
  const later = options.unknown !== undefined && domain === options.unknown;
  const zone = later
    ? undefined
    : readDomain(domain, path === "" ? "domain" : `${path}.domain`, options, problems);
  const collector = new Collector(new Set(zone === undefined ? [] : [zone]), options);
  expandSpec(collector, spec, path, { lists: false });
  const [record] = collector.records;
  const unknown = later && problems.length === 0 ? ({ what: "spec" } as const) : collector.unknowns[0];
  return {
    ...(record === undefined ? {} : { record }),
    ...(unknown === undefined ? {} : { unknown }),
    problems: allProblems(problems, collector),
  };
}

/** As lists, not as arguments: a text may have more problems than a call can have arguments. */
function allProblems(ofDomains: readonly Problem[], { problems, claims, list }: Collector): Problem[] {
  return [...ofDomains, ...problems, ...conflictsOf(claims, list)];
}

const mustBeKnown = reason("domain.unknown");

function readDomains(given: unknown, options: ExpandOptions, problems: Problem[]): string[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  const found = new Map<string, string>();
  for (const [index, each] of list.entries()) {
    const path = Array.isArray(given) ? `domains[${index}]` : "domains";
    const domain = readDomain(each, path, options, problems);
    if (domain !== undefined && !found.has(domain)) found.set(domain, path);
  }
  if (list.length === 0) {
    problems.push({ path: "domains", ...reason("domains.none") });
  }
  for (const [domain, path] of found) {
    for (let dot = domain.indexOf("."); dot !== -1; dot = domain.indexOf(".", dot + 1)) {
      const parent = domain.slice(dot + 1);
      const parentPath = found.get(parent);
      if (parentPath === undefined) continue;
      const why = reason("domains.nested", { domain, parent, at: parentPath });
      problems.push({ ...why, path });
      break;
    }
  }
  return [...found.keys()].sort();
}

function readDomain(
  given: unknown,
  path: string,
  options: ExpandOptions,
  problems: Problem[],
): string | undefined {
  const error = (why: Reason): undefined => {
    problems.push({ ...why, path });
    return undefined;
  };
  if (options.unknown !== undefined && given === options.unknown) return error(mustBeKnown);
  if (given === undefined) return error(reason("domain.missing"));
  if (typeof given !== "string") return error(reason("domain.kind", { kind: kindOf(given) }));
  if (isOfOutput(given)) return error(reason("output.as-text"));
  const read = canonicalDomain(given);
  return "problem" in read ? error(read.problem) : read.domain;
}

function expandList(collector: Collector, list: readonly unknown[]): void {
  for (const [index, each] of list.entries()) {
    collector.begin(index);
    if (collector.isUnknown(each)) collector.unknowns.push({ what: "spec" });
    else if (typeof each === "object" && each !== null && !Array.isArray(each))
      expandSpec(collector, each, index, { lists: true });
    else expandWritten(collector, each, pathOf(index, collector.list));
  }
}

/** Expands an element that is no spec. */
function expandWritten(collector: Collector, given: unknown, path: string): void {
  if (typeof given !== "string") collector.tell(path, reason("record.kind", { kind: kindOf(given) }));
  else if (isOfOutput(given)) collector.tell(path, reason("output.as-text"));
  else if (given.includes("\n")) expandText(collector, given, path);
  else if (!expandLine(collector, given, path)) collector.tell(path, reason("record.empty-line"));
}

function expandText(collector: Collector, text: string, path: string): void {
  let number = 1;
  for (let start = 0; start <= text.length; number++) {
    const feed = text.indexOf("\n", start);
    const end = feed === -1 ? text.length : feed;
    expandLine(collector, text.slice(start, end), `${path} line ${number}`);
    start = end + 1;
  }
}

/** Expands a presentation line; false for one that holds no record. */
function expandLine(collector: Collector, text: string, path: string): boolean {
  const line = splitLine(text, collector.show);
  if (line === undefined) return false;
  if ("problem" in line) collector.tell(path, line.problem);
  else expandParts(collector, line, { ttl: line.ttl, ttlUnknown: false }, path);
  return true;
}

/** Judges the parts of a line. */
function expandParts(
  collector: Collector,
  parts: Parts,
  rest: Omit<Common, "type" | "line">,
  path: string,
): void {
  const show: Show = collector.show;
  const placed = collector.place(parts.owner, () => path, show, true);
  const type = collector.type(parts.type, () => path, show);
  if (type === undefined) return;
  const data = collector.data(type, parts.data, undefined, true);
  if ("problem" in data)
    collector.tell(path, data.part === "priority" ? about("the priority", data.problem) : data.problem);
  else if (placed !== undefined) {
    if (data.note !== undefined) collector.tell(path, data.note);
    if (data.unfit !== undefined) collector.tell(path, data.unfit);
    collector.add(placed, data, { type, line: collector.line(parts.line), ...rest }, path);
  }
}
