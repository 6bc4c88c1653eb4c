/**
 * The preview of a resource with records: the effect of an update, for the reader and for `pulumi-legacydns
 * plan`.
 */
import { ServiceError } from "../api";
import { describeRecord, type DeclaredRecord, type UnknownRecord } from "../dns";
import { renderAll, type Reason } from "../problems";
import type { Declaration } from "../reconcile/declaration";
import type { Ledger } from "../reconcile/memory/ledger";
import type { Change } from "../reconcile/plan/pairing";
import { emptyPlan, type Plan } from "../reconcile/plan/plan";
import type { Preview } from "../reconcile/reconciler";
import { Refusal } from "../problems/refusal";
import { failureReason, liveText, type Wording } from "../reconcile/wording";
import { Unlisted } from "../reconcile/zones/reader";
import type { Host } from "./host";
import { firstLines, listsAll } from "./later";
import { isPlan } from "./plan-file";
import { planProblem, writeUpdate } from "./plan-lines";
import type { Form } from "./form";
import { checkedZones, type Surroundings } from "./zone-checks";

export interface Asked {
  /** The resource's declared records in the state. */
  readonly before?: readonly DeclaredRecord[];
  readonly ledger?: Ledger;
}

/**
 * The preview of a declaration. In a plan, a domain that the service refuses is a refusal of this resource
 * only.
 */
export async function previewOf(
  { reconciler }: Host,
  declaration: Declaration,
  { before = [], ledger }: Asked = {},
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

/** Whether an error is about domains, so that it does not concern other resources. */
export function concernsDomains(error: unknown): boolean {
  return (
    error instanceof Refusal ||
    error instanceof Unlisted ||
    (error instanceof ServiceError && error.about === "domain")
  );
}

/** A resource to plan. */
export interface Subject {
  readonly declaration: Declaration;
  /** Its declared records in the state; undefined for a new resource. */
  readonly before?: readonly DeclaredRecord[];
  /** Its ledger in the state. */
  readonly ledger?: Ledger;
  readonly surroundings: Surroundings;
  /** Its name in messages: `Record "www"`. */
  readonly resource: string | undefined;
  /** Digest of its URN. */
  readonly urn: string | undefined;
  readonly domains: readonly string[];
  /** Whether the update follows immediately. It then reports the failures itself. */
  readonly updates: boolean;
}

/** Reports the effect of an update. @returns the refusals */
export function planned(
  form: Form,
  host: Host,
  { declaration, before, ledger, surroundings, urn, resource, domains, updates }: Subject,
  preview: Preview,
): readonly string[] {
  const { reporter } = host;
  const { plan } = preview;
  const records = declaration.records.filter(({ domain }) => !preview.gone.has(domain));
  const checks = checkedZones(host, { ...declaration, records }, plan, surroundings);
  const refusals = [...preview.refusals.map(planProblem), ...checks.refusals];
  // A plan lists failures, remaining records and findings separately.
  const end = updates ? [] : [...preview.failures, ...preview.stays];
  const warnings = [
    ...renderAll([...(isPlan() ? [] : end), ...preview.warnings]),
    ...(isPlan() ? [] : checks.warnings),
  ];
  writeUpdate(
    host,
    { urn, resource, domain: domains[0] ?? "" },
    declaration,
    { ...preview, errors: refusals, checks: checks.found },
    ledger,
  );
  for (const warning of warnings) reporter.warn(warning);
  if (!isPlan()) for (const note of checks.notes) reporter.info(note);
  if (refusals.length > 0) return isPlan() ? [] : refusals.map(({ text }) => text);
  const isNew = before === undefined;
  const summary = form.summary(plan, {
    isNew,
    removal: declaration.removal,
    awaits: !isNew && openIn(declaration, plan).length > 0,
  });
  // If other resources declare records in the domain, the figures need the resource's name.
  const name = surroundings.declared.length > 0 || surroundings.isPart ? resource : undefined;
  const lines = goingLines(plan, host.reconciler.siblings.wording(declaration));
  if (summary !== undefined)
    reporter.info(
      [name === undefined ? summary : `${name}: ${summary}`, ...firstLines(lines, listsAll)].join("\n"),
    );
  return [];
}

/** Declared records with unknown values that match none of the resource's live records. */
export function openIn({ unknowns = [] }: Declaration, { undecided }: Plan): readonly UnknownRecord[] {
  const found = new Set(undecided.map(({ unknown }) => unknown));
  return unknowns.filter((_, i) => !found.has(i));
}

/** Deletions and changes, one line per record. The engine's diff shows neither duplicates nor drift. */
function goingLines({ removals, changes }: Plan, wording: Wording): string[] {
  const becomes = ({ live, record, kind }: Change): string => {
    const data =
      kind === "data"
        ? [
            describeRecord(
              record,
              wording.hides(record),
              wording.hides(live.record, live.id) ? undefined : live.record,
            ),
          ]
        : [];
    const ttl = record.ttl === "default" || record.ttl === live.ttl ? [] : [`TTL ${record.ttl}`];
    return [...data, ...(kind === "enable" ? ["enabled"] : []), ...ttl].join(", ");
  };
  const before = ({ live, record, kind }: Change): string =>
    liveText(live, wording, kind === "data" && !wording.hides(record) ? record : undefined);
  return [
    ...removals.map(({ live }) => `- ${liveText(live, wording)}`),
    ...changes.map((change) => `~ ${before(change)} => ${becomes(change)}`),
  ];
}

/** The reasons in an error. */
function reasonsOf(error: unknown): readonly Reason[] {
  if (error instanceof Refusal) return error.causes;
  const failures: readonly unknown[] = error instanceof Unlisted ? error.failures : [error];
  return failures.map(failureReason);
}

/** The messages of an error, one for each reason. */
export function messagesOf(error: unknown): readonly string[] {
  return renderAll(reasonsOf(error));
}
