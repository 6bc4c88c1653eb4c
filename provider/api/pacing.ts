/** The rate of calls and the number in flight. */
import type { Clock } from "../support/clock";

export const mostAtOnce = 5;

export class Pacer {
  private readonly interval: number;
  private readonly burst: number;
  private readonly queue: (() => void)[] = [];
  private running = 0;
  private limit: number;
  /** Generic cell rate algorithm. */
  private full = 0;

  constructor(
    { requestsPerSecond }: { readonly requestsPerSecond: number },
    private readonly clock: Clock,
    private readonly slots = mostAtOnce,
  ) {
    this.interval = 1000 / requestsPerSecond;
    this.burst = Math.max(1, Math.min(Math.floor(requestsPerSecond), slots));
    this.limit = slots;
  }

  narrow(): void {
    this.limit = 1;
  }

  widen(): void {
    this.limit = this.slots;
    this.admit();
  }

  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.slot(signal);
    try {
      const wait = this.reserve();
      if (wait > 0) await this.clock.sleep(wait, signal);
      signal.throwIfAborted();
      return await work();
    } finally {
      this.running -= 1;
      this.admit();
    }
  }

  private slot(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
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
      this.admit();
    });
  }

  private admit(): void {
    while (this.running < this.limit) {
      const next = this.queue.shift();
      if (next === undefined) return;
      this.running += 1;
      next();
    }
  }

  private reserve(): number {
    const now = this.clock.now();
    const full = Math.max(now, this.full);
    this.full = full + this.interval;
    return Math.max(0, full - (this.burst - 1) * this.interval - now);
  }
}

function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error(String(reason));
}
