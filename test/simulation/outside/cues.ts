/** Troubles at a call: as it leaves the process, or as it takes effect. */
import { editing, type Process } from "../process";
import type { Timeline } from "../time";

export interface Cue {
  /** Or `write`. */
  readonly operation: string;
  readonly moment: "leaves" | "works";
  /** From 1. */
  readonly nth: number;
  readonly then: (process: Process) => void;
}

const isWrite = (operation: string) => operation === "Batch.Record.Create" || editing.has(operation);

export function giveCues(process: Process, cues: readonly Cue[], timeline: Timeline): void {
  const counts = new Map<Cue, number>();
  process.onCall = (operation, moment) => {
    for (const cue of cues) {
      const isMeant = cue.operation === operation || (cue.operation === "write" && isWrite(operation));
      if (!isMeant || cue.moment !== moment) continue;
      const count = (counts.get(cue) ?? 0) + 1;
      counts.set(cue, count);
      if (count === cue.nth) timeline.in(0, () => cue.then(process));
    }
  };
}
