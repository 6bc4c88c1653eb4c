import type { Provider } from "../resources/provider";
import type * as pulumi from "../support/sdk";

/** The options of a look-up. */
export interface LookupOptions {
  /** Another account. Default: the stack's configuration and the environment. */
  readonly provider?: Provider | undefined;
}

/** The arguments of the output form. Each may be an output. */
export type LookupInputs<Args> = { readonly [Name in keyof Args]: pulumi.Input<Args[Name]> };
