/** The reader of YAML zones, with the place of every problem in the file. */
import { showPlain, trimSpace, hasLoneSurrogate } from "../quoting";
import {
  Composer,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  Parser,
  Scalar,
  visit,
  type CST,
  type Document,
  type YAMLMap,
} from "yaml";
import { Collector } from "../collector";
import { pathOf } from "../conflicts";
import { canonicalDomain } from "../names";
import { nearest } from "../../support/nearest";
import { didYouMean, about, reason, type Reason } from "../../problems";
import { specFields } from "../spec";
import { expandElement, expandText } from "../specs";
import { kindOf, kindProblem } from "../record";
import { showToken } from "./fields";
import { Findings, type SourcePosition, type ZoneFileResult } from "./findings";
import type { ZoneFileOptions } from "./read";

export type YamlZoneOptions = Pick<ZoneFileOptions, "file" | "domain" | "defaultLine">;

/** Fields: `domain` (optional) and `records`, a list of specs and lines or one text of lines. */
export function readYamlZone(text: string, options: YamlZoneOptions): ZoneFileResult {
  return new YamlReader(options).read(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
}

const fileFields = ["domain", "records"];
const removeIt = "remove it";

type Zone = Readonly<Record<string, unknown>>;

class YamlReader {
  private readonly findings = new Findings();
  private readonly lines = new LineCounter();
  private readonly collector: Collector;
  private list: unknown;

  constructor(private readonly options: YamlZoneOptions) {
    this.collector = new Collector(new Set([options.domain]), { defaultLine: options.defaultLine });
  }

  read(text: string): ZoneFileResult {
    const { document, problems } = parseYaml(text, this.lines);
    for (const { offset, problem } of problems) this.findings.report(this.at(offset), problem);
    const root: unknown = document?.contents;
    if (isMap(root) && problems.length === 0) this.zone(root, document?.toJS());
    else if (problems.length === 0) this.report(root, reason("yaml.records"));
    const isZone = isMap(root) && fileFields.some((name) => root.has(name));
    if (!isZone) this.findings.hideSince(0, this.options.file);
    return this.findings.result();
  }

  private zone(root: YAMLMap, zone: Zone): void {
    for (const { key } of root.items) {
      const name = isScalar(key) ? String(key.value) : "";
      const hint = didYouMean(nearest(name, fileFields), `a zone has ${fileFields.join(" and ")}`);
      if (!fileFields.includes(name))
        this.report(key, about(`${showToken(name)}:`, reason("field.unknown", { hint })));
    }
    const { domain, records } = zone;
    if ("domain" in zone) this.domain(domain, root.get("domain", true));
    if (!("records" in zone)) return this.report(root, reason("yaml.records"));
    this.list = root.get("records", true);
    if (Array.isArray(records)) for (const [index, each] of records.entries()) this.element(each, index);
    else if (typeof records === "string") expandText(this.collector, records, this.collector.list);
    else this.report(this.list, reason("yaml.records"));
    this.takeOver();
    // A script that empties the file must not empty the zone.
    const isEmptyList = Array.isArray(records) && records.length === 0;
    const isEmpty = this.findings.records.length === 0 && !isEmptyList && this.findings.errors === 0;
    if (isEmpty) this.report(root, reason("file.empty", { file: "the file" }));
  }

  private domain(given: unknown, node: unknown): void {
    const { domain } = this.options;
    const read =
      typeof given === "string" ? canonicalDomain(given) : { problem: kindProblem(given, "domain", domain) };
    if ("problem" in read) this.report(node, read.problem);
    else if (read.domain !== domain)
      this.report(node, reason("yaml.other-domain", { given: read.domain, domain }));
  }

  private element(each: unknown, index: number): void {
    const { collector } = this;
    const full = kindOf(each) === "an object" ? this.roomProblem({ ...Object(each) }) : undefined;
    if (full === undefined) expandElement(collector, each, index);
    else collector.report(index, full);
  }

  private roomProblem({ name, value }: Zone): Reason | undefined {
    const lengths = (given: unknown): number[] =>
      [given].flat().map((text) => (typeof text === "string" ? text.length : 0));
    const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);
    const [names, values] = [lengths(name), lengths(value)];
    const records = names.length * values.length;
    return records < 2
      ? undefined
      : this.findings.take(records, sum(names) * values.length + sum(values) * names.length);
  }

  private takeOver(): void {
    const { claims, list, problems, records } = this.collector;
    for (const problem of problems) {
      const { node, line, field } = this.find(problem.path);
      const position = this.place(node, line);
      const isBlock =
        isScalar(node) && (node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED);
      if (problem.code === "text.changed" && field !== undefined && isBlock)
        this.findings.report(position, about(`${field}:`, reason("text.line-feed")));
      this.findings.report(position, field === undefined ? problem : about(`${field}:`, problem));
    }
    for (const [index, record] of records.entries()) {
      const { node, line } = this.find(pathOf(claims[index]?.path ?? "", list));
      this.findings.records.push(Object.assign(record, { position: this.place(node, line) }));
    }
  }

  /** The node of a path: `records[3].value[1]`, `records[3] line 2`, `records line 2`. */
  private find(path: string): { readonly node: unknown; readonly line: number; readonly field?: string } {
    const [, index, line = "0", rest] =
      /^records(?:\[(\d+)\])?(?: line (\d+))?(?:\.(.*))?$/s.exec(path) ?? [];
    const item = index !== undefined && isSeq(this.list) ? this.list.items[Number(index)] : this.list;
    if (rest === undefined) return { node: item, line: Number(line) };
    const [, field = rest, element] = /^(\w+)(?:\[(\d+)\])?(?:, |$)/.exec(rest) ?? [];
    const pair = (isMap(item) ? item.items : []).find(
      ({ key }) => isScalar(key) && String(key.value) === field,
    );
    const value = specFields.includes(field) ? pair?.value : pair?.key;
    const node = element !== undefined && isSeq(value) ? value.items[Number(element)] : value;
    return { node: node ?? item, line: 0, field };
  }

  private report(node: unknown, why: Reason): undefined {
    return this.findings.report(this.place(node), why);
  }

  /** @param line number of a line of the text. In a literal block (`|`), it is a line of the file. */
  private place(node: unknown, line = 0): SourcePosition {
    const start = this.at(isNode(node) ? (node.range?.[0] ?? 0) : 0);
    return line > 0 && isScalar(node) && node.type === Scalar.BLOCK_LITERAL
      ? { ...start, line: start.line + line, column: 1 }
      : start;
  }

  private at(offset: number): SourcePosition {
    const { line, col } = this.lines.linePos(offset);
    return { file: this.options.file, line: Math.max(line, 1), column: Math.max(col, 1) };
  }
}

interface TokenProblem {
  readonly offset: number;
  readonly problem: Reason;
}

function parseYaml(
  text: string,
  lines: LineCounter,
): { readonly document: Document.Parsed | undefined; readonly problems: readonly TokenProblem[] } {
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const monster = monsterOf(tokens);
  if (monster !== undefined) return { document: undefined, problems: [monster] };
  const composer = new Composer({ version: "1.2", schema: "core", merge: false });
  const [document, second] = composer.compose(tokens, true, text.length);
  const problems = tagsOf(tokens);
  const report = (range: readonly number[] | null | undefined, problem: Reason): void =>
    void problems.push({ offset: range?.[0] ?? 0, problem });
  if (second !== undefined)
    report(second.range, reason("yaml.unfit", { what: "a second document", hint: removeIt }));
  for (const { pos, message, code } of [...(document?.errors ?? []), ...(document?.warnings ?? [])]) {
    if (code === "TAG_RESOLVE_FAILED") continue;
    const [first = ""] = message.trim().split("\n", 1);
    // A wildcard looks like an alias without a name. Other messages quote the file after a colon.
    const isWildcard = code === "BAD_ALIAS" && first.includes("empty");
    const detail = trimSpace(first).replace(/: ".*$/, "");
    report(pos, isWildcard ? aliasProblem("") : reason("yaml.syntax", { detail }));
  }
  if (document === undefined || problems.length > 0) return { document: document ?? undefined, problems };
  visit(document, {
    Node: (_, node) => {
      // A few lines of aliases could make millions of records.
      if (isAlias(node)) report(node.range, aliasProblem(node.source));
      else if (isScalar(node) && typeof node.value === "string" && hasLoneSurrogate(node.value))
        report(node.range, reason("text.half-character"));
    },
  });
  return { document, problems };
}

function aliasProblem(source: string): Reason {
  const word = `*${source.slice(0, 24)}`;
  return reason("yaml.unfit", {
    what: `the alias ${word}`,
    hint: `write a wildcard in quotes: ${showPlain(word)}`,
  });
}

/**
 * The first structure that would end or block the process: the library recurses (brackets ended Node 20, observed
 * 2026-11-21), and compares each key of a map with every other.
 */
export function monsterOf(
  tokens: readonly CST.Token[],
  most = { depth: 20, keys: 100 },
): TokenProblem | undefined {
  for (const { token, depth } of walk(tokens)) {
    const offset = "offset" in token ? token.offset : 0;
    if (depth > most.depth)
      return { offset, problem: reason("yaml.unfit", { what: "deeply nested lists", hint: removeIt }) };
    const isMap =
      token.type === "block-map" || (token.type === "flow-collection" && token.start.source === "{");
    if (isMap && token.items.length > most.keys)
      return {
        offset,
        problem: reason("yaml.unfit", { what: `maps of over ${most.keys} keys`, hint: removeIt }),
      };
  }
  return undefined;
}

/** The core schema's tags (`!!str`) count, too. */
function tagsOf(tokens: readonly CST.Token[]): TokenProblem[] {
  const tags = [...walk(tokens)].flatMap(({ token }) => {
    const items = "items" in token ? token.items.flatMap(({ start, sep = [] }) => [...start, ...sep]) : [];
    return (token.type === "document" ? token.start : items).filter(({ type }) => type === "tag");
  });
  return tags
    .sort((a, b) => a.offset - b.offset)
    .map(({ offset, source }) => ({
      offset,
      problem: reason("yaml.unfit", { what: `the tag ${source.slice(0, 24)}`, hint: removeIt }),
    }));
}

/** All tokens, without recursion. */
function* walk(
  tokens: readonly CST.Token[],
): Generator<{ readonly token: CST.Token; readonly depth: number }> {
  const open = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    const { token, depth } = next;
    const parts = "items" in token ? token.items : token.type === "document" ? [token] : [];
    for (const part of parts)
      for (const child of ["key" in part ? part.key : undefined, part.value])
        if (child !== undefined && child !== null)
          open.push({ token: child, depth: depth + Number(token.type !== "document") });
  }
}
