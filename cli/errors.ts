/** Errors of commands as readable lines: every problem at once, never a stack trace. */
import { diagnosticOf, rendered, type Reason } from "../provider/problems";
import { SettingsError } from "../provider/settings";
import { errorText } from "../provider/support/text";

/** A mistake of the user, or a failure outside of this program. A problem of the table is rendered with its help. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly problems: readonly string[];

  constructor(...problems: readonly (Reason | string)[]) {
    const texts = problems.map((each) => (typeof each === "string" ? each : rendered(diagnosticOf(each))));
    super(texts.join("\n"));
    this.problems = texts;
  }
}

export function explain(error: unknown): readonly string[] {
  if (error instanceof CommandError) return error.problems;
  if (error instanceof SettingsError) return error.problems.map((problem) => problem.message);
  return [errorText(error)];
}
