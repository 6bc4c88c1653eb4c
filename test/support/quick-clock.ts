/**
 * A clock for a provider and an emulator in one process: it goes on by itself, and a wait is over after a tenth of its
 * time, when the clock shows the end of it. So a test of waits sees every wait begin and end, and takes no time over them.
 */
import { systemClock, type Clock } from "../../provider/clock";

/** How many times shorter a wait is; a fault of the emulator that takes milliseconds takes them in full. */
export const times = 10;

/** A clock whose waits are short. What else takes time (calls, files) takes the time that it takes. */
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
