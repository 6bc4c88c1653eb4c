/** The form of a resource type: how its records stand in inputs and outputs. */
import type { DeclaredEntry, DeclaredRecord, UnknownRecord } from "../dns";
import type { Problem } from "../problems";
import type { Declaration } from "../reconcile/declaration";
import type { Plan } from "../reconcile/plan/plan";
import type { Observed } from "../reconcile/reconciler";
import type { Settings } from "../settings";
import { number, planWords } from "../support/text";
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
  summary(plan: Plan, of: SummaryContext): string | undefined;
  /** Lines of records that the update creates, if the engine's diff may not show them. */
  additions(records: readonly DeclaredRecord[], unknowns: readonly UnknownRecord[]): string[];
}

export interface SummaryContext {
  readonly isNew: boolean;
  readonly removal: Declaration["removal"];
  /** Number of unknown records without a possible live one. */
  readonly unknown: number;
  readonly domains: readonly string[];
}

/** `example.com: 3 to create, 1 blocked`. */
export function planSummary(
  plan: Plan,
  where: string,
  { removal, unknown }: SummaryContext,
): string | undefined {
  const isRetained = removal === "retain";
  const figures = {
    create: plan.create.length,
    adopt: plan.adopted.length,
    update: plan.changes.length,
    delete: plan.removals.length,
    blocked: plan.obstacles.length + (isRetained ? 0 : plan.stale.length),
    retained: isRetained ? plan.stale.length : 0,
    undecided: plan.undecided.length + unknown,
    unchanged: plan.present.length - plan.adopted.length,
  };
  const parts = Object.entries(planWords).flatMap(([name, words]) => {
    const n = figures[name as keyof typeof figures];
    return n > 0 ? [`${number(n)} ${words}`] : [];
  });
  return parts.length === 0 ? undefined : `${where}: ${parts.join(", ")}`;
}

const mostShown = 20;

export function firstLines(lines: readonly string[]): string[] {
  const shown = lines.slice(0, mostShown).map((line) => `  ${line}`);
  const more = lines.length - mostShown;
  return more > 0 ? [...shown, `  and ${more} more; \`pulumi-legacydns plan\` lists all`] : shown;
}

export function unmatched(
  unknowns: readonly UnknownRecord[] = [],
  { undecided }: Plan,
): readonly UnknownRecord[] {
  const matched = new Set(undecided.map(({ unknown }) => unknown));
  return unknowns.filter((_, i) => !matched.has(i));
}
