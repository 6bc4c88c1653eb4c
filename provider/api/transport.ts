/** POST over HTTPS, through the proxies of the environment. */
import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { mostAtOnce } from "./pacing";
import { isLoopback, type Settings } from "../settings";
import { withoutEnd } from "../support/text";
import { packageVersion } from "../support/version";
import { ProtocolError, type Subject } from "./errors";
import { explainFailure, timedOut } from "./failures";

export interface TransportRequest extends Subject {
  readonly body: string;
  readonly timeoutMs: number;
}

export interface TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface Transport {
  /** @throws TransportError without an answer; ProtocolError if it is too large */
  send(request: TransportRequest): Promise<TransportResponse>;
  close(): Promise<void>;
}

export interface HttpTransportOptions {
  readonly maxBodyBytes?: number;
  readonly ca?: string;
}

export function userAgent(contact: string | undefined): string {
  return `pulumi-legacydns/${packageVersion()} (${contact ?? "no-contact"})`;
}

export function createHttpTransport(
  settings: Pick<Settings, "baseUrl" | "contact" | "requestTimeout">,
  options: HttpTransportOptions = {},
): Transport {
  const base = new URL(settings.baseUrl);
  const prefix = withoutEnd(base.pathname, "/");
  const limit = options.maxBodyBytes ?? 64 * 1024 * 1024;
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    accept: "application/json",
    "user-agent": userAgent(settings.contact),
  };
  let opening: Promise<Dispatcher> | undefined;

  return {
    async send(request) {
      opening ??= openDispatcher(base, settings, options, request);
      opening.catch(() => (opening = undefined));
      const dispatcher = await opening;
      return new Promise((resolve, reject) => {
        dispatcher.dispatch(
          {
            origin: base.origin,
            path: `${prefix}/${request.operation}`,
            method: "POST",
            headers,
            body: request.body,
            idempotent: false,
            headersTimeout: 0,
            bodyTimeout: 0,
          },
          new Exchange(request, limit, resolve, reject),
        );
      });
    },
    async close() {
      // `close` would wait for the requests in flight.
      const dispatcher = await opening?.catch(() => undefined);
      await dispatcher?.destroy();
    },
  };
}

async function openDispatcher(
  base: URL,
  settings: Pick<Settings, "requestTimeout">,
  options: HttpTransportOptions,
  call: Subject,
): Promise<Dispatcher> {
  // Most updates make no request.
  const { Agent, EnvHttpProxyAgent } = await import("undici");
  // Explicit, against NODE_TLS_REJECT_UNAUTHORIZED=0 and --tls-min-v1.0 (RFC 8996).
  const proof = { rejectUnauthorized: true, minVersion: "TLSv1.2" } as const;
  const trust = { ...proof, ...(options.ca === undefined ? {} : { ca: options.ca }) };
  const pool = {
    connections: mostAtOnce,
    pipelining: 1,
    // A write on a connection that the server has just closed is uncertain.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 4_000,
    connect: { timeout: Math.min(10_000, settings.requestTimeout * 1000), ...trust },
  };
  // The token must not leave the machine unencrypted.
  if (isLoopback(base.hostname)) return new Agent(pool);
  try {
    return new EnvHttpProxyAgent({ ...pool, requestTls: trust, proxyTls: proof });
  } catch (error) {
    throw explainFailure(call, error, "not-sent");
  }
}

/** Only undici's low-level handler shows when a request begins to leave. */
class Exchange implements Dispatcher.DispatchHandler {
  isSettled = false;
  private outcome: "not-sent" | "uncertain" = "not-sent";
  private controller: Dispatcher.DispatchController | undefined;
  private status = 0;
  private headers: IncomingHttpHeaders = {};
  private size = 0;
  private readonly chunks: Buffer[] = [];
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly request: TransportRequest,
    private readonly limit: number,
    private readonly resolve: (response: TransportResponse) => void,
    private readonly reject: (error: Error) => void,
  ) {
    const { timeoutMs } = request;
    this.timer = setTimeout(() => this.fail(timedOut(request, timeoutMs, this.outcome)), timeoutMs);
  }

  private finish(settle: () => void): void {
    if (this.isSettled) return;
    this.isSettled = true;
    clearTimeout(this.timer);
    settle();
  }

  private fail(error: Error): void {
    this.finish(() => this.reject(error));
    this.controller?.abort(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isSettled) {
      // It waited for a connection too long.
      controller.abort(new Error("given up before it was sent"));
    } else if (this.outcome === "uncertain") {
      // undici would send it again.
      const error = new Error("the connection broke and was replaced");
      this.fail(explainFailure(this.request, error, this.outcome));
    } else {
      this.outcome = "uncertain";
    }
  }

  onResponseStart(_controller: unknown, status: number, headers: IncomingHttpHeaders): void {
    this.status = status;
    this.headers = headers;
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > this.limit) this.fail(tooLarge(this.request, this.limit));
    else this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    const { status, headers, chunks } = this;
    this.finish(() => this.resolve({ status, headers, body: Buffer.concat(chunks).toString("utf8") }));
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.finish(() => this.reject(explainFailure(this.request, error, this.outcome)));
  }
}

function tooLarge({ operation, target }: Subject, limit: number): ProtocolError {
  return new ProtocolError({
    operation,
    target,
    meaning: `the answer is larger than ${Math.floor(limit / 1024 / 1024)} MiB and was not read to its end`,
    help: ["check baseUrl, because this does not look like the service"],
    outcome: "uncertain",
  });
}
