/**
 * How a request travels: POST over HTTPS with kept-alive connections, through the proxies of the environment, never
 * following a redirect, with a bounded answer. Every failure tells whether the request can have left.
 */
import type { IncomingHttpHeaders } from "node:http";
import { readFileSync } from "node:fs";
import type { Dispatcher } from "undici";
import { z } from "zod";
import { mostAtOnce } from "./pacing";
import { isLoopback, type Settings } from "../settings";
import { ProtocolError } from "./errors";
import { explainFailure, timedOut } from "./failures";

/** One request. */
export interface TransportRequest {
  /** The operation's name, the last part of the address: `Record.List`. */
  readonly operation: string;
  /** The form-encoded body; holds the token. */
  readonly body: string;
  /** Milliseconds from the connection to the last byte of the answer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** One answer. */
export interface TransportResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Sends requests. A simulation puts its own in place. */
export interface Transport {
  /**
   * @throws TransportError when there was no answer, with `sent: "no"` only where nothing can have left;
   *   ProtocolError when the answer is larger than allowed
   */
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Closes the connections. */
  close(): Promise<void>;
}

/** The largest answer that is read, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** How long an idle connection is kept, in milliseconds. */
const IDLE_MS = 4_000;

/** What the HTTP transport can be told beside the settings. */
export interface HttpTransportOptions {
  /** Bytes; MAX_BODY_BYTES unless a test says less. */
  readonly maxBodyBytes?: number;
  /** Certificates to trust in place of the system's, in PEM. */
  readonly ca?: string;
}

/** `pulumi-legacydns/0.1.0 (ops@example.com)`: the service bans clients that do not say who they are. */
export function userAgent(contact: string | undefined): string {
  return `pulumi-legacydns/${ownVersion()} (${contact ?? "no-contact"})`;
}

/** The transport over HTTP that the settings describe. */
export function createHttpTransport(
  settings: Pick<Settings, "baseUrl" | "contact" | "requestTimeout">,
  options: HttpTransportOptions = {},
): Transport {
  const base = new URL(settings.baseUrl);
  const prefix = base.pathname.replace(/\/+$/, "");
  const limit = options.maxBodyBytes ?? MAX_BODY_BYTES;
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    accept: "application/json",
    "user-agent": userAgent(settings.contact),
  };
  let opening: Promise<Dispatcher> | undefined;

  return {
    async send(request) {
      opening ??= openDispatcher(base, settings, options, request.operation);
      // What could not be opened is tried again by the next request.
      opening.catch(() => (opening = undefined));
      return exchange(
        await opening,
        { origin: base.origin, path: `${prefix}/${request.operation}`, headers },
        request,
        limit,
      );
    },
    async close() {
      // Not `close`, which waits for what is under way: whoever closes has stopped waiting.
      const dispatcher = await opening?.catch(() => undefined);
      await dispatcher?.destroy();
    },
  };
}

async function openDispatcher(
  base: URL,
  settings: Pick<Settings, "requestTimeout">,
  options: HttpTransportOptions,
  operation: string,
): Promise<Dispatcher> {
  // Loaded with the first request: most ups make none.
  const { Agent, EnvHttpProxyAgent } = await import("undici");
  // Set here, or NODE_TLS_REJECT_UNAUTHORIZED=0 and --tls-min-v1.0 would decide. The token goes only to a server that proves
  // to be the service, by a protocol that is not broken (RFC 8996).
  const proof = { rejectUnauthorized: true, minVersion: "TLSv1.2" } as const;
  const trust = { ...proof, ...(options.ca === undefined ? {} : { ca: options.ca }) };
  const pool = {
    connections: mostAtOnce,
    pipelining: 1,
    // Not longer, whatever the other side offers: a write on a connection that it has just given up ends in doubt.
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    connect: { timeout: Math.min(10_000, settings.requestTimeout * 1000), ...trust },
  };
  // Never a proxy for loopback: plain HTTP is allowed there, and the token must not leave the machine in the clear.
  if (isLoopback(base.hostname)) return new Agent(pool);
  try {
    return new EnvHttpProxyAgent({ ...pool, requestTls: trust, proxyTls: proof });
  } catch (error) {
    throw explainFailure(operation, error, "no");
  }
}

interface Address {
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** One request and its answer, with undici's low-level handler: only it tells when a request begins to leave. */
function exchange(
  dispatcher: Dispatcher,
  address: Address,
  request: TransportRequest,
  limit: number,
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    let sent: "no" | "maybe" = "no";
    let settled = false;
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    let headers: IncomingHttpHeaders = {};
    let size = 0;
    const chunks: Buffer[] = [];

    const finish = (settle: () => void): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      request.signal?.removeEventListener("abort", onAbort);
      settle();
    };
    const fail = (error: Error): void => {
      finish(() => reject(error));
      controller?.abort(error);
    };
    const onAbort = (): void =>
      fail(explainFailure(request.operation, request.signal?.reason, sent, "aborted"));
    const timer = setTimeout(
      () => fail(timedOut(request.operation, request.timeoutMs, sent)),
      request.timeoutMs,
    );
    request.signal?.addEventListener("abort", onAbort, { once: true });
    if (request.signal?.aborted === true) return onAbort();

    dispatcher.dispatch(
      {
        ...address,
        method: "POST",
        body: request.body,
        idempotent: false,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      {
        onRequestStart(current) {
          controller = current;
          if (settled) {
            // Given up while it waited for a connection: it must not leave any more.
            current.abort(new Error("given up before it was sent"));
          } else if (sent === "maybe") {
            // undici would send it again after a broken connection; whether to do so is the client's decision.
            fail(explainFailure(request.operation, new Error("the connection broke and was replaced"), sent));
          } else {
            sent = "maybe";
          }
        },
        onResponseStart(_current, code, received) {
          status = code;
          headers = received;
        },
        onResponseData(_current, chunk) {
          size += chunk.length;
          if (size > limit) fail(tooLarge(request.operation, limit));
          else chunks.push(chunk);
        },
        onResponseEnd() {
          finish(() => resolve({ status, headers, body: Buffer.concat(chunks).toString("utf8") }));
        },
        onResponseError(_current, error) {
          finish(() => reject(explainFailure(request.operation, error, sent)));
        },
      },
    );
  });
}

function tooLarge(operation: string, limit: number): ProtocolError {
  return new ProtocolError({
    operation,
    meaning: `the answer is larger than ${Math.floor(limit / 1024 / 1024)} MiB and was not read to its end`,
    hint: "Check baseUrl: this does not look like the service.",
    outcome: "unknown",
  });
}

/** Of the installed package, which does not change while a process runs. */
let version: string | undefined;

/** The package's own version, found by the package's own name wherever it is installed. */
function ownVersion(): string {
  if (version === undefined) {
    const manifest: unknown = JSON.parse(
      readFileSync(require.resolve("pulumi-legacydns/package.json"), "utf8"),
    );
    version = z.object({ version: z.string() }).parse(manifest).version;
  }
  return version;
}
