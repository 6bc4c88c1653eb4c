/** The form of a check's test cases: a zone, and the facts about its surroundings that the check gets. */
import type { checkCodes } from "../../provider/problems";

export interface Surroundings {
  readonly beside?: string;
  readonly part?: boolean;
  readonly sensitive?: boolean;
  readonly live?: string | readonly string[];
}

/** A zone whose first record, or the named one, is judged. */
export type Row = string | [zone: string, surroundings: Surroundings & { readonly of?: string }];

/** Code → zones with a finding of that record, and near misses. */
export type Cases = Partial<Record<(typeof checkCodes)[number], [fires: Row[], not: Row[]]>>;

/** The resource does not declare the whole zone. */
export const part = { part: true };
