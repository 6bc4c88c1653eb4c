/** The results of a process's calls about a resource, for its later calls about the same resource. */
import { digest } from "../dns";
import type { Removal } from "../settings";
import type { PreviewedResource } from "./preview";
import type { Inputs, StoredState } from "./state";

export interface CheckedResource {
  /** The dynamic provider gets it in `check` only. */
  readonly urn: string | undefined;
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
   * Digest of the inputs → the last check of them, because `diff` gets no name of the resource. No program
   * declares a record twice. Inputs with unknown records may be equal, so those are also kept by URN.
   */
  private readonly checks = new Map<string, CheckedResource>();
  /** URN → the option of the last check. It also applies to a replaced predecessor. */
  private readonly removals = new Map<string, Removal | undefined>();
  /** URN → the last state that a `read` or a `diff` got. A plain `pulumi up --replace` calls neither. */
  private readonly states = new Map<string, Predecessor<I>>();

  declares(urn: string | undefined, removal: Removal | undefined): void {
    if (urn !== undefined) this.removals.set(urn, removal);
  }

  checked(inputs: I, result: CheckedResource): void {
    this.checks.set(keyOf(inputs), result);
    if (inputs.isUnknown && result.urn !== undefined) this.checks.set(result.urn, result);
  }

  checkOf(inputs: I, urn?: string): CheckedResource | undefined {
    return (urn === undefined ? undefined : this.checks.get(urn)) ?? this.checks.get(keyOf(inputs));
  }

  /** @returns the option of the replacement, if the program declares the resource */
  replacementOf(urn: string | undefined): { readonly removal: Removal | undefined } | undefined {
    return urn !== undefined && this.removals.has(urn) ? { removal: this.removals.get(urn) } : undefined;
  }

  remember(state: StoredState<I>, isCompared: boolean): void {
    const { urn } = state.ledger;
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
