/** Errors of commands as readable lines: every problem at once, never a stack trace. */
import { SettingsError } from "../provider/settings";
import { errorText } from "../provider/words";

/** A mistake of the user, or a failure outside of this program. Each problem is a line. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly problems: readonly string[];

  constructor(...problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/** The lines to print for an error of any kind. */
export function explain(error: unknown): readonly string[] {
  if (error instanceof CommandError) return error.problems;
  if (error instanceof SettingsError) return error.problems.map((problem) => problem.message);
  return [errorText(error)];
}
