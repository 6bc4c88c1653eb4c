/** Turns an HTTP answer into a typed result or one error, which never shows a body or a value. */
import { envelope } from "./answers";
import { HttpStatusError, LoginError, ProtocolError, ServiceError, type Subject } from "./errors";
import { done, knownMeaning, loginFailures, meaningOf, mayBeMissing, unknownError } from "./meanings";
import { isDocumented, type Operation } from "./operations";
import type { TransportResponse } from "./transport";
import { type Clean, type Form, isObject, Unreadable } from "./wire";

export interface Answered<Response> {
  readonly operation: string;
  readonly target: string | undefined;
  readonly row: Pick<Operation<never, Response>, "kind" | "response">;
  readonly form: Form;
  readonly answer: TransportResponse;
  readonly clean: Clean;
}

export function interpret<Response>(answered: Answered<Response>): Response {
  const { operation, target, row, form, answer, clean } = answered;
  const isWrite = row.kind === "write";
  // The service labels its JSON as HTML (service-notes, Transport).
  const body = parsedBody(answer.body);
  const { code, message } = isObject(body) ? envelope(body) : {};
  const isOk = answer.status >= 200 && answer.status <= 299;
  const isShown = message !== undefined && (!isOk || code !== done);
  const call = { operation, target, serviceText: isShown ? clean.message(message) : undefined };

  if (code !== undefined && Object.hasOwn(loginFailures, code)) {
    const { meaning, help } = meaningOf(operation, code);
    throw new LoginError({ ...call, code, meaning, help, outcome: "refused" });
  }
  if (!isOk) throw new HttpStatusError({ ...call, ...statusFailure(answered), status: answer.status });
  if (!isObject(body) || code === undefined) {
    throw new ProtocolError({
      ...call,
      meaning: `the answer is not one of this service: it is ${natureOf(answer.body, body)}`,
      help: isWrite
        ? ["run again: it finds out by reading whether the request was carried out"]
        : ["check baseUrl", "if it is right, try again later"],
      outcome: "uncertain",
      garbage: true,
    });
  }
  if (code !== done) {
    const {
      isUncertain,
      ofLaterPage: _,
      ...meaning
    } = meaningOf(operation, code, Number(form["offset"] ?? 0));
    throw new ServiceError({
      ...call,
      ...meaning,
      code: /^-?\d{1,9}$/.test(code) ? code : clean.message(code, 20),
      help: [...unknownOperation(operation, code), ...meaning.help],
      outcome: isWrite && isUncertain ? "uncertain" : "refused",
    });
  }
  return read(answered, body, call);
}

function read<Response>(
  { row, form, clean }: Answered<Response>,
  body: Readonly<Record<string, unknown>>,
  call: Subject & { readonly serviceText: string | undefined },
): Response {
  try {
    return row.response(body, form, clean);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const place = clean.message(error.path.join("."), 60) || "answer";
    throw new ProtocolError({
      ...call,
      meaning: `the answer is not as documented (${place}: ${error.message})`,
      help:
        row.kind === "write"
          ? ["run again: it finds out by reading what became of the request"]
          : ["report it, because the service may have changed"],
      outcome: "uncertain",
    });
  }
}

function parsedBody(body: string): unknown {
  try {
    // Some gateways add a byte order mark.
    const value: unknown = JSON.parse(body.replace(/^\ufeff/, ""));
    return value;
  } catch {
    return undefined;
  }
}

function natureOf(raw: string, parsed: unknown): string {
  if (parsed !== undefined) return "JSON without the status that every answer has";
  return /^\s*<(!doctype )?html/i.test(raw) ? "an HTML page" : "no JSON";
}

function unknownOperation(operation: string, code: string): string[] {
  const isUnknown = code === unknownError || knownMeaning(operation, code) === undefined;
  return isUnknown && !isDocumented(operation) ? [mayBeMissing] : [];
}

function statusFailure({ operation, answer: { status, headers }, clean }: Answered<unknown>) {
  const retryAfterMs = retryAfter(headers["retry-after"]);
  const refused = (meaning: string, ...help: readonly string[]) =>
    ({ outcome: "refused", meaning, help, retryAfterMs }) as const;
  if (status >= 300 && status < 400) {
    const where = clean.message(hostOf(headers["location"]), 100);
    return refused(
      `redirected to ${where}, which is not followed: the token goes to baseUrl only`,
      "if the service has moved there, change baseUrl",
    );
  }
  if (status === 429) {
    const wait = retryAfterMs === undefined ? "" : ` (it asks to wait ${Math.ceil(retryAfterMs / 1000)} s)`;
    return refused(`too many requests${wait}`, "lower requestsPerSecond");
  }
  if (status !== 501 && (status >= 500 || status === 408 || status < 200)) {
    const meaning = "the service or a gateway before it has failed";
    const outcome = "uncertain" as const;
    return { ...refused(meaning, "try again later", "if it stays, check baseUrl"), outcome };
  }
  const isMissing = status === 404 || status === 501;
  const missing = isMissing && !isDocumented(operation) ? [mayBeMissing] : [];
  return refused(
    isMissing ? "there is no such operation at this address" : "the request was not accepted",
    ...missing,
    `check baseUrl, whose path ends where the operation's name begins (…/${operation}), and the proxies of the environment`,
  );
}

/** A path and query may hold anything. */
function hostOf(location: string | string[] | undefined): string {
  const text = String(location);
  if (!URL.canParse(text)) return "another path of the same host";
  const url = new URL(text);
  return `${url.protocol}//${url.host}`;
}

function retryAfter(header: string | string[] | undefined): number | undefined {
  const text = String(header).trim();
  return /^\d{1,6}$/.test(text) ? Number(text) * 1000 : undefined;
}
