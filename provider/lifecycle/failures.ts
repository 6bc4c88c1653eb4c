/** The failure of an operation as diagnostics. */
import { failureReason } from "../api";
import { renderAll, type Reason } from "../problems";
import { Refusal } from "../problems/refusal";
import { SettingsError } from "../settings";
import type { Reporter } from "../support/reporter";
import { errorText } from "../support/text";
import type { Props } from "./lifecycle";

export function reasonsOf(error: unknown): readonly Reason[] {
  if (error instanceof Refusal) return error.causes;
  if (error instanceof SettingsError) return error.problems;
  return [failureReason(error)];
}

/** The error of a half-done operation, as `Lifecycle` describes it. */
export function halfDone(id: string, properties: Props, failures: readonly Reason[]): Error {
  const reasons = renderAll(failures);
  return Object.assign(new Error(reasons.join("\n")), { id, properties, reasons });
}

/** One text for each diagnostic. */
export function failureTexts(error: unknown): readonly string[] {
  if (!(error instanceof Error && "reasons" in error)) return renderAll(reasonsOf(error));
  const { reasons } = error;
  return Array.isArray(reasons) ? reasons.map(String) : [errorText(error)];
}

/**
 * The engine shows a failure as one message, so all diagnostics but the last are reported before it.
 * Those of an error that several operations have in common are reported once.
 *
 * @returns the error with the last diagnostic as its message, and as its only reason
 */
export function asOneMessage(error: unknown, reporter: Reporter): Error {
  const texts = failureTexts(error);
  const last = texts.at(-1) ?? errorText(error);
  for (const text of texts.slice(0, -1)) reporter.error(text);
  const thrown = error instanceof Error ? error : new Error(last);
  return Object.assign(thrown, { message: last, reasons: [last] });
}

export function failureText(error: unknown): string {
  return failureTexts(error).join("\n");
}
