import {
  defaultTtlComment,
  describeRecord,
  shortDataText,
  zoneText,
  type DeclaredRecord,
  type UnknownRecord,
} from "../dns";
import { renderAll, type Reason } from "../problems";
import { Refusal } from "../problems/refusal";
import type { Declaration } from "../reconcile/declaration";
import type { Ledger } from "../reconcile/memory/ledger";
import type { Change } from "../reconcile/plan/pairing";
import { emptyPlan, type Plan } from "../reconcile/plan/plan";
import type { LiveEntry } from "../reconcile/zones/zone";
import type { Preview } from "../reconcile/reconciler";
import { liveText, type Hides, type Wording, wordingOf } from "../reconcile/wording";
import { noteOf, warnOf } from "../support/reporter";
import type { Removal } from "../settings";
import { domainsOf } from "../support/collections";
import { named, number, planWords, signWords } from "../support/text";
import { reasonsOf } from "./failures";
import type { Host } from "./host";
import { unmatched } from "./plan-lines";
import { concernsDomains, type PlannedResource } from "./plan-report";
import { checkedZones, type Surroundings } from "./zone-checks";

export interface PreviewedResource extends PlannedResource {
  readonly surroundings: Surroundings;
  /** Whether the update follows immediately. It then reports the failures itself. */
  readonly updates: boolean;
}

/**
 * Reports the preview of a resource with records, to the reader or to `pulumi-legacydns plan`.
 * @throws Refusal
 */
export async function preview(
  host: Host,
  subject: PreviewedResource,
  before?: { readonly records: readonly DeclaredRecord[]; readonly ledger: Ledger },
): Promise<void> {
  const { declaration, surroundings, resource, domains, updates } = subject;
  const { reconciler, reporter, report } = host;
  const previewed = await reconciler
    .preview(declaration, before?.records, before?.ledger)
    .catch((error: unknown) => {
      if (report === undefined || !concernsDomains(error)) throw error;
      return refusedPreview(reasonsOf(error));
    });
  const { plan, warnings, failures, gone, unmanaged } = previewed;
  const records = declaration.records.filter(({ domain }) => !gone.has(domain));
  const checks = checkedZones(host, { ...declaration, records }, plan, surroundings);
  const refusals = [...previewed.refusals, ...checks.refuse];
  if (report !== undefined) {
    report.update(subject, { ...previewed, refusals, checks }, before?.ledger);
    return warnOf(reporter, [...previewed.moves, ...warnings, ...unmanaged()]);
  }
  const beforehand = (): Reason[] => [...failures, ...previewed.stays, ...previewed.moves, ...unmanaged()];
  warnOf(reporter, [...(updates ? [] : beforehand()), ...warnings]);
  warnOf(reporter, checks.warn);
  noteOf(reporter, renderAll(checks.note));
  if (refusals.length > 0) throw new Refusal(refusals);
  const isNew = before === undefined;
  const { removal, may } = declaration;
  // The engine's diff of a `Record` shows all but the live record that a new one adopts or changes.
  if (may.single && !(isNew && plan.adopted.length + plan.changes.length > 0)) return;
  const later = unmatched(declaration.unknowns, plan);
  const left = domainsOf([...plan.stale, ...plan.removals.map(({ live }) => live)]);
  const where = named([...new Set([...domains, ...left])]);
  const summary = planSummary(plan, where, { removal, unknown: later.length });
  if (summary === undefined) return;
  const head = declaration.isAlone === true || resource === undefined ? "" : `${resource}: `;
  const wording = wordingOf(reconciler.siblings, declaration);
  const changes = [...comingLines(plan.create, later), ...goingLines(plan, wording)];
  const stays = isNew ? [] : stayingLines(plan, removal, wording);
  const lines = firstLines([...changes, ...stays]);
  reporter.info(
    [`${head}${summary}`, ...(stays.length > 0 ? [`  ${declarations}`] : []), ...lines].join("\n"),
  );
}

/** A plan still counts what the resource declares and has declared. */
function refusedPreview(refusals: readonly Reason[]): Preview {
  const none = {
    warnings: [],
    failures: [],
    stays: [],
    moves: [],
    unmanaged: () => [],
    gone: new Set<string>(),
  };
  return { plan: emptyPlan(), zones: new Map(), refusals, ...none };
}

/** `example.com: 3 to create, 1 blocked`. */
export function planSummary(
  plan: Plan,
  where: string,
  { removal, unknown }: { readonly removal: Removal; readonly unknown: number },
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

function firstLines(lines: readonly string[]): string[] {
  const shown = lines.slice(0, mostShown).map((line) => `  ${line}`);
  const more = lines.length - mostShown;
  return more > 0 ? [...shown, `  and ${more} more; \`pulumi-legacydns plan\` lists all`] : shown;
}

const declarations = "A diff of `records` compares declarations. In the zone:";

/** The engine's diff shows these as removed or added, or as another TTL. */
function stayingLines(
  { adopted, obstacles, stale, released, undecided }: Plan,
  removal: Declaration["removal"],
  wording: Wording,
): string[] {
  const line = (sign: keyof typeof signWords, live: LiveEntry, more = "", how: Hides = wording): string =>
    `${sign} ${liveText(live, how)}, ${signWords[sign]}${more}`;
  const foreign = { hides: wording.hidesForeign };
  const lines = [
    ...adopted.map(({ live }) => line("=", live)),
    ...released.map((live) => line("=", live, ", declared by another resource")),
    ...stale.map((live) => line(removal === "retain" ? "." : "!", live)),
    ...obstacles.map(({ live: [live], kind }) =>
      kind === "blocked"
        ? line("!", live, "", foreign)
        : line("!", live, kind === "ttl" ? `, TTL ${live.ttl}` : ""),
    ),
    ...undecided.map(({ live }) => line("?", live)),
  ];
  return [...new Set(lines)];
}

/** As in the engine's diff of a zone's text, which shows the first lines of a new resource only. */
function comingLines(records: readonly DeclaredRecord[], unknowns: readonly UnknownRecord[]): string[] {
  const lines = zoneText({ records, unknowns }, () => "", shortDataText).split("\n");
  return lines.flatMap((line) =>
    line === "" || line === defaultTtlComment ? [] : `+ ${line.replace(/^; /, "")}`,
  );
}

/** The engine's diff shows neither duplicates nor drift. */
function goingLines({ removals, changes }: Plan, wording: Wording): string[] {
  const becomes = ({ live, record, kind }: Change): string => {
    const hiddenBefore = wording.hides(live.record);
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
