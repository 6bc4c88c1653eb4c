/** The failures of look-ups. The engine prints a RunError without its stack. */
import * as pulumi from "../support/sdk";
import { concealing } from "../api/conceal";
import { LegacyDnsError } from "../api/errors";
import { visible } from "../support/visible";
import { messageOf, renderAll, type Problem } from "../problems";
import { problemsOf } from "./arguments";
import { failedCall } from "./failure";

/** A look-up that failed. Its fields are for a program that handles the error. */
export class LookupError extends pulumi.RunError {
  override readonly name = "LookupError";
  /** The function that failed: `getDomain`. */
  readonly lookup: string;
  /** The mistakes in the arguments. Empty for any other failure. */
  readonly problems: readonly string[];
  /** The operation as in api.md: `Domain.Info`. Undefined if no call was made. */
  readonly operation: string | undefined;
  /** The object of the call: `example.com`. */
  readonly target: string | undefined;
  /** The service's code, an HTTP status (`HTTP 503`) or a system error code (`ECONNREFUSED`). */
  readonly code: string | undefined;
  /** The event, in one clause. */
  readonly meaning: string | undefined;
  /** Actions, the likeliest first. */
  readonly help: readonly string[];

  constructor(message: string, details: { lookup: string; problems?: readonly string[]; cause?: unknown }) {
    super(visible(message));
    const wire = details.cause instanceof LegacyDnsError ? details.cause.details : undefined;
    this.lookup = details.lookup;
    this.problems = details.problems ?? [];
    this.operation = wire?.operation;
    this.target = wire?.target;
    this.code = wire?.code;
    this.meaning = wire?.meaning;
    this.help = wire?.help ?? [];
    // The engine prints the stack if a resource's input rejects with the error.
    this.stack = "";
  }
}

export function argumentError(lookup: string, ...found: readonly Problem[]): LookupError {
  const problems = renderAll(problemsOf(lookup, found));
  return new LookupError(problems.join("\n"), { lookup, problems });
}

export function failedLookup(lookup: string, error: unknown, secrets: readonly string[]): LookupError {
  if (error instanceof LookupError && secrets.length === 0) return error;
  const cause = error instanceof LookupError ? (error.cause ?? error) : error;
  const details = secrets.length === 0 ? { lookup, cause } : { lookup };
  const text =
    cause instanceof LookupError
      ? concealing(secrets)(cause.message)
      : messageOf(failedCall(lookup, cause, secrets));
  return new LookupError(text, details);
}
