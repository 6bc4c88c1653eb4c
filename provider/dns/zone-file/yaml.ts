/**
 * The reader of YAML zones: specs and lines with the rules of a program's, from the library's syntax
 * tree, so that no tag runs and no alias multiplies.
 */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  Scalar,
  type Pair,
  type ParsedNode,
  type YAMLMap,
} from "yaml";
import { hasLoneSurrogate, upperAscii } from "../ascii";
import { Collector } from "../collector";
import { pathOf } from "../conflicts";
import { splitLine } from "../lines";
import { canonicalDomain } from "../names";
import { nearest } from "../../support/nearest";
import { didYouMean, about, reason, type Reason } from "../../problems";
import { showPlain } from "../quoting";
import { expandSpec, specFields } from "../spec";
import { kindOf } from "../ttl";
import { showToken } from "./fields";
import { parseYaml } from "./yaml-tokens";
import { Combinations } from "./combinations";
import { Findings, type SourcePosition, type ZoneFileResult } from "./findings";

export interface YamlZoneOptions {
  readonly file: string;
  readonly domain: string;
  readonly defaultLine: string;
}

/** Fields: `domain` (optional) and `records`, a list of specs and lines or one text of lines. */
export function readYamlZone(text: string, options: YamlZoneOptions): ZoneFileResult {
  const reader = new YamlReader(options);
  reader.read(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  return reader.findings.result();
}

const fileFields = ["domain", "records"];

type Node = ParsedNode | null | undefined;

const isNothing = (node: Node): node is null | undefined => node === null || node === undefined;

/** The last field of a path such as `.value[1]`. */
function fieldOf(path: string): string | undefined {
  const dot = path.lastIndexOf(".");
  const bracket = path.indexOf("[", dot);
  const name = path.slice(dot + 1, bracket === -1 ? path.length : bracket);
  return dot === -1 || name === "" || (bracket !== -1 && !/^\[\d{1,9}\]$/.test(path.slice(bracket)))
    ? undefined
    : name;
}

class YamlReader {
  readonly findings = new Findings();
  private readonly lines = new LineCounter();
  private readonly collector: Collector;
  /** Path in the record → place. */
  private places = new Map<string, SourcePosition>();
  private expanded = 0;
  /** Empty on purpose. */
  private isEmptyList = false;
  /** Sorted. Values there have no other problems. */
  private broken: readonly number[] = [];
  private readonly combinations = new Combinations();

  constructor(private readonly options: YamlZoneOptions) {
    this.collector = new Collector(new Set([options.domain]), { defaultLine: options.defaultLine });
  }

  read(text: string): void {
    const { document, problems, broken } = parseYaml(text, this.lines);
    this.broken = broken;
    for (const { offset, problem } of problems) this.findings.tell(this.at(offset), problem);
    const root: Node = document?.contents;
    if (isMap(root)) this.zone(root);
    else if (document !== undefined && this.broken.length === 0)
      this.tell(root, reason("yaml.zone", { kind: this.kind(root) }));
    const isZone = isMap(root) && fileFields.some((name) => root.has(name));
    if (!isZone) this.findings.hideSince(0, this.options.file);
  }

  private zone(root: YAMLMap.Parsed): void {
    let isFound = false;
    for (const { key, value } of root.items as Pair<ParsedNode, Node>[]) {
      const name = isScalar(key) ? String(key.value) : "";
      if (name === "domain") this.domain(value);
      else if (name === "records") {
        isFound = true;
        this.records(value, key);
      } else {
        const hint = didYouMean(nearest(name, fileFields), `a zone has ${fileFields.join(" and ")}`);
        this.tell(key, reason("yaml.field", { given: showToken(name), hint }));
      }
    }
    if (!isFound && this.broken.length === 0) this.tell(root, reason("yaml.no-records"));
    // A script that empties the file must not empty the zone.
    const isEmpty = this.findings.records.length === 0 && !this.isEmptyList && this.findings.errors === 0;
    if (isEmpty) this.tell(root, reason("yaml.empty"));
  }

  private domain(node: Node): void {
    const given = this.isBroken(node) ? undefined : this.scalar(node);
    if (given === undefined) return;
    const read =
      typeof given.value === "string"
        ? canonicalDomain(given.value)
        : { problem: reason("yaml.domain", { kind: this.kind(node), domain: this.options.domain }) };
    if ("problem" in read) this.tell(node, read.problem);
    else if (read.domain !== this.options.domain) {
      this.tell(node, reason("yaml.other-domain", { given: read.domain, domain: this.options.domain }));
    }
  }

  private records(node: Node, key: ParsedNode): void {
    if (isSeq(node)) {
      this.isEmptyList = node.items.length === 0;
      for (const item of node.items as Node[]) this.item(item);
    } else if (this.isBroken(node)) return;
    else if (isScalar(node) && typeof node.value === "string") this.text(node, node.value);
    else this.tell(isNothing(node) ? key : node, reason("yaml.list", { kind: this.kind(node) }));
  }

  private item(node: Node): void {
    if (this.isBroken(node)) return;
    if (isMap(node)) this.spec(node);
    else if (isScalar(node) && typeof node.value === "string") this.text(node, node.value);
    else if (!this.isAlias(node)) this.tell(node, reason("yaml.record", { kind: this.kind(node) }));
  }

  /** The parser may have read a node with a syntax error in any way. */
  private isBroken(node: Node): boolean {
    if (isNothing(node)) return this.broken.length > 0;
    const [start, , end] = node.range;
    let low = 0;
    for (let high = this.broken.length; low < high;) {
      const middle = (low + high) >> 1;
      if ((this.broken[middle] ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    return (this.broken[low] ?? Infinity) <= end;
  }

  private spec(node: ParsedNode): void {
    if (!isMap(node)) return;
    const start = this.place(node);
    this.places = new Map([["", start]]);
    const fields: [string, unknown][] = [];
    let good = true;
    for (const { key, value } of node.items as Pair<ParsedNode, Node>[]) {
      const name = isScalar(key) ? String(key.value) : this.kind(key);
      const path = `.${name}`;
      this.places.set(
        path,
        specFields.includes(name) && !isNothing(value) ? this.place(value) : this.place(key),
      );
      const plain = this.plain(value, path);
      if (plain === undefined) good = false;
      // A key without a value is a mistake, and not the default.
      else fields.push([name, plain.value]);
    }
    if (!good) return;
    this.warnOfLineFeeds(node);
    const full = this.combinations.add(fields);
    if (full === undefined)
      this.collect((path) => {
        expandSpec(this.collector, Object.fromEntries(fields), path, { lists: true });
      });
    else this.findings.tell(start, full);
  }

  /** A block scalar ends with a line feed. */
  private warnOfLineFeeds(spec: YAMLMap.Parsed): void {
    const type = spec.get("type");
    if (typeof type !== "string" || upperAscii(type) !== "TXT") return;
    const value: unknown = spec.get("value", true);
    for (const node of isSeq(value) ? value.items : [value]) {
      if (!isScalar(node) || typeof node.value !== "string" || !node.value.endsWith("\n")) continue;
      if (node.type !== Scalar.BLOCK_LITERAL && node.type !== Scalar.BLOCK_FOLDED) continue;
      this.findings.tell(this.at(node.range?.[0] ?? 0), about("value:", reason("text.line-feed")));
    }
  }

  private plain(node: Node, path: string): { readonly value: unknown } | undefined {
    if (!isSeq(node)) return this.scalar(node);
    const list: unknown[] = [];
    for (const [index, item] of (node.items as Node[]).entries()) {
      if (!isNothing(item)) this.places.set(`${path}[${index}]`, this.place(item));
      const plain = isSeq(item) ? { value: [] } : this.plain(item, `${path}[${index}]`);
      if (plain === undefined) return undefined;
      list.push(plain.value);
    }
    return { value: list };
  }

  private scalar(node: Node): { readonly value: unknown } | undefined {
    if (isNothing(node)) return { value: null };
    if (this.isAlias(node) || this.isHalf(node)) return undefined;
    return { value: isScalar(node) ? node.value : {} };
  }

  private isHalf(node: Node): boolean {
    if (!isScalar(node) || typeof node.value !== "string" || !hasLoneSurrogate(node.value)) return false;
    this.tell(node, reason("yaml.half-character", { kind: kindOf(node.value) }));
    return true;
  }

  /** A few lines of aliases could make millions of records. */
  private isAlias(node: Node): boolean {
    if (!isAlias(node)) return false;
    const word = `*${node.source.slice(0, 24)}`;
    this.tell(node, reason("yaml.alias", { word, given: showPlain(word) }));
    return true;
  }

  /** In a literal block (`|`), each line is a line of the file. */
  private text(node: ParsedNode, text: string): void {
    if (this.isHalf(node)) return;
    const start = this.place(node);
    const literal = isScalar(node) && node.type === Scalar.BLOCK_LITERAL;
    for (const [index, written] of text.split("\n").entries()) {
      const position = literal ? { ...start, line: start.line + 1 + index, column: 1 } : start;
      this.line(written, position, !text.includes("\n"));
    }
  }

  private line(written: string, position: SourcePosition, alone: boolean): void {
    const { collector } = this;
    const line = splitLine(written, collector.show);
    if (line === undefined) {
      if (alone) this.findings.tell(position, reason("record.empty-line"));
      return;
    }
    this.places = new Map([["", position]]);
    this.collect((path) => {
      if ("problem" in line) collector.tell(path, line.problem);
      else collector.addLine(line, path);
    });
  }

  private collect(expand: (path: string) => void): void {
    const { collector, findings } = this;
    const base = `record${++this.expanded}`;
    const before = { problems: collector.problems.length, records: collector.records.length };
    expand(base);
    for (const problem of collector.problems.slice(before.problems)) {
      const path = problem.path.slice(base.length);
      const field = fieldOf(path);
      findings.tell(this.placeOf(path), field === undefined ? problem : about(`${field}:`, problem));
    }
    for (const [index, record] of collector.records.slice(before.records).entries()) {
      const { path = base } = collector.claims[before.records + index] ?? {};
      const position = this.placeOf(pathOf(path, collector.list).slice(base.length));
      findings.records.push(Object.assign(record, { position }));
    }
  }

  /** The nearest part that contains the path. */
  private placeOf(path: string): SourcePosition {
    for (
      let part = path;
      part !== "";
      part = part.slice(0, Math.max(part.lastIndexOf("."), part.lastIndexOf("["), part.lastIndexOf(",")))
    ) {
      const found = this.places.get(part);
      if (found !== undefined) return found;
      if (!/[.[,]/.test(part)) break;
    }
    return this.places.get("") ?? this.at(0);
  }

  private tell(node: Node, why: Reason): undefined {
    return this.findings.tell(this.place(node), why);
  }

  private place(node: Node): SourcePosition {
    return this.at(node?.range[0] ?? 0);
  }

  private at(offset: number): SourcePosition {
    const { line, col } = this.lines.linePos(offset);
    return { file: this.options.file, line: Math.max(line, 1), column: Math.max(col, 1) };
  }

  private kind(node: Node): string {
    if (isMap(node)) return "a map";
    if (isSeq(node)) return "a list";
    return isScalar(node) ? kindOf(node.value) : "nothing";
  }
}
