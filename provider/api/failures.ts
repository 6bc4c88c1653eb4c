/** Explains failed exchanges. */
import { type Subject, TransportError, type TransportErrorDetails } from "./errors";

type Outcome = TransportErrorDetails["outcome"];
type Words = Required<Pick<TransportErrorDetails, "meaning" | "help" | "passing">>;

const NETWORK = "check baseUrl, the network and the proxies of the environment (HTTPS_PROXY, NO_PROXY)";
const PROXY = "check HTTPS_PROXY and NO_PROXY, because the proxy must allow a tunnel to the service's host";

const passing = (meaning: string, ...help: readonly string[]): Words => ({
  meaning,
  help: help.length === 0 ? [NETWORK] : help,
  passing: true,
});
const lasting = (meaning: string, ...help: readonly string[]): Words => ({ meaning, help, passing: false });

const TRUST = [
  "check baseUrl, because whoever answers cannot prove to be the service",
  "behind a proxy that opens TLS, name its certificate in NODE_EXTRA_CA_CERTS",
];

const BAD_PROXY = lasting(
  "the environment names a proxy that is not an address",
  "write HTTPS_PROXY like http://host:port",
);
const CUT = passing("the connection was cut");
const NO_TLS = lasting(
  "no encrypted connection could be agreed on",
  "check the port of baseUrl, because the other side may not speak HTTPS on it",
  NETWORK,
);
const EXPIRED = lasting(
  "the certificate has expired, or is not valid yet",
  "check this machine's clock",
  "ask the service's operator to renew it",
);
const UNTRUSTED = lasting("the certificate comes from an unknown authority", ...TRUST);

const WORDS: Readonly<Record<string, Words>> = {
  ECONNREFUSED: passing("the connection was refused"),
  ENOTFOUND: passing(
    "the host's name is unknown",
    "check the host in baseUrl and this machine's name servers",
  ),
  EAI_AGAIN: passing(
    "the host's name cannot be looked up, because no name server answers",
    "check the network and this machine's name servers",
  ),
  ECONNRESET: CUT,
  EPIPE: CUT,
  UND_ERR_SOCKET: CUT,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: CUT,
  ETIMEDOUT: passing("the connection timed out"),
  UND_ERR_CONNECT_TIMEOUT: passing("no connection could be made in time"),
  EPROTO: NO_TLS,
  CERT_HAS_EXPIRED: EXPIRED,
  CERT_NOT_YET_VALID: EXPIRED,
  DEPTH_ZERO_SELF_SIGNED_CERT: lasting("the certificate is self-signed", ...TRUST),
  ERR_TLS_CERT_ALTNAME_INVALID: lasting("the certificate belongs to another host", ...TRUST),
  UND_ERR_PRX_TLS: lasting("the proxy's certificate belongs to another host", PROXY),
  UND_ERR_ABORTED: lasting("the proxy refused the tunnel", PROXY),
  UND_ERR_INVALID_ARG: BAD_PROXY,
  ERR_INVALID_URL: BAD_PROXY,
};

function systemErrorOf(error: unknown, depth = 0): { readonly code?: string; readonly place: string } {
  if (!(error instanceof Error) || depth > 5) return { place: "" };
  const inner = systemErrorOf(error instanceof AggregateError ? error.errors[0] : error.cause, depth + 1);
  const place = placeOf(error) || inner.place;
  return "code" in error && typeof error.code === "string"
    ? { code: error.code, place }
    : { ...inner, place };
}

/** It may be a proxy. */
function placeOf(error: Error): string {
  const { address, port, hostname } = error as Error & Readonly<Record<string, unknown>>;
  if (typeof address === "string") {
    const host = address.includes(":") ? `[${address}]` : address;
    return ` at ${host}${typeof port === "number" ? `:${port}` : ""}`;
  }
  return typeof hostname === "string" ? `: ${hostname}` : "";
}

export function explainFailure(call: Subject, error: unknown, outcome: Outcome): TransportError {
  const { code, place } = systemErrorOf(error);
  const { meaning, help, passing } = wordsFor(code, outcome);
  const isUnheeded = help[0] === TRUST[0] && process.env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0";
  return new TransportError({
    operation: call.operation,
    target: call.target,
    outcome,
    code,
    passing,
    meaning: meaning + place,
    help: isUnheeded ? [...help, "NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect here: remove it"] : help,
    // It contains the address, with the proxy's password.
    cause: code === "ERR_INVALID_URL" ? undefined : error,
  });
}

function wordsFor(code = "", outcome: Outcome): Words {
  if (code.startsWith("ERR_SSL_")) return NO_TLS;
  if (/^(UNABLE_TO_|SELF_SIGNED_)/.test(code)) return UNTRUSTED;
  // Before the request left, a proxy refused.
  if (code === "UND_ERR_ABORTED" && outcome === "uncertain") return CUT;
  return WORDS[code] ?? passing(code.startsWith("HPE_") ? "the answer is not HTTP" : "the connection failed");
}

export function timedOut(call: Subject, timeoutMs: number, outcome: Outcome): TransportError {
  const [what, ...help] =
    outcome === "not-sent"
      ? ["no connection could be made", NETWORK]
      : [
          "no answer came",
          "allow more time with the setting requestTimeout, because the service may be slow",
          "if it never answers, check baseUrl",
        ];
  return new TransportError({
    operation: call.operation,
    target: call.target,
    outcome,
    code: "TIMEOUT",
    meaning: `${what} within ${timeoutMs / 1000} s`,
    help,
  });
}
