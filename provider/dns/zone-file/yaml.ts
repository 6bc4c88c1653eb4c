/**
 * The reader of YAML zones: specs and presentation lines, judged by the same rules as a program's, with the place of
 * every problem. It walks the syntax tree itself, so that no tag runs and no alias multiplies.
 */
import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  Parser,
  Scalar,
  type Document,
  type Pair,
  type ParsedNode,
  type YAMLMap,
} from "yaml";
import { hasLoneSurrogate, upperAscii } from "../ascii";
import { Collector } from "../collector";
import { pathOf } from "../conflicts";
import { splitLine } from "../lines";
import { canonicalDomain } from "../names";
import { nearest } from "../nearest";
import { about, reason } from "../../problems";
import { showPlain, trimSpace } from "../quoting";
import { expandSpec, specFields } from "../spec";
import { kindOf } from "../ttl";
import { showToken } from "./fields";
import { monsterOf, tagsOf } from "./yaml-tokens";
import { Combinations } from "./combinations";
import { Findings, type SourcePosition, type ZoneFileResult } from "./findings";

export interface YamlZoneOptions {
  /** As messages call the file: its path from the repository's root. */
  readonly file: string;
  /** The zone in canonical form. */
  readonly domain: string;
  /** The default line's name; it is left out of records. */
  readonly defaultLine: string;
}

/**
 * The records that a YAML file declares: `domain` (optional) and `records`, a list of specs and of lines such as
 * `www 600 A 192.0.2.1`, or one text of such lines.
 */
export function readYamlZone(text: string, options: YamlZoneOptions): ZoneFileResult {
  const reader = new YamlReader(options);
  reader.read(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  return reader.findings.result();
}

const fileFields = ["domain", "records"];

/** A part of the tree that a YAML file may or may not have. */
type Node = ParsedNode | null | undefined;

const isNothing = (node: Node): node is null | undefined => node === null || node === undefined;

/** The field that a path such as `.value[1]` ends with. */
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
  /** Where the parts of the record in hand stand: `.value[1]` and the like, after its own path. */
  private places = new Map<string, SourcePosition>();
  private expanded = 0;
  /** The file declares a zone without records. */
  private saysNone = false;
  /** Where the file is no YAML: what stands there is told so, and nothing else. */
  private broken: number[] = [];
  private readonly combinations = new Combinations();

  constructor(private readonly options: YamlZoneOptions) {
    this.collector = new Collector(new Set([options.domain]), { defaultLine: options.defaultLine });
  }

  read(text: string): void {
    const document = this.parse(text);
    const root: Node = document?.contents;
    if (isMap(root)) this.zone(root);
    else if (document !== undefined && this.broken.length === 0)
      this.findings.tell(this.place(root), reason("yaml.zone", { kind: this.kind(root) }));
    const isZone = isMap(root) && fileFields.some((name) => root.has(name));
    if (!isZone) this.findings.hideSince(0, this.options.file);
  }

  private zone(root: YAMLMap.Parsed): void {
    let found = false;
    for (const { key, value } of root.items as Pair<ParsedNode, Node>[]) {
      const name = isScalar(key) ? String(key.value) : "";
      if (name === "domain") this.domain(value);
      else if (name === "records") {
        found = true;
        this.records(value, key);
      } else {
        const guess = nearest(name, fileFields);
        this.findings.tell(
          this.place(key),
          reason("yaml.field", { given: showToken(name), guess, known: fileFields.join(" and ") }),
        );
      }
    }
    this.closing(found, root);
  }

  private closing(found: boolean, root: ParsedNode): void {
    const { records } = this.findings;
    if (!found && this.broken.length === 0) this.findings.tell(this.place(root), reason("yaml.no-records"));
    // A script that has emptied the file must not empty the zone.
    const none = records.length === 0 && !this.saysNone && this.findings.errors === 0;
    if (none) this.findings.tell(this.place(root), reason("yaml.empty"));
  }

  /** The tree, or nothing where it is too broken to walk. */
  private parse(text: string): Document.Parsed | undefined {
    const tokens = [...new Parser(this.lines.addNewLine).parse(text)];
    const monster = monsterOf(tokens);
    if (monster !== undefined) return this.findings.tell(this.at(monster.offset), monster.problem);
    const [document, second] = new Composer({ version: "1.2", schema: "core", merge: false }).compose(
      tokens,
      true,
      text.length,
    );
    if (document === undefined) return undefined;
    if (second !== undefined) {
      this.findings.tell(this.at(second.range[0]), reason("yaml.second-document"));
    }
    for (const { offset, problem } of tagsOf(tokens)) {
      this.broken.push(offset);
      this.findings.tell(this.at(offset), problem);
    }
    for (const { pos, message, code } of [...document.errors, ...document.warnings]) {
      if (code === "TAG_RESOLVE_FAILED") continue;
      const [said = ""] = message.trim().split("\n", 1);
      this.broken.push(pos[0]);
      // Behind a colon the parser quotes the file.
      const syntax = reason("yaml.syntax", {
        said: trimSpace(said).replace(/: ".*$/, ""),
        quotes: code === "BAD_SCALAR_START",
      });
      // An alias without a name: a wildcard alone.
      this.findings.tell(
        this.at(pos[0]),
        code === "BAD_ALIAS" && said.includes("empty")
          ? reason("yaml.alias", { word: "*", given: showPlain("*") })
          : syntax,
      );
    }
    this.broken.sort((a, b) => a - b);
    return document;
  }

  private domain(node: Node): void {
    const given = this.isBroken(node) ? undefined : this.scalar(node);
    if (given === undefined) return;
    const read =
      typeof given.value === "string"
        ? canonicalDomain(given.value)
        : { problem: reason("yaml.domain", { kind: this.kind(node), domain: this.options.domain }) };
    if ("problem" in read) this.findings.tell(this.place(node), read.problem);
    else if (read.domain !== this.options.domain) {
      this.findings.tell(
        this.place(node),
        reason("yaml.other-domain", { given: read.domain, domain: this.options.domain }),
      );
    }
  }

  private records(node: Node, key: ParsedNode): void {
    if (isSeq(node)) {
      this.saysNone = node.items.length === 0;
      for (const item of node.items as Node[]) this.item(item);
    } else if (this.isBroken(node)) return;
    else if (isScalar(node) && typeof node.value === "string") this.text(node, node.value);
    else
      this.findings.tell(
        isNothing(node) ? this.place(key) : this.place(node),
        reason("yaml.list", { kind: this.kind(node) }),
      );
  }

  private item(node: Node): void {
    if (this.isBroken(node)) return;
    if (isMap(node)) this.spec(node);
    else if (isScalar(node) && typeof node.value === "string") this.text(node, node.value);
    else if (!this.refused(node)) {
      const why = reason("yaml.record", { kind: this.kind(node) });
      this.findings.tell(this.place(node), why);
    }
  }

  /** Whether the file is no YAML somewhere in a node: what the parser made of the rest may be anything. */
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
      // A key without a value is a forgotten value, not the default.
      else fields.push([name, plain.value]);
    }
    if (!good) return;
    this.tellFeeds(node);
    const full = this.combinations.add(fields);
    if (full === undefined)
      this.collect((path) => {
        expandSpec(this.collector, Object.fromEntries(fields), path, { lists: true });
      });
    else this.findings.tell(start, full);
  }

  /** Tells of texts that end with the line feed which a block scalar adds, where nobody means it. */
  private tellFeeds(spec: YAMLMap.Parsed): void {
    const type = spec.get("type");
    if (typeof type !== "string" || upperAscii(type) !== "TXT") return;
    const value: unknown = spec.get("value", true);
    for (const node of isSeq(value) ? value.items : [value]) {
      if (!isScalar(node) || typeof node.value !== "string" || !node.value.endsWith("\n")) continue;
      if (node.type !== Scalar.BLOCK_LITERAL && node.type !== Scalar.BLOCK_FOLDED) continue;
      this.findings.tell(this.at(node.range?.[0] ?? 0), about("value:", reason("text.line-feed")));
    }
  }

  /** A scalar, or a list of scalars, as JavaScript has it; undefined after a problem. */
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
    if (this.refused(node) || this.isHalf(node)) return undefined;
    return { value: isScalar(node) ? node.value : {} };
  }

  /** Says that a text holds half a character: an escape such as `\ud800` makes one, which no file, state or call can hold. */
  private isHalf(node: Node): boolean {
    if (!isScalar(node) || typeof node.value !== "string" || !hasLoneSurrogate(node.value)) return false;
    this.findings.tell(this.place(node), reason("yaml.half-character", { kind: kindOf(node.value) }));
    return true;
  }

  /** Says that an alias is not for records: each would be read anew, and a few lines could make millions. */
  private refused(node: Node): boolean {
    if (!isAlias(node)) return false;
    const word = `*${node.source.slice(0, 24)}`;
    this.findings.tell(this.place(node), reason("yaml.alias", { word, given: showPlain(word) }));
    return true;
  }

  /** Presentation lines; a literal block (`|`) has a line of the file for each of them. */
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

  /** Runs one expansion, and brings what the collector gathered to its places in the file. */
  private collect(expand: (path: string) => void): void {
    const { collector, findings } = this;
    const base = `record${++this.expanded}`;
    const told = collector.problems.length;
    const made = collector.records.length;
    expand(base);
    for (const problem of collector.problems.slice(told)) {
      const path = problem.path.slice(base.length);
      const field = fieldOf(path);
      findings.tell(this.placeOf(path), field === undefined ? problem : about(`${field}:`, problem));
    }
    for (const [index, record] of collector.records.slice(made).entries()) {
      const position = this.placeOf(
        pathOf(collector.claims[made + index]?.path ?? base, collector.list).slice(base.length),
      );
      findings.records.push(Object.assign(record, { position }));
    }
  }

  /** The place of a path such as `.value[1]`, or of the nearest part around it. */
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
