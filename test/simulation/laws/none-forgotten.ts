import { ledgerIds } from "../edits";
import { isLost } from "../knowledge";
import { isNamed } from "../messages";
import { identitiesIn, isIgnored } from "../program";
import type { Law } from "./law";

export const noneForgotten = {
  name: "none-forgotten",
  sentence:
    "The state or a message knows every live record that the stack created, while it has the stack's value, unless the program ignores it.",
  row: "No record that a run created is forgotten.",
  *rest(world, { stack, state, program }) {
    const owned = ledgerIds(state, "+=");
    for (const record of world.live()) {
      const written = record.lastWriteOf(stack);
      const { identity: what = "" } = record.now;
      if (written?.identity !== what || owned.has(record.id)) continue;
      const text = `record ${record.id} (${what}) of stack ${stack}`;
      const isUnnamed = !isIgnored(program, record.domain, what) && !isNamed(world, written, stack);
      if (identitiesIn(program).has(what)) yield `${text} is declared, and no resource answers for it`;
      else if (isUnnamed && !isLost(world, written)) yield `neither state nor any message knows ${text}`;
    }
  },
} as const satisfies Law;
