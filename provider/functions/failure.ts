import { failureReason } from "../api/errors";
import { concealing } from "../api/conceal";
import type { Problem } from "../problems";

/** @param secrets arguments that no text may show */
export function failedCall(lookup: string, error: unknown, secrets: readonly string[]): Problem {
  const { code, parts } = failureReason(error, secrets.length === 0);
  const hide = concealing(secrets);
  return { code, parts: { detail: hide(`${parts.detail}`), hint: hide(`${parts.hint}`) }, path: lookup };
}
