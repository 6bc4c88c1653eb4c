import { reason, type Reason } from "../problems";
import { errorText } from "../support/text";
import { visibleLine } from "../support/visible";
import type { About } from "./meaning";

/** `not-sent`: it provably never left. `refused`: the service did nothing. `uncertain`: a reading decides. */
export type Outcome = "not-sent" | "refused" | "uncertain";

/** A call, for messages. */
export interface Subject {
  readonly operation: string;
  readonly target?: string | undefined;
}

interface ErrorDetails extends Subject {
  readonly code?: string | undefined;
  readonly serviceText?: string | undefined;
  readonly meaning: string;
  /** Actions, the likeliest first. A message shows three. */
  readonly help: readonly string[];
  readonly outcome: Outcome;
  readonly cause?: unknown;
}

type FailureCode = "call.failed" | "login.failed" | "service.failed" | "service.unreachable" | "zone.refused";

export class LegacyDnsError<Details extends ErrorDetails = ErrorDetails> extends Error {
  override readonly name: string = "LegacyDnsError";
  readonly problem: FailureCode = "call.failed";
  declare readonly cause?: unknown;

  constructor(readonly details: Details) {
    const { help, cause } = details;
    super([eventOf(details), ...help].join("; "), cause === undefined ? undefined : { cause });
  }

  get operation(): string {
    return this.details.operation;
  }
  get target(): string | undefined {
    return this.details.target;
  }
  get code(): Details["code"] {
    return this.details.code;
  }
  get outcome(): Outcome {
    return this.details.outcome;
  }
  get happened(): string {
    return `${eventOf(this.details)}.`;
  }

  /** @param showsText whether to show the service's text, which may repeat a value of the request */
  reason(showsText = true): Reason<FailureCode> {
    const { details } = this;
    const detail = eventOf(showsText ? details : { ...details, serviceText: undefined });
    return reason(this.problem, { detail, hint: details.help.join("\n") });
  }
}

export function failureReason(failure: unknown, showsText?: boolean): Reason<FailureCode> {
  return failure instanceof LegacyDnsError
    ? failure.reason(showsText)
    : reason("call.failed", { detail: errorText(failure), hint: "" });
}

function eventOf({ operation, target, code = "", serviceText = "", meaning }: ErrorDetails): string {
  const subject = target === undefined ? operation : `${operation} of ${target}`;
  const quote = `${code} ${serviceText === "" ? "" : `"${serviceText}"`}`.trim();
  return `${subject}: ${meaning}${quote === "" ? "" : ` (${quote})`}`;
}

export interface ServiceErrorDetails extends ErrorDetails {
  readonly code: string;
  readonly about: About;
  readonly absent?: true | undefined;
  readonly foreign?: true | undefined;
  readonly undocumented?: true | undefined;
}

export class ServiceError extends LegacyDnsError<ServiceErrorDetails> {
  override readonly name = "ServiceError";
  override readonly problem: FailureCode = this.about === "domain" ? "zone.refused" : "call.failed";

  get about(): About {
    return this.details.about;
  }

  get isUndocumented(): boolean {
    return this.details.undocumented === true;
  }

  /** The service knows no such domain, or another account has it. */
  get refusesDomain(): boolean {
    return this.about === "domain" && (this.details.absent === true || this.details.foreign === true);
  }

  noSuch(about: About): boolean {
    return this.details.absent === true && this.about === about;
  }
}

/** The service does not accept the token. Every call stops. */
export class LoginError extends LegacyDnsError<ErrorDetails & { readonly code: string }> {
  override readonly name = "LoginError";
  override readonly problem = "login.failed";
}

export interface TransportErrorDetails extends ErrorDetails {
  /** `not-sent` only if not one byte left. */
  readonly outcome: "not-sent" | "uncertain";
  /** Default: true. */
  readonly passing?: boolean;
}

export class TransportError extends LegacyDnsError<TransportErrorDetails> {
  override readonly name = "TransportError";
  override readonly problem = "service.unreachable";
}

interface HttpStatusErrorDetails extends ErrorDetails {
  readonly status: number;
  readonly retryAfterMs?: number | undefined;
}

export class HttpStatusError extends LegacyDnsError<HttpStatusErrorDetails> {
  override readonly name = "HttpStatusError";
  override readonly problem = "service.failed";

  constructor(details: HttpStatusErrorDetails) {
    super({ code: `HTTP ${details.status}`, ...details });
  }
}

/** An answer that contradicts api.md or another answer. `garbage`: no answer of the service, which may pass. */
export class ProtocolError extends LegacyDnsError<ErrorDetails & { readonly garbage?: boolean }> {
  override readonly name = "ProtocolError";
  override readonly problem = "service.failed";
}

/** Found before anything left. */
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
