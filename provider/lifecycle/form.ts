/** The form of a resource type: how its records stand in inputs and outputs. */
import type { DeclaredEntry, DeclaredRecord, UnknownRecord } from "../dns";
import type { Problem } from "../problems";
import type { Observed } from "../reconcile/reconciler";
import type { Settings } from "../settings";
import type { Props } from "./lifecycle";
import type { Inputs } from "./state";

export interface CheckedInputs<I extends Inputs> {
  readonly inputs: I;
  readonly records: () => readonly DeclaredEntry[];
  readonly problems: readonly Problem[];
  readonly unknowns: readonly UnknownRecord[];
}

export interface CheckContext<I extends Inputs> {
  readonly settings: Settings;
  readonly olds: I;
  /** The digest of the text that this package has made. */
  readonly text?: string | undefined;
}

export interface Form<I extends Inputs> {
  readonly single: boolean;
  inputs(props: Props): I;
  /** @param given as the program or a transform wrote it */
  check(given: I, context: CheckContext<I>): CheckedInputs<I>;
  records(inputs: I, settings: Settings): readonly DeclaredEntry[];
  /** Properties whose change means another resource. `inPlace`: records can be changed. */
  replaces(olds: I, news: I, inPlace: boolean): string[];
  /** The inputs of the live records; undefined if none is live. */
  live(inputs: I, observed: Observed): I | undefined;
  /** Never a record's value, nor a secret's digest. */
  id(records: readonly DeclaredRecord[], sensitive: boolean): string;
}
