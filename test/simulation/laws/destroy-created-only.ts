import { isTracked } from "../edits";
import { isCreated, knewCreated } from "../ownership";
import type { Law } from "./law";

export const destroyCreatedOnly = {
  name: "destroy-created-only",
  sentence: "Without `retain`, a destroy deletes what the stack created and kept, and nothing else.",
  row: "A destroy deletes what the stack created and keeps what it adopted.",
  *changed(world, { record, before, call: { process } }) {
    if (world.run(process).kind !== "destroy" || isCreated(world, record, process.stack)) return;
    yield `the destroy ${process.name} deletes record ${record.id} (${before.identity ?? ""}), which its stack did not create`;
  },
  *ended(world, { process, state }) {
    const { deletable, kind } = world.run(process);
    const left = kind === "destroy" ? world.live().filter(({ id }) => deletable.has(id)) : [];
    for (const record of left.filter((each) => !isTracked(state, each) && knewCreated(world, each, process)))
      yield `the destroy ${process.name} keeps record ${record.id} (${record.identity}), which its stack created`;
  },
} as const satisfies Law;
