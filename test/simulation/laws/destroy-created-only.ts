import { isCreated } from "../ownership";
import type { Law } from "./law";

export const destroyCreatedOnly = {
  name: "destroy-created-only",
  sentence: "A destroy deletes all records that the stack created, and no others. `retain` keeps them.",
  row: "A destroy deletes what the stack created and keeps what it adopted.",
  *changed(world, { record, before, call: { process } }) {
    if (world.run(process).kind !== "destroy" || isCreated(world, record, process.stack)) return;
    yield `the destroy ${process.name} deletes record ${record.id} (${before.identity ?? ""}), which its stack did not create`;
  },
  *ended(world, { process, ok }) {
    const { deletable, kind } = world.run(process);
    if (!ok || kind !== "destroy") return;
    for (const record of world.live()) {
      const { creator, id, now, versions } = record;
      if (!deletable.has(id) || creator !== process.stack || now.by?.process.stack !== creator) continue;
      const [made = now] = versions;
      if (world.knows(process, made, { sentAt: world.now, seen: new Map() }))
        yield `the destroy ${process.name} keeps record ${id} (${now.identity ?? ""}), which its stack created`;
    }
  },
} as const satisfies Law;
