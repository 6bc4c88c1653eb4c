/** Specs and lines as records. All problems are returned at once, each with its path. */
import { lineOf, scanLine, splitData, type Grammar } from "./scan";
import { type Show, upperAscii } from "./quoting";
import { Collector, type ExpandOptions, type Line } from "./collector";
import { conflictsOf, pathOf, type Claim } from "./conflicts";
import { canonicalDomain, zoneOf } from "./names";
import { defined } from "../support/defined";
import { kindOf } from "../support/text";
import { reason, type Fault, type Problem, type Reason } from "../problems";
import { SpecReader } from "./spec";
import {
  kindProblem,
  type DeclaredEntry,
  isOfOutput,
  isTime,
  readTtl,
  secondsOf,
  type UnknownRecord,
} from "./record";

export interface Expansion {
  readonly domains: string[];
  readonly records: DeclaredEntry[];
  readonly unknowns: UnknownRecord[];
  readonly problems: Problem[];
  /** Set for specs. Each record has the claim of its place, if no value is unknown. */
  readonly claims?: readonly Claim[];
}

export function expandSpecs(domains: unknown, records: unknown, options: ExpandOptions): Expansion {
  const problems: Problem[] = [];
  const zones = readDomains(domains, options, problems);
  const collector = new Collector(new Set(zones), options);
  const path = "records";
  if (collector.isUnknown(records)) collector.unknowns.push({ what: "specs" });
  else if (typeof records === "string" && isOfOutput(records))
    collector.report(path, reason("output.as-text"));
  else if (typeof records === "string") expandText(collector, records, path);
  else if (Array.isArray(records))
    for (const [index, each] of records.entries()) expandElement(collector, each, index);
  else {
    const example = '["www A 192.0.2.1"]';
    collector.report(path, reason("field.kind", { kind: kindOf(records), what: "a list", example }));
  }
  const { records: found, unknowns, claims } = collector;
  return { domains: zones, records: found, unknowns, problems: allProblems(problems, collector), claims };
}

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
  const isLater = options.unknown !== undefined && domain === options.unknown;
  const zone = isLater ? undefined : readDomain(domain, "domain", options, problems);
  const collector = new Collector(new Set(zone === undefined ? [] : [zone]), options);
  new SpecReader(collector, spec, "", false).expand();
  const [record] = collector.records;
  const unknown = isLater && problems.length === 0 ? ({ what: "spec" } as const) : collector.unknowns[0];
  return { ...defined({ record, unknown }), problems: allProblems(problems, collector) };
}

function allProblems(ofDomains: readonly Problem[], { problems, claims }: Collector): Problem[] {
  return [...ofDomains, ...problems, ...conflictsOf(claims)];
}

function readDomains(given: unknown, options: ExpandOptions, problems: Problem[]): string[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (list.length === 0)
    problems.push({
      path: "domains",
      ...reason("value.empty", { example: 'at least one zone, such as "example.com"' }),
    });
  const found = new Map<string, string>();
  for (const [index, each] of list.entries()) {
    const path = Array.isArray(given) ? `domains[${index}]` : "domains";
    const domain = readDomain(each, path, options, problems);
    if (domain !== undefined && !found.has(domain)) found.set(domain, path);
  }
  for (const [domain, path] of found) {
    const parent = zoneOf(domain.slice(domain.indexOf(".") + 1), found);
    if (parent === undefined) continue;
    const at = found.get(parent) ?? "";
    problems.push({ path, ...reason("domains.nested", { domain, parent, at }) });
  }
  return [...found.keys()].sort();
}

function readDomain(
  given: unknown,
  path: string,
  { unknown }: ExpandOptions,
  problems: Problem[],
): string | undefined {
  const refuse = (why: Reason): undefined => void problems.push({ ...why, path });
  if (unknown !== undefined && given === unknown) return refuse(reason("domain.unknown"));
  if (given === undefined)
    return refuse(reason("field.missing", { example: 'the zone\'s name, such as "example.com"' }));
  if (typeof given !== "string") return refuse(kindProblem(given, "domain", '"example.com"'));
  if (isOfOutput(given)) return refuse(reason("output.as-text"));
  const read = canonicalDomain(given);
  return "problem" in read ? refuse(read.problem) : read.domain;
}

const aRecord = '{ name: www, type: A, value: 192.0.2.1 }, or "www A 192.0.2.1"';

function expandElement(collector: Collector, given: unknown, index: number): void {
  const path = pathOf(index);
  collector.begin(index);
  if (collector.isUnknown(given)) collector.unknowns.push({ what: "spec" });
  else if (typeof given === "object" && given !== null && !Array.isArray(given))
    new SpecReader(collector, { ...given }, index, true).expand();
  else if (typeof given !== "string")
    collector.report(path, reason("field.kind", { kind: kindOf(given), what: "a record", example: aRecord }));
  else if (isOfOutput(given)) collector.report(path, reason("output.as-text"));
  else if (given.includes("\n")) expandText(collector, given, path);
  else if (!expandLine(collector, given, path))
    collector.report(path, reason("value.empty", { example: "a record, or remove it" }));
}

function expandText(collector: Collector, text: string, path: string): void {
  for (const [index, line] of text.split("\n").entries())
    expandLine(collector, line, `${path} line ${index + 1}`);
}

function expandLine(collector: Collector, text: string, path: string): boolean {
  const line = splitLine(text, collector.show);
  if (line === undefined) return false;
  if ("problem" in line) collector.report(path, line.problem);
  else collector.addLine(line, path);
  return true;
}

const grammar: Grammar = {
  isTtl: (word) => word === "default" || isTime(word),
  isClass: (word) => word.length === 2 && upperAscii(word) === "IN",
};

function splitLine(written: string, show: Show): Line | Fault | undefined {
  const scanned = scanLine(written, grammar);
  if (scanned === undefined) return undefined;
  const { owner, type, comment, ttl: word = "default" } = scanned;
  const named = comment === undefined ? undefined : lineOf(comment);
  if (named !== undefined && "problem" in named) return named;
  const ttl = readTtl(secondsOf(word) ?? word, show, word);
  if ("problem" in ttl) return ttl;
  const parts = splitData(scanned.data);
  if ("problem" in parts) return parts;
  if (named !== undefined && parts.line !== undefined && named.line !== parts.line)
    return { problem: reason("line.two") };
  return { owner, type, ...ttl, ...parts, ...named };
}
