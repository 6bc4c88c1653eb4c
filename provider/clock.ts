/**
 * Time as a parameter: everything that waits or stamps takes a Clock, so that tests and simulations decide what
 * time it is and nothing sleeps for real. A machine's clock can be set at any moment: what happens within a process is
 * timed by `now`, which only goes on; what another process reads is stored by `wall`, through {@link Stamps}.
 */
export interface Clock {
  /** Milliseconds of this process's own time: it began at the machine's, goes on evenly and never jumps. */
  now(): number;
  /** What the machine's clock shows, in milliseconds since the epoch. It may jump at any moment. */
  wall(): number;
  /**
   * When this process last went on after a pause of more than ten seconds, by `now`; 0 if it never paused. It pauses if it is
   * stopped (SIGSTOP, a frozen container) and if its machine sleeps.
   */
  resumed(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Milliseconds between two signs of life of a process. */
const heartbeat = 1_000;
/** A process that shows no sign of life for so many milliseconds has paused. */
const longestSilence = 10_000;

/** Notices the pauses of a process by the time that passes between two beats. */
export class Pulse {
  private last: { readonly now: number; readonly wall: number; readonly busy: number };
  private resumedAt = 0;

  /** @param busy milliseconds of processor time that the process has used: a long computation is no pause */
  constructor(
    private readonly clock: Pick<Clock, "now" | "wall">,
    private readonly busy: () => number,
  ) {
    this.last = { now: clock.now(), wall: clock.wall(), busy: busy() };
  }

  /** @returns when the process last went on after a pause; 0 if it never paused */
  beat(): number {
    const [now, wall, busy] = [this.clock.now(), this.clock.wall(), this.busy()];
    // While a machine sleeps, its clock goes on and the process's time may not.
    const silence = Math.max(now - this.last.now, wall - this.last.wall) - (busy - this.last.busy);
    if (silence > longestSilence) this.resumedAt = now;
    this.last = { now, wall, busy };
    return this.resumedAt;
  }
}

const processTime = {
  now: () => Math.floor(performance.timeOrigin + performance.now()),
  wall: () => Date.now(),
};
let pulse: Pulse | undefined;

/** The first caller starts the heartbeat. */
function resumed(): number {
  if (pulse === undefined) {
    const ownPulse = (pulse = new Pulse(processTime, () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    }));
    setInterval(() => ownPulse.beat(), heartbeat).unref();
  }
  return pulse.beat();
}

/** The machine's own clock. Its timers do not keep the process alive by themselves once nothing else does. */
export const systemClock: Clock = {
  ...processTime,
  resumed,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const onAbort = (): void => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      }, ms);
      signal?.addEventListener("abort", onAbort, { once: true });
    }),
};

/** The two clocks of a process differ by a little by themselves; more than this many milliseconds is a jump. */
const jump = 2_000;

/**
 * Times as they are stored, for other processes, and as this process counts them. Where no clock was set they are the
 * same. All in milliseconds since the epoch.
 */
export class Stamps {
  /** By how much the machine's clock was ahead of this process's time, each time that it was asked. */
  private readonly offsets: number[] = [0];

  constructor(private readonly clock: Clock) {}

  /** A time of this process as it is stored. */
  stored(at: number): number {
    return at + this.offset();
  }

  /**
   * A stored time as one of this process: the latest that it can have been, since a wait may be too long, never too short.
   * What was stored later than now counts as now: that clock was set back since.
   */
  read(stored: number): number {
    this.offset();
    const now = this.clock.now();
    // What is stored in whole seconds may be rounded up.
    const possible = this.offsets.map((offset) => stored - offset).filter((at) => at <= now + 1_000);
    return possible.sort((a, b) => b - a)[0] ?? now;
  }

  private offset(): number {
    // Whole seconds: what is stored in seconds reads back as it was.
    const offset = Math.round((this.clock.wall() - this.clock.now()) / 1000) * 1000;
    const known = this.offsets.find((each) => Math.abs(each - offset) < jump);
    if (known !== undefined) return known;
    this.offsets.push(offset);
    return offset;
  }
}

/** Waits for a moment in which nothing further is heard. */
export class Quiet {
  private last = 0;

  /** @param window milliseconds */
  constructor(
    private readonly clock: Clock,
    private readonly window: number,
  ) {}

  heard(): void {
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
 * Looks at `first`, and at growing intervals until `look` finds all or `last` has passed (milliseconds since the epoch). The
 * last look begins at `last` or later.
 */
export async function lookAgain(
  clock: Clock,
  first: number,
  last: number,
  look: () => Promise<boolean>,
): Promise<void> {
  for (let at = first, pause = 1_000; ; at = Math.min(last, clock.now() + pause), pause *= 2) {
    if (at > clock.now()) await clock.sleep(at - clock.now());
    const isLast = clock.now() >= last;
    if ((await look()) || isLast) return;
  }
}
