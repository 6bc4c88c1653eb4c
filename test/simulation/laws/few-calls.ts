import { limitsOf } from "../limits";
import type { Law } from "./law";

export const fewCalls = {
  name: "few-calls",
  sentence: "A run without faults makes few calls; open writes of earlier runs raise the limit.",
  row: "A zone is listed once per process and minute, and creations share a job.",
  *ended(world, { process, resources }) {
    for (const [operation, most] of resources === undefined ? [] : limitsOf(world, process, resources)) {
      const calls = world.callsOf(process, operation);
      if (calls > most)
        yield `${process.name}: ${calls} calls of ${operation}, where ${Math.floor(most)} suffice`;
    }
  },
} as const satisfies Law;
