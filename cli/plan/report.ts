/**
 * The plan: from the engine's preview to figures and lines per domain, and what the service will not do of it. Pure.
 * A record that moves from one resource to another is unchanged, as it is for the run.
 */
import { groupBy } from "../../provider/gather";
import type { OutlookCheck, OutlookProblem } from "../../provider/lifecycle/outlook";
import { shortText } from "../../provider/dns";
import { reason, textOf, type Reason } from "../../provider/problems";
import { shortly } from "../../provider/problems/ways";
import { count, listed } from "../../provider/words";
import { defaultGates, gateNotes, gatesOfProvider, type GateNote, type GateSettings, type MissingOf } from "./gate-notes";
import type { Told } from "./outlooks";
import type { EnginePreview, Properties, Step } from "./preview";
import { explicitSettings } from "../resources";
import { domainsOf, hidesRecords, isOurs } from "./records";
import { placeOf, Tally, type Held, type PlanLine, type Replaced, type Sign } from "./tally";

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

interface Unheard {
  readonly name: string;
  /** Empty where the stack does not set it any more. */
  readonly value: string;
  readonly variable: string;
}

/** With what the hosts told. */
export interface ReportOptions extends Partial<Told> {
  readonly defaultLine: string;
  /** What becomes of records that are no longer declared, where neither resource nor provider says it. */
  readonly removal: string;
  /** Whether the undocumented operations are on, where the provider does not say it: records can be changed then. */
  readonly full: boolean;
  /** Settings of the stack that the up does not hear of, since the program declares nothing of ours. */
  readonly unheard?: readonly Unheard[];
  /** What a run may do to a zone, where the provider does not say it. */
  readonly gates?: GateSettings;
  /** What stopped runs of the last day have removed, by the settings of an explicit provider or the stack's. */
  readonly stopped?: (explicit: Properties | undefined) => MissingOf;
  /** How many operations the engine begins at once. */
  readonly parallel?: number;
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
  const tally = new Tally(ours, options.pending ?? [], { outlooks, zones, secrets }, {
    defaultLine: options.defaultLine,
    isFull: (step) => isFull(step, preview.steps, options),
    outcomeOf: (held) => outcomeOf(held, preview.steps, options),
    waitingFor: (failing) => waitingFor(failing, preview.steps),
  });
  for (const { domain, line } of ours.flatMap((step) => hiddenLines(step, tally.waiting.has(step.urn)))) tally.planOf(domain).lines.push(line);
  const replaced = (options.pending ?? []).map((step) => ({ step, replaced: tally.dropReplaced(step) }));
  const gates = preview.errors.length > 0 ? [] : gatesAhead(tally, preview.steps, options);
  const pending = replaced.flatMap((each) => pendingNotes(each.step, each.replaced, preview.steps, options, gates));
  for (const held of gates.flatMap(({ refused }) => refused)) tally.holdBack(held);
  const { plans } = tally;
  const { stack } = preview;
  const problems = problemsOf(outlooks.flatMap((each) => tally.refusalsOf(each)));
  const refusals = [...preview.errors, ...problems.map(({ text }) => text)];
  const domains = [...plans].map(([domain, plan]) => domainPlan(domain, { ...plan, kept: plan.lines.length === 0 ? [] : tally.keptIn(domain) })).sort((a, b) => compare(a.domain, b.domain));
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
    warnings: [...preview.warnings, ...(preview.errors.length > 0 ? [] : [...unheardNotes(options.unheard ?? []), ...unreadNotes(tally, preview.steps, options), ...gates.map(({ text }) => text), ...(refusals.length > 0 ? [] : failureNotes(tally, domains, preview.steps, options))])],
    checks: outlooks.flatMap(({ checks }) => checks).sort((a, b) => compare(a.domain, b.domain)),
    limits: [...removalNotes(outlooks.flatMap((each) => tally.limitsOf(each)), tally, preview.steps, options), ...changeNotes(tally.changes), ...enablingNotes(tally.enablings), ...(tally.decidesLate ? [decidesLate] : [])],
    others: othersOf(preview.steps),
  };
}

/** What hosts refuse. The order in which the engine asks differs from time to time. */
function problemsOf(told: readonly (OutlookProblem & Pick<Step, "provider">)[]): OutlookProblem[] {
  // What a gate said last is about all that the run would do to the domain.
  const gates = [...new Map(told.flatMap(({ gate, provider }) => (gate === undefined ? [] : [[`${provider ?? ""} ${gate.parts.domain}`, gate] as const]))).values()];
  const domains = [...new Set(gates.flatMap(({ parts }) => parts.domains))].sort(compare);
  const gated = gates.map(({ code, parts }) => ({ code, text: textOf(reason(code, { ...parts, domains })) }));
  const others = told.flatMap(({ code, text, gate }) => (gate === undefined ? [{ code, text }] : []));
  return [...new Map([...others, ...gated].map((each) => [each.text, each])).values()].sort((a, b) => compare(a.text, b.text));
}

/** What becomes of a record that is not declared any more; undefined where it goes. */
function outcomeOf({ step, isShare }: Pick<Held, "step" | "isShare">, steps: readonly Step[], options: ReportOptions): "stays" | "fails" | undefined {
  const means = removalOf(step, steps, options);
  if (step.retained !== undefined || means === "retain" || (isShare && means !== "delete")) return "stays";
  return means === "delete" && isFull(step, steps, options) ? undefined : "fails";
}

/** URNs of resources that the engine does not begin. @param failing those with which the up ends in an error */
function waitingFor(failing: ReadonlySet<string>, steps: readonly Step[]): ReadonlySet<string> {
  const waiting = new Set<string>();
  // Each comes after what it waits for.
  for (const { op, urn, waitsFor = [] } of steps) if (op !== "same" && waitsFor.some((each) => failing.has(each) || waiting.has(each))) waiting.add(urn);
  return waiting;
}

/** What the engine does not begin, since the up fails before. */
function failureNotes({ waiting, removed }: Tally, domains: readonly DomainPlan[], steps: readonly Step[], options: ReportOptions): string[] {
  const fails = domains.reduce((sum, plan) => sum + plan.fails, 0);
  const does = domains.some(({ add, adopt, change, remove, notBegun }) => add + adopt + change + remove + notBegun > 0);
  if (fails === 0 || !does) return [];
  const names = new Set(steps.flatMap(({ urn, resource }) => (waiting.has(urn) ? [resource] : [])));
  const stuck = new Set(removed.flatMap((held) => (outcomeOf(held, steps, options) === "fails" ? [held.step.urn] : [])));
  const deletedFirst = steps.flatMap(({ deletedFirst: isFirst, urn, resource }) => (isFirst === true && stuck.has(urn) ? [resource] : []));
  return [
    ...(names.size === 0 ? [] : [`the up does not begin what depends on a resource that fails: ${listed([...names])}`]),
    ...(deletedFirst.length === 0 ? [] : [`with deleteBeforeReplace the deletion comes first; where it fails nothing is made in its place, though the figures count it, and the engine never ends \`pulumi up --continue-on-error\`: ${listed(deletedFirst)}. Take the option out`]),
    "the up fails, and the figures are those of `pulumi up --continue-on-error`: without it the engine may begin nothing more, and no deletion, once a resource has failed",
  ];
}

/** Where the state alone tells what stays. */
function unreadNotes(tally: Tally, steps: readonly Step[], options: ReportOptions): string[] {
  const stuck = tally.removed.filter((held) => !held.isShare && held.isTold !== true && outcomeOf(held, steps, options) === "fails" && !tally.isRead(held));
  const domains = [...new Set(stuck.map(({ domain }) => domain))].sort(compare);
  return domains.length === 0 ? [] : [`this plan has not read the zone of ${listed(domains)}, where the program declares nothing any more: what is told to stay there may be gone already`];
}

function unheardNotes(unheard: readonly Unheard[]): string[] {
  if (unheard.length === 0) return [];
  const [names, does] = [unheard.map(({ name }) => `legacydns:${name}`).join(", "), unheard.length === 1 ? "does" : "do"];
  const variables = unheard.map(({ variable, value }) => `${variable}=${value}`).join(" ");
  const set = unheard.every(({ value }) => value !== "") ? `: \`${variables} pulumi up\`` : ` (${unheard.map(({ variable }) => variable).join(", ")})`;
  return [`${names} ${does} not count as the stack has ${unheard.length === 1 ? "it" : "them"} now: the program declares no resource of this provider any more, so the up runs with the settings of the last up. Use the environment${set}`];
}

/** What the up may refuse of what goes with resources that the program no longer has. */
function gatesAhead(tally: Tally, steps: readonly Step[], options: ReportOptions): GateNote[] {
  const going = tally.removed.filter((held) => held.step.after === undefined && !held.isShare && outcomeOf(held, steps, options) === undefined);
  return gateNotes(groupBy(going, ({ domain }) => domain), tally.plans, (domain) => tally.declaredIn(domain), ({ step }) => {
    const set = providerOf(step, steps);
    const gates = set === undefined ? (options.gates ?? defaultGates) : gatesOfProvider(set);
    const { stopped, parallel } = options;
    return { ...gates, ...(stopped === undefined ? {} : { missingOf: stopped(set) }), ...(parallel === undefined ? {} : { parallel }) };
  }, deletionTurns(steps));
}

/** When the engine deletes what goes: first what depends on most others, one after the other; by a negative number, so that the lowest is first. */
function deletionTurns(steps: readonly Step[]): (held: Held) => number {
  const going = new Map(steps.flatMap((step) => (step.op === "delete" ? [[step.urn, step] as const] : [])));
  const depths = new Map<string, number>();
  const depthOf = (urn: string): number => {
    const known = depths.get(urn);
    if (known !== undefined) return known;
    depths.set(urn, 0);
    const depth = Math.max(0, ...(going.get(urn)?.dependsOn ?? []).filter((each) => going.has(each)).map((each) => depthOf(each) + 1));
    depths.set(urn, depth);
    return depth;
  };
  return ({ step }) => -depthOf(step.urn);
}

/** A batch with a secret value is hidden as a whole: a line says so. */
function hiddenLines(step: Step, waits: boolean): { domain: string; line: PlanLine }[] {
  const { before, after, changed, resource } = step;
  if (!hidesRecords(before) && !hidesRecords(after)) return [];
  const sign = before === undefined ? "+" : after === undefined ? "-" : changed.some((name) => name.startsWith("records")) ? "~" : undefined;
  if (sign === undefined) return [];
  return domainsOf(after ?? before ?? {}).map((domain) => ({ domain, line: { sign: waits ? "x" : sign, text: `${resource}: its records are secret`, ttl: "", ...(waits ? { outcome: "notBegun" } : {}) } }));
}

function domainPlan(domain: string, plan: Pick<DomainPlan, "lines" | "kept" | "unchanged">): DomainPlan {
  const lines = plan.lines.map((line) => ({ line, order: orderOf(line.text) })).sort((a, b) => compare(a.order, b.order) || compare(a.line.sign, b.line.sign));
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

/** By which texts of records sort in the order of a zone: names label by label from the right, a parent before its children, then the text. */
export function orderOf(text: string): string {
  const [owner = "", ...rest] = text.split(" ");
  return `${owner.split(".").reverse().join("\u0001")}\u0000${rest.join(" ")}`;
}

export function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const limited = "the service's documented interface can neither change nor remove a record";
const decidesLate = `where the update finds another record than the live one that \`?\` marks, the up fails: ${limited}`;

/** What ends the up with an error, as the hosts tell it, and what goes and stays. */
function removalNotes(told: readonly Reason[], tally: Tally, steps: readonly Step[], options: ReportOptions): string[] {
  const byEngine: Held[] = [];
  const kept: Held[] = [];
  const checked: Held[] = [];
  const shares: Held[] = [];
  for (const record of [...tally.removed].sort((a, b) => compare(orderOf(a.text), orderOf(b.text)))) {
    const means = removalOf(record.step, steps, options);
    if (record.step.retained !== undefined) byEngine.push(record);
    else if (means === "delete" && isFull(record.step, steps, options)) continue;
    else if (record.isShare) shares.push(record);
    else if (means === "retain") kept.push(record);
    else if (record.isTold !== true) checked.push(record);
  }
  const named = (held: readonly Held[]): string => listed(held.map(({ text }) => shortText(text)));
  const ways = new Map<string, string>();
  const failures = [...[...told].sort((a, b) => compare(textOf(a), textOf(b))), ...leftOverReasons(checked, steps, options, tally.declaredPlaces())];
  return [
    ...new Set(failures.map((why) => textOf(shortly(ways, why)))),
    ...(kept.length > 0 ? [`${records(kept.length)} no longer declared, left in the zone (removal: retain): ${named(kept)}`] : []),
    ...[...groupBy(byEngine, ({ step }) => step.retained)].map(([option, held]) => `no longer declared, left as it is (${String(option)}): ${named(held)}`),
    ...[...groupBy(shares, ({ step }) => whyShared(step, steps, options))].map(([why, { length }]) => `${count(length, "share")} no longer declared: ${why}. End ${length === 1 ? "it" : "them"} in the service's console`),
  ];
}

/** Why a share stays that is no longer declared. */
function whyShared(step: Step, steps: readonly Step[], options: ReportOptions): string {
  return isFull(step, steps, options) ? `left on the service (removal: ${removalOf(step, steps, options)})` : "the documented interface cannot end a share";
}

/** The removal mode of a resource: its own, its provider's, the stack's. */
function removalOf(step: Step, steps: readonly Step[], options: ReportOptions): string {
  const own = ownRemoval(step);
  if (own !== undefined) return own;
  const set = providerOf(step, steps);
  if (set === undefined) return options.removal;
  const given = set["removal"];
  if (typeof given === "string") return given;
  return isFull(step, steps, options) ? "delete" : "verify";
}

/** Whether records can be changed and removed: what the resource's provider says, else the stack. */
function isFull(step: Step, steps: readonly Step[], options: ReportOptions): boolean {
  const set = providerOf(step, steps);
  return set === undefined ? options.full : String(set["undocumentedOperations"]) === "true";
}

/** What is said of records that stay and keep an up from its end, in the up's own words: once for those with the same ways out. */
function leftOverReasons(held: readonly Held[], steps: readonly Step[], options: ReportOptions, places: ReadonlySet<string>): Reason[] {
  const howOf = ({ step }: Held) => {
    const explicit = providerOf(step, steps) !== undefined;
    const removalSetBy = ownRemoval(step) !== undefined ? (explicit ? "resource-of-provider" : "resource") : explicit ? "provider" : "stack";
    const command = removalSetBy === "stack" || step.after !== undefined ? "up" : "delete";
    return { removalSetBy, command, change: isFull(step, steps, options), full: false, unproven: false } as const;
  };
  const groups = groupBy(held, (each) => JSON.stringify(howOf(each)));
  return [...groups].sort(([a], [b]) => compare(a, b)).flatMap(([, these]) => {
    const [first] = these;
    if (first === undefined) return [];
    const enabled = these.filter(({ ttl }) => !ttl.endsWith("(disabled)"));
    const both = enabled.some((each) => places.has(placeOf(each)));
    return [reason("live.left-over-planned", { ...howOf(first), names: listed(these.map(({ text }) => shortText(text))), first: shortText(first.text), live: these.length, enabled: enabled.length, both, changed: 0 })];
  });
}

function ownRemoval(step: Step): string | undefined {
  const own = (step.after ?? step.before ?? {})["removal"];
  return typeof own === "string" ? own : undefined;
}

/** The settings of an explicit provider, which takes nothing from the stack or the environment. */
function providerOf(step: Step, steps: readonly Step[]): Properties | undefined {
  const provider = steps.find(({ urn }) => urn === step.provider);
  return provider === undefined ? undefined : explicitSettings(provider.type, provider.urn, provider.after ?? provider.before);
}

function changeNotes(changes: number): string[] {
  if (changes === 0) return [];
  const what = changes === 1 ? "1 change of a TTL" : `${changes.toLocaleString("en-US")} changes of TTLs`;
  return [`${what}: ${limited}. It takes effect where the live record has that TTL already; else an up refuses it or fails. Change it in the service's console`];
}

function enablingNotes(enablings: number): string[] {
  if (enablings === 0) return [];
  const it = enablings === 1 ? "it" : "them";
  return [`${records(enablings)} live, but disabled: ${limited}. Enable ${it} in the service's console; until then an up refuses ${it} or fails`];
}

function isUnfinished({ halfDone, after, op }: Step): boolean {
  return halfDone && after !== undefined && op !== "same";
}

function halfDoneNotes(steps: readonly Step[]): string[] {
  return steps.filter(isUnfinished).map(({ resource }) => `${resource}: the last run of it ended with an error; an up reads the zone again, makes what is missing and says what is still to be mended`);
}

/** What becomes of a resource that was replaced and is still to be deleted. @param replaced none where all of it is declared again */
function pendingNotes(step: Step, replaced: Replaced | undefined, steps: readonly Step[], options: ReportOptions, gates: readonly GateNote[]): string[] {
  if (replaced === undefined) return [];
  const { named, isGone, isRead } = replaced;
  const [first] = named;
  const what = first === undefined ? "what it was" : named.length === 1 ? shortText(first.text) : `${shortText(first.text)} and ${named.length - 1} more`;
  const fates = {
    stays: "an up lets go of it, and leaves it in the zone",
    fails: `each up tries at its end, and fails as long as it is live and cannot be removed${isRead ? "" : ". This plan has not read its zone: it may be gone already"}`,
    goes: "an up removes it at its end",
    "may go": "an up removes it at its end, unless a safety gate refuses that (see the warnings)",
    "is kept": "an up tries to remove it at its end, and a safety gate refuses that (see the warnings)",
    gone: "it is not live any more, and an up lets go of it",
  };
  const isAmong = (among: (note: GateNote) => readonly Held[]): boolean => gates.some((note) => among(note).some((held) => held.step === step));
  const gated = isAmong(({ refused }) => refused) ? "is kept" : isAmong(({ checked }) => checked) ? "may go" : "goes";
  const fate = isGone ? "gone" : (outcomeOf({ step, isShare: first?.isShare === true }, steps, options) ?? gated);
  return [`${step.resource}: ${what} was replaced, and is still to be deleted: ${fates[fate]}`];
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

function records(n: number): string {
  return `${n.toLocaleString("en-US")} ${n === 1 ? "record" : "records"}`;
}
