import { showsLive } from "../knowledge";
import type { Law } from "./law";

export const listedNotSent = {
  name: "listed-not-sent",
  sentence: "No process sends a record that its last listing shows.",
  row: "A declared record that is live is adopted without a write.",
  *sent(world, call) {
    if (call.operation !== "Batch.Record.Create") return;
    for (const what of world.zones.identitiesOf(call))
      for (const record of world.live(what))
        if (showsLive(world, call, record, what))
          yield `${call.process.name} sends ${what}, which its listing showed (record ${record.id})`;
  },
} as const satisfies Law;
