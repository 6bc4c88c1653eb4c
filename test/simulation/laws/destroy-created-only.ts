import { isCreated } from "../ownership";
import type { Law } from "./law";

export const destroyCreatedOnly = {
  name: "destroy-created-only",
  sentence: "A destroy deletes only records that the stack created.",
  row: "A destroy deletes what the stack created and keeps what it adopted.",
  *changed(world, { record, before, call: { process } }) {
    if (world.run(process).kind !== "destroy" || isCreated(world, record, process.stack)) return;
    yield `the destroy ${process.name} deletes record ${record.id} (${before.identity ?? ""}), which its stack did not create`;
  },
} as const satisfies Law;
