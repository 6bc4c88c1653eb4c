/** Repeats a read after a failure that may pass, and a write only if the service provably did nothing. */
import type { Clock } from "../support/clock";
import { HttpStatusError, type LegacyDnsError, ProtocolError, ServiceError, TransportError } from "./errors";

const MOST_ATTEMPTS = 4;
const LONGEST_MS = 180_000;
const LONGEST_RETRY_AFTER_MS = 60_000;
const BASE_MS = 500;
const LIMIT_BASE_MS = 2_000;
const LONGEST_WAIT_MS = 15_000;
const PASSING_STATUS = new Set([429, 500, 502, 503, 504]);

export interface Retrying<T> {
  readonly kind: "read" | "write";
  readonly clock: Clock;
  readonly random: () => number;
  /** Calls `leaves` when the request leaves the queue. */
  readonly attempt: (leaves: () => void) => Promise<T>;
  readonly understood: (error: unknown) => LegacyDnsError;
  readonly progress: (text: string) => void;
  readonly signal: () => AbortSignal;
}

export async function retry<T>(call: Retrying<T>): Promise<T> {
  const { clock } = call;
  /** Milliseconds, without the time in the queue, because that depends on the other calls. */
  let spent = 0;
  for (let attempts = 1; ; attempts += 1) {
    let left: number | undefined;
    try {
      return await call.attempt(() => (left = clock.now()));
    } catch (error) {
      const failure = call.understood(error);
      const delay = attempts < MOST_ATTEMPTS ? delayAfter(call, failure, attempts) : undefined;
      if (left !== undefined) spent += clock.now() - left;
      if (delay === undefined || spent + delay > LONGEST_MS) throw failure;
      spent += delay;
      call.progress(
        `${failure.happened} Trying again in ${Math.ceil(delay / 1000)} s (${attempts} of ${MOST_ATTEMPTS - 1}).`,
      );
      await clock.sleep(delay, call.signal()).catch((reason: unknown) => {
        throw call.understood(reason);
      });
    }
  }
}

function delayAfter(
  { kind, random }: Retrying<unknown>,
  failure: LegacyDnsError,
  attempts: number,
): number | undefined {
  if (!mayRepeat(kind, failure, attempts)) return undefined;
  const { status, retryAfterMs = 0 } = failure instanceof HttpStatusError ? failure.details : {};
  if (retryAfterMs > LONGEST_RETRY_AFTER_MS) return undefined;
  const base = failure instanceof ServiceError || status === 429 ? LIMIT_BASE_MS : BASE_MS;
  const longest = Math.min(LONGEST_WAIT_MS, base * 2 ** (attempts - 1));
  return Math.round(Math.max(longest * (0.5 + random() / 2), retryAfterMs));
}

function mayRepeat(kind: "read" | "write", failure: LegacyDnsError, attempts: number): boolean {
  const isHarmless = kind === "read" || failure.outcome !== "uncertain";
  if (failure instanceof TransportError) return failure.details.passing !== false && isHarmless;
  if (failure instanceof ServiceError) return failure.about === "moment" && isHarmless;
  if (failure instanceof HttpStatusError) return PASSING_STATUS.has(failure.details.status) && isHarmless;
  // Garbage that stays is a defect.
  if (failure instanceof ProtocolError)
    return kind === "read" && failure.details.garbage === true && attempts <= 2;
  return false;
}
