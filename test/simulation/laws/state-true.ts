import { ledgerIds } from "../edits";
import { isCreated, isNamedToGo, mayOwn } from "../ownership";
import type { Law } from "./law";

export const stateTrue = {
  name: "state-true",
  sentence:
    "The state owns a record only if the stack created it or was allowed to adopt it, and calls it created only if the stack created it.",
  row: "`adopt: false` takes no record over.",
  *ended(world, { process, state }) {
    const [{ stack }, created] = [process, ledgerIds(state, "+")];
    for (const id of ledgerIds(state, "+=")) {
      const record = world.records.get(id);
      if (record === undefined || !world.once(`${stack} owns ${id}`)) continue;
      const what = `record ${id} (${record.identity})`;
      if (isNamedToGo(world, process, record.domain, record.identity)) continue;
      if (!mayOwn(world, record, stack)) yield `the state owns ${what}, which it may not adopt`;
      else if (created.has(id) && !isCreated(world, record, stack)) yield `the state calls ${what} created`;
    }
  },
} as const satisfies Law;
