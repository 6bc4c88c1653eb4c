/** The form of a resource type: how its records stand in inputs and outputs. */
import type { DeclaredEntry, DeclaredRecord, UnknownRecord } from "../dns";
import type { Problem } from "../problems";
import type { Declaration } from "../reconcile/declaration";
import type { Ledger } from "../reconcile/memory/ledger";
import type { Plan } from "../reconcile/plan/plan";
import type { Observed } from "../reconcile/reconciler";
import type { Settings } from "../settings";
import { planWords } from "../words";
import type { Props } from "./lifecycle";

/** A record as inputs hold it; `note` is what a refresh found: disabled, drifted, not declared. */
export type StoredRecord = DeclaredEntry;

export interface Checked {
  /** Canonical inputs: what the engine stores, and what the form reads back. */
  readonly inputs: Props;
  /** What they declare: read when it is asked for. */
  readonly records: () => readonly StoredRecord[];
  readonly problems: readonly Problem[];
  /** What is not known yet: `records` are then not all that will be declared. */
  readonly unknowns: readonly UnknownRecord[];
}

export interface FormOptions {
  readonly settings: Settings;
  /** The inputs that the state holds; empty for what is new. */
  readonly olds: Props;
}

/** How a resource type keeps its records. */
export interface Form {
  readonly type: string;
  /** New inputs, or the form's own earlier ones, made canonical. */
  check(news: Props, options: FormOptions): Checked;
  /** Canonical inputs, or outputs, read back; a record whose value is not known yet is left out. */
  stored(props: Props, settings: Settings): readonly StoredRecord[];
  /** Whether a resource is one record, which is changed in place where the service can do that. */
  readonly single: boolean;
  /** Properties whose change means another resource; the rest is an update. `inPlace`: records can be changed. */
  replaces(olds: Props, news: Props, inPlace: boolean): string[];
  /** The inputs that describe what is live; undefined when nothing of the resource is. */
  live(props: Props, observed: Observed): Props | undefined;
  /** The resource's id: never a record's value. @param sensitive nor a digest of one */
  id(records: readonly DeclaredRecord[], sensitive: boolean): string;
  /** Outputs beside the inputs and the ledger. */
  outputs(ledger: Ledger, records: readonly DeclaredRecord[]): Props;
  /** The plan in a line, for the preview; undefined where the engine's own row, or another line, says enough. */
  summary(plan: Plan, of: Summed): string | undefined;
}

export interface Summed {
  /** Of a new resource the engine shows the first lines only. */
  readonly isNew: boolean;
  readonly removal: Declaration["removal"];
  /** Whether a line of its own tells of records that are not known yet. */
  readonly awaits: boolean;
}

/** `example.com: 3 to create, 1 blocked`; undefined if other messages say all. */
export function planSummary(plan: Plan, where: string, { removal, awaits }: Summed): string | undefined {
  const isRetained = removal === "retain";
  const figures = {
    create: plan.create.length,
    adopt: plan.adopted.length,
    update: plan.changes.length,
    delete: plan.removals.length,
    blocked: plan.obstacles.length + (isRetained ? 0 : plan.leftOver.length),
    retained: isRetained ? plan.leftOver.length : 0,
    undecided: plan.undecided.length,
    unchanged: plan.present.length - plan.adopted.length,
  };
  const isIdle = Object.entries(figures).every(([name, n]) => name === "unchanged" || n === 0);
  if (isIdle && awaits) return undefined;
  const parts = Object.entries(planWords).flatMap(([name, words]) => {
    const n = figures[name as keyof typeof figures];
    return n > 0 ? [`${n.toLocaleString("en-US")} ${words}`] : [];
  });
  return `${where}: ${parts.length > 0 ? parts.join(", ") : "nothing to write"}`;
}
