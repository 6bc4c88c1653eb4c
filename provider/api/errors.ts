/**
 * What can go wrong on the wire, as one family of errors. Each tells in one text what was asked, of which object,
 * what the service said, what that means and what to do; and, as a field, whether a write can have happened.
 */
import { visibleLine } from "../support/visible";
import type { About } from "./meanings";

/**
 * What became of the request: `not-sent` (it provably never left), `refused` (the service answered that it did
 * nothing), `unknown` (it may have been carried out: find out by reading).
 */
export type Outcome = "not-sent" | "refused" | "unknown";

/** The parts that every error carries. */
export interface ErrorDetails {
  /** The operation's name as in api.md: `Record.List`. */
  readonly operation: string;
  /** The object it was about, as a person calls it: `example.com`, `job 17`. */
  readonly target?: string | undefined;
  /** The service's `status.code`, an HTTP status (`HTTP 503`) or a system error code (`ECONNREFUSED`). */
  readonly code?: string | undefined;
  /** The service's own message, as it came. */
  readonly said?: string | undefined;
  /** What happened, in one clause without a full stop. */
  readonly meaning: string;
  /** What to do next, in whole sentences. */
  readonly hint: string;
  readonly outcome: Outcome;
  readonly cause?: unknown;
}

/** The base of every error of this room. */
export class LegacyDnsError extends Error {
  override readonly name: string = "LegacyDnsError";
  /** Said here since the library of an old target has none. */
  declare readonly cause?: unknown;
  readonly operation: string;
  readonly target: string | undefined;
  readonly code: string | undefined;
  readonly said: string | undefined;
  readonly meaning: string;
  readonly hint: string;
  readonly outcome: Outcome;

  constructor(details: ErrorDetails) {
    super(
      [happened(details), details.hint].filter((text) => text !== "").join(" "),
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.operation = details.operation;
    this.target = details.target;
    this.code = details.code;
    this.said = details.said;
    this.meaning = details.meaning;
    this.hint = details.hint;
    this.outcome = details.outcome;
  }

  /** The message without what to do. */
  get happened(): string {
    return happened(this);
  }

  /** The message without the service's text, which may repeat what the request held. */
  get withoutSaid(): string {
    return [happened({ ...detailsOf(this), said: undefined }), this.hint]
      .filter((text) => text !== "")
      .join(" ");
  }
}

/** The parts of an error, for another one of the same call. */
export function detailsOf({
  operation,
  target,
  code,
  said,
  meaning,
  hint,
  outcome,
  cause,
}: LegacyDnsError): ErrorDetails {
  return { operation, target, code, said, meaning, hint, outcome, cause };
}

/** The parts of an answer with an error code. */
export interface ServiceErrorDetails extends ErrorDetails {
  readonly code: string;
  readonly about: About;
  readonly absent?: true | undefined;
  readonly undocumented?: true | undefined;
}

/** The service answered with an error code of its own. */
export class ServiceError extends LegacyDnsError {
  override readonly name = "ServiceError";
  override readonly code: string;
  /** What the code is about: it concerns all of that. */
  readonly about: About;
  /** Whether no source names the code for the operation. */
  readonly isUndocumented: boolean;
  private readonly isAbsent: boolean;

  constructor(details: ServiceErrorDetails) {
    super(details);
    this.code = details.code;
    this.about = details.about;
    this.isUndocumented = details.undocumented === true;
    this.isAbsent = details.absent === true;
  }

  /** Its parts, for another one of the same answer. */
  get details(): ServiceErrorDetails {
    const { code, about, isAbsent, isUndocumented } = this;
    return {
      ...detailsOf(this),
      code,
      about,
      absent: isAbsent ? true : undefined,
      undocumented: isUndocumented ? true : undefined,
    };
  }

  /** Whether the code means that the object does not exist. */
  noSuch(about: About): boolean {
    return this.isAbsent && this.about === about;
  }
}

/** The service does not accept the token (or this process knows that it will not): every call stops. */
export class LoginError extends LegacyDnsError {
  override readonly name = "LoginError";
  override readonly code: string;

  constructor(details: ErrorDetails & { readonly code: string }) {
    super(details);
    this.code = details.code;
  }
}

/** No answer came. `sent` tells whether the request can have reached the service. */
export class TransportError extends LegacyDnsError {
  override readonly name = "TransportError";
  readonly sent: "no" | "maybe";
  /** True when the same request may well succeed a moment later. */
  readonly passing: boolean;

  constructor(details: TransportErrorDetails) {
    super({ ...details, outcome: details.sent === "no" ? "not-sent" : "unknown" });
    this.sent = details.sent;
    this.passing = details.passing ?? true;
  }

  /** The same failure, told of a named object. */
  about(target: string | undefined): TransportError {
    return new TransportError({ ...this.details(), ...(target === undefined ? {} : { target }) });
  }

  private details(): TransportErrorDetails {
    const { operation, target, code, said, meaning, hint, sent, passing, cause } = this;
    return { operation, target, code, said, meaning, hint, sent, passing, cause };
  }
}

/** What a transport tells of a failure. */
export interface TransportErrorDetails extends Omit<ErrorDetails, "outcome"> {
  /** `no` only where it is certain that not one byte of the request left. */
  readonly sent: "no" | "maybe";
  /** Worth another attempt; true unless said otherwise. */
  readonly passing?: boolean;
}

/** An HTTP status outside 2xx: a gateway, a redirect, an overload. */
export class HttpStatusError extends LegacyDnsError {
  override readonly name = "HttpStatusError";
  readonly status: number;
  /** How long the service asks to wait, in milliseconds, where it does. */
  readonly retryAfterMs: number | undefined;

  constructor(
    details: ErrorDetails & { readonly status: number; readonly retryAfterMs?: number | undefined },
  ) {
    super({ ...details, code: details.code ?? `HTTP ${details.status}` });
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** An answer that is not what api.md describes, or answers that contradict each other. */
export class ProtocolError extends LegacyDnsError {
  override readonly name = "ProtocolError";
  /** True when the body was no answer of the service at all (no JSON, no envelope), which may pass. */
  readonly garbage: boolean;

  constructor(details: ErrorDetails & { readonly garbage?: boolean }) {
    super(details);
    this.garbage = details.garbage ?? false;
  }
}

/** A request that this code must not send: a mistake in the caller, found before anything left. */
export class RequestError extends LegacyDnsError {
  override readonly name = "RequestError";

  constructor(details: Omit<ErrorDetails, "outcome">) {
    super({ ...details, outcome: "not-sent" });
  }
}

/**
 * Text of a stranger made safe to show: on one line, no invisible characters, of at most `limit` characters, and without
 * the secrets.
 * @param conceal takes the secrets out (conceal.ts)
 */
export function presentable(text: string, conceal: (text: string) => string, limit = 300): string {
  // Many times `limit`: of the hidden part of a text a short mark remains.
  const safe = visibleLine(conceal(text.slice(0, 100 * limit))).trim();
  return safe.length > limit ? `${safe.slice(0, limit)}…` : safe;
}

/** A token, and its halves around the comma, where they are long enough to be nothing else. */
export function partsOfToken(token: string): string[] {
  return [token, ...token.split(",").filter((part) => part.length >= 6)];
}

function happened(d: Omit<ErrorDetails, "hint" | "outcome">): string {
  const subject = d.target === undefined ? d.operation : `${d.operation} of ${d.target}`;
  const said = d.said === undefined || d.said === "" ? "" : `"${d.said}"`;
  const code = d.code === undefined ? "" : d.code;
  const quote = [code, said].filter((part) => part !== "").join(" ");
  const origin = quote === "" ? "" : ` (${quote})`;
  return `${subject}: ${d.meaning}${origin}.`;
}
