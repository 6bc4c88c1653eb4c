/** Inputs and outputs of a resource as declarations. */
import { isDeepStrictEqual } from "node:util";
import { digest, patternMatcher, recordKey } from "../dns";
import type { Declaration } from "../reconcile/declaration";
import { formatLedger, parseLedger, type Ledger } from "../reconcile/memory/ledger";
import type { Form, StoredRecord } from "./form";
import type { Host } from "./host";
import { withoutProvider, type Props } from "./lifecycle";
import { removalOf, textsOf } from "./options";

export function declarationOf(form: Form, props: Props, host: Host): Declaration {
  return { ...optionsOf(form, props, host), records: answeredFor(form, props, host) };
}

export function wantedOf(form: Form, props: Props, host: Host): Declaration {
  return {
    ...optionsOf(form, props, host),
    records: form.stored(props, host.settings).map(asWanted),
  };
}

/** If a program ignores changes, the findings of a refresh are its declaration. */
export function asWanted(record: StoredRecord): StoredRecord {
  return record.liveTtl === undefined ? record : { ...record, ttl: record.liveTtl };
}

/** Stale records may still be secret. */
export function openNow(inputs: Props): Props {
  return inputs["sensitive"] === true ? inputs : { ...inputs, secrets: "" };
}

export function answeredFor(form: Form, props: Props, { settings }: Host): readonly StoredRecord[] {
  const gone = new Set(parseLedger(props["__ledger"]).gone);
  const stored = form.stored(props, settings).filter(({ note }) => note !== "not declared");
  return gone.size === 0 ? stored : stored.filter((record) => !gone.has(digest(recordKey(record))));
}

export function optionsOf(form: Form, props: Props, { settings }: Host): Omit<Declaration, "records"> {
  const { removal: given, adopt, sensitive, undeclared, ignore } = props;
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
    sensitive: sensitive === true,
    removalSetBy: given !== undefined ? ofResource : explicit ? "provider" : "stack",
    may,
    ...(undeclared === "report" || undeclared === "remove" ? { report } : {}),
  };
}

export function outputsOf(
  form: Form,
  inputs: Props,
  ledger: Ledger,
  declaration: Declaration,
): Record<string, unknown> {
  return { ...inputs, ...form.outputs(ledger, declaration.records), __ledger: formatLedger(ledger) };
}

/** Outputs that show a refresh's findings about a single record. A secret value stays as declared. */
export function withFindings(declared: Props, found: Props): Props {
  if (declared["sensitive"] === true || isDeepStrictEqual(declared, found)) return declared;
  return { ...found, __declared: withoutProvider(declared) };
}

export function declaredLast(given: Props): Props {
  const { __declared: declared, ...props } = given;
  if (typeof declared !== "object" || declared === null) return props;
  const kept = Object.entries(props).filter(
    ([name]) => name === "__provider" || name === "__ledger" || name === "recordId",
  );
  return { ...Object.fromEntries(kept), ...declared };
}

export function inputsOf(props: Props): Props {
  const { __ledger: _ledger, recordId: _recordId, fqdn: _fqdn, zoneText: _text, ...inputs } = props;
  return inputs;
}
