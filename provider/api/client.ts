/** One typed `call` for every operation. */
import { setMaxListeners } from "node:events";
import type { Settings } from "../settings";
import { type Clock, systemClock } from "../support/clock";
import { type Reporter, silentReporter, warnOf } from "../support/reporter";
import { type Answered, interpret } from "./answer";
import { concealing } from "./conceal";
import {
  LegacyDnsError,
  LoginError,
  partsOfToken,
  presentable,
  RequestError,
  ServiceError,
  type Subject,
} from "./errors";
import { explainFailure } from "./failures";
import { LoginStop } from "./login-stop";
import { isDocumented, type OperationName, operations, type Requests, type Responses } from "./operations";
import { Pacer } from "./pacing";
import { retry } from "./retry";
import { createHttpTransport, type Transport } from "./transport";
import type { Clean, Form } from "./wire";

export interface ClientOptions {
  readonly settings: Settings;
  readonly transport?: Transport;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly reporter?: Reporter;
}

export interface CallOptions {
  readonly target?: string | undefined;
  readonly onSend?: (() => void) | undefined;
  /** No text of the service is shown then. */
  readonly carriesSecret?: boolean | undefined;
}

export interface Client {
  call<N extends OperationName>(
    operation: N,
    request: Requests[N],
    options?: CallOptions,
  ): Promise<Responses[N]>;
  readonly clock: Clock;
  close(): Promise<void>;
}

export function createClient(options: ClientOptions): Client {
  return new PacedClient(options);
}

const notShown = "not shown, because the call carries a secret value";

type Question<N extends OperationName> = Omit<Answered<Responses[N]>, "answer">;

class PacedClient implements Client {
  readonly clock: Clock;
  // A printed client must not print its transport, whose bodies have the token.
  readonly #settings: Settings;
  readonly #transport: Transport;
  readonly #random: () => number;
  readonly #reporter: Reporter;
  readonly #conceal: (text: string) => string;
  readonly #clean: Pick<Clean, "text" | "exposes">;
  readonly #pacer: Pacer;
  readonly #login: LoginStop;
  #stop = newStop();
  #closed = false;
  #warned = false;

  constructor({ settings, transport, clock, random, reporter }: ClientOptions) {
    this.clock = clock ?? systemClock;
    this.#settings = settings;
    this.#transport = transport ?? createHttpTransport(settings);
    this.#random = random ?? Math.random;
    this.#reporter = reporter ?? silentReporter;
    const parts = partsOfToken(settings.loginToken.reveal());
    this.#conceal = concealing(parts);
    const whole = parts.filter(({ length }) => length >= 16);
    this.#clean = {
      text: (text) => presentable(text, this.#conceal),
      exposes: (text) => whole.some((part) => text.includes(part)),
    };
    this.#login = new LoginStop(settings, this.clock);
    this.#pacer = new Pacer(settings, this.clock);
    // Many failures would ban the account.
    this.#pacer.narrow();
  }

  call<N extends OperationName>(
    operation: N,
    request: Requests[N],
    options: CallOptions = {},
  ): Promise<Responses[N]> {
    const row = operations[operation];
    const subject = { operation, target: options.target ?? targetOf(request) };
    const hidesMessages = options.carriesSecret === true;
    const clean: Clean = {
      ...this.#clean,
      message: (text, limit) =>
        hidesMessages && text !== "" ? notShown : presentable(text, this.#conceal, limit),
    };
    let form: Form | undefined;
    return retry({
      kind: row.kind,
      clock: this.clock,
      random: this.#random,
      attempt: (leaves) => {
        form ??= this.#formOf(subject, request);
        return this.#send({ ...subject, row, form, clean }, options, leaves);
      },
      understood: (error) => this.#understood(subject, error),
      progress: (text) => this.#reporter.progress(text),
      signal: () => this.#stop.signal,
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stop.abort(new Error("the client is closed"));
    await this.#transport.close();
  }

  #formOf<N extends OperationName>(subject: Subject & { readonly operation: N }, request: Requests[N]): Form {
    const refused = (why: string, ...help: readonly string[]): RequestError =>
      new RequestError({ ...subject, meaning: `not sent, because ${why}`, help });
    if (!isDocumented(subject.operation) && !this.#settings.undocumentedOperations)
      throw refused(
        "the operation is not part of the documented interface",
        "allow such operations: pulumi config set legacydns:undocumentedOperations true, or a Provider's input undocumentedOperations",
      );
    const parsed = operations[subject.operation].request.safeParse(request);
    if (parsed.success) return parsed.data;
    const problems = parsed.error.issues.map(
      ({ path, message }) => `${path.join(".") || "request"}: ${message}`,
    );
    throw refused(`the request is not valid (${problems.join("; ")})`);
  }

  /** Returns after the answer is read, since a failed login must stop the next caller. */
  async #send<N extends OperationName>(
    question: Question<N>,
    { onSend }: CallOptions,
    leaves: () => void,
  ): Promise<Responses[N]> {
    this.#refuseStopped(question);
    const { requestTimeout, loginToken } = this.#settings;
    const parameters = { login_token: loginToken.reveal(), format: "json", ...question.form };
    const { operation, target } = question;
    const request = {
      operation,
      target,
      body: new URLSearchParams(parameters).toString(),
      timeoutMs: requestTimeout * 1000,
    };
    return this.#pacer.run(async () => {
      leaves();
      // Another process may have failed in the meantime.
      this.#refuseStopped(question);
      onSend?.();
      if (!this.#warned) warnOf(this.#reporter, this.#settings.warnings);
      this.#warned = true;
      return this.#read({ ...question, answer: await this.#transport.send(request) });
    }, this.#stop.signal);
  }

  #read<N extends OperationName>(answered: Answered<Responses[N]>): Responses[N] {
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

  #loginFailed({ details }: LoginError): LoginError {
    this.#login.fail(details.code);
    this.#pacer.narrow();
    this.#stop.abort(new Error("the login failed"));
    return new LoginError({ ...details, help: [...details.help, this.#login.advice()] });
  }

  #refuseStopped(subject: Subject): void {
    const stopped = this.#stoppedBy(subject);
    if (stopped !== undefined) throw stopped;
    if (this.#stop.signal.aborted) this.#stop = newStop();
  }

  #stoppedBy({ operation, target }: Subject): LegacyDnsError | undefined {
    const closed = { operation, target, meaning: "not sent, because the client is closed", help: [] };
    return this.#login.check(operation, target) ?? (this.#closed ? new RequestError(closed) : undefined);
  }

  #understood(subject: Subject, error: unknown): LegacyDnsError {
    if (error instanceof LegacyDnsError) return error;
    const stopped = this.#stop.signal.aborted ? this.#stoppedBy(subject) : undefined;
    // A transport must not throw anything else.
    return stopped ?? explainFailure(subject, error, "uncertain");
  }
}

/** Each waiting call listens, and any number may wait. */
function newStop(): AbortController {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  return stop;
}

type Named = Partial<Readonly<Record<"domain" | "domainId" | "jobId" | "monitorId", string>>>;

function targetOf(request: object): string | undefined {
  const { domain, domainId, jobId, monitorId }: Named = request;
  if (domain !== undefined) return domain;
  if (domainId !== undefined) return `domain ${domainId}`;
  if (jobId !== undefined) return `job ${jobId}`;
  return monitorId && `monitor ${monitorId}`;
}
