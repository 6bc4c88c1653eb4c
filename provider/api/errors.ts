/**
 * The errors of the wire, one family. A message names the operation, its object, the service's text, the meaning and the
 * help. The outcome of a write is a field.
 */
import { visibleLine } from "../support/visible";
import type { About } from "./meanings";

/**
 * The outcome of a request: `not-sent` (it provably never left), `refused` (the service answered that it did nothing) or
 * `uncertain` (it may have been carried out; a reading decides).
 */
export type Outcome = "not-sent" | "refused" | "uncertain";

/** The parts that every error has. */
export interface ErrorDetails {
  /** The operation's name as in api.md: `Record.List`. */
  readonly operation: string;
  /** The object of the request: `example.com`, `job 17`. */
  readonly target?: string | undefined;
  /** The service's `status.code`, an HTTP status (`HTTP 503`) or a system error code (`ECONNREFUSED`). */
  readonly code?: string | undefined;
  /** The service's own message, made safe to show. */
  readonly serviceText?: string | undefined;
  /** The event, in one clause without a full stop. */
  readonly meaning: string;
  /** The help, in whole sentences. */
  readonly hint: string;
  readonly outcome: Outcome;
  readonly cause?: unknown;
}

/** The base of the family. */
export class LegacyDnsError extends Error {
  override readonly name: string = "LegacyDnsError";
  /** The library of the compilation's target lacks it. */
  declare readonly cause?: unknown;

  /** @param details also the parts for another error of the same call */
  constructor(readonly details: ErrorDetails) {
    super(withHint(details), details.cause === undefined ? undefined : { cause: details.cause });
  }

  get operation(): string {
    return this.details.operation;
  }
  get target(): string | undefined {
    return this.details.target;
  }
  get code(): string | undefined {
    return this.details.code;
  }
  get meaning(): string {
    return this.details.meaning;
  }
  get hint(): string {
    return this.details.hint;
  }
  get outcome(): Outcome {
    return this.details.outcome;
  }

  /** The message without the help. */
  get happened(): string {
    return eventOf(this.details);
  }

  /** The message without the service's text, which may repeat a value of the request. */
  get withoutServiceText(): string {
    return withHint({ ...this.details, serviceText: undefined });
  }
}

function withHint(details: ErrorDetails): string {
  return `${eventOf(details)} ${details.hint}`.trim();
}

function eventOf({ operation, target, code = "", serviceText = "", meaning }: ErrorDetails): string {
  const subject = target === undefined ? operation : `${operation} of ${target}`;
  const quote = `${code} ${serviceText === "" ? "" : `"${serviceText}"`}`.trim();
  return `${subject}: ${meaning}${quote === "" ? "" : ` (${quote})`}.`;
}

export interface ServiceErrorDetails extends ErrorDetails {
  readonly code: string;
  readonly about: About;
  readonly absent?: true | undefined;
  readonly undocumented?: true | undefined;
}

/** The service answered with an error code of its own. */
export class ServiceError extends LegacyDnsError {
  override readonly name = "ServiceError";

  constructor(override readonly details: ServiceErrorDetails) {
    super(details);
  }

  override get code(): string {
    return this.details.code;
  }

  /** The object of the code. The code holds for all of it. */
  get about(): About {
    return this.details.about;
  }

  /** Whether no source documents the code for the operation. */
  get isUndocumented(): boolean {
    return this.details.undocumented === true;
  }

  /** Whether the code means that the object does not exist. */
  noSuch(about: About): boolean {
    return this.details.absent === true && this.about === about;
  }
}

/** The service does not accept the token, or did not a short while ago. Every call stops. */
export class LoginError extends LegacyDnsError {
  override readonly name = "LoginError";

  constructor(override readonly details: ErrorDetails & { readonly code: string }) {
    super(details);
  }

  override get code(): string {
    return this.details.code;
  }
}

export interface TransportErrorDetails extends ErrorDetails {
  /** `not-sent` only if it is certain that not one byte of the request left. */
  readonly outcome: "not-sent" | "uncertain";
  /** Whether the same request may succeed a moment later. Default: true. */
  readonly passing?: boolean;
}

/** No answer came. */
export class TransportError extends LegacyDnsError {
  override readonly name = "TransportError";

  constructor(override readonly details: TransportErrorDetails) {
    super(details);
  }

  get passing(): boolean {
    return this.details.passing ?? true;
  }
}

export interface HttpStatusErrorDetails extends ErrorDetails {
  readonly status: number;
  /** The delay that the service asks for, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/** An HTTP status outside 2xx: a gateway, a redirect, an overload. */
export class HttpStatusError extends LegacyDnsError {
  override readonly name = "HttpStatusError";

  declare readonly details: HttpStatusErrorDetails;

  constructor(details: HttpStatusErrorDetails) {
    super({ ...details, code: details.code ?? `HTTP ${details.status}` });
  }

  get status(): number {
    return this.details.status;
  }
}

export interface ProtocolErrorDetails extends ErrorDetails {
  /** The body was no answer of the service (no JSON, no envelope), which may pass. */
  readonly garbage?: boolean;
}

/** An answer that contradicts api.md or another answer. */
export class ProtocolError extends LegacyDnsError {
  override readonly name = "ProtocolError";

  constructor(override readonly details: ProtocolErrorDetails) {
    super(details);
  }
}

/** A request that must not be sent, found before anything left. */
export class RequestError extends LegacyDnsError {
  override readonly name = "RequestError";

  constructor(details: Omit<ErrorDetails, "outcome">) {
    super({ ...details, outcome: "not-sent" });
  }
}

/**
 * A foreign text made safe to show: one line, without invisible characters and secrets.
 * @param conceal removes the secrets (conceal.ts)
 * @param limit the most characters
 */
export function presentable(text: string, conceal: (text: string) => string, limit = 300): string {
  // Much longer than `limit`, since a short mark replaces a hidden part.
  const safe = visibleLine(conceal(text.slice(0, 100 * limit))).trim();
  return safe.length > limit ? `${safe.slice(0, limit)}…` : safe;
}

/** A token, and its parts around the comma if they are long enough to be recognised. */
export function partsOfToken(token: string): string[] {
  return [token, ...token.split(",").filter((part) => part.length >= 6)];
}
