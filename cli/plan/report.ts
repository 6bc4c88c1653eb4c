/**
 * The plan: the engine's steps and the entries of the provider processes, grouped by zone and counted. Pure.
 */
import { compareTexts, zoneOrder } from "../../provider/dns/names";
import { gather, groupBy, largest, split } from "../../provider/support/collections";
import {
  type Asked,
  type DeclaredEntry,
  type HeldEntry,
  type PlanCheck,
  type PlanEntry,
  type PlanLine,
  type PlanProblem,
  type Sign,
} from "../../provider/lifecycle/plan-file";
import { merged, rendered, type Level } from "../../provider/problems";
import { defined } from "../../provider/support/defined";
import { hiddenText } from "../../provider/support/secret";
import { listed, planWords } from "../../provider/support/text";
import { answersOf, type Answer } from "./answers";
import { gateNotes } from "./gates";
import { blockedBy, isDeclared, hasSign, leavingOf, pendingIn, type Leaving } from "./leaving";
import type { EnginePreview, Step } from "./preview";

export type { PlanLine, Sign };

export type Figures = Readonly<Record<keyof typeof planWords, number>>;

export const figureNames = Object.keys(planWords) as readonly (keyof Figures)[];

const figureOf: Readonly<Record<Exclude<Sign, " ">, keyof Figures>> = {
  "+": "create",
  "=": "adopt",
  "~": "update",
  "-": "delete",
  "!": "blocked",
  ".": "retained",
  "?": "undecided",
};

export function figuresIn(lines: readonly PlanLine[], unchanged: number): Figures {
  const none = { create: 0, adopt: 0, update: 0, delete: 0, blocked: 0, retained: 0, undecided: 0 };
  const figures = { ...none, unchanged };
  for (const { sign } of lines) if (sign !== " ") figures[figureOf[sign]] += 1;
  return figures;
}

export function totalOf({ domains }: StackPlan): Figures {
  const total: Record<keyof Figures, number> = { ...figuresIn([], 0) };
  for (const name of figureNames) for (const plan of domains) total[name] += plan[name];
  return total;
}

/** Leaves out records that are live as declared. The figures count them. */
export function changesOnly(report: StackPlan): StackPlan {
  const domains = report.domains.map((plan) => ({
    ...plan,
    lines: plan.lines.filter(({ sign }) => sign !== "=" && sign !== " "),
  }));
  return { ...report, domains };
}

export interface DomainPlan extends Figures {
  readonly answers: readonly Answer[];
  readonly domain: string;
  readonly lines: readonly PlanLine[];
}

export interface StackPlan {
  readonly stack: string | undefined;
  /** False if the preview failed: the up writes nothing. Resources with an error have no figures. */
  readonly ok: boolean;
  readonly domains: readonly DomainPlan[];
  readonly errors: readonly { readonly code: string; readonly text: string }[];
  /** How long caches can keep an old answer after the up, and after blocked changes that are made by hand. */
  readonly cacheSeconds: number;
  readonly blocked: readonly string[];
  readonly warnings: readonly string[];
  readonly checks: readonly PlanCheck[];
  readonly unfinished: readonly string[];
}

export function changes(figures: Figures): boolean {
  return figureNames.some((name) => name !== "unchanged" && figures[name] > 0);
}

export function hasChanges(report: StackPlan): boolean {
  return report.unfinished.length > 0 || changes(totalOf(report));
}

export function hasBlocked(report: StackPlan): boolean {
  return report.blocked.length > 0 || report.domains.some(({ blocked }) => blocked > 0);
}

/** The resources whose zones `read` has to list; undefined if there are none. */
export function requestOf({ steps }: EnginePreview, entries: readonly PlanEntry[]): Asked | undefined {
  const held = entries.filter((each) => each.kind === "held");
  const pending = pendingIn(held);
  const leaving = new Set(steps.filter(({ op }) => op === "delete").map(({ key }) => key));
  const asked = held.filter(({ urn }) => leaving.has(urn) || pending.has(urn));
  const domains = [...new Set(asked.flatMap((each) => each.domains))];
  return asked.length === 0 ? undefined : { urns: asked.map(({ urn }) => urn), domains };
}

export function reportOf(preview: EnginePreview, entries: readonly PlanEntry[]): StackPlan {
  const steps = new Map(preview.steps.map((step) => [step.key, step]));
  const all = entries.filter((each) => each.kind === "declared").map((each) => withHiddenShare(each, steps));
  const declared = firstOf(all);
  const held = entries.filter((each) => each.kind === "held");
  const leaving = leavingOf(steps, declared, held);
  const errors = [
    ...preview.errors.map((text) => ({ code: "engine.failed", text })),
    ...errorsOf(all, steps),
  ];
  const ok = errors.length === 0;
  const notes = [
    ...unreadNotes(held),
    ...gateNotes(groupBy(leaving.filter(hasSign("-")), ({ line }) => line.domain)),
  ];
  const domains = preview.errors.length > 0 ? [] : domainPlans(declared, held, leaving);
  return {
    stack: preview.stack,
    ok,
    domains,
    cacheSeconds: largest(domains.flatMap(cachedFor), 0),
    errors,
    blocked: messagesOf("blocked", [...declared.flatMap(({ blocked }) => blocked), ...blockedBy(leaving)])
      .map(({ text }) => text)
      .sort(),
    warnings: [...preview.warnings, ...(ok ? notes : [])],
    checks: sortedBy(
      declared.flatMap(({ checks }) => checks),
      ({ domain }) => domain,
    ),
    unfinished: [
      ...unfinishedNotes(preview.steps, pendingIn(held)),
      ...(ok ? unseenNotes(preview.steps, held) : []),
    ],
  };
}

/** Seconds. A blocked change is made by hand, and caches keep the old answer after it as well. */
function cachedFor({ answers, lines }: DomainPlan): number[] {
  const blocked = lines.filter(({ sign }) => sign === "!").map(({ ttl, was }) => Number(was?.ttl ?? ttl));
  return [...answers.map(({ ttl }) => ttl), ...blocked.filter((ttl) => Number.isInteger(ttl))];
}

/** The engine hides an e-mail that is secret, so that the share's key fits no step. */
function withHiddenShare(entry: DeclaredEntry, steps: ReadonlyMap<string, Step>): DeclaredEntry {
  if (steps.has(entry.urn)) return entry;
  const hide = (line: PlanLine): PlanLine =>
    isShare(line) ? { ...line, text: `share with ${hiddenText}` } : line;
  return { ...entry, lines: entry.lines.map(hide) };
}

/** The engine checks a replacement twice, the second time without its state. */
function firstOf(entries: readonly DeclaredEntry[]): DeclaredEntry[] {
  const first = new Map<unknown, DeclaredEntry>();
  for (const each of entries) gather(first, each.urn || each, each);
  return [...first.values()];
}

function domainPlans(
  declared: readonly DeclaredEntry[],
  held: readonly HeldEntry[],
  leaving: readonly Leaving[],
): DomainPlan[] {
  const lines = declared.flatMap((each) => each.lines);
  const given = new Set(declared.flatMap((each) => each.given));
  const kept = held.flatMap((each) => each.lines.filter(({ changed }) => changed !== true));
  const heldTtl = new Map(kept.map(({ id, ttl }) => [id, ttl]));
  const [moved, others] = split(
    withoutRepeated(lines),
    ({ sign, id = "", ttl }) =>
      (sign === "=" && (given.has(id) || heldTtl.has(id))) || (sign === "~" && heldTtl.get(id) === ttl),
  );
  const isAll = lines.some(({ sign }) => sign === " ");
  const stays = moved.filter((line) => isAll && !isShare(line));
  const quiet = stays.map(({ was: _was, ...line }) => ({ ...line, sign: " " as const }));
  const byDomain = groupBy([...others, ...quiet, ...leaving.map(({ line }) => line)], ({ domain }) => domain);
  const live = groupBy(
    [...declared, ...held].flatMap(({ answers }) => answers),
    ({ domain }) => domain,
  );
  const unchanged = new Map<string, number>();
  for (const [domain, n] of [
    ...declared.flatMap((each) => Object.entries(each.unchanged)),
    ...moved.map((line) => [line.domain, isShare(line) ? 0 : 1] as const),
  ])
    unchanged.set(domain, (unchanged.get(domain) ?? 0) + n);
  return [...new Set([...byDomain.keys(), ...unchanged.keys()])].sort().map((domain) => {
    const own = byDomain.get(domain) ?? [];
    const sorted = sortedBy(own, ({ text, sign }) => `${orderOf(text)} ${sign}`);
    const answers = answersOf(sorted, live.get(domain) ?? []);
    return { domain, ...figuresIn(own, unchanged.get(domain) ?? 0), lines: sorted, answers };
  });
}

function withoutRepeated(lines: readonly PlanLine[]): PlanLine[] {
  const stays = new Set(lines.flatMap(({ sign, id }) => (isDeclared(sign) && id !== undefined ? [id] : [])));
  const inTheWay = new Set(lines.flatMap(({ was, refs = [] }) => (was === undefined ? [] : refs)));
  return lines.filter(
    ({ sign, id = "", refs = [], was, duplicate }) =>
      isDeclared(sign) ||
      was !== undefined ||
      duplicate ||
      (!stays.has(id) && !refs.some((ref) => inTheWay.has(ref))),
  );
}

function isShare({ text }: PlanLine): boolean {
  return text.startsWith("share with ");
}

/** The order of a zone: a parent before its children. */
function orderOf(text: string): string {
  const [owner = "", ...rest] = text.split(" ");
  return `${zoneOrder(owner)}\0\0${rest.join(" ")}`;
}

function sortedBy<T>(values: readonly T[], keyOf: (value: T) => string): T[] {
  return values
    .map((value) => ({ value, key: keyOf(value) }))
    .sort((a, b) => compareTexts(a.key, b.key))
    .map(({ value }) => value);
}

/** Equal problems of several resources are one, with all records. A problem without records names its resource. */
function errorsOf(declared: readonly DeclaredEntry[], steps: ReadonlyMap<string, Step>): StackPlan["errors"] {
  const found = declared.flatMap(({ urn, resource, errors }) =>
    errors.map((error) => {
      const name = steps.get(urn)?.resource ?? resource;
      const isNamed = name === "" || error.records.length > 0;
      return isNamed ? error : { ...error, title: `${name}: ${error.title}` };
    }),
  );
  const last = new Map(found.map((error, i) => [error.key ?? i, error]));
  return sortedBy(messagesOf("error", [...last.values()]), ({ text }) => text);
}

function messagesOf(level: Level, problems: readonly PlanProblem[]): StackPlan["errors"] {
  const all = problems.map(({ key: _key, why, ...problem }) => ({ ...problem, level, ...defined({ why }) }));
  return merged(all).map((each) => {
    // A gate's records are lines of the plan already.
    const text = each.code === "zone.gated" ? rendered(each) : rendered(each, Infinity);
    return { code: each.code, text };
  });
}

function unreadNotes(held: readonly HeldEntry[]): string[] {
  const notes = held.flatMap(({ domains, unread }) =>
    unread === undefined ? [] : `${listed(domains)}: the zone was not read, the state is shown: ${unread}`,
  );
  return [...new Set(notes)];
}

/** A secret ledger does not show the URN of the last update. */
function unseenNotes(steps: readonly Step[], held: readonly HeldEntry[]): string[] {
  const reported = new Set(held.map(({ urn }) => urn));
  const unseen = steps.filter(({ isOwn, key, op }) => op === "delete" && isOwn && !reported.has(key));
  return unseen.map(
    ({ resource }) =>
      `${resource}: the up deletes it, and its records are not known here, because its URN has changed since its last update`,
  );
}

function unfinishedNotes(steps: readonly Step[], pending: ReadonlySet<string>): string[] {
  const failed = steps.filter(({ isHalfDone, op }) => isHalfDone && op !== "same" && op !== "delete");
  const replaced = steps.filter(({ key }) => pending.has(key)).map(({ resource }) => resource);
  return [
    ...failed.map(({ resource }) => `${resource}: the last update failed; the next up continues it`),
    ...[...new Set(replaced)].map((resource) => `${resource}: its replaced state is still to be deleted`),
  ];
}
