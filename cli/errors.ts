/** What a command says when it cannot go on: one readable text, every problem at once, never a stack. */
import { LegacyDnsError } from "../provider/api";
import { SettingsError } from "../provider/settings";

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
  // The hint speaks of a stack's configuration as well, which a command does not read.
  if (error instanceof LegacyDnsError) return [error.message.replace("pulumi config set --secret legacydns:loginToken TOKEN, or ", "")];
  return [error instanceof Error ? error.message : String(error)];
}
