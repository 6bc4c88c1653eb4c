import type { Law } from "./law";

export const listedNotSent = {
  name: "listed-not-sent",
  sentence: "No process sends a record that its last listing shows.",
  row: "A declared record that is live is adopted without a write.",
  *sent(world, call) {
    if (call.operation !== "Batch.Record.Create") return;
    for (const what of world.zones.identitiesOf(call))
      for (const { domain, id, now } of world.live(what)) {
        const listing = call.seen.get(domain);
        if (listing?.shown.get(id)?.identity === what && now.at <= listing.at)
          yield `${call.process.name} sends ${what}, which its listing showed (record ${id})`;
      }
  },
} as const satisfies Law;
