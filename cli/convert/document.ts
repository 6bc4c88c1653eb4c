/**
 * A file of another tool as a tree of parts with positions, read as PyYAML 6 reads it. JSON is read as
 * YAML.
 */
import { readFileSync } from "node:fs";
import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  Parser,
  Scalar,
  type Alias,
  type ParsedNode,
} from "yaml";
import type { SourcePosition } from "../../provider/dns/zone-file";
import { monsterOf } from "../../provider/dns/zone-file/yaml";
import { textOf } from "../../provider/problems";
import type { Conversion } from "./conversion";
import { pythonScalar, type PythonScalar } from "./python";

interface Field {
  readonly name: Part;
  readonly value: Part;
}

/** A value in a file, with its position: a map, a list or a scalar. */
export class Part {
  readonly fields: ReadonlyMap<string, Field> | undefined;
  readonly items: readonly Part[] | undefined;
  readonly scalar: PythonScalar | undefined;

  constructor(
    readonly position: SourcePosition,
    { fields, items, scalar }: Partial<Pick<Part, "fields" | "items" | "scalar">>,
  ) {
    this.fields = fields;
    this.items = items;
    this.scalar = scalar;
  }

  get(name: string): Part | undefined {
    return this.fields?.get(name)?.value;
  }

  /** A field of a map; undefined if it is missing or null. */
  find(name: string): Part | undefined {
    const part = this.get(name);
    return part?.scalar?.type === "null" ? undefined : part;
  }

  /** A text, or a number as text. */
  get text(): string | undefined {
    const { type, text } = this.scalar ?? {};
    return type === "text" || type === "int" || type === "float" ? text : undefined;
  }

  textOf(name: string): string | undefined {
    return this.get(name)?.text;
  }
}

export interface Includes {
  readonly folder: string;
  readonly open: (
    path: string,
    from: string,
  ) =>
    { readonly file: string; readonly text: string; readonly folder: string } | { readonly problem: string };
}

/** The root of a file; undefined after a problem. @param includes without it, every tag is a problem */
export function readTree(file: string, conversion: Conversion, includes?: Includes): Part | undefined {
  const text = readText(file, conversion);
  const before = conversion.problems.count;
  const root =
    text === undefined ? undefined : new TreeReader(text, { file, conversion, includes, chain: [] }).root();
  return conversion.problems.count > before ? undefined : root;
}

const failures: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "this is a folder; name the files in it",
  ERR_ENCODING_INVALID_ENCODED_DATA: "this is not UTF-8 text",
};

function readText(file: string, conversion: Conversion): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    return conversion.error(file, failures[code] ?? "it could not be read");
  }
}

/** Deeper nesting would end the process: the library descends by recursion. */
const most = { depth: 200, keys: Infinity };
/** Characters that PyYAML refuses or reads as an end of line, unlike the library. */
const unreadable = /\r(?!\n)|[^\t\n\r -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const ownTags = new Set([undefined, ..."str map seq".split(" ").map((name) => `tag:yaml.org,2002:${name}`)]);

type Node = ParsedNode | null;
type Target = Exclude<ParsedNode, Alias.Parsed> | null;

interface TreeOptions {
  readonly file: string;
  readonly conversion: Conversion;
  readonly includes: Includes | undefined;
  /** The files that include this one, outermost first. */
  readonly chain: readonly string[];
}

/** A key, its value, and the reader that turns them into parts. */
interface Entry {
  readonly key: Node;
  readonly value: Node;
  readonly reader: TreeReader;
  readonly isMerged: boolean;
}

class TreeReader {
  private readonly lines = new LineCounter();
  /** Node → its part; undefined while the part is being built. */
  private readonly parts = new Map<Target, Part | undefined>();
  private readonly anchors = new Map<string, Target>();
  private readonly merging = new Set<Target>();
  private readonly contents: Node;

  constructor(
    text: string,
    private readonly options: TreeOptions,
  ) {
    this.contents = this.parse(text);
  }

  root(): Part {
    return this.part(this.contents);
  }

  private parse(text: string): Node {
    const strange = unreadable.exec(text);
    const tokens = [...new Parser(this.lines.addNewLine).parse(text)];
    if (strange !== null) {
      const code = (strange[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
      return this.error(strange.index, `the character U+${code} needs an escape in double quotes`);
    }
    const monster = monsterOf(tokens, most);
    if (monster !== undefined) return this.error(monster.offset, textOf(monster.problem));
    // This module compares the keys. The library would compare each with every other.
    const composer = new Composer({ schema: "failsafe", uniqueKeys: false });
    const [document, second] = composer.compose(tokens, true, text.length);
    if (second !== undefined) this.error(second.range[0], "a second document begins here, and one is read");
    for (const { pos, message } of document?.errors ?? [])
      this.error(pos[0], `cannot be read: ${message.trim().split("\n", 1)[0] ?? ""}`);
    return document === undefined || document.errors.length > 0 ? null : document.contents;
  }

  /** The node itself, or the one that an alias stands for. */
  private target(node: Node): Target {
    if (isAlias(node))
      return (
        this.anchors.get(node.source) ?? this.error(node, `no anchor &${node.source} stands before this`)
      );
    if (node?.anchor !== undefined) this.anchors.set(node.anchor, node);
    return node;
  }

  private part(written: Node): Part {
    const node = this.target(written);
    if (node === null) return new Part(this.at(0), { scalar: { type: "null", text: "None", source: "" } });
    const kept = this.parts.get(node);
    if (kept !== undefined) return kept;
    if (this.parts.has(node)) return this.broken(node, "this contains itself");
    this.parts.set(node, undefined);
    const part = this.made(node);
    this.parts.set(node, part);
    return part;
  }

  private made(node: NonNullable<Target>): Part {
    if (this.isInclude(node)) return this.included(node)?.root() ?? this.broken(node);
    if (!ownTags.has(node.tag)) return this.broken(node, `the tag ${node.tag ?? ""} is not read here`);
    const position = this.at(node.range[0]);
    if (isMap(node)) return new Part(position, { fields: this.fields(node) });
    if (isSeq(node)) return new Part(position, { items: node.items.map((item) => this.part(item)) });
    const source = String(node.value);
    const isPlain = node.type === Scalar.PLAIN && node.tag === undefined;
    const scalar = isPlain ? pythonScalar(source) : { type: "text" as const, text: source, source };
    return scalar === undefined
      ? this.broken(node, `${source} is not text in YAML 1.1; write it in quotes`)
      : new Part(position, { scalar });
  }

  /** The fields of a map. As in octoDNS, the later of two fields wins, even if it comes from a `<<`. */
  private fields(node: Target): Map<string, Field> {
    const fields = new Map<string, Field>();
    const own = new Set<string>();
    for (const { key, value, reader, isMerged } of this.entries(node)) {
      const name = reader.part(key);
      const text = name.scalar?.text;
      if (text === undefined) {
        reader.error(key, "the name of a field must be a scalar");
        continue;
      }
      if (!isMerged && own.has(text)) this.error(key, `${JSON.stringify(text)} is there twice`);
      if (!isMerged) own.add(text);
      fields.set(text, { name, value: reader.part(value) });
    }
    return fields;
  }

  /** The entries of a map. Those of a `<<` replace it in place. */
  private *entries(node: Target): Generator<Entry> {
    if (!isMap(node)) return;
    for (const { key, value } of node.items)
      if (!isMergeKey(key)) yield { key, value, reader: this, isMerged: false };
      else for (const entry of this.merged(value)) yield { ...entry, isMerged: true };
  }

  private *merged(value: Node): Generator<Entry> {
    const node = this.target(value);
    // The first of several maps wins, so it comes last.
    for (const item of isSeq(node) ? [...node.items].reverse() : [node]) {
      const map = this.target(item);
      if (this.isInclude(map)) yield* this.includedEntries(map);
      else if (!isMap(map) || !ownTags.has(map.tag))
        this.error(map ?? value, "<< takes a map, a list of maps, or an !include of a map");
      else if (this.merging.has(map)) this.error(map, "this map merges itself");
      else {
        this.merging.add(map);
        yield* this.entries(map);
        this.merging.delete(map);
      }
    }
  }

  /**
   * The entries of a merged file. octoDNS merges no `<<` in it. Its includes are relative to the outer file's
   * folder.
   */
  private *includedEntries(node: Target): Generator<Entry> {
    const reader = this.included(node, this.options.includes?.folder);
    if (reader === null) return;
    if (!isMap(reader.contents)) return void this.error(node, "the file that is merged here holds no map");
    for (const { key, value } of reader.contents.items)
      if (isMergeKey(key)) reader.error(key, "octoDNS does not merge in a file that is merged itself");
      else yield { key, value, reader, isMerged: true };
  }

  private isInclude(node: Target): boolean {
    return node?.tag === "!include" && this.options.includes !== undefined;
  }

  /** The reader of an `!include`. @param folder the base folder of its own includes (default: the file's) */
  private included(node: Target, folder?: string): TreeReader | null {
    const { file, conversion, includes } = this.options;
    if (includes === undefined || !isScalar(node))
      return this.error(node, "!include takes the path of a file");
    const found = includes.open(String(node.value), includes.folder);
    if ("problem" in found) return this.error(node, found.problem);
    const chain = [...this.options.chain, file];
    if (chain.includes(found.file)) return this.error(node, `${found.file} includes itself`);
    const own = { ...includes, folder: folder ?? found.folder };
    return new TreeReader(found.text, { file: found.file, conversion, includes: own, chain });
  }

  private broken(node: NonNullable<Target>, message?: string): Part {
    if (message !== undefined) this.error(node, message);
    return new Part(this.at(node.range[0]), { items: [] });
  }

  private error(at: Node | number, message: string): null {
    const offset = typeof at === "number" ? at : (at?.range[0] ?? 0);
    this.options.conversion.error(this.at(offset), message);
    return null;
  }

  private at(offset: number): SourcePosition {
    const { line, col } = this.lines.linePos(offset);
    return { file: this.options.file, line: Math.max(line, 1), column: Math.max(col, 1) };
  }
}

/** In quotes, `<<` is a name. */
function isMergeKey(key: Node): boolean {
  return isScalar(key) && key.type === Scalar.PLAIN && key.tag === undefined && key.value === "<<";
}
