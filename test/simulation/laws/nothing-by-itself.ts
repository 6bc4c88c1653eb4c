import type { Law } from "./law";

export const nothingByItself = {
  name: "nothing-by-itself",
  sentence: "No record appears, changes or goes without a call or a person.",
  row: "The documented API changes and deletes nothing.",
  *unexplained(_world, text) {
    yield text;
  },
} as const satisfies Law;
