import { hasNumber, textsOf } from "../messages";
import type { Law } from "./law";

export const duplicatesNamed = {
  name: "duplicates-named",
  sentence:
    "After an `up --refresh`, the messages name every live duplicate of a declared record with its id.",
  row: "If a record is live twice, the next refresh names all its ids.",
  *ended(world, { process, ok }) {
    const { begun, declared, kind } = world.run(process);
    if (!ok || kind !== "up --refresh") return;
    const texts = textsOf(world, process.stack, begun);
    for (const what of declared) {
      const twins = world.live(what).filter(({ now }) => now.visibleAt <= begun);
      if (twins.length > 1 && !twins.every(({ id }) => hasNumber(texts, id)))
        yield `${what} is live ${twins.length} times, and ${process.name} does not say so`;
    }
  },
} as const satisfies Law;
