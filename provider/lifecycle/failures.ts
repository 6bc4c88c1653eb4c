/** The failure of an operation as diagnostics. */
import { failureReason } from "../api";
import { renderAll, type Reason } from "../problems";
import { Refusal } from "../problems/refusal";
import { failuresIn } from "../reconcile/zones/reader";
import { SettingsError } from "../settings";
import { errorText } from "../support/text";

export function reasonsOf(error: unknown): readonly Reason[] {
  if (error instanceof Refusal) return error.causes;
  if (error instanceof SettingsError) return error.problems;
  return failuresIn(error).map((each) => failureReason(each));
}

export function failureText(error: unknown): string {
  const isText = typeof error === "object" && error !== null && "reasons" in error;
  return isText ? errorText(error) : renderAll(reasonsOf(error)).join("\n");
}
