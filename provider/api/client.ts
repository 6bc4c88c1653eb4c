/**
 * The client: one typed `call` for every row of the operations table, at the settings' pace. Reads are repeated on
 * what is recognised as passing; a write is repeated only when it provably never left or the service said that it
 * did nothing. A failed login stops everything.
 */
import { type Clock, systemClock } from "../clock";
import { type Reporter, silentReporter } from "../report";
import type { Settings } from "../settings";
import { type Answered, interpret } from "./answer";
import { concealing } from "./conceal";
import { contactReminder } from "./contact";
import {
  detailsOf,
  LegacyDnsError,
  LoginError,
  partsOfToken,
  presentable,
  ProtocolError,
  RequestError,
  ServiceError,
  TransportError,
} from "./errors";
import { explainFailure } from "./failures";
import { LoginStop } from "./login-stop";
import {
  isDocumented,
  type OperationName,
  type OperationOf,
  operations,
  type Requests,
  type Responses,
} from "./operations";
import { Pacer } from "./pacing";
import { ATTEMPTS, nextDelay, RETRY_WITHIN_MS } from "./retry";
import { createHttpTransport, type Transport } from "./transport";

/** What a client is made of; all but the settings has a default. */
export interface ClientOptions {
  readonly settings: Settings;
  readonly transport?: Transport;
  readonly clock?: Clock;
  /** Numbers from 0 to 1 for the jitter of the waiting times. */
  readonly random?: () => number;
  /** Hears what is waited for between attempts. */
  readonly reporter?: Reporter;
  /** Says that no contact is set, and how to set it; the one for a stack's run unless told. */
  readonly reminder?: string;
}

/** What a call can be told beside its request. */
export interface CallOptions {
  /** The object as a person calls it, for messages; the domain's name where it is left out. */
  readonly target?: string | undefined;
  /** Told each time just before the request leaves: it may have waited its turn, and been tried before. */
  readonly onSend?: (() => void) | undefined;
  /** Set if the request carries a secret value. No text of the service is shown then: it may repeat the value in any form. */
  readonly carriesSecret?: boolean | undefined;
  /** Calls the whole call off; a write that was under way then has an unknown outcome. */
  readonly signal?: AbortSignal | undefined;
}

/** The service, typed. */
export interface Client {
  /**
   * Asks the service.
   * @throws LegacyDnsError always one of its subclasses; `outcome` tells what became of a write
   * @example const { records } = await client.call("Record.List", { domain: "example.com", length: 3000 });
   */
  call<N extends OperationName>(
    operation: N,
    request: Requests[N],
    options?: CallOptions,
  ): Promise<Responses[N]>;
  /** The clock that the client goes by, for whoever waits between calls. */
  readonly clock: Clock;
  /** Closes the connections; calls under way fail. */
  close(): Promise<void>;
}

/** A client for one account. */
export function createClient(options: ClientOptions): Client {
  const { settings } = options;
  return new PacedClient(
    settings,
    options.transport ?? createHttpTransport(settings),
    options.clock ?? systemClock,
    options.random ?? Math.random,
    options.reporter ?? silentReporter,
    options.reminder ?? contactReminder,
  );
}

/** Stands for a text of the service. */
const notShown = "not shown, because the call carries a secret value";

class PacedClient implements Client {
  readonly #pacer: Pacer;
  readonly #login: LoginStop;
  /** Aborted when nothing may be sent: after a failed login, for as long as that stops anything, or when the client is closed. */
  #stop = new AbortController();
  #closed = false;

  // Private names: a client that is printed must not print a transport, which has seen bodies.
  readonly #settings: Settings;
  readonly #transport: Transport;
  readonly #random: () => number;
  readonly #reporter: Reporter;
  readonly #reminder: string;
  #warned = false;
  readonly #conceal: (text: string) => string;
  readonly clock: Clock;

  constructor(
    settings: Settings,
    transport: Transport,
    clock: Clock,
    random: () => number,
    reporter: Reporter,
    reminder: string,
  ) {
    this.#settings = settings;
    this.#transport = transport;
    this.clock = clock;
    this.#random = random;
    this.#reporter = reporter;
    this.#reminder = reminder;
    this.#conceal = concealing(partsOfToken(settings.loginToken.reveal()));
    this.#pacer = new Pacer(settings, clock);
    this.#login = new LoginStop(settings, clock);
    this.#pacer.narrow();
  }

  async call<N extends OperationName>(
    operation: N,
    request: Requests[N],
    options: CallOptions = {},
  ): Promise<Responses[N]> {
    const row: OperationOf<N> = operations[operation];
    const target = options.target ?? targetOf(request);
    this.#refuseUndocumented(operation, target);
    const parsed = row.request.safeParse(request);
    if (!parsed.success) {
      const what = parsed.error.issues
        .map((issue) => `${issue.path.join(".") || "request"}: ${issue.message}`)
        .join("; ");
      throw new RequestError({
        operation,
        target,
        meaning: `not sent, because the request is not valid (${what})`,
        hint: "",
      });
    }
    const form = parsed.data;
    const secret = this.#settings.loginToken.reveal();
    const body = new URLSearchParams({ login_token: secret, format: "json", ...form }).toString();

    const clean = (text: string, limit?: number): string =>
      options.carriesSecret === true && text !== "" ? notShown : presentable(text, this.#conceal, limit);

    const started = this.clock.now();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt({ operation, target, row, form, clean }, body, options);
      } catch (error) {
        const failure = this.#understood(operation, target, error, options.signal);
        const delay = attempt < ATTEMPTS ? nextDelay(row.kind, failure, attempt, this.#random) : undefined;
        if (delay === undefined || this.clock.now() + delay - started > RETRY_WITHIN_MS) throw failure;
        this.#reporter.progress(
          `${failure.message} Trying again in ${Math.ceil(delay / 1000)} s (${attempt} of ${ATTEMPTS - 1}).`,
        );
        await this.#pause(operation, target, delay, options.signal);
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stop.abort(new Error("the client is closed"));
    await this.#transport.close();
  }

  /** One attempt, in its turn. The answer is read before the next caller's turn: a failed login must stop it. */
  async #attempt<N extends OperationName>(
    question: Omit<Answered<Requests[N], Responses[N]>, "answer">,
    body: string,
    options: CallOptions,
  ): Promise<Responses[N]> {
    const { operation, target } = question;
    this.#refuseStopped(operation, target);
    const { signal, onSend } = options;
    const request = {
      operation,
      body,
      timeoutMs: this.#settings.requestTimeout * 1000,
      ...(signal === undefined ? {} : { signal }),
    };
    return this.#pacer.run(async () => {
      // Another process may have failed while this call waited its turn.
      this.#refuseStopped(operation, target);
      onSend?.();
      this.#warn();
      return this.#read({ ...question, answer: await this.#transport.send(request) });
    }, this.#waiting(signal));
  }

  /** Warns about the settings, once. */
  #warn(): void {
    if (this.#warned) return;
    this.#warned = true;
    const { contact, warnings } = this.#settings;
    for (const text of contact === undefined ? [this.#reminder, ...warnings] : warnings)
      this.#reporter.warn(text);
  }

  /** Reads an answer. It also shows whether the service accepted the token. */
  #read<N extends OperationName>(answered: Answered<Requests[N], Responses[N]>): Responses[N] {
    try {
      const result = interpret(answered);
      this.#pacer.widen();
      return result;
    } catch (error) {
      if (error instanceof LoginError) throw this.#loginFailed(error);
      if (error instanceof ServiceError) this.#pacer.widen();
      throw error;
    }
  }

  /** Stops everything, and says so. */
  #loginFailed(error: LoginError): LoginError {
    this.#login.fail(error.code);
    this.#pacer.narrow();
    this.#stop.abort(new Error("the login failed"));
    return new LoginError({
      ...detailsOf(error),
      code: error.code,
      hint: `${error.hint} ${this.#login.advice()}`.trim(),
    });
  }

  #refuseUndocumented(operation: string, target: string | undefined): void {
    if (isDocumented(operation) || this.#settings.undocumentedOperations) return;
    throw new RequestError({
      operation,
      target,
      meaning: "not sent, because the operation is not part of the documented interface",
      hint: "To allow such operations, set undocumentedOperations to true: pulumi config set legacydns:undocumentedOperations true, or on a Provider its input undocumentedOperations.",
    });
  }

  #refuseStopped(operation: string, target: string | undefined): void {
    const stopped = this.#login.check(operation, target);
    if (stopped !== undefined) throw stopped;
    if (this.#closed) {
      throw new RequestError({
        operation,
        target,
        meaning: "not sent, because the client is closed",
        hint: "",
      });
    }
    // The stop after a failed login is over.
    if (this.#stop.signal.aborted) this.#stop = new AbortController();
  }

  /** The wait between two attempts; ends with the right error when everything stops meanwhile. */
  async #pause(
    operation: string,
    target: string | undefined,
    ms: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    try {
      await this.clock.sleep(ms, this.#waiting(signal));
    } catch (error) {
      throw this.#understood(operation, target, error, signal);
    }
  }

  #waiting(signal: AbortSignal | undefined): AbortSignal {
    return AbortSignal.any(signal === undefined ? [this.#stop.signal] : [this.#stop.signal, signal]);
  }

  /** Whatever was thrown, as an error of this room about this object. */
  #understood(
    operation: string,
    target: string | undefined,
    error: unknown,
    signal: AbortSignal | undefined,
  ): LegacyDnsError {
    if (error instanceof TransportError) return error.target === undefined ? error.about(target) : error;
    // The transport knows operations, not what they are about.
    if (error instanceof ProtocolError && error.target === undefined)
      return new ProtocolError({ ...detailsOf(error), target, garbage: error.garbage });
    if (error instanceof LegacyDnsError) return error;
    if (this.#stop.signal.aborted) {
      try {
        this.#refuseStopped(operation, target);
      } catch (stopped) {
        if (stopped instanceof LegacyDnsError) return stopped;
      }
    }
    if (signal?.aborted === true) return explainFailure(operation, error, "no", "aborted").about(target);
    // A transport that throws something else broke its promise: assume the worst.
    return explainFailure(operation, error, "maybe").about(target);
  }
}

/** The object of a request, from the request itself. */
function targetOf(request: object): string | undefined {
  if ("domain" in request && typeof request.domain === "string") return request.domain;
  if ("domainId" in request && typeof request.domainId === "string") return `domain ${request.domainId}`;
  if ("jobId" in request && typeof request.jobId === "string") return `job ${request.jobId}`;
  if ("monitorId" in request && typeof request.monitorId === "string") return `monitor ${request.monitorId}`;
  if ("domainIds" in request && Array.isArray(request.domainIds)) {
    const ids: unknown[] = request.domainIds;
    const shown = ids.slice(0, 3).map(String).join(", ");
    return `${ids.length === 1 ? "domain" : "domains"} ${shown}${ids.length > 3 ? ` and ${ids.length - 3} more` : ""}`;
  }
  return undefined;
}
