/** A file of another tool as a tree of parts with positions. It is read as YAML 1.1, as octoDNS reads it. */
import { readFileSync } from "node:fs";
import {
  Composer,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  Parser,
  visit,
  type CST,
  type Document,
  type Node,
} from "yaml";
import { marksIn, type SourcePosition } from "../../provider/dns/zone-file";
import type { Conversion } from "./conversion";

interface Tree {
  readonly at: (offset: number) => SourcePosition;
  /** Alias → the node that it stands for. */
  readonly targets: ReadonlyMap<unknown, Node>;
}

/** A value in a file: a map, a list or a scalar. */
export class Part {
  readonly position: SourcePosition;
  private readonly node: unknown;
  private known: ReadonlyMap<string, { readonly name: Part; readonly value: Part }> | undefined;

  constructor(
    private readonly tree: Tree,
    written: unknown,
  ) {
    this.node = tree.targets.get(written) ?? written;
    this.position = tree.at(offsetOf(written));
  }

  get fields(): typeof this.known {
    if (this.known === undefined && isMap(this.node))
      this.known = new Map(
        this.node.items.map(({ key, value }) => {
          const [name, part] = [new Part(this.tree, key), new Part(this.tree, value)];
          return [name.text ?? "", { name, value: part }];
        }),
      );
    return this.known;
  }

  get items(): readonly Part[] | undefined {
    return isSeq(this.node) ? this.node.items.map((item) => new Part(this.tree, item)) : undefined;
  }

  /** The value of a scalar; undefined for a map or a list. */
  get value(): unknown {
    // The library takes a dot for a number.
    if (isScalar(this.node)) return this.node.source === "." ? "." : this.node.value;
    return isNode(this.node) ? undefined : null;
  }

  /** A text, or a number that YAML 1.1 would write in the same way. */
  get text(): string | undefined {
    const { node, value } = this;
    if (typeof value === "string") return value;
    const isSame = typeof value === "number" && isScalar(node) && String(value) === node.source;
    return isSame ? node.source : undefined;
  }

  get(name: string): Part | undefined {
    return this.fields?.get(name)?.value;
  }

  /** A field of a map; undefined if it is missing or null. */
  find(name: string): Part | undefined {
    const part = this.get(name);
    return part?.value === null ? undefined : part;
  }

  textOf(name: string): string | undefined {
    return this.get(name)?.text;
  }
}

function offsetOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

/** The root of a file; undefined after a problem. */
export function readTree(file: string, conversion: Conversion): Part | undefined {
  const text = readText(file, conversion);
  if (text === undefined) return undefined;
  const before = conversion.problems.length;
  const lines = new LineCounter();
  const at = (offset: number): SourcePosition => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const error = (offset: number, message: string): undefined => conversion.error(at(offset), message);
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  for (const { index, 1: comment = "" } of text.matchAll(/(?<![^\s])#(.*)/g))
    for (const mark of marksIn(comment)) conversion.note(at(index), mark);
  for (const token of tokens) {
    const deep = offsetBelow(token, maxDepth);
    if (deep !== undefined) return error(deep, "cannot be read: its lists are nested too deeply");
  }
  // The library would compare each key with every other.
  const composer = new Composer({ version: "1.1", merge: false, uniqueKeys: false });
  const [document, second] = composer.compose(tokens, true, text.length);
  if (second !== undefined) error(second.range[0], "a second document begins here, and one is read");
  for (const { pos, message } of document?.errors ?? [])
    error(pos[0], `cannot be read: ${message.trim().split("\n", 1)[0] ?? ""}`);
  const tree = { at, targets: targetsIn(document, error) };
  const root = new Part(tree, document?.contents);
  if (document !== undefined) {
    checkNames(document, tree, error);
    if (addedByAliases(document, tree) > mostAdded)
      error(0, `its aliases stand for over ${mostAdded.toLocaleString("en-US")} values; ${dump}`);
  }
  return conversion.problems.length > before ? undefined : root;
}

const maxDepth = 200;

/** The first structure below the depth. The library recurses, and brackets ended Node 20 (observed 2026-11-21). */
function offsetBelow(token: CST.Token | null | undefined, depth: number): number | undefined {
  if (token?.type === "document") return offsetBelow(token.value, depth);
  if (token === null || token === undefined || !("items" in token)) return undefined;
  if (depth < 0) return token.offset;
  for (const { key, value } of token.items) {
    const found = offsetBelow(key, depth - 1) ?? offsetBelow(value, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Report = (offset: number, message: string) => void;

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

const dump = "`octodns-dump` writes the zone without it";
const readTags = /^tag:yaml\.org,2002:(?:str|map|seq)$/;

function targetsIn(document: Document.Parsed | undefined, error: Report): Map<unknown, Node> {
  const targets = new Map<unknown, Node>();
  const anchors = new Map<string, Node>();
  visit(document ?? null, {
    Node: (_, node, path) => {
      if (isAlias(node)) {
        const target = anchors.get(node.source);
        if (target !== undefined && !path.includes(target)) targets.set(node, target);
        else error(offsetOf(node), `*${node.source} stands for nothing before it`);
        return;
      }
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
      if (node.tag !== undefined && !readTags.test(node.tag))
        error(offsetOf(node), `the tag ${node.tag} is not read here; ${dump}`);
    },
  });
  return targets;
}

/** A few aliases of lists of aliases could stand for more values than a computer can count. */
const mostAdded = 100_000;

/** The number of values that the file does not contain, but its aliases stand for. */
function addedByAliases({ contents }: Document.Parsed, { targets }: Tree): number {
  /** Node with an anchor → its values, with aliases resolved. An anchor precedes its aliases. */
  const sizes = new Map<unknown, number>();
  let written = 0;
  const sizeOf = (node: unknown): number => {
    written += 1;
    if (isAlias(node)) return sizes.get(targets.get(node)) ?? 1;
    let size = 1;
    if (isSeq(node)) for (const item of node.items) size += sizeOf(item);
    if (isMap(node)) for (const { key, value } of node.items) size += sizeOf(key) + sizeOf(value);
    if (isNode(node) && node.anchor !== undefined) sizes.set(node, size);
    return size;
  };
  return sizeOf(contents) - written;
}

function checkNames(document: Document.Parsed, tree: Tree, error: Report): void {
  visit(document, {
    Map: (_, { items }) => {
      const names = new Set<string>();
      for (const { key } of items) {
        const name = new Part(tree, key).text;
        if (isScalar(key) && key.source === "<<") error(offsetOf(key), `<< is not read here; ${dump}`);
        else if (name === undefined)
          error(offsetOf(key), "this name is no text in YAML 1.1; write it in quotes");
        else if (names.has(name)) error(offsetOf(key), `${JSON.stringify(name)} is there twice`);
        else names.add(name);
      }
    },
  });
}
