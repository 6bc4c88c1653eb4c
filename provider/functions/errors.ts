/**
 * `LookupError`: why a look-up failed, as one readable text. The engine prints the message of a RunError and never a
 * stack, whether the promise was awaited at the top of a program or was hidden in an output.
 */
import * as pulumi from "../sdk";
import { concealing } from "../api/conceal";
import { LegacyDnsError } from "../api/errors";
import { visible } from "../support/visible";
import { errorText } from "../words";

/** The parts of a failure beside its text. */
export interface LookupErrorDetails {
  /** The function that failed: `getDomain`. */
  readonly lookup: string;
  /** Every mistake in the arguments, where that is the reason; else empty. */
  readonly problems?: readonly string[];
  readonly cause?: unknown;
}

/** A look-up that failed. What the service said is in the fields, for a program that wants to go on. */
export class LookupError extends pulumi.RunError {
  override readonly name = "LookupError";
  /** The function that failed: `getDomain`. */
  readonly lookup: string;
  /** Every mistake in the arguments, where that is the reason; else empty. */
  readonly problems: readonly string[];
  /** The operation as in api.md: `Domain.Info`; undefined where nothing was asked. */
  readonly operation: string | undefined;
  /** The object that was asked about: `example.com`. */
  readonly target: string | undefined;
  /** The service's code, an HTTP status (`HTTP 503`) or a system error code (`ECONNREFUSED`). */
  readonly code: string | undefined;
  /** What happened, in one clause. */
  readonly meaning: string | undefined;
  /** What to do. */
  readonly hint: string | undefined;

  constructor(message: string, details: LookupErrorDetails) {
    super(visible(message));
    const wire = details.cause instanceof LegacyDnsError ? details.cause : undefined;
    this.lookup = details.lookup;
    this.problems = details.problems ?? [];
    this.operation = wire?.operation;
    this.target = wire?.target;
    this.code = wire?.code;
    this.meaning = wire?.meaning;
    this.hint = wire?.hint;
    // The engine shows the stack of an error that a resource's input rejects with, too.
    this.stack = "";
  }
}

/** The mistakes in the arguments of one call, as one error. */
export function argumentError(lookup: string, problems: readonly string[]): LookupError {
  const list =
    problems.length === 1
      ? ` ${problems[0] ?? ""}`
      : ` ${problems.length} problems:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`;
  return new LookupError(`${lookup}:${list}`, { lookup, problems });
}

/**
 * A failure of a call, told with the function that asked.
 * @param secrets texts that the message must not show: arguments that came from a secret
 */
export function failedLookup(lookup: string, error: unknown, secrets: readonly string[]): LookupError {
  if (error instanceof LookupError && secrets.length === 0) return error;
  const cause = error instanceof LookupError ? (error.cause ?? error) : error;
  if (secrets.length === 0) return new LookupError(`${lookup}: ${errorText(cause)}`, { lookup, cause });
  const text = cause instanceof LegacyDnsError ? cause.withoutServiceText : errorText(cause);
  const whole = cause instanceof LookupError ? text : `${lookup}: ${text}`;
  return new LookupError(concealing(secrets)(whole), { lookup });
}
