import type { Law } from "./law";

export const goalReached = {
  name: "goal-reached",
  sentence: "A user who follows the messages reaches the goal within three rounds.",
  row: "Every message names the command or the edit that leads to the goal.",
  *settled(_world, { stack, rounds, last }) {
    if (rounds > 3) yield `the user of stack ${stack} needs ${rounds} rounds: ${last.join(" | ")}`;
  },
} as const satisfies Law;
