import type { Show } from "../quoting";
import { reason, type CheckCode, type Reason } from "../../problems";

/** An unnamed or unlimited limit is absent. */
export interface Limits {
  /** How many URL forwards the domain may have. */
  readonly urlForwards?: number;
  /** How many NS records the domain may have. */
  readonly nsRecords?: number;
  /** How many AAAA records the domain may have. */
  readonly aaaaRecords?: number;
  /** How many SRV records the domain may have. */
  readonly srvRecords?: number;
  /** How many aliases the domain may have. */
  readonly aliases?: number;
  /** How many days the domain can be locked. */
  readonly lockDays?: number;
  /** How many accounts the domain may be shared with. */
  readonly shares?: number;
  /** How many levels a host name may have. */
  readonly subdomainLevels?: number;
  /** How many levels a wildcard name may have. */
  readonly wildcardLevels?: number;
  /** Records of one name, type and line among which load is balanced. The provider does not enforce it. */
  readonly loadBalancing?: number;
  /** The lowest TTL of a record, in seconds. */
  readonly minTtl?: number;
  /** Whether a wildcard may be part of a label. */
  readonly mixedWildcards?: boolean;
  /** Whether records may be on the enhanced lines. */
  readonly enhancedLines?: boolean;
  /** Whether records may be on lines of provinces. */
  readonly provinceLines?: boolean;
  /** Whether records may be on lines of continents. */
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
type Field = "number" | "word" | "host" | "text";

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
