/** The state of a file that is being read, and the reader as directives see it. */
import type { Reason } from "../../problems";
import type { Ttl } from "../record";
import type { Findings, SourcePosition } from "./findings";
import type { Entry, Token } from "./tokens";

export interface ZoneFileOptions {
  /** The file's name in messages: its path from the repository's root. */
  readonly file: string;
  /** The zone in canonical form; the origin before an `$ORIGIN`. */
  readonly domain: string;
  /** Declares the NS records of the apex. Without it they are skipped, because the service keeps its own. */
  readonly apexNs?: boolean;
  /** Finds the file of an `$INCLUDE`; without it, every `$INCLUDE` is a problem. */
  readonly include?: (path: string, from: SourcePosition) => Included;
  /** The default line's name; records omit it. */
  readonly defaultLine: string;
}

/** The text of an `$INCLUDE` and the file's name in messages, or a problem. */
export type Included = { readonly file: string; readonly text: string } | { readonly problem: Reason };

/** The state of one file. An `$INCLUDE` changes neither origin nor owner, as in BIND. */
export interface Scope {
  readonly file: string;
  /** Canonical, without the dot; undefined after an `$ORIGIN` with a problem. */
  origin: string | undefined;
  /** The last owner; `unknown` after a problem with it. */
  owner: { readonly name: string } | "unknown" | undefined;
  /** The files that include this one, the outermost first. */
  readonly above: readonly string[];
  /** Whether a directive was read, or a type or a class in its place in a record. */
  isZone: boolean;
}

export type Place = Pick<Token, "line" | "column">;

export function position({ line, column }: Place, { file }: Scope): SourcePosition {
  return { file, line, column };
}

/** The reader of all files. */
export interface ZoneReader {
  readonly options: ZoneFileOptions;
  readonly findings: Findings;
  /** The TTL of the last `$TTL`. */
  defaultTtl: Ttl | undefined;
  /** The number of included files. */
  included: number;
  /** The records of all `$GENERATE` lines. */
  generated: { readonly records: number; readonly characters: number };
  /** Reads a file. @returns the most that it has */
  read(text: string, scope: Scope): "entries" | "comments" | "empty";
  /** Reads the entry of a record. */
  record(entry: Entry, first: Token, scope: Scope): void;
  tell(place: Place, scope: Scope, why: Reason | (() => Reason)): undefined;
}
