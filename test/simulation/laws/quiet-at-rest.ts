import { ledgerIds } from "../edits";
import type { Law } from "./law";

export const quietAtRest = {
  name: "quiet-at-rest",
  sentence:
    "At rest, every record in the state is live, another up makes no call, and a refresh finds nothing.",
  row: "An up without changes makes no call.",
  *rest(world, { stack, state }) {
    for (const id of ledgerIds(state, "+="))
      if (world.records.get(id)?.now.view === undefined)
        yield `the state of ${stack} has record ${id}, which is not live`;
  },
  *again(world, { process, ok, changed, errors, mayCall }) {
    const calls = mayCall ? world.writesOf(process).length : world.callsOf(process);
    if (!ok || changed.length > 0)
      yield `${process.name} at rest changes ${changed.join(" ")}: ${errors.join(" | ")}`;
    if (calls > 0) yield `${process.name} at rest makes ${calls} calls${mayCall ? " that write" : ""}`;
  },
} as const satisfies Law;
