/**
 * A file of another tool as a tree of parts with positions. It equals the tree of PyYAML 6, octoDNS's parser.
 * JSON is read as YAML.
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
  type ParsedNode,
  type YAMLMap,
} from "yaml";
import type { SourcePosition } from "../../provider/dns/zone-file";
import { monsterOf } from "../../provider/dns/zone-file/yaml-tokens";
import { textOf } from "../../provider/problems";
import type { Conversion } from "./conversion";
import { Part, type Field } from "./part";
import { isMergeKey, pythonScalar, type PythonScalar } from "./python";

/** Opens the file of an `!include`. @param from the base folder of relative paths */
export type OpenInclude = (
  path: string,
  from: string,
) => { readonly file: string; readonly text: string; readonly folder: string } | { readonly problem: string };

export interface TreeOptions {
  /** The file's name in messages. */
  readonly file: string;
  readonly conversion: Conversion;
  /** If undefined, every tag is a problem. */
  readonly include?: { readonly open: OpenInclude; readonly folder: string };
}

/** The root of a file; undefined after a problem. */
export function readTree(text: string, options: TreeOptions): Part | undefined {
  const { problems } = options.conversion;
  const before = problems.count;
  const root = new TreeReader(text, options, []).root();
  return problems.count > before ? undefined : root;
}

/** Deeper nesting would end the process: the library descends by recursion. */
const most = { depth: 200, keys: Infinity };
/** Characters that PyYAML refuses or reads as an end of line, unlike the library. */
const unreadable = /\r(?!\n)|[^\t\n\r -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const ownTags: ReadonlySet<string | undefined> = new Set([
  undefined,
  "tag:yaml.org,2002:str",
  "tag:yaml.org,2002:map",
  "tag:yaml.org,2002:seq",
]);

type Node = ParsedNode | null;

/** A key, its value, and the reader that turns them into parts. */
interface Entry {
  readonly key: Node;
  readonly value: Node;
  readonly reader: TreeReader;
  /** Whether it comes from a `<<`. */
  readonly isMerged: boolean;
}

class TreeReader {
  private readonly lines = new LineCounter();
  /** Node → its part; undefined while the part is being built. */
  private readonly parts = new Map<ParsedNode, Part | undefined>();
  private readonly aliases = new Map<ParsedNode, ParsedNode>();
  private readonly document: Document.Parsed | undefined;

  /** @param chain the files that include this one, outermost first */
  constructor(
    text: string,
    private readonly options: TreeOptions,
    private readonly chain: readonly string[],
  ) {
    this.document = this.parse(text);
    if (this.document !== undefined) this.bindAliases(this.document.contents);
  }

  root(): Part {
    return this.part(this.document?.contents ?? null);
  }

  private parse(text: string): Document.Parsed | undefined {
    const strange = unreadable.exec(text);
    const tokens = [...new Parser(this.lines.addNewLine).parse(text)];
    if (strange !== null) {
      const code = (strange[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
      return this.error(
        strange.index,
        `the character U+${code} cannot be read here; write an escape in double quotes`,
      );
    }
    const monster = monsterOf(tokens, most);
    if (monster !== undefined) return this.error(monster.offset, textOf(monster.problem));
    // This module compares the keys. The library would compare each with every other.
    const composer = new Composer({ schema: "failsafe", uniqueKeys: false });
    const [document, second] = composer.compose(tokens, true, text.length);
    if (second !== undefined) this.error(second.range[0], "a second document begins here, and one is read");
    for (const { pos, message } of document?.errors ?? [])
      this.error(pos[0], `cannot be read: ${message.trim().split("\n", 1)[0] ?? ""}`);
    return document === undefined || document.errors.length > 0 ? undefined : document;
  }

  /** Binds each alias to the last anchor of its name before it. */
  private bindAliases(root: Node): void {
    const anchors = new Map<string, ParsedNode>();
    const bind = (node: Node): void => {
      if (node === null) return;
      if (isAlias(node)) {
        const target = anchors.get(node.source);
        if (target !== undefined) this.aliases.set(node, target);
        else this.error(node.range[0], `no anchor &${node.source} stands before this`);
        return;
      }
      if (node.anchor !== undefined) {
        if (anchors.has(node.anchor)) this.error(node.range[0], `the anchor &${node.anchor} is there twice`);
        anchors.set(node.anchor, node);
      }
      if (isMap(node)) {
        for (const { key, value } of pairsOf(node)) {
          bind(key);
          bind(value);
        }
      } else if (isSeq(node)) for (const item of node.items) bind(item);
    };
    bind(root);
  }

  private part(node: Node): Part {
    if (node === null)
      return new Part(this.at(0), { kind: "scalar", type: "null", text: "None", source: "" });
    const kept = this.parts.get(node);
    if (kept !== undefined) return kept;
    if (this.parts.has(node)) return this.broken(node, "this contains itself");
    this.parts.set(node, undefined);
    const part = this.made(node);
    this.parts.set(node, part);
    return part;
  }

  private made(node: ParsedNode): Part {
    if (isAlias(node)) return this.part(this.aliases.get(node) ?? null);
    if (node.tag === "!include" && this.options.include !== undefined) {
      const included = this.included(node);
      return included?.root() ?? this.broken(node);
    }
    if (!ownTags.has(node.tag)) return this.broken(node, this.strangeTag(node.tag ?? ""));
    const position = this.at(node.range[0]);
    if (isMap(node)) return new Part(position, { kind: "map", fields: this.fields(node) });
    if (isSeq(node))
      return new Part(position, { kind: "list", items: node.items.map((item) => this.part(item)) });
    const scalar = isScalar(node) ? scalarOf(node) : undefined;
    if (scalar === undefined) return this.broken(node, "this cannot be read");
    return "problem" in scalar
      ? this.broken(node, scalar.problem)
      : new Part(position, { kind: "scalar", ...scalar });
  }

  /** The fields of a map. As in octoDNS, the later of two fields wins, even if it comes from a `<<`. */
  private fields(node: ParsedNode): Map<string, Field> {
    const fields = new Map<string, Field>();
    const own = new Set<string>();
    for (const { key, value, reader, isMerged } of this.entries(node)) {
      const name = reader.part(key);
      const text = name.scalar()?.text;
      if (text === undefined) {
        reader.error(key?.range[0] ?? 0, "the name of a field must be a scalar");
        continue;
      }
      if (!isMerged && own.has(text))
        this.error(key?.range[0] ?? 0, `${JSON.stringify(text)} is there twice`);
      if (!isMerged) own.add(text);
      fields.set(text, { name, value: reader.part(value) });
    }
    return fields;
  }

  /** The entries of a map. Those of a `<<` replace it in place. */
  private entries(node: ParsedNode): Entry[] {
    if (!isMap(node)) return [];
    return pairsOf(node).flatMap(({ key, value }): Entry[] =>
      isMergeKey(key)
        ? this.merged(value).map((entry) => ({ ...entry, isMerged: true }))
        : [{ key, value, reader: this, isMerged: false }],
    );
  }

  private merged(value: Node): Entry[] {
    const node = isAlias(value) ? (this.aliases.get(value) ?? null) : value;
    // The first of several maps wins, so it comes last.
    if (isSeq(node)) return [...node.items].reverse().flatMap((item) => this.mergedMap(item));
    return this.mergedMap(node);
  }

  private mergedMap(value: Node): Entry[] {
    const node = isAlias(value) ? (this.aliases.get(value) ?? null) : value;
    if (node !== null && isMap(node) && ownTags.has(node.tag)) {
      if (this.merging.has(node)) {
        this.error(node.range[0], "this map merges itself");
        return [];
      }
      this.merging.add(node);
      const entries = this.entries(node);
      this.merging.delete(node);
      return entries;
    }
    if (node?.tag === "!include" && this.options.include !== undefined) return this.includedEntries(node);
    this.error((node ?? value)?.range[0] ?? 0, "<< takes a map, a list of maps, or an !include of a map");
    return [];
  }

  private readonly merging = new Set<ParsedNode>();

  /**
   * The entries of a merged file. octoDNS merges no `<<` in it. Its includes are relative to the outer file's
   * folder.
   */
  private includedEntries(node: ParsedNode): Entry[] {
    const { include } = this.options;
    const reader = this.included(node, include?.folder);
    const root = reader?.document?.contents ?? null;
    if (reader === undefined) return [];
    if (root === null || !isMap(root)) {
      this.error(node.range[0], "the file that is merged here holds no map");
      return [];
    }
    return pairsOf(root).flatMap(({ key, value }) => {
      if (!isMergeKey(key)) return [{ key, value, reader, isMerged: true }];
      reader.error(key?.range[0] ?? 0, "octoDNS does not merge in a file that is merged itself");
      return [];
    });
  }

  /** The reader of an `!include`. @param folder the base folder of its own includes (default: the file's) */
  private included(node: ParsedNode, folder?: string): TreeReader | undefined {
    const { include, conversion } = this.options;
    const offset = node.range[0];
    if (include === undefined || !isScalar(node) || typeof node.value !== "string")
      return this.error(offset, "!include takes the path of a file");
    const found = include.open(node.value, include.folder);
    if ("problem" in found) return this.error(offset, found.problem);
    const chain = [...this.chain, this.options.file];
    if (chain.includes(found.file)) return this.error(offset, `${found.file} includes itself`);
    const options: TreeOptions = {
      file: found.file,
      conversion,
      include: { ...include, folder: folder ?? found.folder },
    };
    return new TreeReader(found.text, options, chain);
  }

  private strangeTag(tag: string): string {
    const known =
      this.options.include === undefined
        ? "no tag is read in such a file"
        : "!include is the only tag that is read";
    return `the tag ${tag} is not known: ${known}, and the file may be of a newer version of the tool`;
  }

  private broken(node: ParsedNode, message?: string): Part {
    if (message !== undefined) this.error(node.range[0], message);
    return new Part(this.at(node.range[0]), { kind: "list", items: [] });
  }

  private error(offset: number, message: string): undefined {
    return this.options.conversion.error(this.at(offset), message);
  }

  private at(offset: number): SourcePosition {
    const { line, col } = this.lines.linePos(offset);
    return { file: this.options.file, line: Math.max(line, 1), column: Math.max(col, 1) };
  }
}

function pairsOf(map: YAMLMap.Parsed): { readonly key: Node; readonly value: Node }[] {
  return map.items.map(({ key, value }) => ({ key, value }));
}

function scalarOf(node: Scalar): PythonScalar | { readonly problem: string } | undefined {
  if (typeof node.value !== "string") return undefined;
  const isPlain = node.type === Scalar.PLAIN && node.tag === undefined;
  return pythonScalar(node.value, isPlain);
}
