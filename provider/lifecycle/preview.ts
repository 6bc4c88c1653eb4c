import { describeRecord, type DeclaredRecord } from "../dns";
import { renderAll } from "../problems";
import type { Declaration } from "../reconcile/declaration";
import type { Ledger } from "../reconcile/memory/ledger";
import type { Change } from "../reconcile/plan/pairing";
import { emptyPlan, type Plan } from "../reconcile/plan/plan";
import type { Preview } from "../reconcile/reconciler";
import { liveText, type Wording } from "../reconcile/wording";
import { warnOf } from "../support/reporter";
import { concernsDomains, reasonsOf } from "./failures";
import type { Host } from "./host";
import { isPlan } from "./plan-file";
import { planProblem, writeUpdate } from "./plan-lines";
import { firstLines, knownLater, listsAll, unmatched, type Form } from "./form";
import { checkedZones, type Surroundings } from "./zone-checks";

export interface Before {
  readonly before?: readonly DeclaredRecord[];
  readonly ledger?: Ledger;
}

/** In a plan, a refused domain concerns this resource only. */
export async function previewOf(
  { reconciler }: Host,
  declaration: Declaration,
  { before = [], ledger }: Before = {},
): Promise<Preview> {
  try {
    return await reconciler.preview(declaration, before, ledger);
  } catch (error) {
    if (!isPlan() || !concernsDomains(error)) throw error;
    return {
      plan: emptyPlan(),
      refusals: reasonsOf(error),
      refused: new Set(declaration.records),
      warnings: [],
      failures: [],
      stays: [],
      gone: new Set(),
    };
  }
}

export interface Subject {
  readonly declaration: Declaration;
  readonly surroundings: Surroundings;
  readonly resource: string | undefined;
  readonly urn: string | undefined;
  readonly domains: readonly string[];
  /** Whether the update follows immediately. It then reports the failures itself. */
  readonly updates: boolean;
}

export async function planned(
  form: Form,
  host: Host,
  { declaration, surroundings, urn, resource, domains, updates }: Subject,
  before?: Before,
): Promise<readonly string[]> {
  const { reporter } = host;
  const preview = await previewOf(host, declaration, before);
  const { plan } = preview;
  const records = declaration.records.filter(({ domain }) => !preview.gone.has(domain));
  const checks = checkedZones(host, { ...declaration, records }, plan, surroundings);
  const refusals = [...preview.refusals, ...checks.refusals];
  if (isPlan()) {
    const named = { urn, resource, domain: domains[0] ?? "" };
    writeUpdate(
      host,
      named,
      declaration,
      { ...preview, errors: refusals.map(planProblem), checks: checks.found },
      before?.ledger,
    );
    warnOf(reporter, preview.warnings);
    return [];
  }
  warnOf(reporter, [...(updates ? [] : [...preview.failures, ...preview.stays]), ...preview.warnings]);
  for (const warning of checks.warnings) reporter.warn(warning);
  for (const note of checks.notes) reporter.info(note);
  if (refusals.length > 0) return renderAll(refusals);
  const isNew = before === undefined;
  const openUnknowns = unmatched(declaration.unknowns, plan);
  const summary = form.summary(plan, {
    isNew,
    removal: declaration.removal,
    awaits: !isNew && openUnknowns.length > 0,
  });
  const head = declaration.isAlone === true || resource === undefined ? "" : `${resource}: `;
  const lines = firstLines(goingLines(plan, host.reconciler.siblings.wording(declaration)), listsAll);
  if (summary !== undefined) reporter.info([`${head}${summary}`, ...lines].join("\n"));
  // For an existing record, the engine's own diff shows unknown values.
  const later = isNew || !form.single ? knownLater(openUnknowns, domains, resource) : undefined;
  if (later !== undefined) reporter.info(later);
  return [];
}

/** The engine's diff shows neither duplicates nor drift. */
function goingLines({ removals, changes }: Plan, wording: Wording): string[] {
  const becomes = ({ live, record, kind }: Change): string => {
    const hiddenBefore = wording.hides(live.record, live.id);
    const data = describeRecord(record, wording.hides(record), hiddenBefore ? undefined : live.record);
    return [
      ...(kind === "data" ? [data] : []),
      ...(kind === "enable" ? ["enabled"] : []),
      ...(record.ttl === "default" || record.ttl === live.ttl ? [] : [`TTL ${record.ttl}`]),
    ].join(", ");
  };
  const before = ({ live, record, kind }: Change): string =>
    liveText(live, wording, kind === "data" && !wording.hides(record) ? record : undefined);
  return [
    ...removals.map(({ live }) => `- ${liveText(live, wording)}`),
    ...changes.map((change) => `~ ${before(change)} => ${becomes(change)}`),
  ];
}
