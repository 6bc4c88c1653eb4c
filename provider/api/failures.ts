/** Explains failed exchanges. */
import { type Subject, TransportError, type TransportErrorDetails } from "./errors";

type Outcome = TransportErrorDetails["outcome"];
type Words = Required<Pick<TransportErrorDetails, "meaning" | "hint" | "passing">>;

const NETWORK = "Check baseUrl, the network and the proxies of the environment (HTTPS_PROXY, NO_PROXY).";
const PROXY = "Check HTTPS_PROXY and NO_PROXY: the proxy must allow a tunnel to the service's host.";

const passing = (meaning: string, hint = NETWORK): Words => ({ meaning, hint, passing: true });
const lasting = (meaning: string, hint: string): Words => ({ meaning, hint, passing: false });

const TRUST =
  "Whoever answers cannot prove to be the service: check baseUrl; behind a proxy that opens TLS, name its certificate in NODE_EXTRA_CA_CERTS.";

const BAD_PROXY = lasting(
  "the environment names a proxy that is not an address",
  "HTTPS_PROXY must look like http://host:port.",
);
const CUT = passing("the connection was cut");
const NO_TLS = lasting(
  "no encrypted connection could be agreed on",
  `The other side may not speak HTTPS on this port. ${NETWORK}`,
);
const EXPIRED = lasting(
  "the certificate has expired, or is not valid yet",
  "The service's operator must renew it; check this machine's clock, too.",
);
const UNTRUSTED = lasting("the certificate comes from an unknown authority", TRUST);

const WORDS: Readonly<Record<string, Words>> = {
  ECONNREFUSED: passing("the connection was refused"),
  ENOTFOUND: passing(
    "the host's name is unknown",
    "Check the host in baseUrl and this machine's name servers.",
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
  DEPTH_ZERO_SELF_SIGNED_CERT: lasting("the certificate is self-signed", TRUST),
  ERR_TLS_CERT_ALTNAME_INVALID: lasting("the certificate belongs to another host", TRUST),
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
  const { meaning, hint, passing } = wordsFor(code, outcome);
  const isUnheeded = hint === TRUST && process.env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0";
  return new TransportError({
    operation: call.operation,
    target: call.target,
    outcome,
    code,
    passing,
    meaning: meaning + place,
    hint: isUnheeded ? `${TRUST} NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect here.` : hint,
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
  const [what, hint] =
    outcome === "not-sent"
      ? ["no connection could be made", NETWORK]
      : [
          "no answer came",
          "The service may be slow: the setting requestTimeout allows more time. If it never answers, check baseUrl.",
        ];
  return new TransportError({
    operation: call.operation,
    target: call.target,
    outcome,
    code: "TIMEOUT",
    meaning: `${what} within ${timeoutMs / 1000} s`,
    hint,
  });
}
