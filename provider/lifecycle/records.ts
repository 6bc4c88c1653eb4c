/** The lifecycle of `Record` and `RecordBatch`, which differ in their form. */
import { isDeepStrictEqual } from "node:util";
import { digest, patternMatcher, type DeclaredEntry } from "../dns";
import { isError, reason, renderAll, type Problem, type Reason } from "../problems";
import { Refusal } from "../problems/refusal";
import type { Declaration } from "../reconcile/declaration";
import {
  asFailed,
  digestOf,
  formatLedger,
  missingIn,
  hasOpenWrite,
  needsUpdate,
  parseLedger,
  withoutMissing,
  type Ledger,
} from "../reconcile/memory/ledger";
import type { Settings } from "../settings";
import { noteOf } from "../support/reporter";
import { checked } from "./checked";
import type { Checked, Form, Like } from "./form";
import type { Host, Operate } from "./host";
import { isSensitive, unknownValue, withoutProvider, type Lifecycle, type Props } from "./lifecycle";
import { notesOf, readDeclared, type Manifest } from "./manifest";
import { optionProblems, removalOf, textsOf } from "./options";
import { Predecessors } from "./predecessors";
import { preview, type Subject } from "./preview";
import { declaredLast, inputsOf, withFindings } from "./state";

/** Results of `check`, for later operations. */
interface Seen {
  /** By inputs. Those with unknown records are also kept by URN. */
  readonly checked: Map<string, { readonly unchanged: boolean; readonly subject: () => Subject }>;
  /** By URN. It also applies to the replaced predecessor. */
  readonly removals: Map<string, unknown>;
  /**
   * Digest of the inputs' content → the URN, for the dynamic provider, and notes about a changed zone file. Its
   * programs declare no record twice.
   */
  readonly origins: Map<string, { readonly urn: string | undefined; readonly notes: readonly string[] }>;
  readonly predecessors: Predecessors;
}

export function recordsProvider(form: Form, operate: Operate): Lifecycle {
  const predecessors = new Predecessors(form);
  const seen: Seen = { checked: new Map(), removals: new Map(), origins: new Map(), predecessors };
  return {
    check: (olds, given) =>
      checked(operate, olds, given, (host, manifest, news) => check(form, host, seen, manifest, olds, news)),
    diff: (_id, olds, news) => operate((host) => diff(form, host, seen, olds, news)),
    create: (inputs, urn) =>
      operate((host) => create(form, host, seen, inputs, originOf(host, seen, inputs, urn))),
    update: (id, given, news, urn) =>
      operate((host) => update(form, host, id, given, news, originOf(host, seen, news, urn))),
    read: (id, given) => operate((host) => read(form, host, seen, id, given)),
    delete: (_id, given, urn) => operate((host) => release(form, host, seen, given, urn)),
  };
}

/** `diff` gets the inputs of `check` without any name of the resource. */
function contentOf(inputs: Props): string {
  const { domains, records, domain, name, type, value, ttl, priority, line } = inputs;
  return JSON.stringify([domains, records, domain, name, type, value, ttl, priority, line]);
}

/** Notes are said once per change of the file: here, because a preview makes no change. */
function originOf({ reporter }: Host, { origins }: Seen, inputs: Props, given: string | undefined) {
  const { urn, notes = [] } = origins.get(digest(contentOf(inputs))) ?? {};
  noteOf(reporter, notes);
  return given ?? urn;
}

/** @returns false after a refresh, where the engine compares without a `check` */
async function previewChange(form: Form, host: Host, seen: Seen, olds: Props, news: Props): Promise<boolean> {
  // Batches with unknown records may have equal inputs.
  const urn = news["records"] === unknownValue ? parseLedger(olds["__ledger"]).urn : undefined;
  const key = urn !== undefined && seen.checked.has(urn) ? urn : contentOf(news);
  const change = seen.checked.get(key);
  if (change === undefined) return false;
  seen.checked.delete(key);
  if (change.unchanged && !needsUpdate(olds["__ledger"])) {
    host.report?.unchanged(change.subject());
    return true;
  }
  const subject = change.subject();
  await previewUpdate(form, host, olds, subject, { props: news, records: subject.declaration.records });
  return true;
}

function previewUpdate(form: Form, host: Host, olds: Props, subject: Subject, like?: Like): Promise<void> {
  const sensitive = subject.declaration.sensitive || isSensitive(olds);
  const declaration = { ...subject.declaration, sensitive };
  const before = { records: answeredFor(form, olds, host, like), ledger: parseLedger(olds["__ledger"]) };
  return preview(form, host, { ...subject, declaration }, before);
}

async function check(
  form: Form,
  host: Host,
  seen: Seen,
  manifest: Manifest,
  olds: Props,
  news: Props,
): Promise<Props> {
  const { settings } = host;
  if (manifest.urn !== undefined) seen.removals.set(manifest.urn, news["removal"]);
  const found = form.check(news, { settings, olds, text: manifest.text });
  const errors = [...found.problems.filter(isError), ...optionProblems(news), ...unallowed(news, settings)];
  if (errors.length > 0) throw new Refusal(errors);
  const { inputs } = found;
  const sensitive = isSensitive(olds) || isSensitive(news);
  const subject = declared(form, host, manifest, found, sensitive);
  const before = withoutProvider(olds);
  const unchanged = isDeepStrictEqual(before, withoutProvider(inputs));
  if (!unchanged) report(host, manifest, found);
  const notes = notesOf(manifest, (props) => answeredFor(form, props, host), olds, inputs);
  seen.origins.set(digest(contentOf(inputs)), { urn: manifest.urn, notes });
  if (unchanged || Object.keys(before).length > 0) {
    seen.checked.set(contentOf(inputs), { unchanged, subject });
    if (manifest.urn !== undefined && inputs["records"] === unknownValue)
      seen.checked.set(manifest.urn, { unchanged, subject });
  } else await previewNew(form, host, seen, inputs, subject());
  return inputs;
}

/** The engine checks a replacement twice: the second time without its state, after the comparison. */
async function previewNew(form: Form, host: Host, seen: Seen, news: Props, subject: Subject): Promise<void> {
  const former = seen.predecessors.of(subject.declaration, news);
  if (former === undefined) await preview(form, host, subject);
  else if (!former.isCompared) await previewUpdate(form, host, former.props, subject);
}

function declared(
  form: Form,
  host: Host,
  { resource, urn, updates, unknown = [], constructed = "", declared }: Manifest,
  { inputs, records, unknowns }: Checked,
  sensitive: boolean,
): () => Subject {
  const { siblings } = host.reconciler;
  const domains = textsOf(form.single ? [inputs["domain"]] : inputs["domains"]);
  const isComplete = !form.single && declared !== undefined && unknown.length === 0;
  const own = new Set(isComplete ? domains : []);
  const elsewhere: string[] = [];
  for (const [domain, text] of Object.entries(declared ?? {}))
    for (const { digest, mail, secret } of readDeclared(text)) {
      siblings.declareElsewhere(digest, { domain, mail }, secret);
      if (own.has(domain)) elsewhere.push(digest);
    }
  siblings.declare(records, sensitive, { resource, hasManifest: declared !== undefined }, () =>
    readDeclared(constructed).map((each) => each.digest),
  );
  const options = optionsOf(form, inputs, host);
  siblings.ignore(options.report, "check");
  const mayHaveUnknownSiblings = unknowns.length > 0 || !isComplete;
  return () => ({
    declaration: {
      ...options,
      urn,
      sensitive,
      unknowns,
      records: records().map(asWanted),
      isAlone: !mayHaveUnknownSiblings && elsewhere.length === 0,
    },
    surroundings: { given: inputs["checks"], mayHaveUnknownSiblings, declared: elsewhere },
    resource,
    urn,
    domains,
    updates: updates === true,
  });
}

/** A file's messages have places; the text that it became would repeat them. */
function report({ reporter }: Host, { problems, resource }: Manifest, checked: Checked): void {
  const { warnings, notes } = problems ?? {};
  const head = resource === undefined ? "" : `${resource}: `;
  const found = notes === undefined ? renderAll(checked.problems).map((text) => `${head}${text}`) : [];
  for (const text of warnings ?? found) reporter.warn(text);
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

/** `changes` stays open: the inputs are canonical, so the engine's own comparison names the differences. */
async function diff(form: Form, host: Host, seen: Seen, olds: Props, news: Props) {
  const declared = declaredLast(olds);
  const inPlace = optionsOf(form, news, host).may.remove;
  // If the program now declares the data that a refresh found, the record is live already.
  const isAsFound = form.replaces(olds, news, inPlace).length === 0;
  const replaces = isAsFound ? [] : form.replaces(declared, news, inPlace);
  const isCompared = await previewChange(form, host, seen, declared, news);
  if (isCompared) seen.predecessors.remember(declared, true);
  // A resource that was checked earlier may have removed a record that this one declares as before.
  const isTouched = host.reconciler.writer.underWay.hasTouched(() => form.stored(news, host.settings));
  // A refresh may have kept an uncertain write.
  return isTouched || hasOpenWrite(olds["__ledger"]) ? { replaces, changes: true as const } : { replaces };
}

async function create(form: Form, host: Host, seen: Seen, inputs: Props, urn: string | undefined) {
  const wanted = { ...wantedOf(form, inputs, host), urn };
  const id = form.id(wanted.records, wanted.sensitive);
  const olds = seen.predecessors.of(wanted, inputs)?.props;
  const { ledger, failures, outs } = await apply(form, host, olds, inputs, urn);
  if (failures.length === 0) return { id, outs };
  const nothingDone = ledger.owned.size === 0 && ledger.openWrites.length === 0;
  throw nothingDone ? new Refusal(failures) : halfDone(id, outs, failures);
}

async function update(
  form: Form,
  host: Host,
  id: string,
  given: Props,
  news: Props,
  urn: string | undefined,
) {
  const { failures, outs } = await apply(form, host, declaredLast(given), news, urn);
  if (failures.length > 0) throw halfDone(id, outs, failures);
  return { outs };
}

async function apply(form: Form, host: Host, olds: Props | undefined, news: Props, urn: string | undefined) {
  const secret = isSensitive(news) || (olds !== undefined && isSensitive(olds));
  const declaration = { ...wantedOf(form, news, host), urn, sensitive: secret };
  const before = olds === undefined ? [] : answeredFor(form, olds, host);
  const { ledger, failures } = await host.reconciler.apply(
    declaration,
    before,
    parseLedger(olds?.["__ledger"]),
  );
  const mayHold = olds !== undefined && ledger.stale.length + ledger.openWrites.length > 0;
  const inputs = secret && mayHold ? { ...openNow(news), sensitive: true } : news;
  return { ledger, failures, outs: outputsOf(form, inputs, ledger, declaration) };
}

async function read(form: Form, host: Host, seen: Seen, id: string, given: Props | undefined) {
  if (given === undefined) return {};
  const props = declaredLast(given);
  seen.predecessors.remember(props, false);
  const declaration = declarationOf(form, props, host);
  const before = parseLedger(props["__ledger"]);
  await host.report?.held(declaration, before, removalOf(props["removal"]));
  // If there are no inputs, the engine finds no drift.
  if (host.report?.comparesDrift === false) return { id, props: { ...given } };
  const observed = await host.reconciler.observe(declaration, before);
  const inputs = form.live(inputsOf(props), observed);
  if (inputs === undefined) return {};
  // The resource no longer owns missing records, because others may declare or create them from now on.
  const missing = observed.findings.flatMap(({ state, record }) => (state === "missing" ? [record] : []));
  const ledger =
    missing.length === 0 || form.single
      ? observed.ledger
      : withoutMissing(observed.ledger, missing, observed.strays, declaration.sensitive);
  const shown = form.single ? withFindings(inputsOf(props), inputs) : inputs;
  const outs = outputsOf(form, shown, ledger, declaration);
  seen.predecessors.remember(declaredLast(outs), false);
  return { id, props: outs, inputs: { ...inputs } };
}

async function release(form: Form, host: Host, seen: Seen, given: Props, known: string | undefined) {
  const props = declaredLast(given);
  const ledger = parseLedger(props["__ledger"]);
  const urn = known ?? ledger.urn;
  const isReplaced = urn !== undefined && seen.removals.has(urn);
  seen.predecessors.forget(urn);
  const removal = isReplaced ? seen.removals.get(urn) : props["removal"];
  const declaration = declarationOf(form, { ...props, removal }, host);
  await host.reconciler.release({ ...declaration, isReplaced }, ledger);
}

function halfDone(id: string, outs: Props, failures: readonly Reason[]): Error {
  const reasons = renderAll(failures);
  const properties = { ...outs, __ledger: asFailed(outs["__ledger"]) };
  return Object.assign(new Error(reasons.join("\n")), { id, properties, reasons });
}

function declarationOf(form: Form, props: Props, host: Host): Declaration {
  return { ...optionsOf(form, props, host), records: answeredFor(form, props, host) };
}

function wantedOf(form: Form, props: Props, host: Host): Declaration {
  return { ...optionsOf(form, props, host), records: form.stored(props, host.settings).map(asWanted) };
}

/** If a program ignores changes, the findings of a refresh are its declaration. */
function asWanted(record: DeclaredEntry): DeclaredEntry {
  return record.liveTtl === undefined ? record : { ...record, ttl: record.liveTtl };
}

/** Stale records may still be secret. */
function openNow(inputs: Props): Props {
  return isSensitive(inputs) ? inputs : { ...inputs, secrets: "" };
}

function answeredFor(form: Form, props: Props, { settings }: Host, like?: Like): readonly DeclaredEntry[] {
  const missing = new Set(missingIn(props["__ledger"]).map(({ digest }) => digest));
  const stored = form.stored(props, settings, like).filter(({ note }) => note !== "not declared");
  return missing.size === 0 ? stored : stored.filter((record) => !missing.has(digestOf(record)));
}

function optionsOf(form: Form, props: Props, { settings }: Host): Omit<Declaration, "records"> {
  const { removal: given, adopt, undeclared, ignore } = props;
  const { explicit, undocumentedOperations: change } = settings;
  const removal = removalOf(given) ?? settings.removal;
  const may = { change, remove: change && removal === "delete", single: form.single };
  const ofResource = explicit ? "resource-of-provider" : "resource";
  const report = {
    domains: textsOf(props["domains"]),
    ignored: patternMatcher(textsOf(ignore)),
    remove: undeclared === "remove" && may.remove,
  };
  return {
    removal,
    adopt: typeof adopt === "boolean" ? adopt : settings.adopt,
    sensitive: isSensitive(props),
    removalSetBy: given !== undefined ? ofResource : explicit ? "provider" : "stack",
    may,
    ...(undeclared === "report" || undeclared === "remove" ? { report } : {}),
  };
}

function outputsOf(
  form: Form,
  inputs: Props,
  ledger: Ledger,
  declaration: Declaration,
): Record<string, unknown> {
  return { ...inputs, ...form.outputs(ledger, declaration.records), __ledger: formatLedger(ledger) };
}
