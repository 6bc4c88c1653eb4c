/** What a command says when it cannot go on: one readable text, every problem at once, never a stack. */
import { SettingsError } from "../provider/settings";
import { errorText } from "../provider/words";

/** A mistake of the caller's, or trouble with something outside; each problem is a line. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly problems: readonly string[];

  constructor(...problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/** The lines to show for whatever was thrown. */
export function explain(error: unknown): readonly string[] {
  if (error instanceof CommandError) return error.problems;
  if (error instanceof SettingsError) return error.problems.map((problem) => problem.message);
  return [errorText(error)];
}
