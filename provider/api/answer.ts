/** Turns an HTTP answer into a typed result or one error, which never shows a body or a value. */
import { envelope } from "./answers";
import { HttpStatusError, LoginError, type Outcome, ProtocolError, ServiceError } from "./errors";
import { done, knownMeaning, loginFailures, meaningOf, mayBeMissing, unknownError } from "./meanings";
import { isDocumented, type Operation } from "./operations";
import type { Form } from "./requests";
import type { TransportResponse } from "./transport";
import { isObject, Unreadable } from "./wire";

export interface Answered<Request, Response> {
  readonly operation: string;
  readonly target: string | undefined;
  readonly row: Operation<Request, Response>;
  readonly form: Form;
  readonly answer: TransportResponse;
  /** Hides secrets and shortens a text. */
  readonly clean: (text: string, limit?: number) => string;
}

export function interpret<Request, Response>(answered: Answered<Request, Response>): Response {
  const { operation, target, row, answer, form } = answered;
  // The service labels its JSON as HTML (service-notes, Transport).
  const body = parsedBody(answer.body);
  const { code, message } = isObject(body) ? envelope(body) : {};
  const isOk = answer.status >= 200 && answer.status <= 299;
  const isShown = message !== undefined && (!isOk || code !== done);
  const serviceText = isShown ? answered.clean(message) : undefined;

  if (code !== undefined && Object.hasOwn(loginFailures, code)) throw loginError(answered, code, serviceText);
  if (!isOk) throw statusError(answered, serviceText);
  if (!isObject(body) || code === undefined) {
    throw new ProtocolError({
      operation,
      target,
      meaning: `the answer is not one of this service: it is ${natureOf(answer.body, body)}`,
      hint:
        row.kind === "write"
          ? "Whether the request was carried out is unknown: the next run finds out by reading."
          : "Check baseUrl; if it is right, try again later.",
      outcome: "uncertain",
      garbage: true,
    });
  }
  if (code !== done) throw serviceError(answered, code, serviceText);

  try {
    const result = row.response(body, form);
    return row.cleaned?.(result, answered.clean) ?? result;
  } catch (error) {
    throw error instanceof Unreadable ? shapeError(answered, error) : error;
  }
}

function parsedBody(body: string): unknown {
  try {
    // Some gateways add a byte order mark, which is not JSON.
    const value: unknown = JSON.parse(body.replace(/^\ufeff/, ""));
    return value;
  } catch {
    return undefined;
  }
}

function natureOf(raw: string, parsed: unknown): string {
  const start = raw.slice(0, 200).trimStart().toLowerCase();
  if (start === "") return "empty";
  if (parsed !== undefined) return "JSON without the status that every answer has";
  if (start.startsWith("<!doctype html") || start.startsWith("<html")) return "an HTML page";
  if (start.startsWith("<")) return "XML";
  return start.startsWith("{") || start.startsWith("[") ? "broken or cut off JSON" : "no JSON";
}

type AnyAnswered = Answered<never, unknown>;
type Described = Pick<AnyAnswered, "operation" | "target" | "answer" | "clean"> & {
  readonly row: Pick<AnyAnswered["row"], "kind">;
};

function loginError(
  { operation, target }: Described,
  code: string,
  serviceText: string | undefined,
): LoginError {
  const { meaning, hint } = meaningOf(operation, code);
  return new LoginError({ operation, target, code, serviceText, meaning, hint, outcome: "refused" });
}

function serviceError(
  { operation, target, row, clean }: Described,
  code: string,
  serviceText: string | undefined,
): ServiceError {
  const { meaning, hint, isUncertain, about, absent, undocumented } = meaningOf(operation, code);
  const outcome: Outcome = row.kind === "write" && isUncertain ? "uncertain" : "refused";
  const all = [unknownOperation(operation, code), hint].filter((text) => text !== "").join(" ");
  return new ServiceError({
    operation,
    target,
    code: /^-?\d{1,9}$/.test(code) ? code : clean(code, 20),
    serviceText,
    meaning,
    hint: all,
    outcome,
    about,
    absent,
    undocumented,
  });
}

function unknownOperation(operation: string, code: string): string {
  const isUnknown = code === unknownError || knownMeaning(operation, code) === undefined;
  return isUnknown && !isDocumented(operation) ? mayBeMissing : "";
}

function statusError(
  { operation, target, answer, clean }: Described,
  serviceText: string | undefined,
): HttpStatusError {
  const { status } = answer;
  const retryAfterMs = retryAfter(answer.headers["retry-after"]);
  const failed = (outcome: Outcome, meaning: string, hint: string, wait?: number): HttpStatusError =>
    new HttpStatusError({
      operation,
      target,
      status,
      serviceText,
      meaning,
      hint,
      outcome,
      retryAfterMs: wait,
    });
  if (status >= 300 && status < 400) {
    const where = clean(hostOf(answer.headers["location"]), 100);
    const meaning = `redirected to ${where}, which is not followed: the token goes to baseUrl only`;
    return failed("refused", meaning, "If the service has moved there, change baseUrl.");
  }
  if (status === 429) {
    const wait = retryAfterMs === undefined ? "" : ` It asks to wait ${Math.ceil(retryAfterMs / 1000)} s.`;
    return failed("refused", "too many requests", `Lower requestsPerSecond.${wait}`, retryAfterMs);
  }
  if (status === 501) {
    const meaning = "what answers at this address does not know the operation";
    return failed("refused", meaning, addressHint(operation, true));
  }
  if (status >= 500 || status === 408 || status < 200) {
    const meaning = "the service or a gateway before it has failed";
    return failed("uncertain", meaning, "Try again later; if it stays, check baseUrl.", retryAfterMs);
  }
  const isMissing = status === 404;
  const meaning = isMissing ? "there is nothing at this address" : "the request was not accepted";
  return failed("refused", meaning, addressHint(operation, isMissing));
}

function addressHint(operation: string, isMissing: boolean): string {
  const address = `heck baseUrl, whose path ends where the operation's name begins (…/${operation}), and the proxies of the environment.`;
  return isMissing && !isDocumented(operation) ? `${mayBeMissing} Else c${address}` : `C${address}`;
}

/** A path and query may hold anything. */
function hostOf(location: string | string[] | undefined): string {
  const text = Array.isArray(location) ? location[0] : location;
  if (text === undefined || text === "") return "an unnamed place";
  if (!URL.canParse(text)) return "another path of the same host";
  const url = new URL(text);
  return `${url.protocol}//${url.host}`;
}

/** In milliseconds. The date form needs a trusted clock and is not read. */
function retryAfter(header: string | string[] | undefined): number | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  return text !== undefined && /^\d{1,6}$/.test(text.trim()) ? Number(text) * 1000 : undefined;
}

function shapeError({ operation, target, row, clean }: Described, error: Unreadable): ProtocolError {
  return new ProtocolError({
    operation,
    target,
    meaning: `the answer is not as documented (${clean(error.path.join("."), 60) || "answer"}: ${error.message})`,
    hint:
      row.kind === "write"
        ? "The request was accepted; what became of it is unknown until the next run reads."
        : "The service may have changed: please report it.",
    outcome: "uncertain",
  });
}
