import { reason, type Reason } from "../problems";
import { clause, errorText } from "../support/text";
import { visibleLine } from "../support/visible";
import type { About } from "./meanings";

/** `not-sent`: it provably never left. `refused`: the service did nothing. `uncertain`: a reading decides. */
export type Outcome = "not-sent" | "refused" | "uncertain";

export interface ErrorDetails {
  readonly operation: string;
  readonly target?: string | undefined;
  readonly code?: string | undefined;
  readonly serviceText?: string | undefined;
  readonly meaning: string;
  readonly hint: string;
  readonly outcome: Outcome;
  readonly cause?: unknown;
}

type FailureCode = "call.failed" | "login.failed" | "service.failed" | "service.unreachable" | "zone.refused";

export class LegacyDnsError extends Error {
  override readonly name: string = "LegacyDnsError";
  readonly problem: FailureCode = "call.failed";
  declare readonly cause?: unknown;

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

  get happened(): string {
    return eventOf(this.details);
  }

  reason(showsText = true): Reason<FailureCode> {
    const { details, hint } = this;
    const happened = eventOf(showsText ? details : { ...details, serviceText: undefined });
    const help = hint
      .split(/(?<=\.) (?=[A-Z])/)
      .map((text) => clause(text.replace(/^[A-Z](?=[a-z]*\b)/, lower)));
    return reason(this.problem, { detail: clause(happened), hint: help.join("\n") });
  }
}

export function failureReason(failure: unknown, showsText?: boolean): Reason<FailureCode> {
  return failure instanceof LegacyDnsError
    ? failure.reason(showsText)
    : reason("call.failed", { detail: errorText(failure), hint: "" });
}

const lower = (letter: string): string => letter.toLowerCase();

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

export class ServiceError extends LegacyDnsError {
  override readonly name = "ServiceError";
  override readonly problem: FailureCode;

  constructor(override readonly details: ServiceErrorDetails) {
    super(details);
    this.problem = details.about === "domain" ? "zone.refused" : "call.failed";
  }

  override get code(): string {
    return this.details.code;
  }

  get about(): About {
    return this.details.about;
  }

  get isUndocumented(): boolean {
    return this.details.undocumented === true;
  }

  noSuch(about: About): boolean {
    return this.details.absent === true && this.about === about;
  }
}

export class LoginError extends LegacyDnsError {
  override readonly name = "LoginError";
  override readonly problem = "login.failed";

  constructor(override readonly details: ErrorDetails & { readonly code: string }) {
    super(details);
  }
}

export interface TransportErrorDetails extends ErrorDetails {
  /** `not-sent` only if not one byte left. */
  readonly outcome: "not-sent" | "uncertain";
  readonly passing?: boolean;
}

export class TransportError extends LegacyDnsError {
  override readonly name = "TransportError";
  override readonly problem = "service.unreachable";

  constructor(override readonly details: TransportErrorDetails) {
    super(details);
  }
}

export interface HttpStatusErrorDetails extends ErrorDetails {
  readonly status: number;
  readonly retryAfterMs?: number | undefined;
}

export class HttpStatusError extends LegacyDnsError {
  override readonly name = "HttpStatusError";
  override readonly problem = "service.failed";
  declare readonly details: HttpStatusErrorDetails;

  constructor(details: HttpStatusErrorDetails) {
    super({ code: `HTTP ${details.status}`, ...details });
  }
}

/** `garbage`: no answer of the service, which may pass. */
export class ProtocolError extends LegacyDnsError {
  override readonly name = "ProtocolError";
  override readonly problem = "service.failed";

  constructor(override readonly details: ErrorDetails & { readonly garbage?: boolean }) {
    super(details);
  }
}

export class RequestError extends LegacyDnsError {
  override readonly name = "RequestError";

  constructor(details: Omit<ErrorDetails, "outcome">) {
    super({ ...details, outcome: "not-sent" });
  }
}

/** One line, without invisible characters and secrets. */
export function presentable(text: string, conceal: (text: string) => string, limit = 300): string {
  const safe = visibleLine(conceal(text.slice(0, 100 * limit))).trim();
  return safe.length > limit ? `${safe.slice(0, limit)}…` : safe;
}

export function partsOfToken(token: string): string[] {
  return [token, ...token.split(",").filter((part) => part.length >= 6)];
}
