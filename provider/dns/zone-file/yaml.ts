/** The reader of YAML zones, with the place of every problem in the file. */
import {
  Composer,
  isAlias,
  isMap,
  isNode,
  isScalar,
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
import { about, didYouMean, reason, type Reason } from "../../problems";
import { hasLoneSurrogate, showPlain, trimSpace } from "../quoting";
import { kindProblem } from "../record";
import { expandElement, expandText } from "../specs";
import { showToken } from "./rdata";
import { Findings, type SourcePosition, type ZoneFileResult } from "./findings";
import type { ZoneFileOptions } from "./read";

export type YamlZoneOptions = Pick<ZoneFileOptions, "file" | "domain" | "defaultLine">;

/** Fields: `domain` (optional) and `records`, a list of specs and lines or one text of lines. */
export function readYamlZone(text: string, options: YamlZoneOptions): ZoneFileResult {
  return new YamlReader(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text, options).read();
}

const fileFields = ["domain", "records"];
const removeIt = "remove it";
const mostRecords = 65_536;

class YamlReader {
  private readonly findings = new Findings();
  private readonly lines = new LineCounter();
  private readonly collector: Collector;
  private readonly document: Document.Parsed | undefined;
  private combined = 0;

  constructor(
    text: string,
    private readonly options: YamlZoneOptions,
  ) {
    this.collector = new Collector(new Set([options.domain]), { defaultLine: options.defaultLine });
    this.document = this.parse(text);
  }

  read(): ZoneFileResult {
    const root: unknown = this.document?.contents;
    const isFine = this.findings.listed === 0;
    if (isMap(root) && isFine) this.zone(root, this.document?.toJS());
    else if (isFine) this.report(root, reason("yaml.records"));
    if (!isMap(root) || !fileFields.some((name) => root.has(name)))
      this.findings.hideSince(0, this.options.file);
    return this.findings.result();
  }

  private parse(text: string): Document.Parsed | undefined {
    const tokens = [...new Parser(this.lines.addNewLine).parse(text)];
    for (const token of tokens) {
      const monster = monsterOf(token, { depth: 20, keys: 100 });
      if (monster !== undefined) return this.report(monster.offset, monster.problem);
    }
    const composer = new Composer({ version: "1.2", schema: "core", merge: false });
    const [document, second] = composer.compose(tokens, true, text.length);
    if (second !== undefined) this.report(second.range[0], unfit("a second document"));
    for (const { pos, message, code } of [...(document?.errors ?? []), ...(document?.warnings ?? [])]) {
      if (code === "TAG_RESOLVE_FAILED") continue;
      const [first = ""] = message.trim().split("\n", 1);
      // A wildcard looks like an alias without a name. Other messages quote the file after a colon.
      const isWildcard = code === "BAD_ALIAS" && first.includes("empty");
      const detail = trimSpace(first).replace(/: ".*$/, "");
      this.report(pos[0], isWildcard ? aliasProblem("") : reason("yaml.syntax", { detail }));
    }
    if (document === undefined || this.findings.listed > 0) return document;
    visit(document, {
      Node: (_, node) => {
        // A few lines of aliases could make millions of records.
        if (isAlias(node)) this.report(node, aliasProblem(node.source));
        else if (node.tag !== undefined) this.report(node, unfit(`the tag ${node.tag.slice(0, 24)}`));
        else if (isScalar(node) && typeof node.value === "string" && hasLoneSurrogate(node.value))
          this.report(node, reason("text.half-character"));
      },
    });
    return document;
  }

  private zone(root: YAMLMap, zone: Readonly<Record<string, unknown>>): void {
    for (const { key } of root.items) {
      const name = isScalar(key) ? String(key.value) : "";
      const hint = didYouMean(nearest(name, fileFields), `a zone has ${fileFields.join(" and ")}`);
      if (!fileFields.includes(name))
        this.report(key, about(`${showToken(name)}:`, reason("field.unknown", { hint })));
    }
    const { domain, records } = zone;
    if ("domain" in zone) this.domain(domain, root.get("domain", true));
    if (!("records" in zone)) return this.report(root, reason("yaml.records"));
    if (Array.isArray(records)) for (const [index, each] of records.entries()) this.element(each, index);
    else if (typeof records === "string") expandText(this.collector, records, this.collector.list);
    else this.report(root.get("records", true), reason("yaml.records"));
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
    const { name, value } = Object(each) as { readonly name?: unknown; readonly value?: unknown };
    const records = [name].flat().length * [value].flat().length;
    if (records > 1) this.combined += records;
    if (records < 2 || this.combined <= mostRecords) expandElement(this.collector, each, index);
    else this.collector.report(index, reason("file.generated", { most: `${mostRecords} records` }));
  }

  private takeOver(): void {
    const { claims, list, problems, records } = this.collector;
    for (const problem of problems) {
      const { node, line, field } = this.find(problem.path);
      const at = this.place(node, line);
      const isBlock =
        isScalar(node) && (node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED);
      if (problem.code === "text.changed" && field !== undefined && isBlock)
        this.findings.report(at, about(`${field}:`, reason("text.line-feed")));
      this.findings.report(at, field === undefined ? problem : about(`${field}:`, problem));
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
    const item = index === undefined ? ["records"] : ["records", index];
    const node = this.document?.getIn(item, true);
    if (rest === undefined) return { node, line: Number(line) };
    const [, field = rest, element] = /^(\w+)(?:\[(\d+)\])?(?:, |$)/.exec(rest) ?? [];
    const keys = element === undefined ? [field] : [field, element];
    return { node: this.document?.getIn([...item, ...keys], true) ?? node, line: 0, field };
  }

  private report(at: unknown, why: Reason): undefined {
    return this.findings.report(this.place(at), why);
  }

  /** @param line number of a line of the text. In a literal block (`|`), it is a line of the file. */
  private place(at: unknown, line = 0): SourcePosition {
    const offset = typeof at === "number" ? at : isNode(at) ? (at.range?.[0] ?? 0) : 0;
    const start = this.lines.linePos(offset);
    const isBlock = line > 0 && isScalar(at) && at.type === Scalar.BLOCK_LITERAL;
    const found = isBlock ? { line: start.line + line, column: 1 } : { line: start.line, column: start.col };
    return { file: this.options.file, line: Math.max(found.line, 1), column: Math.max(found.column, 1) };
  }
}

function unfit(what: string, hint = removeIt): Reason {
  return reason("yaml.unfit", { what, hint });
}

function aliasProblem(source: string): Reason {
  const word = `*${source.slice(0, 24)}`;
  return unfit(`the alias ${word}`, `write a wildcard in quotes: ${showPlain(word)}`);
}

/**
 * The first structure that would end or block the process: the library recurses (brackets ended Node 20, observed
 * 2026-11-21), and compares each key of a map with every other.
 */
export function monsterOf(
  token: CST.Token | null | undefined,
  most: { readonly depth: number; readonly keys: number },
  depth = 0,
): { readonly offset: number; readonly problem: Reason } | undefined {
  if (token?.type === "document") return monsterOf(token.value, most);
  if (token === null || token === undefined || !("items" in token)) return undefined;
  const { offset } = token;
  if (depth > most.depth) return { offset, problem: unfit("deeply nested lists") };
  const isMap =
    token.type === "block-map" || (token.type === "flow-collection" && token.start.source === "{");
  if (isMap && token.items.length > most.keys)
    return { offset, problem: unfit(`maps of over ${most.keys} keys`) };
  for (const { key, value } of token.items) {
    const found = monsterOf(key, most, depth + 1) ?? monsterOf(value, most, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
