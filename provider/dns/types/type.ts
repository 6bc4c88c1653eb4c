import type { Show } from "../quoting";
import { reason, type CheckCode, type Reason } from "../../problems";

/** An unnamed or unlimited limit is absent. */
export interface Limits {
  readonly urlForwards?: number;
  readonly nsRecords?: number;
  readonly aaaaRecords?: number;
  readonly srvRecords?: number;
  readonly aliases?: number;
  readonly lockDays?: number;
  readonly shares?: number;
  readonly subdomainLevels?: number;
  readonly wildcardLevels?: number;
  readonly loadBalancing?: number;
  readonly minTtl?: number;
  readonly mixedWildcards?: boolean;
  readonly enhancedLines?: boolean;
  readonly provinceLines?: boolean;
  readonly continentLines?: boolean;
}

export interface Source {
  readonly value: string;
  readonly priority: number | undefined;
  /** Quotes and escapes have the meaning of RFC 1035. */
  readonly presentation: boolean;
  readonly show: Show;
}

/** `unfit` data can be live, but not declared. */
export type Data =
  | { readonly value: string; readonly priority?: number; readonly note?: Reason; readonly unfit?: Reason }
  | { readonly problem: Reason; readonly part: "value" | "priority" };

/** Only a `host` is relative to a zone file's origin; a `text` may have quotes. */
export type Field = "number" | "word" | "host" | "text";

export interface RecordType<Name extends string = string> {
  readonly name: Name;
  readonly read: (source: Source) => Data;
  readonly fields: readonly Field[] | "strings";
  readonly form: string;
  /**
   * `own`: a field of the record. `first`: the first number of the value, which the service may list
   * apart.
   */
  readonly priority?: "own" | "first";
  readonly limit?: keyof Limits;
  readonly isAddress?: true;
  readonly checks: readonly CheckCode[];
}

export function wrong(problem: Reason, part: "value" | "priority" = "value"): Data {
  return { problem, part };
}

export function formProblem(
  { name, form }: Pick<RecordType, "name" | "form">,
  value: string,
  show: Show,
): Reason {
  return reason("data.form", { given: show(value), type: name, form });
}

export function uint(text: string, max: number, show: Show): number | Reason<"number.unfit"> {
  const isLegal = /^\d{1,5}$/.test(text) && Number(text) <= max;
  return isLegal ? Number(text) : reason("number.unfit", { given: show(text), low: 0, high: max });
}
