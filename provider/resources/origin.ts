/** What a `Zone` says of the resources that it is made of, beside their inputs: known to this package alone. */
import type { Expansion } from "../dns";
import type { Problem } from "../problems";
import type { SourceNotes } from "../lifecycle/inputs";

export interface Origin {
  /** How messages name the resource. */
  readonly label: string;
  /** What is wrong with the source of its inputs. */
  readonly errors: readonly Problem[];
  /** What is to be said of the file that its records come from. */
  readonly notes?: SourceNotes | undefined;
  /** The records of that file, in place of specs. */
  readonly records?: Expansion | undefined;
}

/** Kept for as long as the inputs are. */
const origins = new WeakMap<object, Origin>();

/** The same inputs, which the constructor they are given to finds the origin of. */
export function withOrigin<Args extends object>(args: Args, origin: Origin): Args {
  origins.set(args, origin);
  return args;
}

/** The origin of a constructor's inputs; undefined where a program wrote them. */
export function originOf(args: unknown): Origin | undefined {
  return typeof args === "object" && args !== null ? origins.get(args) : undefined;
}
