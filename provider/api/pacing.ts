/**
 * The pace of requests: at most so many a second (a token bucket), at most so many in flight, first come first
 * served. Waiting can be called off at any moment, for one caller or for all.
 */
import type { Clock } from "../clock";

/** How many requests are under way at once. */
export const mostAtOnce = 5;

/** Lets calls through at a pace. */
export class Pacer {
  private readonly interval: number;
  private readonly burst: number;
  private readonly queue: (() => void)[] = [];
  private running = 0;
  /** When the bucket is full again, in milliseconds of the clock (the generic cell rate algorithm). */
  private full = 0;

  constructor(
    { requestsPerSecond }: { readonly requestsPerSecond: number },
    private readonly clock: Clock,
    private readonly slots = mostAtOnce,
  ) {
    this.interval = 1000 / requestsPerSecond;
    this.burst = Math.max(1, Math.min(Math.floor(requestsPerSecond), slots));
  }

  /**
   * Runs the work when its turn has come.
   * @param signal ends the waiting; once the work has begun it is the work's own matter
   * @throws the signal's reason when it was aborted while waiting
   */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.slot(signal);
    try {
      const wait = this.reserve();
      if (wait > 0) await this.clock.sleep(wait, signal);
      signal.throwIfAborted();
      return await work();
    } finally {
      this.release();
    }
  }

  private slot(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.running < this.slots) {
      this.running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        this.queue.splice(this.queue.indexOf(enter), 1);
        reject(reasonOf(signal));
      };
      this.queue.push(enter);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  /** Hands the slot to the next in the queue, or frees it. */
  private release(): void {
    const next = this.queue.shift();
    if (next === undefined) this.running -= 1;
    else next();
  }

  /** Takes a token and tells in how many milliseconds it may be used. */
  private reserve(): number {
    const now = this.clock.now();
    const tolerance = (this.burst - 1) * this.interval;
    // Never more than one reservation per slot is open: a greater distance means that the clock was set back.
    const furthest = now + tolerance + (this.slots + 1) * this.interval;
    const full = Math.max(now, this.full > furthest ? now : this.full);
    this.full = full + this.interval;
    return Math.max(0, full - tolerance - now);
  }
}

/** The reason of an aborted signal as an error. */
export function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error(String(reason));
}
