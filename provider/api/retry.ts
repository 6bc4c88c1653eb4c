/**
 * When the same request is sent again, and after how long. Pure: the client asks it after every failed attempt.
 */
import { HttpStatusError, type LegacyDnsError, ProtocolError, ServiceError, TransportError } from "./errors";

/** How often one call is sent at most. */
export const ATTEMPTS = 4;
/** No attempt begins later than this after the first one, in milliseconds. */
export const RETRY_WITHIN_MS = 180_000;
/** The longest wait that a Retry-After can ask for, in milliseconds; beyond it the call fails and says so. */
export const MAX_RETRY_AFTER_MS = 60_000;

const BASE_MS = 500;
const MAX_MS = 15_000;
/** A limit of calls needs a longer breath than a cut connection. */
const LIMIT_BASE_MS = 2_000;
const PASSING_STATUS = new Set([429, 500, 502, 503, 504]);

/**
 * The wait before the next attempt in milliseconds, or undefined where there must be none.
 *
 * Reads: on everything that is recognised as passing. Writes: only where the request provably never left, or where
 * the service said that it is over its limit and so did nothing (HTTP 429, code -2).
 * @param attempt how many attempts were made, from 1
 * @param random a number from 0 to 1
 */
export function nextDelay(
  kind: "read" | "write",
  failure: LegacyDnsError,
  attempt: number,
  random: () => number,
): number | undefined {
  if (!mayRepeat(kind, failure, attempt)) return undefined;
  const limited =
    failure instanceof ServiceError || (failure instanceof HttpStatusError && failure.status === 429);
  const ceiling = Math.min(MAX_MS, (limited ? LIMIT_BASE_MS : BASE_MS) * 2 ** (attempt - 1));
  const jittered = ceiling * (0.5 + random() / 2);
  const asked = failure instanceof HttpStatusError ? failure.retryAfterMs : undefined;
  if (asked !== undefined && asked > MAX_RETRY_AFTER_MS) return undefined;
  return Math.round(Math.max(jittered, asked ?? 0));
}

function mayRepeat(kind: "read" | "write", failure: LegacyDnsError, attempt: number): boolean {
  if (failure instanceof TransportError) return failure.passing && (kind === "read" || failure.sent === "no");
  if (failure instanceof ServiceError)
    return failure.about === "moment" && (kind === "read" || failure.outcome === "refused");
  if (failure instanceof HttpStatusError)
    return failure.status === 429 || (kind === "read" && PASSING_STATUS.has(failure.status));
  // Twice at most: garbage that stays is a defect.
  if (failure instanceof ProtocolError) return kind === "read" && failure.garbage && attempt <= 2;
  return false;
}
