/**
 * The zone checks in a preview: over what will be live, which is the declared records and those of the zone, as the preview
 * has read it, that stay. No call is made.
 */
import { digest, recordKey, type DeclaredRecord } from "../dns";
import {
  allOff,
  checkZone,
  divideFindings,
  findingTexts,
  overlaid,
  toldFinding,
  type CheckFinding,
} from "../dns/checks";
import type { Declaration } from "../reconcile/declaration";
import { groupBy } from "../gather";
import { named } from "../words";
import type { Plan } from "../reconcile/plan/plan";
import type { Hideable, Wording } from "../reconcile/wording";
import type { Zone } from "../reconcile/zones/zone";
import type { Host } from "./host";
import type { OutlookCheck, OutlookProblem } from "./outlook";

/** What a resource knows of the rest of its zones. */
export interface Surroundings {
  /** Its input `checks`. */
  readonly given: unknown;
  /** Others may declare there what is not known: nothing is then said to be missing. */
  readonly isPart: boolean;
  /** Digests of what other resources of the program declare in its domains. */
  readonly declared: readonly string[];
}

/** What the checks say to a plan. */
export interface CheckedZones {
  readonly refusals: readonly OutlookProblem[];
  readonly warnings: readonly string[];
  /** All of it, for `pulumi-legacydns plan`. */
  readonly found: readonly OutlookCheck[];
}

const nothing: CheckedZones = { refusals: [], warnings: [], found: [] };

/** What the checks find in the zones of a declaration, once its plan is carried out. */
export function checkedZones(
  { settings, reconciler }: Host,
  declaration: Declaration,
  plan: Plan,
  surroundings: Surroundings,
): CheckedZones {
  const levels = overlaid(settings.checks, surroundings.given);
  if (allOff(levels)) return nothing;
  const byDomain = groupBy(declaration.records, ({ domain }) => domain);
  const leaving = new Set(
    [...plan.removals, ...plan.changes].map(({ live }) => `${live.record.domain} ${live.id}`),
  );
  const whole =
    !surroundings.isPart &&
    areLive(
      surroundings.declared,
      [...byDomain.keys()].map((domain) => reconciler.zones.latest(domain)?.zone),
    );
  const findings: CheckFinding[] = [];
  const { hides } = reconciler.siblings.wording(declaration);
  for (const [domain, declared] of [...byDomain].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const zone = reconciler.zones.latest(domain)?.zone;
    const beside =
      zone === undefined ? [] : stayingBeside(zone, declared, leaving, declaration.may.single, hides);
    for (const finding of checkZone({ domain, declared, beside, whole: whole && zone !== undefined }))
      findings.push(finding);
  }
  const { refused, warned } = divideFindings(findings, levels);
  const told = (level: "refuse" | "warn", of: readonly CheckFinding[]): OutlookCheck[] =>
    of.map((finding) => ({ ...toldFinding(finding), level }));
  const more = "`pulumi-legacydns plan` lists all";
  const warnings = findingTexts(warned, more).map(({ text }) => text);
  return {
    refusals: findingTexts(refused, more),
    warnings: together(warnings, named([...byDomain.keys()])),
    found: [...told("refuse", refused), ...told("warn", warned)],
  };
}

/** One message: the engine takes them one after the other, and a preview may end before it has taken many. */
function together(texts: readonly string[], where: string): string[] {
  return texts.length < 2
    ? [...texts]
    : [[`${where}: findings of the zone checks`, ...texts.map((text) => `  ${text}`)].join("\n")];
}

/** What is live and answered, and neither declared here nor about to go. A single record is looked at with its own name only. */
function stayingBeside(
  zone: Zone,
  declared: readonly DeclaredRecord[],
  leaving: ReadonlySet<string>,
  single: boolean,
  hides: Wording["hides"],
): Hideable[] {
  const keys = new Set(declared.map((record) => recordKey(record)));
  const entries = single
    ? declared.flatMap((record) => namesOf(record).flatMap((name) => zone.byPlace.get(name) ?? []))
    : zone.entries;
  const stay = entries.filter(
    ({ key, id, enabled }) => enabled && !keys.has(key) && !leaving.has(`${zone.domain} ${id}`),
  );
  return stay.map(({ record, id }) => (hides(record, id) ? { ...record, secret: true } : record));
}

/** The names that a record by itself is checked with: its own, and the one that it points to. */
function namesOf({ domain, name, type, value }: DeclaredRecord): string[] {
  const end = `.${domain}.`;
  const target = (type === "MX" || type === "NS") && value.endsWith(end) ? [value.slice(0, -end.length)] : [];
  return [...new Set([name, ...target])];
}

/** Whether everything that other resources declare is live already: what is not known of it cannot be looked at. */
function areLive(digests: readonly string[], zones: readonly (Zone | undefined)[]): boolean {
  if (digests.length === 0) return true;
  const live = new Set(zones.flatMap((zone) => zone?.entries.map(({ key }) => digest(key)) ?? []));
  return digests.every((each) => live.has(each));
}
