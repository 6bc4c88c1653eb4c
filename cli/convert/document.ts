/** A file of another tool as a tree whose parts know their place; JSON is read as the YAML that it is. */
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from "yaml";
import type { SourcePosition } from "../../provider/dns/zone-file";
import type { Conversion } from "./conversion";

/** A value in a file, and where it stands. */
export class Part {
  private constructor(
    private readonly node: unknown,
    private readonly document: Document.Parsed,
    private readonly lines: LineCounter,
    private readonly file: string,
    private readonly fallback: SourcePosition,
  ) {}

  /** The root of a file; undefined, with its problems told, for what cannot be read. */
  static parse(text: string, file: string, conversion: Conversion): Part | undefined {
    const lines = new LineCounter();
    const document = parseDocument(text, { lineCounter: lines, version: "1.2", schema: "core", merge: true });
    const start: SourcePosition = { file, line: 1, column: 1 };
    for (const { pos, message } of document.errors) {
      const { line, col } = lines.linePos(pos[0]);
      conversion.error(
        { file, line, column: col },
        `cannot be read: ${message.trim().split("\n", 1)[0] ?? ""}`,
      );
    }
    return document.errors.length > 0 ? undefined : new Part(document.contents, document, lines, file, start);
  }

  get position(): SourcePosition {
    const range = isNode(this.node) ? this.node.range : undefined;
    if (range === undefined || range === null) return this.fallback;
    const { line, col } = this.lines.linePos(range[0]);
    return { file: this.file, line: Math.max(line, 1), column: Math.max(col, 1) };
  }

  /** The fields of a map with their names; undefined for anything else. */
  fields(): readonly (readonly [string, Part])[] | undefined {
    const map = this.resolved();
    if (!isMap(map)) return undefined;
    return map.items.map(({ key, value }) => {
      const at = this.part(key);
      return [
        scalarText(isScalar(key) ? key.value : key),
        new Part(value, this.document, this.lines, this.file, at.position),
      ];
    });
  }

  /** The elements of a list; undefined for anything else. */
  items(): readonly Part[] | undefined {
    const list = this.resolved();
    return isSeq(list) ? list.items.map((item) => this.part(item)) : undefined;
  }

  /** A field of a map; undefined where it is not there, or null. */
  get(name: string): Part | undefined {
    const map = this.resolved();
    if (!isMap(map)) return undefined;
    const value: unknown = map.get(name, true);
    return value === undefined || value === null || (isScalar(value) && value.value === null)
      ? undefined
      : this.part(value);
  }

  /** What a scalar holds; undefined for a map or a list. */
  scalar(): unknown {
    const node = this.resolved();
    return isScalar(node) ? node.value : undefined;
  }

  /** A text, or a number as text; undefined for anything else. */
  text(): string | undefined {
    const value = this.scalar();
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
  }

  private part(node: unknown): Part {
    return new Part(node, this.document, this.lines, this.file, this.position);
  }

  private resolved(): unknown {
    return isAlias(this.node) ? this.node.resolve(this.document) : this.node;
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "range" in value;
}

function scalarText(value: unknown): string {
  return value === null || value === undefined ? "" : String(value);
}
