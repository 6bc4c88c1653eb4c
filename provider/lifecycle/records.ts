/** The lifecycle of `Record` and `RecordBatch`, which differ in their form. */
import { patternMatcher, type DeclaredEntry } from "../dns";
import { isError, removalSetBy, renderAll } from "../problems";
import { Refusal } from "../problems/refusal";
import type { Declaration } from "../reconcile/declaration";
import { digestOf, emptyLedger, heldByDigest, staleIn, type Ledger } from "../reconcile/memory/ledger";
import { noteOf } from "../support/reporter";
import { checked } from "./checked";
import { EarlierCalls } from "./earlier-calls";
import { halfDone } from "./failures";
import type { CheckedInputs, Form } from "./form";
import type { Host, Operate } from "./host";
import type { Lifecycle, Props } from "./lifecycle";
import { readDeclared, type Manifest } from "./manifest";
import { contradictions, optionProblems, unallowed, unwantedBy, type Options } from "./options";
import { preview, type PreviewedResource } from "./preview";
import { isSame, readState, stateProps, stillSensitive, type Inputs, type StoredState } from "./state";

export function recordsProvider<I extends Inputs>(form: Form<I>, operate: Operate): Lifecycle {
  const earlier = new EarlierCalls<I>();
  const by = (host: Host): RecordsOperation<I> => new RecordsOperation(form, host, earlier);
  return {
    check: (olds, given) =>
      checked(operate, olds, given, (host, manifest, news) => by(host).check(manifest, olds, news)),
    diff: (_id, olds, news) => operate((host) => by(host).diff(olds, news)),
    create: (inputs, urn) => operate((host) => by(host).create(inputs, urn)),
    update: (id, olds, news, urn) => operate((host) => by(host).update(id, olds, news, urn)),
    read: (id, props) => operate((host) => by(host).read(id, props)),
    delete: (_id, props, urn) => operate((host) => by(host).delete(props, urn)),
  };
}

class RecordsOperation<I extends Inputs> {
  constructor(
    private readonly form: Form<I>,
    private readonly host: Host,
    private readonly earlier: EarlierCalls<I>,
  ) {}

  async check(manifest: Manifest, before: Props, written: Props): Promise<Props> {
    const { form, earlier } = this;
    const { settings } = this.host;
    const { urn, text } = manifest;
    const [olds, given] = [form.inputs(before), form.inputs(written)];
    const found = form.check(given, { settings, olds, text });
    const errors = [
      ...found.problems.filter(isError),
      ...optionProblems(written),
      ...unallowed(given.options, settings),
      ...contradictions(() => found.records().filter(isDeclared), given.options),
    ];
    if (errors.length > 0) throw new Refusal(errors);
    const { inputs } = found;
    const subject = this.declared(manifest, found, olds.sensitive || given.sensitive);
    const isUnchanged = isSame(olds, inputs);
    const isNew = !isUnchanged && isSame(olds, form.inputs({}));
    if (!isUnchanged) this.report(manifest, found);
    const { removal } = given.options;
    earlier.checked(inputs, { urn, removal, isUnchanged, subject: isNew ? undefined : subject });
    if (isNew) await this.previewNew(inputs, subject());
    return inputs.props;
  }

  /** The engine checks a replacement twice: the second time without its state, after the comparison. */
  private async previewNew(inputs: I, subject: PreviewedResource): Promise<void> {
    const former = this.predecessorOf(inputs, subject.declaration);
    if (former === undefined) await preview(this.host, subject);
    else if (!former.isCompared) await this.previewUpdate(former.state, subject);
  }

  /** @returns the state that a new resource continues, because the provider would have updated it in place */
  private predecessorOf(inputs: I, { may, urn }: Declaration) {
    const former = may.remove ? this.earlier.predecessorOf(urn) : undefined;
    return former && this.form.replaces(former.state.inputs, inputs, true).length === 0 ? former : undefined;
  }

  private previewUpdate(state: StoredState<I>, subject: PreviewedResource): Promise<void> {
    const sensitive = subject.declaration.sensitive || state.inputs.sensitive;
    const declaration = { ...subject.declaration, sensitive };
    const before = { records: this.answeredFor(state), ledger: state.ledger };
    return preview(this.host, { ...subject, declaration }, before);
  }

  private declared(
    { resource, urn, updates, unknown = [], constructed = "", declared }: Manifest,
    { inputs, records, unknowns }: CheckedInputs<I>,
    sensitive: boolean,
  ): () => PreviewedResource {
    const { siblings } = this.host.reconciler;
    const { domains } = inputs;
    const isComplete = !this.form.single && declared !== undefined && unknown.length === 0;
    const own = new Set(isComplete ? domains : []);
    const elsewhere: string[] = [];
    for (const [domain, text] of Object.entries(declared ?? {}))
      for (const { digest, role, secret } of readDeclared(text)) {
        siblings.declared.addClaim(digest, { domain, role });
        if (secret) siblings.secrets.addDigest(digest);
        if (own.has(domain)) elsewhere.push(digest);
      }
    if (sensitive) siblings.secrets.add(records());
    siblings.declared.add(records, { resource, hasManifest: declared !== undefined }, () =>
      readDeclared(constructed).map((each) => each.digest),
    );
    siblings.declared.addUnknown(unknowns);
    const options = this.optionsOf(inputs);
    siblings.owned.ignore(options, urn);
    this.host.reconciler.gates.obey(options, urn);
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
      surroundings: { given: inputs.options.checks, mayHaveUnknownSiblings, declared: elsewhere },
      resource,
      urn,
      domains,
      updates: updates === true,
    });
  }

  /** The program's warnings are about its own text. If a transform has edited it, they may be out of date. */
  private report({ problems, resource }: Manifest, checked: CheckedInputs<I>): void {
    const { warnings = [], notes = [] } = problems ?? {};
    const head = resource === undefined ? "" : `${resource}: `;
    const found = renderAll(checked.problems).map((text) => `${head}${text}`);
    for (const text of found.length > 0 ? found : warnings) this.host.reporter.warn(text);
    noteOf(this.host.reporter, notes);
  }

  /** `changes` stays open: the inputs are canonical, so the engine's own comparison names the differences. */
  async diff(before: Props, written: Props) {
    const { form, earlier } = this;
    const [state, inputs] = [readState(form.inputs, before), form.inputs(written)];
    const inPlace = this.optionsOf(inputs).may.remove;
    // If the program now declares the data that a refresh found, the record is live already.
    const isAsFound = form.replaces(state.found, inputs, inPlace).length === 0;
    const replaces = isAsFound ? [] : form.replaces(state.inputs, inputs, inPlace);
    if (await this.compare(state, inputs)) earlier.remember(state, true);
    // A refresh may have kept an uncertain write.
    return this.isTouched(inputs) || state.hasOpenWrite ? { replaces, changes: true as const } : { replaces };
  }

  /** @returns false after a refresh, where the engine compares without a `check` */
  private async compare(state: StoredState<I>, inputs: I): Promise<boolean> {
    const { earlier } = this;
    const ofResource = inputs.isUnknown ? earlier.checkOfResource(state.urn) : undefined;
    const check = ofResource ?? earlier.checkOf(inputs);
    if (check?.subject === undefined) return false;
    const { subject: subjectOf, isUnchanged } = check;
    check.subject = undefined;
    if (isUnchanged && !state.isHalfDone) {
      const { owned } = this.host.reconciler.siblings;
      owned.addUnchanged(
        () => this.recordsOf(inputs),
        () => state.ledger,
      );
      this.host.report?.unchanged(subjectOf());
    } else await this.previewUpdate(state, subjectOf());
    return true;
  }

  async create(given: Props, urn: string | undefined) {
    const inputs = this.form.inputs(given);
    const wanted = this.wantedOf(inputs, urn);
    const id = this.form.id(wanted.records, wanted.sensitive);
    const former = this.predecessorOf(inputs, wanted);
    const { ledger, failures, outs } = await this.apply(inputs, wanted, former?.state);
    if (failures.length === 0) return { id, outs };
    const nothingDone = ledger.held.length + ledger.openWrites.length === 0;
    throw nothingDone ? new Refusal(failures) : halfDone(id, outs, failures);
  }

  async update(id: string, before: Props, given: Props, urn: string | undefined) {
    const state = readState(this.form.inputs, before);
    const inputs = this.form.inputs(given);
    const wanted = this.wantedOf(inputs, urn);
    if (this.isLive(state, inputs)) return { outs: this.propsOf(inputs, inputs, state.ledger, wanted) };
    const { failures, outs } = await this.apply(inputs, wanted, state);
    if (failures.length > 0) throw halfDone(id, outs, failures);
    return { outs };
  }

  /** Only options of the safety gates differ. A refresh of a secret record shows no difference. */
  private isLive({ found, inputs: before, isHalfDone }: StoredState<I>, inputs: I): boolean {
    const isSettled = !isHalfDone && !inputs.sensitive && !before.sensitive;
    return isSettled && isSame(before, inputs) && isSame(found, inputs) && !this.isTouched(inputs);
  }

  /** A resource that was checked earlier may have removed a record that this one declares as before. */
  private isTouched(inputs: I): boolean {
    return this.host.reconciler.writer.underWay.hasTouched(() => this.recordsOf(inputs));
  }

  private async apply(inputs: I, wanted: Declaration, before: StoredState<I> | undefined) {
    const sensitive = wanted.sensitive || before?.inputs.sensitive === true;
    const { ledger, failures } = await this.host.reconciler.apply(
      { ...wanted, sensitive },
      before === undefined ? [] : this.answeredFor(before),
      before?.ledger ?? emptyLedger,
    );
    const mayHold =
      before !== undefined && staleIn(ledger, wanted.records).length + ledger.openWrites.length > 0;
    const kept = sensitive && mayHold ? this.form.inputs(stillSensitive(inputs.props)) : inputs;
    const outs = this.propsOf(kept, kept, ledger, wanted, failures.length > 0);
    return { ledger, failures, outs };
  }

  async read(id: string, props: Props | undefined) {
    if (props === undefined) return {};
    const { form, host, earlier } = this;
    const state = readState(form.inputs, props);
    earlier.remember(state, false);
    const declaration = { ...this.optionsOf(state.inputs), records: this.answeredFor(state) };
    await host.report?.held(declaration, state.ledger, state.inputs.options.removal);
    // If there are no inputs, the engine finds no drift.
    if (host.report?.comparesDrift === false) return { id, props: { ...props } };
    const observed = await host.reconciler.observe(declaration, state.ledger);
    const found = form.live(state.inputs, observed);
    if (found === undefined) return {};
    const outs = this.propsOf(form.single ? state.inputs : found, found, observed.ledger, declaration);
    earlier.remember(readState(form.inputs, outs), false);
    return { id, props: outs, inputs: { ...found.props } };
  }

  async delete(props: Props, known: string | undefined): Promise<void> {
    const state = readState(this.form.inputs, props);
    const urn = known ?? state.urn;
    const replacement = this.earlier.checkOfResource(urn);
    this.earlier.forget(urn);
    const declaration = {
      ...this.optionsOf(state.inputs, replacement),
      records: this.answeredFor(state),
      isReplaced: replacement !== undefined,
    };
    await this.host.reconciler.release(declaration, state.ledger);
  }

  private recordsOf(inputs: I): readonly DeclaredEntry[] {
    return this.form.records(inputs, this.host.settings);
  }

  private answeredFor({ inputs }: StoredState<I>): readonly DeclaredEntry[] {
    return this.recordsOf(inputs).filter(isDeclared);
  }

  private wantedOf(inputs: I, given: string | undefined): Declaration {
    const urn = given ?? this.earlier.checkOf(inputs)?.urn;
    return { ...this.optionsOf(inputs), urn, records: this.recordsOf(inputs).map(asWanted) };
  }

  private optionsOf(
    { options, domains, sensitive }: I,
    instead?: Pick<Options, "removal">,
  ): Omit<Declaration, "records"> {
    const { adopt, undeclared, ignore, protect, maxChangeShare } = options;
    const { settings } = this.host;
    const { explicit, undocumentedOperations: change } = settings;
    const { removal: own } = instead ?? options;
    const removal = own ?? settings.removal;
    const may = { change, remove: change && removal === "delete", single: this.form.single };
    const matcher = (patterns: readonly string[]) =>
      patterns.length === 0 ? undefined : patternMatcher(patterns);
    return {
      removal,
      adopt: adopt ?? settings.adopt,
      sensitive,
      removalSetBy: removalSetBy(own, explicit),
      may,
      domains,
      isIgnored: matcher(ignore),
      isProtected: matcher(protect),
      isUnwanted: unwantedBy(options),
      maxChangeShare,
      undeclared: undeclaredBy(undeclared, may.remove),
    };
  }

  private propsOf(
    inputs: I,
    found: I,
    ledger: Ledger,
    { records: [record] }: Declaration,
    isHalfDone = false,
  ): Props {
    const held = this.form.single && record ? heldByDigest(ledger).get(digestOf(record)) : undefined;
    return stateProps({ inputs, found, ledger, recordId: held?.id, isHalfDone });
  }
}

function undeclaredBy(word: Options["undeclared"], mayRemove: boolean): Declaration["undeclared"] {
  if (word === "remove" && !mayRemove) return "report";
  return word === "ignore" ? undefined : word;
}

/** A refresh adds others to the text. */
function isDeclared({ note }: DeclaredEntry): boolean {
  return note !== "not declared";
}

/** If a program ignores changes, the findings of a refresh are its declaration. */
function asWanted(record: DeclaredEntry): DeclaredEntry {
  return record.liveTtl === undefined ? record : { ...record, ttl: record.liveTtl };
}
