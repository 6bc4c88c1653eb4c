/** Errors of commands as messages: every problem at once, never a stack trace. */
import { reason, renderAll, type PlacedReason, type Reason } from "../provider/problems";
import { failureReason } from "../provider/api/errors";
import { SettingsError } from "../provider/settings";
import { errorText } from "../provider/support/text";

export class CommandError extends Error {
  override readonly name = "CommandError";

  readonly reasons: readonly PlacedReason[];

  constructor(...reasons: readonly PlacedReason[]) {
    super(renderAll(reasons).join("\n"));
    this.reasons = reasons;
  }
}

/** Wrong arguments. @param command its name, empty for the program */
export function usage(command: string, detail: string, hint = ""): Reason<"command.usage"> {
  return reason("command.usage", { detail, hint, command: ["pulumi-legacydns", command].join(" ").trim() });
}

/** The code of a system error; the message of another one. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : errorText(error);
}

export function explain(error: unknown): string[] {
  if (error instanceof CommandError) return renderAll(error.reasons);
  if (error instanceof SettingsError) return renderAll(error.problems);
  return renderAll([failureReason(error)]);
}
