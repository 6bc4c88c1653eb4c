/** The form of a resource type: how its records stand in inputs and outputs. */
import {
  shortDataText,
  unknownLine,
  type DeclaredEntry,
  type DeclaredRecord,
  type UnknownRecord,
} from "../dns";
import type { Problem } from "../problems";
import type { Declaration } from "../reconcile/declaration";
import type { Ledger } from "../reconcile/memory/ledger";
import type { Plan } from "../reconcile/plan/plan";
import type { Observed } from "../reconcile/reconciler";
import type { Settings } from "../settings";
import { count, planWords } from "../support/text";
import { unknownValue, type Props } from "./lifecycle";

export type StoredRecord = DeclaredEntry;

export interface Checked {
  readonly inputs: Props;
  readonly records: () => readonly StoredRecord[];
  readonly problems: readonly Problem[];
  readonly unknowns: readonly UnknownRecord[];
}

export interface FormOptions {
  readonly settings: Settings;
  readonly olds: Props;
}

export interface Form {
  readonly type: string;
  check(news: Props, options: FormOptions): Checked;
  stored(props: Props, settings: Settings): readonly StoredRecord[];
  readonly single: boolean;
  /** Properties whose change means another resource. `inPlace`: records can be changed. */
  replaces(olds: Props, news: Props, inPlace: boolean): string[];
  /** The inputs of the live records; undefined if none is live. */
  live(props: Props, observed: Observed): Props | undefined;
  /** Never a record's value, nor a secret's digest. */
  id(records: readonly DeclaredRecord[], sensitive: boolean): string;
  outputs(ledger: Ledger, records: readonly DeclaredRecord[]): Props;
  summary(plan: Plan, of: Summed): string | undefined;
}

export interface Summed {
  readonly isNew: boolean;
  readonly removal: Declaration["removal"];
  readonly awaits: boolean;
}

type CountedPlan = Readonly<
  Record<
    "create" | "adopted" | "changes" | "removals" | "obstacles" | "stale" | "undecided" | "present",
    { readonly length: number }
  >
>;

export function planSummary(
  plan: CountedPlan,
  where: string,
  { removal, awaits }: Summed,
): string | undefined {
  const isRetained = removal === "retain";
  const figures = {
    create: plan.create.length,
    adopt: plan.adopted.length,
    update: plan.changes.length,
    delete: plan.removals.length,
    blocked: plan.obstacles.length + (isRetained ? 0 : plan.stale.length),
    retained: isRetained ? plan.stale.length : 0,
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

const mostShown = 20;

export const listsAll = "; `pulumi-legacydns plan` lists all";

export function additions(lines: readonly string[], seeAll = ""): string[] {
  return firstLines(
    lines.map((line) => `+ ${line.replace(/^; |\n$/g, "")}`),
    seeAll,
  );
}

export function firstLines(lines: readonly string[], seeAll: string): string[] {
  const shown = lines.slice(0, mostShown).map((line) => `  ${line}`);
  return lines.length > mostShown ? [...shown, `  and ${lines.length - mostShown} more${seeAll}`] : shown;
}

export function unmatched(
  unknowns: readonly UnknownRecord[] = [],
  { undecided }: Plan,
): readonly UnknownRecord[] {
  const matched = new Set(undecided.map(({ unknown }) => unknown));
  return unknowns.filter((_, i) => !matched.has(i));
}

export function knownLater(
  unknowns: readonly UnknownRecord[],
  domains: readonly string[],
  resource: string | undefined,
): string | undefined {
  if (unknowns.length === 0) return undefined;
  const zones = domains.filter((zone) => zone !== unknownValue).slice(0, 3);
  const isCounted = unknowns.every(({ what }) => what !== "specs");
  const counted = isCounted ? count(unknowns.length, "record") : "records";
  const head = [
    ...(resource === undefined ? [] : [resource]),
    ...(zones.length === 0 ? [] : [zones.join(", ")]),
  ];
  const lines = additions(unknowns.map((unknown) => unknownLine(unknown, shortDataText)));
  return [[...head, `${counted} not known before the update:`].join(": "), ...lines].join("\n");
}
