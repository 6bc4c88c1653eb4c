/** The four operations of a resource with records. */
import type { DeclaredRecord } from "../dns";
import { apply, type Applied } from "./apply";
import type { Declaration } from "./declaration";
import { emptyLedger, type Ledger } from "./memory/ledger";
import { holdings, observe } from "./observe";
import type { Observed } from "./account/observed";
import { preview, type Preview } from "./preview";
import { release } from "./release";
import { Run } from "./run";

export type { Observed } from "./account/observed";
export type { Applied } from "./apply";
export type { Preview } from "./preview";

export class Reconciler extends Run {
  /** @param before the declaration at the time of the ledger */
  preview(
    declaration: Declaration,
    before: readonly DeclaredRecord[] = [],
    ledger: Ledger = emptyLedger,
  ): Promise<Preview> {
    return preview(this, { declaration, before, ledger });
  }

  /** @throws Refusal before any write; LegacyDnsError if a zone cannot be read */
  apply(declaration: Declaration, before: readonly DeclaredRecord[], ledger: Ledger): Promise<Applied> {
    return apply(this, { declaration, before, ledger });
  }

  observe(declaration: Declaration, ledger: Ledger): Promise<Observed> {
    return observe(this, declaration, ledger);
  }

  holdings(declaration: Declaration, ledger: Ledger): ReturnType<typeof holdings> {
    return holdings(this, declaration, ledger);
  }

  /** @throws Refusal if a record cannot be deleted; the others are deleted then */
  release(declaration: Declaration, ledger: Ledger): Promise<void> {
    return release(this, declaration, ledger);
  }
}
