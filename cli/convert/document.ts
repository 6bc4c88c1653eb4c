/** A file of another tool as a tree of parts with positions. It is read as YAML 1.1, as octoDNS reads it. */
import { readFileSync } from "node:fs";
import {
  boolYaml11Tag,
  EVENT_ID,
  floatYaml11Tag,
  getScalarValue,
  intYaml11Tag,
  NOT_RESOLVED,
  nullYaml11Tag,
  parseEvents,
  SCALAR_STYLE,
  timestampTag,
  YAMLException,
  type AliasEvent,
  type Event,
  type MappingEvent,
  type ScalarEvent,
  type ScalarTagDefinition,
  type SequenceEvent,
} from "js-yaml";
import { marksIn, type SourcePosition } from "../../provider/dns/zone-file";
import { gather } from "../../provider/support/collections";
import type { Conversion } from "./conversion";

interface Node {
  /** Undefined for a map or a list. */
  readonly value?: unknown;
  readonly text?: string | undefined;
  readonly items?: readonly Part[];
  /** Name → value. */
  readonly fields?: ReadonlyMap<string, Part>;
  /** The number of its values, with aliases resolved. */
  readonly size: number;
}

type PositionOf = (offset: number) => SourcePosition;

/** A value in a file: a map, a list or a scalar. An alias has the node that it stands for. */
export class Part {
  constructor(
    private readonly at: PositionOf,
    readonly offset: number,
    readonly node: Node,
    private readonly nameOffset: number,
  ) {}

  get position(): SourcePosition {
    return this.at(this.offset);
  }

  /** The position of a field's name. */
  get namePosition(): SourcePosition {
    return this.at(this.nameOffset);
  }

  get fields(): Node["fields"] {
    return this.node.fields;
  }

  get items(): Node["items"] {
    return this.node.items;
  }

  /** The value of a scalar; undefined for a map or a list. */
  get value(): unknown {
    return this.node.value;
  }

  /** A text, or a number that YAML 1.1 would write in the same way. */
  get text(): string | undefined {
    return this.node.text;
  }

  get(name: string): Part | undefined {
    return this.fields?.get(name);
  }
}

/** The root of a file; undefined after a problem. */
export function readTree(file: string, conversion: Conversion): Part | undefined {
  const text = readText(file, conversion);
  if (text === undefined) return undefined;
  const before = conversion.problems.length;
  const at = positionsIn(file, text);
  const error = (offset: number, message: string): undefined => conversion.error(at(offset), message);
  for (const { index, 1: comment = "" } of text.matchAll(/(?<![^\s])#(.*)/g))
    for (const mark of marksIn(comment)) conversion.note(at(index), mark);
  const reader = new Reader(text, eventsIn(text, error), at, error);
  const root = reader.document();
  if (root.node.size - reader.written > mostAdded)
    error(0, `its aliases stand for over ${mostAdded.toLocaleString("en-US")} values; ${dump}`);
  if (!reader.isAtEnd) error(reader.document().offset, "a second document begins here, and one is read");
  return conversion.problems.length > before ? undefined : root;
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

function positionsIn(file: string, text: string): PositionOf {
  const starts: number[] = [];
  for (let start = 0; start > 0 || starts.length === 0; start = text.indexOf("\n", start) + 1)
    starts.push(start);
  return (offset) => {
    let line = 0;
    let end = starts.length;
    while (end - line > 1) {
      const middle = (line + end) >> 1;
      if ((starts[middle] ?? 0) <= offset) line = middle;
      else end = middle;
    }
    return { file, line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

type Report = (offset: number, message: string) => void;

const maxDepth = 200;

/** None after an error. The library ends at the first one, so each entry behind it is read on its own. */
function eventsIn(text: string, error: Report): Event[] {
  const [events, end] = parsed(text, 0, error);
  if (end !== undefined)
    for (const { 0: entry, index } of text.matchAll(/^[^\s#\]}].*\n?(?:[\s#\]}].*\n?)*/gm))
      if (index > end) parsed(entry, index, error);
  return events;
}

/** @returns the events and the place of an error */
function parsed(text: string, offset: number, error: Report): [Event[], number?] {
  try {
    return [parseEvents(text, { maxDepth })];
  } catch (failure) {
    if (!(failure instanceof YAMLException)) throw failure;
    const place = offset + (failure.mark?.position ?? 0);
    error(place, `cannot be read: ${failure.reason}`);
    return [[], place];
  }
}

const dump = "`octodns-dump` writes the zone without it";

/** A few aliases of lists of aliases could stand for more values than a computer can count. */
const mostAdded = 100_000;

const readTags: Readonly<Record<string, number | undefined>> = {
  "!!str": EVENT_ID.SCALAR,
  "!!map": EVENT_ID.MAPPING,
  "!!seq": EVENT_ID.SEQUENCE,
};

type ContentEvent = ScalarEvent | MappingEvent | SequenceEvent;

/** Builds the parts from the library's events. */
class Reader {
  /** The number of values in the text. */
  written = 0;
  private index = 0;
  private offset = 0;
  /** Anchor → its node; undefined inside of it. */
  private readonly anchors = new Map<string, Node | undefined>();

  constructor(
    private readonly text: string,
    private readonly events: readonly Event[],
    private readonly at: PositionOf,
    private readonly error: Report,
  ) {}

  get isAtEnd(): boolean {
    return this.index >= this.events.length;
  }

  /** An empty text has the value null. */
  document(): Part {
    this.index += 1;
    const root = this.part();
    this.index += 1;
    return root;
  }

  private part(nameOffset = 0): Part {
    const event = this.events[this.index];
    this.index += 1;
    this.written += 1;
    if (event === undefined || event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP)
      return new Part(this.at, this.offset, nothing, nameOffset);
    const offset = this.offsetOf(event);
    this.offset = offset;
    const node = event.type === EVENT_ID.ALIAS ? this.target(event) : this.node(event);
    return new Part(this.at, offset, node, nameOffset);
  }

  /** The library gives an empty value no place, so it has that of its name. */
  private offsetOf(event: ContentEvent | AliasEvent): number {
    if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
    if (event.type !== EVENT_ID.SCALAR) return event.start;
    if (event.valueStart < 0) return this.offset;
    const { DOUBLE_QUOTED, SINGLE_QUOTED } = SCALAR_STYLE;
    const isQuoted = event.style === SINGLE_QUOTED || event.style === DOUBLE_QUOTED;
    return isQuoted ? event.valueStart - 1 : event.valueStart;
  }

  private target({ anchorStart, anchorEnd }: AliasEvent): Node {
    const anchor = this.text.slice(anchorStart, anchorEnd);
    const target = this.anchors.get(anchor);
    if (target === undefined) this.error(this.offset, `*${anchor} stands for nothing before it`);
    return target ?? { size: 1 };
  }

  private node(event: ContentEvent): Node {
    const { type, tagStart, tagEnd, anchorStart, anchorEnd } = event;
    if (tagStart >= 0) {
      const tag = this.text.slice(tagStart, tagEnd);
      if (tag !== "!" && readTags[tag] !== type)
        this.error(this.offset, `the tag ${tag} is not read here; ${dump}`);
    }
    if (anchorStart < 0) return this.content(event);
    const anchor = this.text.slice(anchorStart, anchorEnd);
    this.anchors.set(anchor, undefined);
    const node = this.content(event);
    this.anchors.set(anchor, node);
    return node;
  }

  private content(event: ContentEvent): Node {
    if (event.type === EVENT_ID.SCALAR) return scalar(this.text, event);
    return event.type === EVENT_ID.MAPPING ? this.map() : this.list();
  }

  private list(): Node {
    const items: Part[] = [];
    while (!this.isClosed()) items.push(this.part());
    return { items, size: items.reduce((sum, { node }) => sum + node.size, 1) };
  }

  private map(): Node {
    const fields = new Map<string, Part>();
    let size = 1;
    while (!this.isClosed()) {
      const { text, offset, node } = this.part();
      const value = this.part(offset);
      size += node.size + value.node.size;
      if (text === "<<") this.error(offset, `<< is not read here; ${dump}`);
      else if (text === undefined) this.error(offset, "this name is no text in YAML 1.1; write it in quotes");
      else if (fields.has(text)) this.error(offset, `${JSON.stringify(text)} is there twice`);
      else fields.set(text, value);
    }
    return { fields, size };
  }

  /** Passes over the end of the list or map. */
  private isClosed(): boolean {
    const isClosed = this.events[this.index]?.type === EVENT_ID.POP || this.isAtEnd;
    if (isClosed) this.index += 1;
    return isClosed;
  }
}

const nothing: Node = { value: null, size: 1 };

function scalar(text: string, event: ScalarEvent): Node {
  const source = getScalarValue(text, event);
  const isText = event.style !== SCALAR_STYLE.PLAIN || event.tagStart >= 0;
  const value = isText ? source : plainValue(source);
  const hasText = value === source || (typeof value === "number" && String(value) === source);
  return { value, text: hasText ? source : undefined, size: 1 };
}

/** First character → the tags that a text without quotes may have. */
const plainTags = new Map<string, ScalarTagDefinition[]>();
for (const tag of [nullYaml11Tag, boolYaml11Tag, intYaml11Tag, floatYaml11Tag, timestampTag])
  for (const first of tag.implicitFirstChars ?? []) gather(plainTags, first, []).push(tag);

function plainValue(source: string): unknown {
  // The library takes a dot for a number.
  if (source !== ".")
    for (const { resolve, tagName } of plainTags.get(source.charAt(0)) ?? []) {
      const value = resolve(source, false, tagName);
      if (value !== NOT_RESOLVED) return value;
    }
  return source;
}
