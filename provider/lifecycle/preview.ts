/** The preview of a resource with records: what an update would do, said to the reader and to `pulumi-legacydns plan`. */
import { ServiceError } from "../api";
import { describeRecord, type DeclaredRecord, type UnknownRecord } from "../dns";
import { reason, textOf } from "../problems";
import { shortly } from "../problems/ways";
import type { Declaration } from "../reconcile/declaration";
import type { Ledger } from "../reconcile/memory/ledger";
import type { Change } from "../reconcile/plan/pairing";
import { emptyPlan, type Plan } from "../reconcile/plan/plan";
import type { Preview } from "../reconcile/reconciler";
import { Refusal } from "../problems/refusal";
import { liveText, type Wording } from "../reconcile/wording";
import { Unlisted } from "../reconcile/zones/reader";
import { errorText } from "../words";
import type { Host } from "./host";
import { firstLines, listsAll } from "./later";
import { isPlan } from "./plan-file";
import { planProblem, writeUpdate } from "./plan-lines";
import type { Form } from "./records";
import { checkedZones, type Surroundings } from "./zone-checks";

export interface Asked {
  /** What the resource declared until now. */
  readonly before?: readonly DeclaredRecord[];
  readonly ledger?: Ledger;
}

/** The preview of a declaration. In a plan a domain that the service refuses is one refusal among those of all resources. */
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
      refusals: messagesOf(error).map((said) => reason("zone.refused", { said })),
      refused: new Set(declaration.records),
      warnings: [],
      failures: [],
      stays: [],
      gone: new Set(),
    };
  }
}

/** Whether it is about domains, and so no other resource's. */
export function concernsDomains(error: unknown): boolean {
  return (
    error instanceof Refusal ||
    error instanceof Unlisted ||
    (error instanceof ServiceError && error.about === "domain")
  );
}

/** What is planned of a resource. */
export interface Subject {
  readonly declaration: Declaration;
  /** What it declared until now; undefined of a new one. */
  readonly before?: readonly DeclaredRecord[];
  /** What it has done until now. */
  readonly ledger?: Ledger;
  readonly surroundings: Surroundings;
  /** As messages name it: `Record "www"`. */
  readonly resource: string | undefined;
  /** Digest of its URN. */
  readonly urn: string | undefined;
  readonly domains: readonly string[];
  /** The update follows at once, and ends with what keeps it from its end. */
  readonly updates: boolean;
}

/** Says what would be done. @returns what cannot be done */
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
  // A plan has places of its own for what an up fails with or leaves, and for what the checks find.
  const end = updates
    ? []
    : [
        ...preview.failures.map((why) => textOf(shortly(host.waysTold, why, resource))),
        ...preview.stays.map(textOf),
      ];
  const warnings = [...preview.warnings.map(textOf), ...(isPlan() ? [] : [...end, ...checks.warnings])];
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
  // Beside other resources of the domain its figures are not all that happens there, and two may say the same.
  const name = surroundings.declared.length > 0 || surroundings.isPart ? resource : undefined;
  const lines = goingLines(plan, host.reconciler.siblings.wording(declaration));
  if (summary !== undefined)
    reporter.info(
      [name === undefined ? summary : `${name}: ${summary}`, ...firstLines(lines, listsAll)].join("\n"),
    );
  return [];
}

/** What is declared, not known yet, and none of the resource's live records by now. */
export function openIn({ unknowns = [] }: Declaration, { undecided }: Plan): readonly UnknownRecord[] {
  const found = new Set(undecided.map(({ unknown }) => unknown));
  return unknowns.filter((_, i) => !found.has(i));
}

/** What the service is to remove and to change, a line a record: the engine's own diff shows neither a duplicate nor what differs from the state. */
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

/** What an error says, a text for each reason. */
export function messagesOf(error: unknown): readonly string[] {
  if (error instanceof Refusal) return error.reasons;
  if (error instanceof Unlisted) return error.failures.map(({ message }) => message);
  return [errorText(error)];
}
