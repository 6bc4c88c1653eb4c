/** The engine creates a replacement without its predecessor's state, and deletes the predecessor last. */
import type { Declaration } from "../reconcile/declaration";
import { parseLedger } from "../reconcile/memory/ledger";
import type { Form } from "./form";
import type { Props } from "./lifecycle";

interface Predecessor {
  readonly props: Props;
  /** Whether the preview has compared it with the program. */
  readonly isCompared: boolean;
}

export class Predecessors {
  /** URN → the last state that a `read` or a `diff` got. A plain `pulumi up --replace` calls neither. */
  private readonly states = new Map<string, Predecessor>();

  constructor(private readonly form: Form) {}

  remember(props: Props, isCompared: boolean): void {
    const { urn } = parseLedger(props["__ledger"]);
    if (urn !== undefined) this.states.set(urn, { props, isCompared });
  }

  forget(urn: string | undefined): void {
    if (urn !== undefined) this.states.delete(urn);
  }

  /** @returns the state that a new resource continues, because the provider would have updated it in place */
  of({ may, urn }: Declaration, news: Props): Predecessor | undefined {
    const known = urn === undefined || !may.remove ? undefined : this.states.get(urn);
    return known === undefined || this.form.replaces(known.props, news, true).length > 0 ? undefined : known;
  }
}
