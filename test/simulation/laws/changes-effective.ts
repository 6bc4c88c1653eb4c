import { gapOfWrite, isLate } from "../knowledge";
import type { Law } from "./law";

export const changesEffective = {
  name: "changes-effective",
  sentence: "No process changes a record into what it could know it to be.",
  row: "The provider sends no change without an effect.",
  *idle(world, { record, before, call }) {
    const { process, operation } = call;
    const gap = [call, ...world.editorsOf(record.id)].some(isLate)
      ? "late request"
      : gapOfWrite({ ...before, by: call, visibleAt: world.now });
    if (gap !== undefined) return void world.excused(gap);
    if (world.knows(process, before, call))
      yield `${operation} of ${process.name} changes nothing of record ${record.id} (${before.identity ?? ""})`;
  },
} as const satisfies Law;
