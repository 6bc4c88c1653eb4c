/** What became of writes. */
import type { LiveEntry } from "../zones/zone";

/** What became of one record. Times are in seconds since the epoch. */
export type Result =
  /** `live` are all records of its identity that a reading found after a lost answer: more than one is a duplicate. */
  | { readonly kind: "made"; readonly entry: LiveEntry; readonly since: number; readonly live?: readonly LiveEntry[] }
  /** The service refused the record; `text` is its own. */
  | { readonly kind: "refused"; readonly text: string }
  /** Somebody made it between the plan and the job: these are live, and nothing was written. */
  | { readonly kind: "appeared"; readonly live: readonly [LiveEntry, ...LiveEntry[]] }
  /** The job was accepted and has not ended. */
  | { readonly kind: "pending"; readonly job: string; readonly since: number; readonly text: string }
  /** The answer was lost and the record has not appeared. */
  | { readonly kind: "unconfirmed"; readonly since: number; readonly text: string }
  /** Nothing was written. */
  | { readonly kind: "not-sent"; readonly error: Error };

/** What became of one removal. */
export type RemovalResult =
  | { readonly kind: "removed"; readonly since: number }
  /** Another resource of the run has declared it since the plan was made: it stays. */
  | { readonly kind: "taken" }
  | { readonly kind: "refused" | "unconfirmed"; readonly text: string }
  | { readonly kind: "not-sent"; readonly error: Error };

/** A removal and what became of it. */
export interface Removed {
  readonly live: LiveEntry;
  readonly outcome: RemovalResult;
}

/** Nothing was written, for this reason. */
export function notSent(error: unknown): Result {
  return { kind: "not-sent", error: error instanceof Error ? error : new Error(String(error)) };
}

/** What went wrong, in words. */
export function explain(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
