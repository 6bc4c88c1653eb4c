import { setTimeout } from "node:timers/promises";

/** Time as a parameter. Other processes' times go through `Stamps`. */
export interface Clock {
  /** Milliseconds. It never jumps. */
  now(): number;
  /** Milliseconds since the epoch. */
  wall(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

const processTime = {
  now: () => Math.floor(performance.timeOrigin + performance.now()),
  wall: () => Date.now(),
};
export const systemClock: Clock = {
  ...processTime,
  sleep: (ms, signal) =>
    setTimeout(ms, undefined, { signal }).catch((error: unknown) => {
      throw signal?.aborted ? signal.reason : error;
    }),
};

/** The two clocks differ slightly. */
const jump = 2_000;

export class Stamps {
  private readonly offsets: number[] = [0];

  constructor(private readonly clock: Clock) {}

  stored(at: number): number {
    return at + this.offset();
  }

  /** The latest possible time: no wait may be too short. */
  read(stored: number): number {
    this.offset();
    const now = this.clock.now();
    // Stored seconds may be rounded up.
    const possible = this.offsets.map((offset) => stored - offset).filter((at) => at <= now + 1_000);
    return possible.sort((a, b) => b - a)[0] ?? now;
  }

  private offset(): number {
    // Stored seconds must be read back unchanged.
    const offset = Math.round((this.clock.wall() - this.clock.now()) / 1000) * 1000;
    const known = this.offsets.find((each) => Math.abs(each - offset) < jump);
    if (known !== undefined) return known;
    this.offsets.push(offset);
    return offset;
  }
}

export class QuietPeriod {
  private last = 0;

  constructor(
    private readonly clock: Clock,
    private readonly window: number,
  ) {}

  restart(): void {
    this.last = this.clock.now();
  }

  async wait(): Promise<void> {
    for (let left = this.left(); left > 0; left = this.left()) await this.clock.sleep(left);
  }

  private left(): number {
    return this.window - (this.clock.now() - this.last);
  }
}

/**
 * At growing intervals, until `look` returns true or `last` has passed.
 * @param look gets the moment since which another's reading is as good as its own
 */
export async function lookAgain(
  clock: Clock,
  first: number,
  last: number,
  look: (since: number) => Promise<boolean>,
): Promise<void> {
  let since = first;
  for (let at = first, pause = 1_000; ; at = Math.min(last, clock.now() + pause), pause *= 2) {
    if (at > clock.now()) await clock.sleep(at - clock.now());
    const isLast = clock.now() >= last;
    const looking = look(isLast ? last : since);
    // Not the look's own reading, which begins now.
    since = clock.now() + 1;
    if ((await looking) || isLast) return;
  }
}
