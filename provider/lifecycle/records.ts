/**
 * What the engine asks of a resource that holds records: check, diff, create, read, update, delete. `Record` and
 * `RecordBatch` differ only in their form, which says how records stand in inputs and outputs.
 */
import { isDeepStrictEqual } from "node:util";
import {
  describeRecord,
  digest,
  patternMatcher,
  recordKey,
  type DeclaredEntry,
  type DeclaredRecord,
  type UnknownRecord,
} from "../dns";
import { isError, reason, renderAll, type Problem, type Reason } from "../problems";
import type { Declaration } from "../reconcile/declaration";
import {
  asFailed,
  formatLedger,
  hasUncertain,
  needsUpdate,
  parseLedger,
  withoutMissing,
  type Ledger,
} from "../reconcile/memory/ledger";
import { named, planWords } from "../words";
import type { Plan } from "../reconcile/plan/plan";
import type { Observed } from "../reconcile/reconciler";
import { Refusal } from "../problems/refusal";
import type { Settings } from "../settings";
import { knownLater } from "./later";
import { readDeclared, readManifest, type Manifest } from "./manifest";
import { isPlan, planRequest } from "./plan-file";
import { acceptInPlan, inputErrors, writeHeld, writeUnchanged } from "./plan-lines";
import { optionProblems, textsOf } from "./options";
import { messagesOf, openIn, planned, previewOf, type Subject } from "./preview";
import type { Host, Operate } from "./host";
import type { CheckFailure, Lifecycle, Props } from "./lifecycle";

export type { Props } from "./lifecycle";

/** A record as inputs hold it; `note` is what a refresh found: disabled, drifted, not declared. */
export type StoredRecord = DeclaredEntry;

export interface Checked {
  /** Canonical inputs: what the engine stores, and what the form reads back. */
  readonly inputs: Props;
  /** What they declare: read when it is asked for. */
  readonly records: () => readonly StoredRecord[];
  readonly problems: readonly Problem[];
  /** What is not known yet: `records` are then not all that will be declared. */
  readonly unknowns: readonly UnknownRecord[];
}

export interface FormOptions {
  readonly settings: Settings;
  /** The inputs that the state holds; empty for what is new. */
  readonly olds: Props;
}

/** How a resource type keeps its records. */
export interface Form {
  readonly type: string;
  /** New inputs, or the form's own earlier ones, made canonical. */
  check(news: Props, options: FormOptions): Checked;
  /** Canonical inputs, or outputs, read back; a record whose value is not known yet is left out. */
  stored(props: Props, settings: Settings): readonly StoredRecord[];
  /** Whether a resource is one record, which is changed in place where the service can do that. */
  readonly single: boolean;
  /** Properties whose change means another resource; the rest is an update. `inPlace`: records can be changed. */
  replaces(olds: Props, news: Props, inPlace: boolean): string[];
  /** The inputs that describe what is live; undefined when nothing of the resource is. */
  live(props: Props, observed: Observed): Props | undefined;
  /** The resource's id: never a record's value. @param sensitive nor a digest of one */
  id(records: readonly DeclaredRecord[], sensitive: boolean): string;
  /** Outputs beside the inputs and the ledger. */
  outputs(ledger: Ledger, records: readonly DeclaredRecord[]): Props;
  /** The plan in a line, for the preview; undefined where the engine's own row, or another line, says enough. */
  summary(plan: Plan, of: Summed): string | undefined;
}

export interface Summed {
  /** Of a new resource the engine shows the first lines only. */
  readonly isNew: boolean;
  readonly removal: Declaration["removal"];
  /** Whether a line of its own tells of records that are not known yet. */
  readonly awaits: boolean;
}

/**
 * The lifecycle of a form's resource type.
 * @param operate how an operation gets its host.
 */
export function recordsProvider(form: Form, operate: Operate): Lifecycle {
  const seen: Seen = { checked: new Map(), removals: new Map() };
  return {
    check: async (olds, news) => {
      try {
        return await operate((host) => check(form, host, seen, olds, news));
      } catch (error) {
        return { inputs: { ...news }, failures: messagesOf(error).map(failure) };
      }
    },

    diff: (_id, olds, news) =>
      // `changes` stays open: the inputs are canonical, so the engine's own comparison names exactly what differs.
      operate(async (host) => {
        const declared = declaredLast(olds);
        const inPlace = optionsOf(form, news, host).may.remove;
        // What a refresh has found, and the program now asks for, is the same record: it is live already.
        const isAsFound = form.replaces(olds, news, inPlace).length === 0;
        const replaces = isAsFound ? [] : form.replaces(declared, news, inPlace);
        await previewChange(form, host, seen.checked, declared, news);
        // A resource that was checked earlier may have removed a record that this one declares as before.
        const isTouched = host.reconciler.writer.underWay.hasTouched(() => form.stored(news, host.settings));
        // A refresh may have kept an uncertain write.
        return isTouched || hasUncertain(olds["__ledger"]) ? { replaces, changes: true } : { replaces };
      }),

    create: (inputs) =>
      operate(async (host) => {
        const declaration = wantedOf(form, inputs, host);
        const id = form.id(declaration.records, declaration.sensitive);
        const { ledger, failures } = await host.reconciler.apply(declaration, [], parseLedger(undefined));
        const outs = outputsOf(form, inputs, ledger, declaration);
        if (failures.length === 0) return { id, outs };
        const nothingDone = ledger.owned.size === 0 && ledger.uncertain.length === 0;
        throw nothingDone ? new Refusal(failures) : halfDone(id, outs, failures);
      }),

    update: (id, given, news) =>
      operate(async (host) => {
        const olds = declaredLast(given);
        // What was secret stays so in messages for as long as it may be named.
        const secret = olds["sensitive"] === true || news["sensitive"] === true;
        const declaration = { ...wantedOf(form, news, host), sensitive: secret };
        const before = answeredFor(form, olds, host);
        const { ledger, failures } = await host.reconciler.apply(
          declaration,
          before,
          parseLedger(olds["__ledger"]),
        );
        const outs = outputsOf(
          form,
          secret && ledger.leftOver.length > 0 ? { ...openNow(news), sensitive: true } : news,
          ledger,
          declaration,
        );
        if (failures.length > 0) throw halfDone(id, outs, failures);
        return { outs };
      }),

    read: (id, given) =>
      operate(async (host) => {
        if (given === undefined) return {};
        const props = declaredLast(given);
        const declaration = declarationOf(form, props, host);
        const before = parseLedger(props["__ledger"]);
        if (isPlan()) {
          await writeHeld(
            host,
            { urn: before.urn, resource: undefined },
            declaration,
            before,
            props["removal"],
          );
          // Without inputs the engine finds no drift.
          if (!planRequest().drift) return { id, props: { ...given } };
        }
        const observed = await host.reconciler.observe(declaration, before);
        const inputs = form.live(inputsOf(props), observed);
        if (inputs === undefined) return {};
        // The resource answers no more for what is gone: another may declare it, or somebody make it, from now on.
        const missing = observed.findings.flatMap(({ state, record }) =>
          state === "missing" ? [record] : [],
        );
        const ledger =
          missing.length === 0 || form.single
            ? observed.ledger
            : withoutMissing(observed.ledger, missing, observed.strays, declaration.sensitive);
        const outs = outputsOf(
          form,
          form.single ? foundBeside(inputsOf(props), inputs) : inputs,
          ledger,
          declaration,
        );
        return { id, props: outs, inputs: { ...inputs } };
      }),

    delete: (_id, given) =>
      operate(async (host) => {
        const props = declaredLast(given);
        const ledger = parseLedger(props["__ledger"]);
        const { removal: before, ...rest } = props;
        const isReplaced = ledger.urn !== undefined && seen.removals.has(ledger.urn);
        const removal = isReplaced ? seen.removals.get(ledger.urn) : before;
        const declaration = declarationOf(
          form,
          { ...rest, ...(removal === undefined ? {} : { removal }) },
          host,
        );
        await host.reconciler.release({ ...declaration, isReplaced }, ledger);
      }),
  };
}

/** Inputs that have been checked: the plan waits for `diff`, which is told the ledger too. */
interface AwaitsDiff {
  /** Whether they are those of the state: then there is a plan only where the last update failed. */
  readonly unchanged: boolean;
  readonly subject: () => Omit<Subject, "before" | "ledger">;
}

/** What `check` has found, for the operations of its process that follow. */
interface Seen {
  /** The records of inputs (`contentOf`) → what `diff` needs of them. */
  readonly checked: Map<string, AwaitsDiff>;
  /** By digest of a URN, the `removal` that the program declares: it holds for what that resource has replaced, too. */
  readonly removals: Map<string, unknown>;
}

/** The records that inputs declare, as one text. `diff` gets the inputs of `check` without any name of the resource. */
function contentOf(inputs: Props): string {
  const { domains, records, domain, name, type, value, ttl, priority, line } = inputs;
  return JSON.stringify([domains, records, domain, name, type, value, ttl, priority, line]);
}

/**
 * The preview of a change. The engine compares after a refresh, too: what was not checked just before is none.
 * @throws Refusal with what the program asks for and cannot have
 */
async function previewChange(
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
  if (change.unchanged && !needsUpdate(olds["__ledger"]))
    return writeUnchanged(host, change.subject(), () => form.stored(news, host.settings));
  const { declaration: declared, ...about } = change.subject();
  // What was secret stays so in messages: after a failure outputs know of more than the inputs, which are kept.
  const declaration = { ...declared, sensitive: declared.sensitive || olds["sensitive"] === true };
  const asked = { before: answeredFor(form, olds, host), ledger: parseLedger(olds["__ledger"]) };
  const preview = await previewOf(host, declaration, asked);
  const refusals = planned(form, host, { ...about, ...asked, declaration }, preview);
  if (refusals.length > 0) throw new Error(refusals.join("\n"));
  // Of a single record the engine's own diff shows it.
  const later = form.single ? undefined : knownLater(openIn(declaration, preview.plan), news, about.resource);
  if (later !== undefined) host.reporter.info(later);
}

async function check(
  form: Form,
  host: Host,
  seen: Seen,
  olds: Props,
  given: Props,
): ReturnType<Lifecycle["check"]> {
  const { reconciler, reporter, settings } = host;
  const { manifest, inputs: news } = readManifest(given);
  const { resource, urn, problems: { errors: refused, warnings, notes } = {} } = manifest;
  if (urn !== undefined) seen.removals.set(urn, news["removal"]);
  for (const [domain, text] of Object.entries(manifest.declared ?? {}))
    for (const { digest: key, secret, mail } of readDeclared(text))
      reconciler.siblings.declareBeside(key, { domain, mail }, secret);
  if (refused !== undefined) {
    for (const text of warnings ?? []) reporter.warn(text);
    return { inputs: { ...news }, failures: [failure(refused)] };
  }
  const { inputs, records, problems, unknowns } = form.check(news, { settings, olds });
  const errors = [...problems.filter(isError), ...optionProblems(news), ...unallowed(news, settings)];
  if (errors.length > 0)
    return isPlan()
      ? { inputs: { ...acceptInPlan(host, manifest, inputErrors(errors), olds, news) } }
      : { inputs: { ...news }, failures: renderAll(errors).map(failure) };
  const secret = olds["sensitive"] === true || news["sensitive"] === true;
  reconciler.siblings.declare(records, secret, { resource, urn });
  const unchanged = isDeepStrictEqual(withoutProvider(olds), withoutProvider(inputs));
  const beside = declaredBeside(manifest, textsOf(inputs["domains"]));
  const isPart = form.single || unknowns.length > 0 || beside === undefined;
  const subject = (): Omit<Subject, "before" | "ledger"> => ({
    declaration: {
      ...optionsOf(form, inputs, host),
      sensitive: secret,
      records: records().map(asWanted),
      unknowns,
      isAlone: !isPart && beside.length === 0,
    },
    surroundings: { given: inputs["checks"], isPart, declared: beside ?? [] },
    resource,
    urn,
    domains: textsOf(inputs["domains"]),
    updates: manifest.updates === true,
  });
  const awaitDiff = (): void => void seen.checked.set(contentOf(inputs), { unchanged, subject });
  if (unchanged) {
    awaitDiff();
    return { inputs: { ...inputs } };
  }
  // A file names the place of each; the text that it became would name the records a second time.
  const about = subjectOf(form, inputs, records());
  const found = renderAll(problems).map((text) => `${about}${text}`);
  for (const text of warnings ?? (notes === undefined ? found : [])) reporter.warn(text);
  for (const text of notes ?? []) reporter.info(text);
  if (Object.keys(withoutProvider(olds)).length > 0) {
    awaitDiff();
    return { inputs: { ...inputs } };
  }
  // Of what is there already the engine's own diff shows it.
  const later = knownLater(unknowns, inputs, resource);
  if (later !== undefined) reporter.info(later);
  const asked = subject();
  const refusals = planned(form, host, asked, await previewOf(host, asked.declaration));
  return refusals.length > 0
    ? { inputs: { ...news }, failures: refusals.map(failure) }
    : { inputs: { ...inputs } };
}

/** Digests of the records that other resources declare in these domains; undefined if they may declare more than is known. */
function declaredBeside(
  { declared, unknown = [] }: Manifest,
  domains: readonly string[],
): string[] | undefined {
  if (declared === undefined || unknown.length > 0) return undefined;
  return domains.flatMap((domain) => readDeclared(declared[domain] ?? "").map(({ digest: key }) => key));
}

/** What outputs say was declared last, for an operation without a program. */
function declarationOf(form: Form, props: Props, host: Host): Declaration {
  return { ...optionsOf(form, props, host), records: answeredFor(form, props, host) };
}

/** What inputs ask for, in an update. */
function wantedOf(form: Form, props: Props, host: Host): Declaration {
  return {
    ...optionsOf(form, props, host),
    records: form.stored(props, host.settings).map(asWanted),
  };
}

/** Where a program ignores changes, what a refresh found is what it asks for. */
function asWanted(record: StoredRecord): StoredRecord {
  return record.liveTtl === undefined ? record : { ...record, ttl: record.liveTtl };
}

/** Inputs of which what is declared is open, if it is, whatever may be left over: with no secrets, and not without a word on them. */
function openNow(inputs: Props): Props {
  return inputs["sensitive"] === true ? inputs : { ...inputs, secrets: "" };
}

/** The records of outputs, but for what a refresh has found gone, or declared by nobody. */
function answeredFor(form: Form, props: Props, { settings }: Host): readonly StoredRecord[] {
  const gone = new Set(parseLedger(props["__ledger"]).gone);
  const stored = form.stored(props, settings).filter(({ note }) => note !== "not declared");
  return gone.size === 0 ? stored : stored.filter((record) => !gone.has(digest(recordKey(record))));
}

/** What the options ask for and the stack's settings do not allow. */
function unallowed(
  { removal, undeclared }: Props,
  { explicit, undocumentedOperations }: Settings,
): Problem[] {
  if (undocumentedOperations) return [];
  const allow = explicit
    ? "set undocumentedOperations: true on the Provider"
    : "pulumi config set legacydns:undocumentedOperations true";
  return [
    ...(removal === "delete" ? [{ ...reason("removal.not-allowed", { allow }), path: "removal" }] : []),
    ...(undeclared === "remove"
      ? [{ ...reason("undeclared.not-allowed", { allow }), path: "undeclared" }]
      : []),
  ];
}

function optionsOf(form: Form, props: Props, { settings }: Host): Omit<Declaration, "records"> {
  const { removal: given, adopt, sensitive, undeclared, ignore } = props;
  const removal = given === "verify" || given === "retain" || given === "delete" ? given : settings.removal;
  const { explicit, undocumentedOperations: change } = settings;
  const may = { change, remove: change && removal === "delete", single: form.single };
  const report = {
    domains: textsOf(props["domains"]),
    ignored: patternMatcher(textsOf(ignore)),
    remove: undeclared === "remove" && may.remove,
  };
  return {
    removal,
    adopt: typeof adopt === "boolean" ? adopt : settings.adopt,
    sensitive: sensitive === true,
    removalSetBy:
      given !== undefined
        ? explicit
          ? "resource-of-provider"
          : "resource"
        : explicit
          ? "provider"
          : "stack",
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

/**
 * Outputs that show what a refresh has found of a single record, and keep what was declared out of every diff. A secret
 * value has no place but its own: then the outputs stay as they were declared.
 */
function foundBeside(declared: Props, found: Props): Props {
  if (declared["sensitive"] === true || isDeepStrictEqual(declared, found)) return declared;
  const { __provider: _text, ...rest } = declared;
  return { ...found, __declared: rest };
}

/** Outputs as they were when something was declared last. */
function declaredLast(given: Props): Props {
  const { __declared: declared, ...props } = given;
  if (typeof declared !== "object" || declared === null) return props;
  const kept = Object.entries(props).filter(
    ([name]) => name === "__provider" || name === "__ledger" || name === "recordId",
  );
  return { ...Object.fromEntries(kept), ...declared };
}

/** The inputs among a resource's outputs. */
function inputsOf(props: Props): Props {
  const { __ledger: _ledger, recordId: _recordId, fqdn: _fqdn, zoneText: _text, ...inputs } = props;
  return inputs;
}

function withoutProvider(props: Props): Props {
  const { __provider: _text, ...rest } = props;
  return rest;
}

/** The engine shows a warning of a check without the resource's name: the record, or the domains, stand for it. */
function subjectOf(form: Form, inputs: Props, records: readonly DeclaredRecord[]): string {
  const [first] = records;
  if (form.single) return first === undefined ? "" : `${describeRecord(first)}: `;
  const domains = textsOf(inputs["domains"]);
  return domains.length === 0 ? "" : `${named(domains)}: `;
}

/** Of no property: the engine would print a named property's whole value. */
function failure(reason: string): CheckFailure {
  return { property: "", reason };
}

/** The engine's form of a partial success: it keeps `properties` and prints `reasons`, a line each. */
function halfDone(id: string, outs: Props, failures: readonly Reason[]): Error {
  const reasons = renderAll(failures);
  const properties = { ...outs, __ledger: asFailed(outs["__ledger"]) };
  return Object.assign(new Error(reasons.join("\n")), { id, properties, reasons });
}

/** `example.com: 3 to create, 1 blocked`; undefined if other messages say all. */
export function planSummary(plan: Plan, where: string, { removal, awaits }: Summed): string | undefined {
  const isRetained = removal === "retain";
  const figures = {
    create: plan.create.length,
    adopt: plan.adopted.length,
    update: plan.changes.length,
    delete: plan.removals.length,
    blocked: plan.obstacles.length + (isRetained ? 0 : plan.leftOver.length),
    retained: isRetained ? plan.leftOver.length : 0,
    undecided: plan.undecided.length,
    unchanged: plan.present.length - plan.adopted.length,
  };
  const isIdle = Object.entries(figures).every(([name, n]) => name === "unchanged" || n === 0);
  if (isIdle && awaits) return undefined;
  const parts = Object.entries(planWords).flatMap(([name, words]) => {
    const n = figures[name as keyof typeof figures];
    return n > 0 ? [`${n.toLocaleString("en-US")} ${words}`] : [];
  });
  return `${where}: ${parts.length > 0 ? parts.join(", ") : "nothing to write"}`;
}
