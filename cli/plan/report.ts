/**
 * The plan: from the engine's preview to figures and lines per domain, and what the service will not do of it. Pure.
 * A record that moves from one resource to another is unchanged, as it is for the run.
 */
import { groupBy, largest } from "../../provider/gather";
import type { OutlookCheck, OutlookProblem } from "../../provider/lifecycle/outlook";
import { reason, textOf } from "../../provider/problems";
import { gateNotes, type GateNote } from "./gate-notes";
import {
  changeNotes,
  decidesLate,
  enablingNotes,
  failureNotes,
  halfDoneNotes,
  pendingNotes,
  removalNotes,
  unheardNotes,
  unreadNotes,
  type Unheard,
} from "./notes";
import type { Told } from "./outlooks";
import type { EnginePreview, Step } from "./preview";
import { compare, domainsOf, hidesRecords, isOurs, orderOf } from "./records";
import { Rules, type StackRules } from "./rules";
import { Tally, type Held, type PlanLine, type Sign } from "./tally";

export type { PlanLine, Sign } from "./tally";

export interface DomainPlan {
  readonly domain: string;
  readonly add: number;
  /** Of `add`, those of which something is not known before the update: it may find them live, and adopt or change them. */
  readonly later: number;
  /** Live already, and adopted without a write. */
  readonly adopt: number;
  readonly change: number;
  readonly remove: number;
  /** No longer declared, or declared otherwise, and left as it is. */
  readonly stays: number;
  /** Of `stays`, those for which the up ends with an error. */
  readonly fails: number;
  /** Live, and what they are to be is not known before the update. */
  readonly undecided: number;
  /** Declared, and refused: nothing becomes of them. */
  readonly refused: number;
  /** Not begun, since what their resources depend on fails. */
  readonly notBegun: number;
  readonly unchanged: number;
  readonly lines: readonly PlanLine[];
  /** Of a zone with lines, the declared records that stay as they are: what stands around the lines. */
  readonly kept: readonly KeptRecord[];
}

/** A record that stays as it is. */
export interface KeptRecord {
  readonly text: string;
  readonly ttl: string;
}

export interface PlanReport {
  readonly stack?: string;
  /** False where the preview failed: nothing would be done. */
  readonly ok: boolean;
  /** True where something is refused: the figures are those of the resources that could be planned, and nothing is done. */
  readonly partial: boolean;
  readonly domains: readonly DomainPlan[];
  /** What earlier runs have not finished, a sentence each: an `up` goes on with it, though nothing else differs. */
  readonly unfinished: readonly string[];
  /** What keeps an `up` from doing anything. */
  readonly refusals: readonly string[];
  /** The engine failed before it planned any resource: its error stands alone among the refusals. */
  readonly unplanned?: true;
  /** Of these, what the hosts refuse, with its code (docs/errors.md). */
  readonly problems?: readonly OutlookProblem[];
  readonly warnings: readonly string[];
  /** What the zone checks find in what an `up` changes; those with level `refuse` are among the refusals, too. */
  readonly checks: readonly OutlookCheck[];
  /** What stays as it is though the program asks for something else: the service cannot do it, or the stack asks to retain it. */
  readonly limits: readonly string[];
  /** Steps of other resources, by what is done. */
  readonly others: Readonly<Record<string, number>>;
}

/** With what the hosts told. */
export interface ReportOptions extends Partial<Told>, StackRules {
  readonly defaultLine: string;
  /** Settings of the stack that the up does not hear of, since the program declares nothing of ours. */
  readonly unheard?: readonly Unheard[];
  /** Resources that were replaced and are still to be deleted, as steps. */
  readonly pending?: readonly Step[];
}

/** Whether an `up` would do anything to a zone. */
export function hasChanges(report: PlanReport): boolean {
  return report.unfinished.length > 0 || report.domains.some(({ lines }) => lines.length > 0);
}

export function reportOf(preview: EnginePreview, options: ReportOptions): PlanReport {
  const ours = preview.steps.filter((step) => isOurs(step) && step.op !== "refresh");
  const { outlooks = [], zones = [], secrets = [] } = options;
  const rules = new Rules(preview.steps, options);
  const tally = new Tally(
    ours,
    options.pending ?? [],
    { outlooks, zones, secrets },
    {
      defaultLine: options.defaultLine,
      isFull: (step) => rules.isFull(step),
      outcomeOf: (held) => rules.outcomeOf(held),
      waitingFor: (failing) => waitingFor(failing, preview.steps),
    },
  );
  for (const { domain, line } of ours.flatMap((step) => hiddenLines(step, tally.waiting.has(step.urn))))
    tally.planOf(domain).lines.push(line);
  const replaced = (options.pending ?? []).map((step) => ({ step, replaced: tally.dropReplaced(step) }));
  const gates = preview.errors.length > 0 ? [] : gatesAhead(tally, preview.steps, rules);
  const pending = replaced.flatMap((each) => pendingNotes(each.step, each.replaced, rules, gates));
  for (const held of gates.flatMap(({ refused }) => refused)) tally.holdBack(held);
  const { plans } = tally;
  const { stack } = preview;
  const problems = problemsOf(outlooks.flatMap((each) => tally.refusalsOf(each)));
  const refusals = [...preview.errors, ...problems.map(({ text }) => text)];
  const domains = [...plans]
    .map(([domain, plan]) =>
      domainPlan(domain, { ...plan, kept: plan.lines.length === 0 ? [] : tally.keptIn(domain) }),
    )
    .sort((a, b) => compare(a.domain, b.domain));
  return {
    ...(stack === undefined ? {} : { stack }),
    ok: refusals.length === 0,
    partial: refusals.length > 0,
    // Where the preview itself broke off, how far it came differs from time to time.
    domains: preview.errors.length > 0 ? [] : domains,
    unfinished: [...halfDoneNotes(ours), ...pending],
    refusals,
    ...(preview.unplanned === true ? { unplanned: true } : {}),
    ...(problems.length === 0 ? {} : { problems }),
    warnings: [
      ...preview.warnings,
      ...(preview.errors.length > 0
        ? []
        : [
            ...unheardNotes(options.unheard ?? []),
            ...unreadNotes(tally, rules),
            ...gates.map(({ text }) => text),
            ...(refusals.length === 0 && endsHalfway(domains)
              ? failureNotes(tally, preview.steps, rules)
              : []),
          ]),
    ],
    checks: outlooks.flatMap(({ checks }) => checks).sort((a, b) => compare(a.domain, b.domain)),
    limits: [
      ...removalNotes(
        outlooks.flatMap((each) => tally.limitsOf(each)),
        tally,
        rules,
      ),
      ...changeNotes(tally.changes),
      ...enablingNotes(tally.enablings),
      ...(tally.decidesLate ? [decidesLate] : []),
    ],
    others: othersOf(preview.steps),
  };
}

/** What hosts refuse. The order in which the engine asks differs from time to time. */
function problemsOf(told: readonly (OutlookProblem & Pick<Step, "provider">)[]): OutlookProblem[] {
  // What a gate said last is about all that the run would do to the domain.
  const gates = [
    ...new Map(
      told.flatMap(({ gate, provider }) =>
        gate === undefined ? [] : [[`${provider ?? ""} ${gate.parts.domain}`, gate] as const],
      ),
    ).values(),
  ];
  const domains = [...new Set(gates.flatMap(({ parts }) => parts.domains))].sort(compare);
  const gated = gates.map(({ code, parts }) => ({ code, text: textOf(reason(code, { ...parts, domains })) }));
  const others = told.flatMap(({ code, text, gate }) => (gate === undefined ? [{ code, text }] : []));
  return [...new Map([...others, ...gated].map((each) => [each.text, each])).values()].sort((a, b) =>
    compare(a.text, b.text),
  );
}

/** URNs of resources that the engine does not begin. @param failing those with which the up ends in an error */
function waitingFor(failing: ReadonlySet<string>, steps: readonly Step[]): ReadonlySet<string> {
  const waiting = new Set<string>();
  // Each comes after what it waits for.
  for (const { op, urn, waitsFor = [] } of steps)
    if (op !== "same" && waitsFor.some((each) => failing.has(each) || waiting.has(each))) waiting.add(urn);
  return waiting;
}

/** Whether the up does something, and fails. */
function endsHalfway(domains: readonly DomainPlan[]): boolean {
  return (
    domains.some(({ fails }) => fails > 0) &&
    domains.some(({ add, adopt, change, remove, notBegun }) => add + adopt + change + remove + notBegun > 0)
  );
}

/** What the up may refuse of what goes with resources that the program no longer has. */
function gatesAhead(tally: Tally, steps: readonly Step[], rules: Rules): GateNote[] {
  const going = tally.removed.filter(
    (held) => held.step.after === undefined && !held.isShare && rules.outcomeOf(held) === undefined,
  );
  return gateNotes(
    groupBy(going, ({ domain }) => domain),
    tally.plans,
    (domain) => tally.declaredIn(domain),
    ({ step }) => rules.gatesOf(step),
    deletionTurns(steps),
  );
}

/** When the engine deletes what goes: first what depends on most others, one after the other; by a negative number, so that the lowest is first. */
function deletionTurns(steps: readonly Step[]): (held: Held) => number {
  const going = new Map(steps.flatMap((step) => (step.op === "delete" ? [[step.urn, step] as const] : [])));
  const depths = new Map<string, number>();
  const depthOf = (urn: string): number => {
    const known = depths.get(urn);
    if (known !== undefined) return known;
    depths.set(urn, 0);
    const below = (going.get(urn)?.dependsOn ?? []).filter((each) => going.has(each));
    const depth = largest(
      below.map((each) => depthOf(each) + 1),
      0,
    );
    depths.set(urn, depth);
    return depth;
  };
  return ({ step }) => -depthOf(step.urn);
}

/** A batch with a secret value is hidden as a whole: a line says so. */
function hiddenLines(step: Step, waits: boolean): { domain: string; line: PlanLine }[] {
  const { before, after, changed, resource } = step;
  if (!hidesRecords(before) && !hidesRecords(after)) return [];
  const sign =
    before === undefined
      ? "+"
      : after === undefined
        ? "-"
        : changed.some((name) => name.startsWith("records"))
          ? "~"
          : undefined;
  if (sign === undefined) return [];
  return domainsOf(after ?? before ?? {}).map((domain) => ({
    domain,
    line: {
      sign: waits ? "x" : sign,
      text: `${resource}: its records are secret`,
      ttl: "",
      ...(waits ? { outcome: "notBegun" } : {}),
    },
  }));
}

function domainPlan(domain: string, plan: Pick<DomainPlan, "lines" | "kept" | "unchanged">): DomainPlan {
  const lines = plan.lines
    .map((line) => ({ line, order: orderOf(line.text) }))
    .sort((a, b) => compare(a.order, b.order) || compare(a.line.sign, b.line.sign));
  const stay = plan.lines.filter(({ sign }) => sign === "!");
  const notBegun = plan.lines.filter(({ outcome }) => outcome === "notBegun").length;
  const count = (sign: Sign): number => plan.lines.filter((line) => line.sign === sign).length;
  return {
    domain,
    add: count("+"),
    later: plan.lines.filter(({ later }) => later === true).length,
    adopt: count("="),
    change: count("~"),
    remove: count("-"),
    stays: liveIn(stay),
    fails: liveIn(stay.filter(({ outcome }) => outcome === "fails")),
    undecided: count("?"),
    refused: count("x") - notBegun,
    notBegun,
    unchanged: plan.unchanged,
    lines: lines.map(({ line }) => line),
    kept: plan.kept.map(({ text, ttl }) => ({ text, ttl })),
  };
}

/** How many live records these lines are about: one may keep several declared ones from being made. */
function liveIn(lines: readonly PlanLine[]): number {
  const others = new Set(lines.flatMap(({ before }) => (before === undefined ? [] : [before.text])));
  return others.size + lines.filter(({ text, before }) => before === undefined && !others.has(text)).length;
}

/** Containers of other resources: nothing of their own is done. */
const containers: ReadonlySet<string> = new Set(["pulumi:pulumi:Stack", "legacydns:index:Zone"]);

/** Steps that do something, of resources that are not records. */
function othersOf(steps: readonly Step[]): Record<string, number> {
  const others: Record<string, number> = {};
  for (const step of steps) {
    if (isOurs(step) || containers.has(step.type) || step.op === "same" || step.op === "refresh") continue;
    others[step.op] = (others[step.op] ?? 0) + 1;
  }
  return others;
}
