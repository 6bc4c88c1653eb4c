/** The state of a file, and the reader as directives see it. */
import type { Reason, Fault } from "../../problems";
import type { Ttl } from "../record";
import type { Room } from "./room";
import type { Findings, SourcePosition } from "./findings";
import type { Entry, Token } from "./tokens";

export interface ZoneFileOptions {
  /** Its path from the repository's root. */
  readonly file: string;
  /** The origin before an `$ORIGIN`. */
  readonly domain: string;
  /** Declares the NS records of the apex. The service keeps its own. */
  readonly apexNs?: boolean;
  /** Without it, every `$INCLUDE` is a problem. */
  readonly include?: (path: string, from: SourcePosition) => Included;
  readonly defaultLine: string;
}

export type Included = { readonly file: string; readonly text: string } | Fault;

/** An `$INCLUDE` changes neither origin nor owner, as in BIND. */
export interface Scope {
  readonly file: string;
  /** Undefined after an `$ORIGIN` with a problem. */
  origin: string | undefined;
  /** `unknown` after a problem. */
  owner: { readonly name: string } | "unknown" | undefined;
  /** Including files, the outermost first. */
  readonly above: readonly string[];
  /** A directive was read, or a type or a class in its place. */
  isZone: boolean;
}

export type Place = Pick<Token, "line" | "column">;

export function position({ line, column }: Place, { file }: Scope): SourcePosition {
  return { file, line, column };
}

export interface ZoneReader {
  readonly options: ZoneFileOptions;
  readonly findings: Findings;
  defaultTtl: Ttl | undefined;
  included: number;
  readonly room: Room;
  /** @returns the most that the file has */
  read(text: string, scope: Scope): "entries" | "comments" | "empty";
  record(entry: Entry, first: Token, scope: Scope): void;
  report(place: Place, scope: Scope, why: Reason | (() => Reason)): undefined;
}
