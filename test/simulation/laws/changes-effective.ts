import { gapOfIdleChange } from "../knowledge";
import type { Law } from "./law";

export const changesEffective = {
  name: "changes-effective",
  sentence: "No process changes a record into what it could know it to be.",
  row: "The provider sends no change without an effect.",
  *idle(world, change) {
    const { record, before, call } = change;
    const { process, operation } = call;
    const gap = gapOfIdleChange(world, change);
    if (gap !== undefined) return void world.excused(gap);
    if (world.knows(process, before, call))
      yield `${operation} of ${process.name} changes nothing of record ${record.id} (${before.identity ?? ""})`;
  },
} as const satisfies Law;
