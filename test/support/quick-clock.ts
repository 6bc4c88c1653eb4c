/**
 * A clock for a provider and an emulator in one process. A wait ends after a tenth of its time, and the clock
 * then shows its end.
 */
import { systemClock, type Clock } from "../../provider/support/clock";

/** How many times shorter a wait is; a fault of the emulator that takes milliseconds takes them in full. */
export const times = 10;

/** A clock whose waits are short. Calls and files take their real time. */
export function quickClock(): Clock {
  let ahead = 0;
  const now = (): number => systemClock.now() + ahead;
  return {
    now,
    wall: () => systemClock.wall() + ahead,
    resumed: () => 0,
    sleep: async (ms, signal) => {
      const end = now() + ms;
      await systemClock.sleep(ms / times, signal);
      ahead += Math.max(0, end - now());
    },
  };
}
