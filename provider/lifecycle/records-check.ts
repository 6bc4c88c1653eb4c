/** The checks of inputs, and the previews of creations and changes. */
import { isDeepStrictEqual } from "node:util";
import { isError, reason, renderAll, type Problem } from "../problems";
import { needsUpdate, parseLedger } from "../reconcile/memory/ledger";
import type { Settings } from "../settings";
import { answeredFor, asWanted, optionsOf } from "./declarations";
import type { Checked, Form } from "./form";
import type { Host } from "./host";
import { refusal, withoutProvider, type Lifecycle, type Props } from "./lifecycle";
import { readDeclared, readManifest, type Manifest } from "./manifest";
import { optionProblems, textsOf } from "./options";
import { isPlan } from "./plan-file";
import { acceptInPlan, planProblem, writeUnchanged } from "./plan-lines";
import { planned, type Subject } from "./preview";

/** Results of `check`, for later operations. */
export interface Seen {
  /** Content of inputs → their preview. `diff` has the ledger. */
  readonly checked: Map<string, { readonly unchanged: boolean; readonly subject: () => Subject }>;
  /** Digest of a URN → the declared `removal`. It also applies to the resource's replaced predecessor. */
  readonly removals: Map<string, unknown>;
}

/** The records that inputs declare. `diff` gets the inputs of `check` without any name of the resource. */
function contentOf(inputs: Props): string {
  const { domains, records, domain, name, type, value, ttl, priority, line } = inputs;
  return JSON.stringify([domains, records, domain, name, type, value, ttl, priority, line]);
}

/**
 * Inputs that were not checked just before are no change: the engine also compares after a refresh.
 * @throws Error with the refusals
 */
export async function previewChange(
  form: Form,
  host: Host,
  checked: Seen["checked"],
  olds: Props,
  news: Props,
): Promise<void> {
  const key = contentOf(news);
  const change = checked.get(key);
  if (change === undefined) return;
  checked.delete(key);
  if (change.unchanged && !needsUpdate(olds["__ledger"])) {
    if (isPlan()) writeUnchanged(host, change.subject());
    return;
  }
  const subject = change.subject();
  // A former secret stays hidden in messages. After a failure, the outputs contain more than the kept inputs.
  const sensitive = subject.declaration.sensitive || olds["sensitive"] === true;
  const before = { before: answeredFor(form, olds, host), ledger: parseLedger(olds["__ledger"]) };
  const declaration = { ...subject.declaration, sensitive };
  const refusals = await planned(form, host, { ...subject, declaration }, before);
  if (refusals.length > 0) throw new Error(refusals.join("\n"));
}

export async function check(
  form: Form,
  host: Host,
  seen: Seen,
  olds: Props,
  given: Props,
): ReturnType<Lifecycle["check"]> {
  const { settings, reporter } = host;
  const { manifest, inputs: news } = readManifest(given);
  noteManifest(host, seen, manifest, news);
  const { errors: refused, warnings = [] } = manifest.problems ?? {};
  if (refused !== undefined) {
    for (const text of warnings) reporter.warn(text);
    return refusal(news, [refused]);
  }
  const checked = form.check(news, { settings, olds });
  const errors = [...checked.problems.filter(isError), ...optionProblems(news), ...unallowed(news, settings)];
  if (errors.length > 0)
    return isPlan()
      ? { inputs: { ...acceptInPlan(host, manifest, errors.map(planProblem), olds, news) } }
      : refusal(news, renderAll(errors));
  const { inputs } = checked;
  const sensitive = olds["sensitive"] === true || news["sensitive"] === true;
  const subject = declared(form, host, manifest, checked, sensitive);
  const before = withoutProvider(olds);
  const unchanged = isDeepStrictEqual(before, withoutProvider(inputs));
  if (!unchanged) report(host, manifest, checked);
  if (unchanged || Object.keys(before).length > 0) {
    seen.checked.set(contentOf(inputs), { unchanged, subject });
    return { inputs: { ...inputs } };
  }
  const refusals = await planned(form, host, subject());
  return refusals.length > 0 ? refusal(news, refusals) : { inputs: { ...inputs } };
}

function noteManifest({ reconciler }: Host, seen: Seen, { urn, declared }: Manifest, news: Props): void {
  if (urn !== undefined) seen.removals.set(urn, news["removal"]);
  for (const [domain, text] of Object.entries(declared ?? {}))
    for (const { digest, secret, mail } of readDeclared(text))
      reconciler.siblings.declareElsewhere(digest, { domain, mail }, secret);
}

/** @returns the subject of a preview */
function declared(
  form: Form,
  host: Host,
  manifest: Manifest,
  { inputs, records, unknowns }: Checked,
  sensitive: boolean,
): () => Subject {
  const { resource, urn } = manifest;
  host.reconciler.siblings.declare(records, sensitive, { resource, urn });
  const domains = textsOf(form.single ? [inputs["domain"]] : inputs["domains"]);
  const elsewhere = form.single ? undefined : declaredElsewhere(manifest, domains);
  const mayHaveUnknownSiblings = unknowns.length > 0 || elsewhere === undefined;
  return () => ({
    declaration: {
      ...optionsOf(form, inputs, host),
      ...{ sensitive, unknowns },
      records: records().map(asWanted),
      isAlone: !mayHaveUnknownSiblings && elsewhere.length === 0,
    },
    surroundings: { given: inputs["checks"], mayHaveUnknownSiblings, declared: elsewhere ?? [] },
    ...{ resource, urn, domains },
    updates: manifest.updates === true,
  });
}

/** Reports warnings and notes. Those of a file have its places; the text that it became would repeat them. */
function report({ reporter }: Host, { problems, resource }: Manifest, checked: Checked): void {
  const { warnings, notes } = problems ?? {};
  const head = resource === undefined ? "" : `${resource}: `;
  const found = notes === undefined ? renderAll(checked.problems).map((text) => `${head}${text}`) : [];
  for (const text of warnings ?? found) reporter.warn(text);
  for (const text of notes ?? []) reporter.info(text);
}

/** Undefined if other resources may declare more than is known. */
function declaredElsewhere(
  { declared, unknown = [] }: Manifest,
  domains: readonly string[],
): string[] | undefined {
  if (declared === undefined || unknown.length > 0) return undefined;
  return domains.flatMap((domain) => readDeclared(declared[domain] ?? "").map(({ digest: key }) => key));
}

function unallowed(
  { removal, undeclared }: Props,
  { explicit, undocumentedOperations }: Settings,
): Problem[] {
  if (undocumentedOperations) return [];
  const allow = explicit
    ? "set undocumentedOperations: true on the Provider"
    : "pulumi config set legacydns:undocumentedOperations true";
  const refused = (path: string, given: string, instead: string): Problem => ({
    ...reason("option.not-allowed", { given, allow, instead }),
    path,
  });
  return [
    ...(removal === "delete" ? [refused("removal", '"delete"', '"retain"')] : []),
    ...(undeclared === "remove" ? [refused("undeclared", '"remove"', '"report"')] : []),
  ];
}
