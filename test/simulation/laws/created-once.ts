import { groupBy } from "../../../provider/support/collections";
import type { ZoneRecord } from "../facts";
import type { Law } from "./law";

export const createdOnce = {
  name: "created-once",
  sentence:
    "A stack does not create a record if its process could know an earlier creation that may have taken effect.",
  row: "A record is created exactly once, also after a lost answer, a slow job or a kill.",
  *queued(world, call) {
    for (const what of world.zones.identitiesOf(call))
      for (const by of world.creationsOf(what))
        if (by.process === call.process && world.isBefore(by, call) && !world.zones.isRefused(by, what))
          if (world.knows(call.process, { by, identity: what, visibleAt: world.now }, call))
            yield `${call.process.name} has ${what} made twice`;
  },
  *ended(world) {
    const made = world.live().filter(({ origin }) => origin.by !== undefined);
    const keyOf = ({ now, origin }: ZoneRecord) => `${origin.by?.process.stack ?? ""} ${now.identity ?? ""}`;
    for (const twins of groupBy(made, keyOf).values())
      for (const later of twins)
        for (const one of twins) {
          const { by } = later.origin;
          if (by === undefined || one.origin.by === undefined || !world.isBefore(one.origin.by, by)) continue;
          if (world.once(`${one.id} ${later.id}`) && world.knows(by.process, one.origin, by))
            yield `${one.now.identity ?? ""} is live twice (records ${one.id} and ${later.id})`;
        }
  },
} as const satisfies Law;
