/** The properties of a resource in the state: its inputs, the provider's outputs, and a refresh's findings. */
import { isDeepStrictEqual } from "node:util";
import { isSensitive, withoutProvider, type Props } from "./lifecycle";

/** Outputs that show a refresh's findings about a single record. A secret value stays as declared. */
export function withFindings(declared: Props, found: Props): Props {
  if (isSensitive(declared) || isDeepStrictEqual(declared, found)) return declared;
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
