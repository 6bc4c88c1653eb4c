import type { Law } from "./law";

export const alwaysEnds = {
  name: "always-ends",
  sentence: "Nothing hangs, no rejection is unhandled, and no operation takes over an hour.",
  row: "Every wait has a limit.",
  *ended(world, { process }) {
    const seconds = (world.now - world.run(process).begun) / 1000;
    if (seconds > 3600) yield `${process.name} took ${Math.round(seconds)} s`;
  },
  *broke(_world, text) {
    yield text;
  },
} as const satisfies Law;
