import type { LiveEntry } from "../zones/zone";

export interface NotSent {
  readonly kind: "not-sent";
  readonly error: Error;
}

/** Times are in seconds since the epoch. */
export type Result =
  | {
      readonly kind: "made";
      readonly entry: LiveEntry;
      readonly since: number;
      /** All records of its identity. More than one is a duplicate. */
      readonly live?: readonly LiveEntry[] | undefined;
    }
  | { readonly kind: "refused"; readonly text: string }
  | { readonly kind: "appeared"; readonly live: readonly [LiveEntry, ...LiveEntry[]] }
  | {
      readonly kind: "uncertain";
      readonly job?: string;
      readonly since: number;
      readonly text: string;
      /** The job has made it, but no answer shows which record it is. */
      readonly isUnclear?: true;
    }
  | NotSent;

export type RemovalResult =
  | { readonly kind: "removed"; readonly since: number }
  | { readonly kind: "taken" }
  | { readonly kind: "refused" | "uncertain"; readonly text: string }
  | NotSent;

export interface Removed {
  readonly live: LiveEntry;
  readonly outcome: RemovalResult;
}

export function notSent(error: unknown): NotSent {
  return { kind: "not-sent", error: error instanceof Error ? error : new Error(String(error)) };
}

export function entriesOf(results: Iterable<Result>): LiveEntry[] {
  return [...results].flatMap((result) => (result.kind === "made" ? [result.entry] : []));
}
