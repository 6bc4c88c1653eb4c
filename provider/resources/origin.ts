/**
 * Facts that a `Zone` passes to its children, in addition to their inputs. Only this package can see them.
 */
import type { Expansion } from "../dns";
import type { Problem } from "../problems";
import type { SourceNotes } from "../lifecycle/inputs";

export interface Origin {
  /** The resource's name in messages. */
  readonly label: string;
  /** Problems of the zone's source. */
  readonly errors: readonly Problem[];
  /** Notes about the zone's file. */
  readonly notes?: SourceNotes | undefined;
  /** The file's records, in place of specs. */
  readonly records?: Expansion | undefined;
}

/** Inputs → their origin. */
const origins = new WeakMap<object, Origin>();

/** The same inputs, with an origin for the constructor. */
export function withOrigin<Args extends object>(args: Args, origin: Origin): Args {
  origins.set(args, origin);
  return args;
}

/** The origin of a constructor's inputs; undefined if the program wrote them. */
export function originOf(args: unknown): Origin | undefined {
  return typeof args === "object" && args !== null ? origins.get(args) : undefined;
}
