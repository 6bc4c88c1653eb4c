/** A provider process of a lab, and the results of its updates. */
import { deepEqual } from "node:assert/strict";
import { textOf } from "../../provider/problems";
import type { Declaration } from "../../provider/reconcile/declaration";
import { emptyLedger, type Ledger } from "../../provider/reconcile/memory/ledger";
import { Reconciler, type Applied } from "../../provider/reconcile/reconciler";
import type { Lab } from "./lab";
import { collectingReporter, type CollectingReporter } from "./reporter";

/** With the records and the open writes of its ledger. */
export interface Update extends Applied, Pick<Ledger, "held" | "openWrites"> {
  readonly records: Declaration["records"];
  readonly codes: readonly string[];
  readonly text: string;
}
type State = Pick<Update, "ledger"> & Partial<Update>;

export const fresh: Update = {
  ...emptyLedger,
  ledger: emptyLedger,
  failures: [],
  records: [],
  codes: [],
  text: "",
};

export type ProcessParts = Omit<ConstructorParameters<typeof Reconciler>[0], "reporter"> & {
  readonly reporter: CollectingReporter;
};

/** A provider process that keeps its messages. */
export class Process {
  readonly reporter: CollectingReporter;
  readonly reconciler: Reconciler;

  constructor(
    { client, settings, clock }: Pick<Lab, "client" | "settings" | "clock">,
    parts: Partial<ProcessParts> = {},
  ) {
    this.reporter = parts.reporter ?? collectingReporter();
    this.reconciler = new Reconciler({ client, settings, clock, ...parts, reporter: this.reporter });
  }

  get siblings(): Reconciler["siblings"] {
    return this.reconciler.siblings;
  }

  said(): string {
    return this.reporter.lines.map(({ text }) => text).join("\n");
  }

  /** Other resources declare these records. */
  declares(...others: readonly Pick<Declaration, "records">[]): this {
    for (const { records } of others) this.siblings.declared.add(() => records);
    return this;
  }

  /** Another resource of example.com ignores these records. */
  ignores(isIgnored: NonNullable<Declaration["isIgnored"]>): this {
    this.siblings.owned.ignore({ domains: ["example.com"], isIgnored });
    return this;
  }

  /** The program may declare records later, as it has no manifest. */
  withoutManifest(): this {
    this.siblings.declared.add(() => [], { hasManifest: false });
    return this;
  }

  async up(declaration: Declaration, before: State = fresh): Promise<Update> {
    const { records } = declaration;
    const applied = await this.reconciler.apply(declaration, before.records ?? [], before.ledger);
    const codes = applied.failures.map(({ code }) => code);
    const { held, openWrites } = applied.ledger;
    return { ...applied, held, openWrites, records, codes, text: applied.failures.map(textOf).join("\n") };
  }

  async must(declaration: Declaration, before?: State): Promise<Update> {
    const done = await this.up(declaration, before);
    deepEqual(done.failures, []);
    return done;
  }

  preview(declaration: Declaration, before: State = fresh) {
    return this.reconciler.preview(declaration, before.records ?? [], before.ledger);
  }

  async refusals(declaration: Declaration, before?: State): Promise<string[]> {
    return (await this.preview(declaration, before)).refusals.map(textOf);
  }

  observe(declaration: Declaration, before: State = fresh) {
    return this.reconciler.observe(declaration, before.ledger);
  }

  release(declaration: Declaration, before: State = fresh) {
    return this.reconciler.release(declaration, before.ledger);
  }

  close(): void {
    this.reconciler.close();
  }
}
