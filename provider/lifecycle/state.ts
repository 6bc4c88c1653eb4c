/** Reads the properties of a resource into types, and writes them back. The engine keeps them in the state. */
import { isDeepStrictEqual } from "node:util";
import { quote, specName, stateTtl, type DeclaredEntry } from "../dns";
import {
  asFailed,
  formatLedger,
  hasOpenWrite,
  ledgerIn,
  needsUpdate,
  urnIn,
  type Ledger,
} from "../reconcile/memory/ledger";
import type { Scope, Share } from "../reconcile/shares";
import { defined } from "../support/defined";
import type { SealedText } from "./batch-text";
import { unknownValue, type Props } from "./lifecycle";
import { readOptions, textsOf, type Options } from "./options";
import { scopeOf, wholeDomain } from "./share-inputs";

export interface Inputs {
  /** As the engine has them. */
  readonly props: Props;
  readonly options: Options;
  readonly domains: readonly string[];
  /** A value is or was secret. */
  readonly sensitive: boolean;
  /** A preview does not know the records, so that other resources may have equal inputs. */
  readonly isUnknown: boolean;
  /** The properties that name the records, as they are written. */
  readonly fields: object;
}

export interface RecordFields {
  readonly domain: unknown;
  readonly name: unknown;
  readonly type: unknown;
  readonly value: unknown;
  readonly priority: unknown;
  readonly ttl: unknown;
  readonly line: unknown;
}

export interface RecordInputs extends Inputs {
  readonly fields: RecordFields;
  /** The value is secret, not only a former one. */
  readonly isSecret: boolean;
}

export interface BatchInputs extends Inputs {
  readonly fields: { readonly domains: unknown; readonly records: unknown };
  readonly records: string | undefined;
  /** The data of secret records. Empty if only former ones were secret. */
  readonly secrets: string | undefined;
}

export function recordInputs(props: Props): RecordInputs {
  const { domain, name, type, value, priority, ttl, line, sensitive, secrets } = props;
  const fields = { domain, name, type, value, priority, ttl, line };
  return {
    ...inputsOf(props, [domain]),
    fields,
    isUnknown: false,
    isSecret: sensitive === true && secrets === undefined,
  };
}

export function batchInputs(props: Props): BatchInputs {
  const { domains, records, secrets } = props;
  return {
    ...inputsOf(props, domains),
    fields: { domains, records },
    isUnknown: records === unknownValue,
    records: typeof records === "string" ? records : undefined,
    secrets: typeof secrets === "string" ? secrets : undefined,
  };
}

function inputsOf(props: Props, domains: unknown): Omit<Inputs, "fields" | "isUnknown"> {
  return {
    props,
    options: readOptions(props),
    domains: textsOf(domains),
    sensitive: isSensitive(props),
  };
}

/** Whether a resource has or had a secret value. A batch has them in `secrets`. */
export function isSensitive({ sensitive, secrets }: Props): boolean {
  return sensitive === true || (typeof secrets === "string" && secrets !== unknownValue);
}

/** Stale records may still be secret. */
export function stillSensitive(inputs: Props): Props {
  return { ...(isSensitive(inputs) ? inputs : { ...inputs, secrets: "" }), sensitive: true };
}

/** The text that a dynamic provider keeps in the state is no input of a program. */
export function withoutProvider({ __provider: _text, ...rest }: Props): Props {
  return rest;
}

/** The options of the safety gates name no difference, because the next update reads them anyway. */
export function isSame(one: Pick<Inputs, "props">, other: Pick<Inputs, "props">): boolean {
  const compared = ({ props }: Pick<Inputs, "props">): Props => {
    const { protect: _protect, maxChangeShare: _share, ...rest } = withoutProvider(props);
    return rest;
  };
  return isDeepStrictEqual(compared(one), compared(other));
}

export function withText({ props }: BatchInputs, text: SealedText): BatchInputs {
  const { records: _records, secrets: _secrets, ...rest } = props;
  return batchInputs({ ...rest, ...text });
}

/** The options and the text of {@link withoutProvider} stay. */
export function withRecord({ props }: RecordInputs, record: DeclaredEntry): RecordInputs {
  const { removal, adopt, sensitive, __provider } = props;
  const { domain, type, priority, line } = record;
  // A TXT value in quotes is read as quoted strings.
  const value = type === "TXT" && /^".*"$/s.test(record.value) ? quote(record.value) : record.value;
  const secret = sensitive === true || undefined;
  return recordInputs({
    ...defined({ removal, adopt, sensitive: secret, priority, line, __provider }),
    ...{ domain, name: specName(record), type, value, ttl: stateTtl(record) },
  });
}

export interface State<I extends Inputs> {
  readonly inputs: I;
  /** If a refresh found another record: its inputs. */
  readonly found: I;
  readonly recordId: string | undefined;
  /** The next update goes on, even if the program has not changed. */
  readonly isHalfDone: boolean;
  readonly ledger: Ledger;
}

export interface StoredState<I extends Inputs> extends State<I> {
  readonly hasOpenWrite: boolean;
  /** The ledger's. */
  readonly urn: string | undefined;
}

/** Reads the ledger if it is used, because an unchanged resource needs no more than a look at its text. */
export function readState<I extends Inputs>(inputsIn: (props: Props) => I, props: Props): StoredState<I> {
  const { __declared: declared, __ledger: text, recordId, fqdn: _fqdn, zoneText: _text, ...rest } = props;
  const found = inputsIn(rest);
  const isOther = typeof declared === "object" && declared !== null;
  const ledger = ledgerIn(text);
  return {
    inputs: isOther ? inputsIn({ ...declared, ...defined({ __provider: rest["__provider"] }) }) : found,
    found,
    recordId: typeof recordId === "string" ? recordId : undefined,
    isHalfDone: needsUpdate(text),
    get ledger() {
      return ledger();
    },
    hasOpenWrite: hasOpenWrite(text),
    urn: urnIn(text),
  };
}

/** Shows a found record, but never in place of a secret one. */
export function stateProps<I extends Inputs>(state: State<I>): Props {
  const { inputs, found, ledger, recordId, isHalfDone } = state;
  const isOther = !inputs.sensitive && !isDeepStrictEqual(inputs.props, found.props);
  const text = formatLedger(ledger);
  return {
    ...(isOther ? { ...found.props, __declared: withoutProvider(inputs.props) } : inputs.props),
    ...defined({ recordId }),
    __ledger: isHalfDone ? asFailed(text) : text,
  };
}

export interface ShareInputs {
  readonly props: Props;
  readonly share: Share;
  /** The present scope, which the share leaves when the resource is created. */
  readonly from: Scope;
  /** Domain and person are known. */
  readonly isNamed: boolean;
  readonly isKnown: boolean;
}

export function shareInputs(props: Props): ShareInputs {
  const { domain, email, mode, subDomain, from } = props;
  const scope = scopeOf(subDomain);
  return {
    props,
    share: { domain: String(domain), email: String(email), mode: mode === "rw" ? "rw" : "r", scope },
    from: from === undefined ? scope : scopeOf(from),
    isNamed: domain !== unknownValue && email !== unknownValue,
    isKnown: !Object.values(props).includes(unknownValue),
  };
}

export interface ShareState {
  readonly inputs: ShareInputs;
  /** The scope before a change with an unknown outcome. */
  readonly unconfirmed?: { readonly from: Scope } | undefined;
  /** A destroy ends only shares that the stack created. */
  readonly isMade: boolean;
}

export function readShare({ unconfirmedFrom: lost, __made, ...inputs }: Props): ShareState {
  return {
    inputs: shareInputs(inputs),
    unconfirmed: lost === undefined ? undefined : { from: scopeOf(lost) },
    isMade: __made === true,
  };
}

export function shareProps({ inputs, unconfirmed, isMade }: ShareState): Props {
  const lost = unconfirmed && (unconfirmed.from ?? wholeDomain);
  return { ...inputs.props, ...defined({ unconfirmedFrom: lost, __made: isMade || undefined }) };
}
