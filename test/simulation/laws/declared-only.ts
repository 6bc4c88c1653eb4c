import type { Law } from "./law";

export const declaredOnly = {
  name: "declared-only",
  sentence: "No process sends a record that its program does not declare.",
  row: "Only declared records are created.",
  *sent(world, call) {
    if (call.operation !== "Batch.Record.Create") return;
    for (const what of world.zones.identitiesOf(call))
      if (!world.run(call.process).declared.has(what))
        yield `${call.process.name} sends ${what}, which it does not declare`;
  },
} as const satisfies Law;
