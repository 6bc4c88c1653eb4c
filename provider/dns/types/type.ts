/** The form of a record type: all that depends on a record's type is a property of one object. */
import { skipSpace, skipWord, type Show } from "../quoting";
import { reason, type CheckCode, type Reason } from "../../problems";
import type { Limits } from "../package";

/** Data as a program, a line or the service writes it. */
export interface Source {
  readonly value: string;
  readonly priority: number | undefined;
  /** Whether quotes and escapes have the meaning of RFC 1035. */
  readonly presentation: boolean;
  readonly show: Show;
}

/** Canonical data, or a problem and the field that has it. `unfit` data can be live, but not declared. */
export type Data =
  | { readonly value: string; readonly priority?: number; readonly note?: Reason; readonly unfit?: Reason }
  | { readonly problem: Reason; readonly part: "value" | "priority" };

/** A word of the data. Only a `host` is relative to a zone file's origin; a `text` may have quotes. */
export type Field = "number" | "word" | "host" | "text";

export interface RecordType<Name extends string = string> {
  readonly name: Name;
  /** Makes data canonical. */
  readonly read: (source: Source) => Data;
  /** The words of the data, in order; `strings` for quoted strings that are joined. */
  readonly fields: readonly Field[] | "strings";
  /** The fields as a message names them. */
  readonly form: string;
  /**
   * `own`: the priority is a field of the record. `first`: it is the first number of the value, and the service may
   * list it apart.
   */
  readonly priority?: "own" | "first";
  /** The package limit that counts such records. */
  readonly limit?: keyof Limits;
  /** Whether the data is an address. */
  readonly isAddress?: true;
  /** The zone checks of this type, besides those of all types. */
  readonly checks: readonly CheckCode[];
}

export function wrong(problem: Reason, part: "value" | "priority" = "value"): Data {
  return { problem, part };
}

/** The words of a value. */
export function wordsOf(value: string): string[] {
  const words: string[] = [];
  for (let at = skipSpace(value, 0); at < value.length;) {
    const end = skipWord(value, at);
    words.push(value.slice(at, end));
    at = skipSpace(value, end);
  }
  return words;
}

/** A whole number in decimal digits, at most `max`. */
export function uint(text: string, max: number): number | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) <= max ? Number(text) : undefined;
}

/** A priority in the value and another one in its own field. */
export function twoPriorities(inValue: number, given: number, show: Show): Data {
  const parts = { given: show(String(given)), written: show(String(inValue)) };
  return wrong(reason("priority.twice", parts), "priority");
}
