/** A YAML text as a tree of parts with positions. It is read as YAML 1.1, as octoDNS reads it. */
import {
  boolYaml11Tag,
  EVENT_ID,
  floatYaml11Tag,
  getScalarValue,
  intYaml11Tag,
  NOT_RESOLVED,
  nullYaml11Tag,
  SCALAR_STYLE,
  timestampTag,
  type AliasEvent,
  type Event,
  type MappingEvent,
  type ScalarEvent,
  type ScalarTagDefinition,
  type SequenceEvent,
} from "js-yaml";
import type { SourcePosition } from "../../provider/dns/zone-file";
import { gather } from "../../provider/support/collections";

interface Node {
  /** The value of a scalar; undefined for a map or a list. */
  readonly value?: unknown;
  /** A text, or a number that YAML 1.1 would write in the same way. */
  readonly text?: string | undefined;
  readonly items?: readonly Part[];
  /** Name → value. */
  readonly fields?: ReadonlyMap<string, Part>;
  /** The number of its values, with aliases resolved. */
  readonly size: number;
}

export type PositionOf = (offset: number) => SourcePosition;

/** A value in a file: a map, a list or a scalar. An alias has the node that it stands for. */
export interface Part extends Node {
  readonly offset: number;
  readonly position: SourcePosition;
  /** The position of a field's name. */
  readonly namePosition: SourcePosition;
}

export type Report = (offset: number, message: string) => void;

export const dump = "`octodns-dump` writes the zone without it";

const readTags: Readonly<Record<string, number | undefined>> = {
  "!!str": EVENT_ID.SCALAR,
  "!!map": EVENT_ID.MAPPING,
  "!!seq": EVENT_ID.SEQUENCE,
};

type ContentEvent = ScalarEvent | MappingEvent | SequenceEvent;

/** Closed quotes and lists, blanks and comments up to the sign before a value, and that sign. */
const beforeValue = /(?:["'[\]{},\s]|(?<=\s)#.*)*[-:]?[ \t]*/y;
const beforeBlock = /(?:\s|(?<=\s)#.*)*/y;

/** Builds the parts from the library's events. */
export class Reader {
  /** The number of values in the text. */
  written = 0;
  private index = 0;
  /** The offset of the last event, and the end of its text; for a list or a map, its beginning. */
  private offset = 0;
  private end = 0;
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
    let node: Node = { value: null, size: 1 };
    let { offset } = this;
    if (event !== undefined && event.type !== EVENT_ID.DOCUMENT && event.type !== EVENT_ID.POP) {
      this.offset = offset = this.offsetOf(event);
      node = event.type === EVENT_ID.ALIAS ? this.target(event) : this.node(event);
    }
    const { at } = this;
    return {
      ...node,
      offset,
      // Computed when they are asked for, because most never are.
      get position() {
        return at(offset);
      },
      get namePosition() {
        return at(nameOffset);
      },
    };
  }

  private offsetOf(event: ContentEvent | AliasEvent): number {
    const { end } = this;
    if (event.type === EVENT_ID.ALIAS) {
      this.end = event.anchorEnd;
      return event.anchorStart - 1;
    }
    if (event.type !== EVENT_ID.SCALAR) {
      this.end = event.start;
      return event.start;
    }
    const { style, valueStart } = event;
    if (valueStart >= 0) this.end = event.valueEnd;
    if (valueStart >= 0 && style === SCALAR_STYLE.PLAIN) return valueStart;
    if (style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED) return valueStart - 1;
    // An empty value and the sign of a block have no place in the library's events.
    const empty = this.past(beforeValue, end);
    if (valueStart >= 0) return this.past(beforeBlock, empty);
    this.end = empty;
    return empty;
  }

  private past(pattern: RegExp, from: number): number {
    pattern.lastIndex = from;
    pattern.test(this.text);
    return pattern.lastIndex;
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
    return { items, size: items.reduce((sum, item) => sum + item.size, 1) };
  }

  private map(): Node {
    const fields = new Map<string, Part>();
    let size = 1;
    while (!this.isClosed()) {
      const { text, offset, size: ownSize } = this.part();
      const value = this.part(offset);
      size += ownSize + value.size;
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
  for (const { resolve, tagName } of plainTags.get(source.charAt(0)) ?? []) {
    const value = resolve(source, false, tagName);
    if (value !== NOT_RESOLVED) return value;
  }
  return source;
}
