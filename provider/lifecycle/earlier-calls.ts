/** The results of a process's calls about a resource, for its later calls about the same resource. */
import { digest } from "../dns";
import type { Removal } from "../settings";
import type { PreviewedResource } from "./preview";
import type { Inputs, StoredState } from "./state";

export interface CheckedResource {
  /** The dynamic provider gets it in `check` only. */
  readonly urn: string | undefined;
  /** The program's option. It also applies to a replaced predecessor. */
  readonly removal: Removal | undefined;
  readonly isUnchanged: boolean;
  /** Until the preview has compared it with the state. */
  subject?: (() => PreviewedResource) | undefined;
}

/** A state that a replacement may continue. */
interface Predecessor<I extends Inputs> {
  readonly state: StoredState<I>;
  /** Whether the preview has compared it with the program. */
  readonly isCompared: boolean;
}

export class EarlierCalls<I extends Inputs> {
  /**
   * URN, and digest of the inputs → the last check, because `diff` gets no name of the resource. No program
   * declares a record twice, but inputs with unknown records may be equal.
   */
  private readonly checks = new Map<string, CheckedResource>();
  /** URN → the last state that a `read` or a `diff` got. A plain `pulumi up --replace` calls neither. */
  private readonly states = new Map<string, Predecessor<I>>();

  checked(inputs: I, result: CheckedResource): void {
    this.checks.set(keyOf(inputs), result);
    if (result.urn !== undefined) this.checks.set(result.urn, result);
  }

  checkOf(inputs: I): CheckedResource | undefined {
    return this.checks.get(keyOf(inputs));
  }

  /** @returns undefined if the program does not declare the resource */
  checkOfResource(urn: string | undefined): CheckedResource | undefined {
    return urn === undefined ? undefined : this.checks.get(urn);
  }

  remember(state: StoredState<I>, isCompared: boolean): void {
    const { urn } = state;
    if (urn !== undefined) this.states.set(urn, { state, isCompared });
  }

  predecessorOf(urn: string | undefined): Predecessor<I> | undefined {
    return urn === undefined ? undefined : this.states.get(urn);
  }

  forget(urn: string | undefined): void {
    if (urn !== undefined) this.states.delete(urn);
  }
}

function keyOf({ fields }: Inputs): string {
  return digest(JSON.stringify(fields));
}
